package jit

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/cpu"
	"golang.org/x/sys/unix"
)

// Available reports whether this processor and package can run code of the assembler:
// AVX-512 F, BW, CD, DQ and VL, and BMI1.
func Available() bool {
	x := &cpu.X86
	return x.HasAVX512F && x.HasAVX512BW && x.HasAVX512CD && x.HasAVX512DQ && x.HasAVX512VL && x.HasBMI1
}

func executable(text []byte) ([]byte, error) {
	mem, err := unix.Mmap(-1, 0, len(text), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, err
	}
	copy(mem, text)
	if err := unix.Mprotect(mem, unix.PROT_READ|unix.PROT_EXEC); err != nil {
		_ = unix.Munmap(mem)
		return nil, err
	}
	return mem, nil
}

// Call runs the code from offset at, which gets ctx in RSI and must return with
// RSP, RBP, R14 and R15 as they were, and without values in the upper halves of
// vector registers. It may use 8 bytes of stack. The result is what it leaves in
// EAX.
func (c *Code) Call(at int32, ctx unsafe.Pointer) int32 {
	r := call(unsafe.Pointer(&c.mem[at]), ctx)
	runtime.KeepAlive(c)
	return r
}

//go:noescape
func call(code, ctx unsafe.Pointer) int32
