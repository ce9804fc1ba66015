package warp

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// span is what a memory access needs to know of the lanes' addresses.
type span struct {
	// lo and hi are the least and the largest, or has the bits of all.
	lo, hi, or uint64
	// If regular, all 32 lanes take part and lane i has lane 0's address plus
	// i steps.
	step    int64
	regular bool
	// shape is the addresses' shape at base, the address of the lowest lane
	// that takes part; nil where it is not looked for.
	shape *trace.Shape
	base  uint64
}

// addresses computes the lanes' addresses into Env.addr and their span.
func (w *Warp) addresses(op *program.Mem, m uint32) (*row64, *span) {
	a, s := &w.Env.addr, &w.Env.span
	switch {
	case op.Base == program.NoSlot:
		w.sameAddress(op, m, op.Offset)
	case op.Scalar:
		w.sameAddress(op, m, *w.s64(op.Base)+op.Offset)
	case useAVX512 && op.Space == trace.SpaceShared && w.Env.Watched.Group != nil && w.asBefore(op, m):
	case m == ^uint32(0) && useAVX512:
		s.shape = nil
		if op.BaseWidth == alu.W64 {
			scan64(a, w.v64(op.Base), op.Offset, s)
		} else {
			scan32(a, w.v32(op.Base), uint32(op.Offset), s)
		}
	case op.BaseWidth == alu.W64:
		b := w.v64(op.Base)
		for i := range a {
			a[i] = b[i] + op.Offset
		}
		s.measure(a, m)
	default:
		b := w.v32(op.Base)
		for i := range a {
			a[i] = uint64(b[i] + uint32(op.Offset))
		}
		s.measure(a, m)
	}
	if s.hi >= mem.SharedWindow && (op.Space == trace.SpaceShared || op.Space == trace.SpaceLocal) {
		w.truncate(op, m)
	}
	return a, s
}

// truncate makes addresses of the space's generic window offsets in the space. An address that is wider than
// the space's is truncated ("PTX ISA", "Addresses as Operands"), so that a generic address of
// shared or local memory does for an instruction on that space: the windows begin where
// the lower half of an address is 0. What lies in no window stays as it is, and is out of bounds.
func (w *Warp) truncate(op *program.Mem, m uint32) {
	a, s := &w.Env.addr, &w.Env.span
	if s.regular && s.step == 0 {
		if spaceOf(s.lo) == op.Space {
			w.sameAddress(op, m, s.lo-windowStart(op.Space))
		}
		return
	}
	for i := range a {
		if spaceOf(a[i]) == op.Space {
			a[i] -= windowStart(op.Space)
		}
	}
	s.shape = nil
	s.measure(a, m)
}

// sameAddress is for an address that is kept once. A load that is done once
// needs it for one lane only; emit makes it complete for observers.
func (w *Warp) sameAddress(op *program.Mem, m uint32, v uint64) {
	w.Env.span = span{lo: v, hi: v, or: v, regular: true}
	if op.ScalarRegs {
		w.Env.addr[lowest(m)&31] = v
		return
	}
	for i := range w.Env.addr {
		w.Env.addr[i] = v
	}
}

// asBefore computes the addresses of an access that has the shape of the
// warp's last one by that site, and returns false if it has another one.
func (w *Warp) asBefore(op *program.Mem, m uint32) bool {
	a, s := &w.Env.addr, &w.Env.span
	sh := *w.remembered(op.Site.ID)
	if sh.Mask != m {
		return false
	}
	l := lowest(m) & 31
	if op.BaseWidth == alu.W64 {
		b := w.v64(op.Base)
		s.base = b[l] + op.Offset
		if !shaped64(a, b, op.Offset, s.base, &sh.Off, m) {
			return false
		}
	} else {
		b := w.v32(op.Base)
		s.base = uint64(b[l] + uint32(op.Offset))
		if !shaped32(a, b, uint32(op.Offset), s.base, &sh.Off, m) {
			return false
		}
	}
	s.lo, s.hi, s.or = s.base+sh.Lo, s.base+sh.Hi, s.base|sh.Or
	s.step, s.regular, s.shape = sh.Step, sh.Regular, sh
	return true
}

// measure finds the span of lanes m.
func (s *span) measure(a *row64, m uint32) {
	*s = span{lo: ^uint64(0)}
	if m != ^uint32(0) {
		for ; m != 0; m &= m - 1 {
			v := a[lowest(m)&31]
			s.lo, s.hi, s.or = min(s.lo, v), max(s.hi, v), s.or|v
		}
		return
	}
	step := a[1] - a[0]
	want, odd := a[0], uint64(0)
	for _, v := range a {
		s.lo, s.hi, s.or = min(s.lo, v), max(s.hi, v), s.or|v
		odd |= v ^ want
		want += step
	}
	s.step, s.regular = int64(step), odd == 0
}
