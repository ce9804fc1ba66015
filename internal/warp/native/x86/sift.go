package x86

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trace/recall"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// The sieve of package recall in generated code: an access to shared memory enters the
// states of its units and the journal, if it is unsuspected. If not, it is left to the
// interpreter, which suspects it again: what was entered so far does not matter.

// sifting is an access that goes through the sieve. Its registers are scratch ones.
type sifting struct {
	joining
	// kind are its bits of a state.
	kind uint32
	// unit is the bytes that have a state, units how many each lane accesses.
	unit, units int
	// at are the offsets of the lanes in shared memory, base the thread of lane 0 and the
	// interval in all lanes. The other registers are for 16 lanes.
	at   [2]jit.Vec
	base jit.Vec
}

// sift leaves the code unless the sieve takes the access.
func (a *access) sift() {
	unit := a.g.Program.SharedUnit()
	s := &sifting{unit: unit, units: a.Size / unit, at: [2]jit.Vec{a.scratch[6], a.scratch[7]}, base: a.scratch[0],
		joining: joining{access: a, word: &shadow.Sieve, looks: true, state: a.scratch[1], next: a.scratch[2], is: a.scratch[3], t: a.scratch[4]}}
	switch site := a.Mem.Site; {
	case site.Kind == trace.Read:
		s.kind = shadow.SieveRead
	case site.Kind == trace.Write:
		s.kind, s.looks = shadow.SieveWrite, false
	default:
		s.kind, s.looks = shadow.SieveAtomic, !site.Exchange()
	}
	s.kinds = uint64(s.kind | shadow.SieveWritten)
	s.offsets()
	g, cont, thin := a.g, a.g.NewLabel(), a.g.NewLabel()
	s.room(thin)
	s.putAddresses()
	if s.one() && s.kind != shadow.SieveWrite {
		other := g.NewLabel()
		s.again(other)
		s.jot(false)
		b := *s
		g.cold = append(g.cold, func() {
			g.Bind(other)
			b.ready()
			b.lanes()
			g.Jump(cont)
		})
	} else if s.ready(); s.units == 1 && !s.one() {
		other := g.NewLabel()
		s.inOneRow(other)
		for h := range 2 {
			s.half(h, 0, true)
		}
		s.jot(true)
		b := *s
		g.cold = append(g.cold, func() {
			g.Bind(other)
			b.lanes()
			g.Jump(cont)
		})
	} else {
		s.lanes()
	}
	g.Bind(cont)
	b := *s
	g.cold = append(g.cold, func() {
		g.Bind(thin)
		b.thinned()
		g.Jump(cont)
	})
}

// ready prepares what states are compared with and points RDX to them.
func (s *sifting) ready() {
	g := s.g
	g.Load(jit.RCX, ctx(native.CtxWarp))
	g.ShiftImm(jit.SHR, true, jit.RCX, 3) // the warp times 32: an event has it from bit 8 on
	g.OpMem(jit.ADD, false, jit.RCX, ctx(native.CtxTag))
	g.Emit(jit.VPBROADCASTDr, jit.Args{Reg: int8(s.base), RM: int8(jit.RCX)})
	g.Load(jit.RDX, ctx(native.CtxStates))
}

// again continues if several threads have accessed the one place of all lanes in this way
// and in no other: its states then stay as they are, whoever accesses it.
func (s *sifting) again(other jit.Label) {
	g := s.g
	g.MoveFromVec(jit.RBX, s.at[0], false)
	g.Load(jit.RDX, ctx(native.CtxStates))
	for j := range s.units {
		g.Load32(jit.RCX, s.state4(jit.RDX, int8(jit.RBX), j))
		g.OpMem(jit.SUB, false, jit.RCX, ctx(native.CtxTag))
		g.OpImm(jit.CMP, false, jit.RCX, int32(shadow.SieveWritten|s.kind|shadow.SieveSeveral))
		g.JumpIf(jit.NE, other)
	}
}

