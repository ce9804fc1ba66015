//go:build !amd64

package vec

import "unsafe"

const UseAVX512 = false

func scan64(dst, src *[32]uint64, off uint64, out *Span)              { panic("no assembly") }
func scan32(dst *[32]uint64, src *[32]uint32, off uint32, out *Span)  { panic("no assembly") }
func gather32(dst *[32]uint32, base unsafe.Pointer, addr *[32]uint64) { panic("no assembly") }

func match64(addr, off *[32]uint64, base uint64, mask uint32) bool { panic("no assembly") }

func shaped64(dst, src *[32]uint64, add, base uint64, off *[32]uint64, mask uint32) bool {
	panic("no assembly")
}

func shaped32(dst *[32]uint64, src *[32]uint32, add uint32, base uint64, off *[32]uint64, mask uint32) bool {
	panic("no assembly")
}
