package matrix

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// fragmentPlan is where the lanes access a matrix whose rows are pitch bytes apart, relative to its
// begin, by piece. Almost all executions of an instruction have the same one.
type fragmentPlan struct {
	of     *fragment
	pitch  uint64
	pieces []fragmentPiece
	// hi is the largest offset.
	hi uint64
}

// fragmentPiece is an access to elements from elem on of register reg.
type fragmentPiece struct {
	reg, elem int
	off       vec.Row64
	span      vec.Span
}

// plan returns the places of s for a pitch.
func (t *scratch) plan(s *fragment, pitch uint64) *fragmentPlan {
	id := s.Mem.Site.ID
	if id >= len(t.plans) {
		t.plans = append(t.plans, make([]*fragmentPlan, id+1-len(t.plans))...)
	}
	p := t.plans[id]
	if p == nil || p.of != s || p.pitch != pitch {
		p = s.plan(pitch)
		t.plans[id] = p
	}
	return p
}

func (s *fragment) plan(pitch uint64) *fragmentPlan {
	p := &fragmentPlan{of: s, pitch: pitch}
	for r := range s.Frag.Index {
		for e := 0; e < s.Frag.PerReg; e += s.perPiece() {
			p.pieces = append(p.pieces, fragmentPiece{reg: r, elem: e})
			x := &p.pieces[len(p.pieces)-1]
			for l := range x.off {
				x.off[l] = s.offset(r, l, e, pitch)
			}
			x.span.Measure(&x.off, ^uint32(0))
			p.hi = max(p.hi, x.span.Hi)
		}
	}
	return p
}

// offset is where lane l accesses elements from e on of register r.
func (s *fragment) offset(r, l, e int, pitch uint64) uint64 {
	row, col := s.Frag.At(r, l, e)
	if s.Col {
		row, col = col, row
	}
	return uint64(row)*pitch + uint64(col)*uint64(s.Frag.Elem.Bits())/8
}

// whole accesses the matrix from base on if its rows are aligned and it lies in one space; done tells whether. Each piece is the same
// access as in the general case.
func (s *fragment) whole(u *Unit, base, pitch uint64) (done, ok bool) {
	if (base|pitch)&(s.alignment()-1) != 0 {
		return false, false
	}
	space := s.Mem.Space
	p := u.made().plan(s, pitch)
	if space == trace.SpaceGeneric {
		if space = vec.SpaceOf(base); vec.SpaceOf(base+p.hi) != space || base+p.hi < base {
			return false, false
		}
		base -= vec.WindowStart(space)
	}
	for i := range p.pieces {
		if !s.wholePiece(u, space, base, &p.pieces[i]) {
			return true, false
		}
	}
	return true, true
}

// quick loads a piece of which the sieve takes the read, and returns false if something else has to be asked.
func (s *fragment) quick(u *Unit, base uint64, x *fragmentPiece) bool {
	op, size := &s.Mem, uint64(s.Mem.Elem*s.Mem.Count)
	if x.span.Shape == nil || s.Regs[x.reg] == program.NoSlot || (base|x.span.Or)&(size-1) != 0 {
		return false
	}
	shared := u.warp.TakesRead(op, base+x.span.Lo, base+x.span.Hi+size, &x.span, base+x.off[0])
	if shared == nil {
		return false
	}
	from := unsafe.Add(shared, base)
	if !s.move(u, from, &x.off, &x.span, s.Regs[x.reg], x.elem) {
		s.moveLanes(u, from, ^uint32(0), &x.off, x.reg, x.elem)
	}
	return true
}

// wholePiece accesses a piece of a matrix that begins at base.
func (s *fragment) wholePiece(u *Unit, space trace.Space, base uint64, x *fragmentPiece) bool {
	if space == trace.SpaceShared && !s.Store && s.quick(u, base, x) {
		return true
	}
	addr := &u.addr
	for l, o := range &x.off {
		addr[l] = base + o
	}
	u.span = x.span
	sp := &u.span
	sp.Lo, sp.Hi, sp.Or, sp.Base = base+sp.Lo, base+sp.Hi, base|sp.Or, addr[0]
	if s.Store {
		u.made().data = matrixData{regs: u.regs, frag: s, reg: x.reg, elem: x.elem}
	}
	if space == trace.SpaceShared && sp.Shape == nil {
		x.span.Shape = u.warp.ShapeOf(&s.Mem, addr, sp)
		sp.Shape = x.span.Shape
	}
	return s.access(u, space, ^uint32(0), addr, sp, x.reg, x.elem)
}

// move moves the elements of a piece for all lanes, where it can do so at once; it returns whether it did.
func (s *fragment) move(u *Unit, base unsafe.Pointer, addr *vec.Row64, sp *vec.Span, slot int32, e int) bool {
	n := s.Mem.Elem * s.Mem.Count
	switch {
	case s.Frag.Elem.Width() == alu.W64 && n == 8:
		moveDoubles(u.regs.V64(slot), base, addr, s.Store)
	case s.Frag.Elem.Width() != alu.W32:
		return false
	case n == 4 && s.Store:
		for l, v := range u.regs.V32(slot) {
			*(*uint32)(unsafe.Add(base, addr[l])) = v
		}
	case n == 4:
		vec.Load32(u.regs.V32(slot), base, ^uint32(0), addr, sp)
	case n == 2 && !s.Store:
		halfWords(u.regs.V32(slot), base, addr, e*s.Frag.Elem.Bits())
	default:
		return false
	}
	return true
}

func moveDoubles(v *vec.Row64, base unsafe.Pointer, addr *vec.Row64, store bool) {
	for l := range v {
		p := (*uint64)(unsafe.Add(base, addr[l]))
		if store {
			*p = v[l]
		} else {
			v[l] = *p
		}
	}
}

// halfWords loads the half of each word from a bit on; the lower half clears the upper one.
func halfWords(d *vec.Row32, base unsafe.Pointer, addr *vec.Row64, bit int) {
	for l := range d {
		v := uint32(*(*uint16)(unsafe.Add(base, addr[l])))
		if bit != 0 {
			v = d[l]&0xffff | v<<16
		}
		d[l] = v
	}
}
