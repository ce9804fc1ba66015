package vec

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Addresses computes the addresses of lanes m for an access, and their span. before is the shape
// that they may have, as the last ones by this site had it; nil where none is looked for.
func (w *Registers) Addresses(op *program.Mem, m uint32, before *trace.Shape, a *Row64, s *Span) {
	switch {
	case op.Base == program.NoSlot:
		s.same(op, m, op.Offset, a)
	case op.Scalar:
		s.same(op, m, *w.S64(op.Base)+op.Offset, a)
	case before != nil && before.Mask == m && w.asBefore(op, before, a, s):
	case m == ^uint32(0) && UseAVX512:
		s.Shape = nil
		if op.BaseWidth == alu.W64 {
			scan64(a, w.V64(op.Base), op.Offset, s)
		} else {
			scan32(a, w.V32(op.Base), uint32(op.Offset), s)
		}
	case op.BaseWidth == alu.W64:
		b := w.V64(op.Base)
		for i := range a {
			a[i] = b[i] + op.Offset
		}
		s.Measure(a, m)
	default:
		b := w.V32(op.Base)
		for i := range a {
			a[i] = uint64(b[i] + uint32(op.Offset))
		}
		s.Measure(a, m)
	}
	if s.Hi >= mem.SharedWindow && (op.Space == trace.SpaceShared || op.Space == trace.SpaceLocal) {
		s.truncate(op, m, a)
	}
}

// truncate makes addresses of the space's generic window offsets in the space. An address that is wider than
// the space's is truncated ("PTX ISA", "Addresses as Operands"), so that a generic address of
// shared or local memory does for an instruction on that space: the windows begin where
// the lower half of an address is 0. What lies in no window stays as it is, and is out of bounds.
func (s *Span) truncate(op *program.Mem, m uint32, a *Row64) {
	if s.Regular && s.Step == 0 {
		if SpaceOf(s.Lo) == op.Space {
			s.same(op, m, s.Lo-WindowStart(op.Space), a)
		}
		return
	}
	for i := range a {
		if SpaceOf(a[i]) == op.Space {
			a[i] -= WindowStart(op.Space)
		}
	}
	s.Shape = nil
	s.Measure(a, m)
}

// NextSpace finds the space that the lowest lane of m accesses, and the lanes that access the same. It makes generic
// addresses of these ones of that space, and adapts the span to them. Who has lanes left measures their span anew.
func (s *Span) NextSpace(op *program.Mem, m uint32, addr *Row64) (trace.Space, uint32) {
	if op.Space != trace.SpaceGeneric {
		return op.Space, m
	}
	sp := SpaceOf(addr[Lowest(m)])
	same := m
	if SpaceOf(s.Lo) != sp || SpaceOf(s.Hi) != sp || sp == trace.SpaceGlobal && s.Lo < mem.SharedWindow && s.Hi >= mem.SharedWindow {
		same = 0
		for b := m; b != 0; b &= b - 1 {
			if l := Lowest(b); SpaceOf(addr[l]) == sp {
				same |= 1 << l
			}
		}
	}
	if start := WindowStart(sp); start != 0 {
		for b := same; b != 0; b &= b - 1 {
			addr[Lowest(b)] -= start
		}
		s.Lo, s.Hi, s.Base = s.Lo-start, s.Hi-start, s.Base-start
	}
	if same != m {
		s.Measure(addr, same)
	}
	return sp, same
}

// same is for an address that is kept once. A load that is done once needs it for one lane only;
// events need it in all.
func (s *Span) same(op *program.Mem, m uint32, v uint64, a *Row64) {
	*s = Span{Lo: v, Hi: v, Or: v, Regular: true}
	if op.ScalarRegs {
		a[Lowest(m)&31] = v
		return
	}
	for i := range a {
		a[i] = v
	}
}

// asBefore computes the addresses of an access by the lanes of a shape if they have that shape, and returns false
// if they have another one.
func (w *Registers) asBefore(op *program.Mem, sh *trace.Shape, a *Row64, s *Span) bool {
	m := sh.Mask
	l := Lowest(m) & 31
	if op.BaseWidth == alu.W64 {
		b := w.V64(op.Base)
		s.Base = b[l] + op.Offset
		if !shaped64(a, b, op.Offset, s.Base, &sh.Off, m) {
			return false
		}
	} else {
		b := w.V32(op.Base)
		s.Base = uint64(b[l] + uint32(op.Offset))
		if !shaped32(a, b, uint32(op.Offset), s.Base, &sh.Off, m) {
			return false
		}
	}
	s.Lo, s.Hi, s.Or = s.Base+sh.Lo, s.Base+sh.Hi, s.Base|sh.Or
	s.Step, s.Regular, s.Shape = sh.Step, sh.Regular, sh
	return true
}