// thinned is for an access that the journal has no room for: it leaves the code unless that
// is thinned, and no state changes.
func (s *sifting) thinned() {
	g := s.g
	if s.kind == shadow.SieveWrite {
		g.Jump(s.slow)
		return
	}
	g.CmpMemImm(ctx(native.CtxThins), 0)
	g.JumpIf(jit.E, s.slow)
	skip := g.NewLabel()
	if s.one() {
		other := g.NewLabel()
		s.again(other)
		g.Jump(skip)
		g.Bind(other)
	}
	s.ready()
	for j := range s.units {
		for h := range 2 {
			s.gather(s.state, s.state4(jit.RDX, int8(s.at[h]), j), s.g.maskOf(h, 2))
			s.join(h)
			s.leaveIf(6)
		}
	}
	g.Bind(skip)
	g.MoveImm(jit.RAX, 1)
	g.OpMem(jit.ADD, true, jit.RAX, ctx(native.CtxSkips))
	g.Store(ctx(native.CtxSkips), jit.RAX)
}

// one reports whether all lanes have one address.
func (s *sifting) one() bool { return s.Mem.OnePlace() }

// state4 is where the states of unit j of elements are, from offsets in shared memory and the first state.
func (s *sifting) state4(states jit.Reg, offset int8, j int) jit.Mem {
	return jit.Mem{Base: states, Index: offset, Scale: uint8(4 / s.unit), Disp: int32(4 * j)}
}

// lanes is the way for any addresses.
func (s *sifting) lanes() {
	for j := range s.units {
		for h := range 2 {
			s.half(h, j, false)
		}
	}
	s.jot(false)
}

// offsets checks the addresses and makes offsets in shared memory of them.
func (s *sifting) offsets() {
	g, m := s.g, s.Mem
	add32 := func(d, x jit.Vec) { s.op3(jit.VPADDD, d, x, g.c32(uint32(m.Offset)), 0, 0) }
	if s.one() {
		if m.Base == program.NoSlot {
			g.MoveImm(jit.RAX, 0)
		} else {
			g.Load(jit.RAX, slab(m.Base, 0))
		}
		g.Emit(jit.VPBROADCASTDr, jit.Args{Reg: int8(s.t), RM: int8(jit.RAX)})
		if s.Size > 1 {
			g.TestImm(jit.RAX, int32(s.Size-1))
			g.JumpIf(jit.NE, s.slow)
		}
		g.OpMem(jit.SUB, true, jit.RAX, g.memoryCode().regionStart(s.Index))
		s.inside(jit.RAX, 0)
		for _, v := range s.at {
			add32(v, s.t)
		}
		return
	}
	s.checkEach(g.part)
	for h, v := range s.at {
		if s.parts == 2 {
			add32(v, s.addr[h])
			continue
		}
		s.narrow(v, s.addr[2*h])
		s.narrow(s.t, s.addr[2*h+1])
		s.op3(jit.VINSERTI64X4, v, v, vreg(s.t), 1, 0)
		add32(v, v)
	}
}

// narrow makes 32-bit elements of 64-bit ones.
func (s *sifting) narrow(d, x jit.Vec) {
	s.g.Emit(jit.VPMOVQD, jit.Args{Reg: int8(x), RM: int8(d)})
}

// room continues if the journal has room for the record, which then is at RAX.
func (s *sifting) room(none jit.Label) {
	g := s.g
	g.Load(jit.RAX, ctx(native.CtxJotAt))
	g.Lea(jit.RCX, jit.At(jit.RAX, int32(recall.RecordSize(s.Mem.Site))))
	g.OpMem(jit.CMP, true, jit.RCX, ctx(native.CtxJotEnd))
	g.JumpIf(jit.A, none)
}

// putAddresses writes the addresses into the record.
func (s *sifting) putAddresses() {
	for h, v := range s.at {
		m := jit.At(jit.RAX, int32(recall.RecordAddr+64*h))
		s.g.Emit(jit.VMOVDQU32s, jit.Args{Reg: int8(v), Mem: &m})
	}
}

