package warp

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// useAVX512 tells that the assembly of scan_amd64.s can run.
var useAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL

//go:noescape
func scan64(dst, src *[32]uint64, off uint64, out *span)

//go:noescape
func scan32(dst *[32]uint64, src *[32]uint32, off uint32, out *span)

//go:noescape
func gather32(dst *[32]uint32, base unsafe.Pointer, addr *[32]uint64)
