package analysis

import (
	"encoding/binary"

	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Argument reads size bytes, at most 8, at offset off of a kernel's parameter
// from the parameter buffer of a launch; ok is false if they are not in it.
// Parameters lie one after the other, aligned (PTX ISA, "Kernel Function
// Parameters").
func Argument(f *ssa.Func, buf []byte, name string, off, size int) (bits uint64, ok bool) {
	at := 0
	for _, v := range f.PTX.Params {
		al := v.Alignment()
		at = (at + al - 1) / al * al
		if v.Name == name && off >= 0 && size <= 8 && at+off+size <= len(buf) {
			var b [8]byte
			copy(b[:], buf[at+off:at+off+size])
			return binary.LittleEndian.Uint64(b[:]), true
		}
		at += int(v.Size())
	}
	return 0, false
}
