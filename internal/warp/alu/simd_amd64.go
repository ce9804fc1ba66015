package alu

import "golang.org/x/sys/cpu"

// simds lists the sets written in assembly, best first; each includes the next.
var simds = []simd{
	simdAVX512.named("avx512", func() bool {
		x := &cpu.X86
		return x.HasAVX512F && x.HasAVX512BW && x.HasAVX512CD && x.HasAVX512DQ && x.HasAVX512VL && hasAVX2()
	}),
	simdAVX2.named("avx2", hasAVX2),
}

func hasAVX2() bool {
	return cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasF16C
}

func (s simd) named(name string, available func() bool) simd {
	s.name, s.available = name, available
	return s
}
