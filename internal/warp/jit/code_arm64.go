package jit

import (
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/memfile"
)

// Available is false: the assembler is for another processor. Code of compilers runs.
func Available() bool { return false }

// executable maps code as the pages of a file: the system makes the instructions visible to
// the processor, whose caches of data and of instructions are apart.
func executable(text []byte) ([]byte, error) {
	f, _, err := memfile.New("code")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := f.Write(text); err != nil {
		return nil, err
	}
	return unix.Mmap(int(f.Fd()), 0, len(text), unix.PROT_READ|unix.PROT_EXEC, unix.MAP_PRIVATE)
}

// Call is for code of the assembler.
func (c *Code) Call(int32, unsafe.Pointer) int32 { panic("jit: code of another processor") }
