package jit

import "unsafe"

// Code is executable memory. It is unmapped when nothing refers to it any more.
type Code struct {
	mem []byte
}

// Address is where the code's offset at is in memory.
func (c *Code) Address(at int32) uintptr { return uintptr(unsafe.Pointer(&c.mem[at])) }