// inOneRow continues if the lanes' elements, of one unit, are neighbors: RBX is the offset that lane 0
// has or would have, and RDX, which has the first state, the place of its state.
func (s *sifting) inOneRow(other jit.Label) {
	g := s.g
	if g.part {
		g.TrailingZeros(jit.RCX, jit.R12)
		g.Load32(jit.RBX, jit.Mem{Base: jit.RAX, Index: int8(jit.RCX), Scale: 4, Disp: recall.RecordAddr})
		if n := bits.TrailingZeros(uint(s.unit)); n > 0 {
			g.ShiftImm(jit.SHL, true, jit.RCX, byte(n))
		}
		g.Op(jit.SUB, true, jit.RBX, jit.RCX)
	} else {
		g.MoveFromVec(jit.RBX, s.at[0], false)
	}
	g.Emit(jit.VPBROADCASTDr, jit.Args{Reg: int8(s.t), RM: int8(jit.RBX)})
	for h, v := range s.at {
		steps := g.Data(row16(func(l int) uint32 { return uint32(s.unit * (16*h + l)) }))
		s.op3(jit.VPADDD, s.next, s.t, operand{m: &steps}, 0, 0)
		s.op3(jit.VPCMPUD, jit.Vec(5+h), v, vreg(s.next), 4, g.maskOf(h, 2))
	}
	g.KOrTest(5, 6, 16)
	g.JumpIf(jit.NE, other)
	g.Lea(jit.RDX, s.state4(jit.RDX, int8(jit.RBX), 0))
}

// row16 is a vector of 16 elements.
func row16(f func(lane int) uint32) (v [8]uint64) {
	for l := range 16 {
		v[l/2] |= uint64(f(l)) << (l % 2 * 32)
	}
	return v
}

// half enters unit j of the elements of 16 lanes, which are neighbors if inRow is set.
func (s *sifting) half(h, j int, inRow bool) {
	g := s.g
	place := s.state4(jit.RDX, int8(s.at[h]), j)
	if inRow {
		place = jit.At(jit.RDX, int32(64*h))
		s.row(h, s.state, place)
	} else {
		s.gather(s.state, place, s.g.maskOf(h, 2))
	}
	done := g.NewLabel()
	s.join(h)
	g.KOrTest(6, 6, 16)
	g.JumpIf(jit.E, done)
	if inRow {
		g.Emit(jit.VMOVDQU32s, jit.Args{Reg: int8(s.next), Mem: &place, K: 6})
	} else {
		s.scatter(s.next, place, 6)
		s.meet(h, place)
	}
	g.Bind(done)
}

// join makes the next states of 16 lanes' units of their states, and k6 those that change. It
// leaves the code where one is suspected.
func (s *sifting) join(h int) {
	g, mask := s.g, s.g.maskOf(h, 2)
	fresh := g.Data(row16(func(l int) uint32 { return uint32(16*h+l) | uint32(s.kinds) }))
	s.op3(jit.VPADDD, s.is, s.base, operand{m: &fresh}, 0, 0)
	s.joining.join(ctx(native.CtxTag), mask)
	s.op3(jit.VPCMPD, 6, s.next, vreg(s.state), 4, mask) // k6: changed
}

