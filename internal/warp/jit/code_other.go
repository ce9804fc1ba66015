//go:build !amd64

package jit

import (
	"errors"
	"unsafe"
)

// Available is false: there is no code generator for this processor.
func Available() bool { return false }

// Map is not supported here.
func Map([]byte) (*Code, error) { return nil, errors.ErrUnsupported }

// Call is not supported here.
func (c *Code) Call(int32, unsafe.Pointer) int32 { panic("jit: not supported") }
