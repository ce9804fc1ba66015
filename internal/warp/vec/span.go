package vec

import "github.com/warpgrind/warpgrind/internal/trace"

// Span is what a memory access needs to know of the lanes' addresses.
type Span struct {
	// Lo and Hi are the least and the largest, Or has the bits of all.
	Lo, Hi, Or uint64
	// If Regular, all 32 lanes take part and lane i has lane 0's address plus
	// i times Step.
	Step    int64
	Regular bool
	// Shape is the addresses' shape at Base, the address of the lowest lane
	// that takes part; nil where it is not looked for.
	Shape *trace.Shape
	Base  uint64
}

// Measure finds the span of lanes m.
func (s *Span) Measure(a *Row64, m uint32) {
	*s = Span{Lo: ^uint64(0)}
	if m != ^uint32(0) {
		for ; m != 0; m &= m - 1 {
			v := a[Lowest(m)&31]
			s.Lo, s.Hi, s.Or = min(s.Lo, v), max(s.Hi, v), s.Or|v
		}
		return
	}
	step := a[1] - a[0]
	want, odd := a[0], uint64(0)
	for _, v := range a {
		s.Lo, s.Hi, s.Or = min(s.Lo, v), max(s.Hi, v), s.Or|v
		odd |= v ^ want
		want += step
	}
	s.Step, s.Regular = int64(step), odd == 0
}

// HasShape reports whether addresses are those of a shape at base.
func HasShape(addr *Row64, sh *trace.Shape, base uint64) bool {
	if UseAVX512 {
		return match64(addr, &sh.Off, base, sh.Mask)
	}
	for m := sh.Mask; m != 0; m &= m - 1 {
		if l := Lowest(m) & 31; addr[l] != base+sh.Off[l] {
			return false
		}
	}
	return true
}
