package vec

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// UseAVX512 tells that the assembly of scan_amd64.s can run.
var UseAVX512 = alu.ISA() == "avx512"

//go:noescape
func scan64(dst, src *[32]uint64, off uint64, out *Span)

//go:noescape
func scan32(dst *[32]uint64, src *[32]uint32, off uint32, out *Span)

//go:noescape
func gather32(dst *[32]uint32, base unsafe.Pointer, addr *[32]uint64)

//go:noescape
func match64(addr, off *[32]uint64, base uint64, mask uint32) bool

//go:noescape
func shaped64(dst, src *[32]uint64, add, base uint64, off *[32]uint64, mask uint32) bool

//go:noescape
func shaped32(dst *[32]uint64, src *[32]uint32, add uint32, base uint64, off *[32]uint64, mask uint32) bool
