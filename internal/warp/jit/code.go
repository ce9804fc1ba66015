package jit

import (
	"runtime"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Code is executable memory. It is unmapped when nothing refers to it any more.
type Code struct {
	mem []byte
}

// Address is where the code's offset at is in memory.
func (c *Code) Address(at int32) uintptr { return uintptr(unsafe.Pointer(&c.mem[at])) }

// Map makes machine code executable. The error is the system's, where it
// refuses memory for code.
func Map(text []byte) (*Code, error) {
	mem, err := executable(text)
	if err != nil {
		return nil, err
	}
	c := &Code{mem: mem}
	runtime.AddCleanup(c, func(m []byte) { _ = unix.Munmap(m) }, mem)
	return c, nil
}

// stackSize is the stack of compiled code, which calls nothing but itself.
const stackSize = 1 << 20

var stacks = sync.Pool{New: func() any { return new([stackSize]byte) }}

// CallC calls a function of C's calling convention at offset at, with ctx as its argument, on
// a stack of its own. The result is the function's.
func (c *Code) CallC(at int32, ctx unsafe.Pointer) int32 {
	stack := stacks.Get().(*[stackSize]byte)
	top := unsafe.Pointer(uintptr(unsafe.Pointer(&stack[stackSize-64])) &^ 63)
	r := callOn(unsafe.Pointer(&c.mem[at]), ctx, top)
	stacks.Put(stack)
	runtime.KeepAlive(c)
	return r
}

//go:noescape
func callOn(code, ctx, stack unsafe.Pointer) int32