// meet is for lanes of one half with one unit of an older interval: the highest has written
// its state. Others would write the same, or have a unit of their own. Lanes with ascending
// offsets do not meet.
func (s *sifting) meet(h int, place jit.Mem) {
	g, none := s.g, s.g.NewLabel()
	tag := ctx(native.CtxTag)
	tag.Bcast = true
	s.op3(jit.VPCMPUD, 6, s.state, operand{m: &tag}, 1, 6)
	g.KOrTest(6, 6, 16)
	g.JumpIf(jit.E, none)
	s.op3(jit.VALIGND, s.t, s.at[h], vreg(s.at[h]), 1, 0)
	s.op3(jit.VPCMPUD, 5, s.at[h], vreg(s.t), 1, 0)
	g.KTo(jit.RCX, 5, 16)
	g.OpImm(jit.OR, false, jit.RCX, 1<<15) // the last one has no next
	g.OpImm(jit.CMP, false, jit.RCX, 1<<16-1)
	g.JumpIf(jit.E, none)
	s.gather(s.t, place, 6)
	s.op3(jit.VPCMPD, 7, s.t, vreg(s.next), 4, 6)
	if s.kind == shadow.SieveWrite {
		s.leaveIf(7)
		g.Bind(none)
		return
	}
	g.KOrTest(7, 7, 16)
	g.JumpIf(jit.E, none)
	s.op3(jit.VPORD, s.t, s.t, g.c32(shadow.SieveSeveral), 0, 0)
	s.scatter(s.t, place, 7)
	g.Bind(none)
}

// row loads what the lanes of half h, which are neighbors, have from a place on.
func (s *sifting) row(h int, d jit.Vec, place jit.Mem) {
	if k := s.g.maskOf(h, 2); k != 0 { // there may be nothing where the others would be
		s.op3(jit.VPXORD, d, d, vreg(d), 0, 0)
		s.g.Emit(jit.VMOVDQU32, jit.Args{Reg: int8(d), Mem: &place, K: k})
		return
	}
	s.op2(jit.VMOVDQU32, d, operand{m: &place})
}

// jot writes the record at RAX.
func (s *sifting) jot(inRow bool) {
	g, site := s.g, s.Mem.Site
	g.Load(jit.RCX, ctx(native.CtxWarp))
	g.ShiftImm(jit.SHR, true, jit.RCX, 8)
	g.Store32(jit.At(jit.RAX, recall.RecordWarp), jit.RCX)
	g.Store32(jit.At(jit.RAX, recall.RecordMask), jit.R12)
	for _, x := range [3][2]int32{{recall.RecordSite, int32(site.ID)}, {recall.RecordLength, int32(recall.RecordSize(site) / 4)}, {recall.RecordKnown, 1}} {
		g.MoveImm(jit.RCX, uint64(x[1]))
		g.Store32(jit.At(jit.RAX, x[0]), jit.RCX)
	}
	at := int32(recall.RecordData)
	put := func(v jit.Vec) {
		m := jit.At(jit.RAX, at)
		g.Emit(jit.VMOVDQU32s, jit.Args{Reg: int8(v), Mem: &m})
		at += 64
	}
	if site.Kind == trace.Write {
		for k := range s.Mem.Count {
			s.putValue(k, put)
		}
	}
	if site.Kind != trace.Read {
		s.putBefore(inRow, put)
	}
	g.OpImm(jit.ADD, true, jit.RAX, int32(recall.RecordSize(site)))
	g.Store(ctx(native.CtxJotAt), jit.RAX)
}

// putValue writes element k of what the lanes store.
func (s *sifting) putValue(k int, put func(jit.Vec)) {
	n := 2
	if s.Mem.Elem == 8 {
		n = 4
	}
	for i := range n {
		put(s.values[k][i])
	}
}

// putBefore writes what the words have that the lanes' elements are in.
func (s *sifting) putBefore(inRow bool, put func(jit.Vec)) {
	s.g.Load(jit.RDX, ctx(native.CtxShared))
	for j := range max(s.Size/4, 1) {
		for h := range 2 {
			at := s.at[h]
			if s.Size < 4 {
				at = s.t
				s.op3(jit.VPANDD, at, s.at[h], s.g.c32(^uint32(3)), 0, 0)
			}
			if inRow && s.Size == 4 {
				s.row(h, s.state, jit.Mem{Base: jit.RDX, Index: int8(jit.RBX), Scale: 1, Disp: int32(64 * h)})
			} else {
				s.gather(s.state, jit.Mem{Base: jit.RDX, Index: int8(at), Scale: 1, Disp: int32(4 * j)}, s.g.maskOf(h, 2))
			}
			put(s.state)
		}
	}
}
