package x86

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// row is a register of the program that is held in vector registers: parts of
// 64 bytes, or one vector for all parts where all lanes are equal.
type row struct {
	slot  int32
	parts int
	same  bool
	index index
	reg   [4]jit.Vec
	// dirty rows are newer than the slab.
	dirty bool
	// loose rows are results of operations on float32 whose NaN are not canonical (see loose.go).
	loose bool
	stamp int
}

// operand is a vector register, or memory if m is set.
type operand struct {
	r jit.Vec
	m *jit.Mem
	// width is the bytes of an element that m repeats, 0 for whole vectors.
	width int
}

// allocator gives the rows of a straight run places in vector registers. It holds
// what the run needs, and writes back what others read.
type allocator struct {
	jit.Asm
	pl *native.Plan
	// part is set in the form for some lanes.
	part bool
	// run is the one at hand, at its step, temps the registers in use until the end of the step.
	native.Run
	at          int
	rows        []row
	free, temps uint32
}

func vreg(r jit.Vec) operand { return operand{r: r} }

const allVecs = ^uint32(1 << spare)

func partsOf(w alu.Width) int {
	if w == alu.W64 {
		return 4
	}
	return 2
}

// find returns the held row of a slot, or nil.
func (g *allocator) find(slot int32) *row {
	r := g.peek(slot)
	switch {
	case r == nil:
	case r.index.set:
		return g.widen(*r)
	case r.loose:
		return g.tighten(*r)
	}
	return r
}

// peek is find for a row that may be held as an index, or loose.
func (g *allocator) peek(slot int32) *row {
	for i := range g.rows {
		if g.rows[i].slot == slot {
			g.rows[i].stamp = g.at
			return &g.rows[i]
		}
	}
	return nil
}

// tmp takes a free vector register until the end of the step or part.
func (g *allocator) tmp() jit.Vec {
	for g.free == 0 {
		g.evict()
	}
	n := bits.TrailingZeros32(g.free)
	g.free &^= 1 << n
	g.temps |= 1 << n
	return jit.Vec(n)
}

// release frees the temporaries but for those of keep.
func (g *allocator) release(keep uint32) {
	g.free |= g.temps &^ keep
	g.temps &= keep
}

// drop frees one temporary.
func (g *allocator) drop(v jit.Vec) {
	g.temps &^= 1 << v
	g.free |= 1 << v
}

// evict writes back and forgets the row that was used the longest ago.
func (g *allocator) evict() {
	best := -1
	for i := range g.rows {
		if g.rows[i].stamp < g.at && (best < 0 || g.rows[i].stamp < g.rows[best].stamp) {
			best = i
		}
	}
	if best < 0 {
		panic("warp: a step needs more vector registers than there are")
	}
	r := g.rows[best]
	if r.dirty {
		g.spill(&r)
	}
	g.forget(r.slot)
}

// forget drops a row without writing it back.
func (g *allocator) forget(slot int32) {
	for i := range g.rows {
		if r := &g.rows[i]; r.slot == slot {
			for _, v := range r.regs() {
				g.free |= 1 << v
			}
			g.rows[i] = g.rows[len(g.rows)-1]
			g.rows = g.rows[:len(g.rows)-1]
			g.occupy()
			return
		}
	}
}

// occupy takes the registers of all rows, of which some have an index in common.
func (g *allocator) occupy() {
	for i := range g.rows {
		for _, v := range g.rows[i].regs() {
			g.free &^= 1 << v
		}
	}
}

func (r *row) regs() []jit.Vec {
	if r.index.set {
		return r.reg[:2]
	}
	if r.same {
		return r.reg[:1]
	}
	return r.reg[:r.parts]
}

// partOf is a part of a row, in the spare register where it is held as an index, or loose.
func (g *allocator) partOf(r *row, i int) jit.Vec {
	switch {
	case r.index.set:
		g.widenPart(spare, r, i)
		return spare
	case r.loose:
		g.canonicalIn(spare, r.part(i))
		return spare
	}
	return r.part(i)
}

func (r *row) part(i int) jit.Vec {
	if r.same {
		return r.reg[0]
	}
	return r.reg[i]
}

// slab is the memory of a slot.
func slab(slot int32, off int) jit.Mem { return jit.At(jit.RDI, slot+int32(off)) }

// spill writes a row to the slab. Of diverged lanes only those of the mask are
// written.
func (g *allocator) spill(r *row) {
	store := jit.VMOVDQU32s
	if r.parts == 4 {
		store = jit.VMOVDQU64s
	}
	for i := range r.parts {
		m := slab(r.slot, 64*i)
		g.Emit(store, jit.Args{Reg: int8(g.partOf(r, i)), Mem: &m, K: g.maskOf(i, r.parts)})
	}
}

// save writes a row to the slab as full vectors, which loads can follow at once.
func (g *allocator) save(r *row) {
	if !g.part || g.free == 0 {
		g.spill(r)
		return
	}
	t := g.tmp()
	for i := range r.parts {
		m := slab(r.slot, 64*i)
		g.Emit(jit.VMOVDQU32, jit.Args{Reg: int8(t), Mem: &m})
		move := jit.VMOVDQU32
		if r.parts == 4 {
			move = jit.VMOVDQU64
		}
		g.Emit(move, jit.Args{Reg: int8(t), RM: int8(g.partOf(r, i)), K: g.maskOf(i, r.parts)})
		g.Emit(jit.VMOVDQU32s, jit.Args{Reg: int8(t), Mem: &m})
	}
	g.drop(t)
}

// maskOf is the mask register of a part's lanes, 0 (none) where all take part:
// k1 to k4 hold the mask shifted by 0, 8, 16 and 24.
func (g *allocator) maskOf(part, parts int) jit.K {
	if !g.part {
		return 0
	}
	return jit.K(1 + part*4/parts)
}

// repeated is the element of 4 or 8 bytes that a slot's row repeats, nil for
// rows of different lanes.
func (g *allocator) repeated(slot int32, width int) *operand {
	if !g.pl.Same[slot] {
		return nil
	}
	m := slab(slot, 0)
	m.Bcast = true
	return &operand{m: &m, width: width}
}

// again reports whether the slot is read later in the run.
func (g *allocator) again(slot int32) bool {
	n, ok := g.pl.IDs[slot]
	return ok && g.LastRead[n] > g.at
}

// hold makes the slot's row one of the held ones, loaded from the slab.
func (g *allocator) hold(slot int32, w alu.Width) *row {
	if r := g.find(slot); r != nil {
		return r
	}
	r := row{slot: slot, parts: partsOf(w), stamp: g.at}
	if o := g.repeated(slot, w.Bytes()); o != nil {
		r.same = true
		r.reg[0] = g.tmp()
		g.load(r.reg[0], *o)
	} else {
		for i := range r.parts {
			r.reg[i] = g.tmp()
			m := slab(slot, 64*i)
			g.load(r.reg[i], operand{m: &m})
		}
	}
	return g.adopt(r)
}

// adopt makes temporaries the registers of a row.
func (g *allocator) adopt(r row) *row {
	for _, v := range r.regs() {
		g.temps &^= 1 << v
		g.free &^= 1 << v
	}
	r.stamp = g.at
	g.rows = append(g.rows, r)
	return &g.rows[len(g.rows)-1]
}

// define gives a slot its new value: the registers of its parts, or one for
// all, which become its own.
func (g *allocator) define(slot int32, w alu.Width, regs []jit.Vec) {
	g.forget(slot)
	if slot == program.NoSlot || !g.wanted(slot) {
		return
	}
	r := row{slot: slot, parts: partsOf(w), same: len(regs) == 1, dirty: true}
	copy(r.reg[:], regs)
	if r.same && g.part {
		// Whatever comes back from the slab is whole rows: lanes may differ.
		r.same = false
		for i := 1; i < r.parts; i++ {
			r.reg[i] = g.copyOf(regs[0])
		}
	}
	g.adopt(r)
}

// wanted reports whether a value written now is read at all.
func (g *allocator) wanted(slot int32) bool { return g.again(slot) || g.outlives(slot) }

// outlives reports whether a value lives after the run, unless a later step of
// the run writes the slot.
func (g *allocator) outlives(slot int32) bool {
	n, ok := g.pl.IDs[slot]
	return ok && (g.LiveOut[n/64]>>(n%64)&1 != 0 || g.pl.Kept[n]) && g.LastWrite[n] <= g.at
}

// retire drops the rows that nothing reads any more.
func (g *allocator) retire() {
	for i := 0; i < len(g.rows); {
		r := &g.rows[i]
		if g.again(r.slot) || r.dirty && g.outlives(r.slot) {
			i++
			continue
		}
		g.forget(r.slot)
	}
}

// flush writes all dirty rows to the slab.
func (g *allocator) flush() {
	for i := range g.rows {
		if r := &g.rows[i]; r.dirty {
			g.save(r)
			r.dirty = false
		}
	}
}

// load fills a register.
func (g *allocator) load(d jit.Vec, o operand) {
	in := jit.VMOVDQU32
	m := *o.m
	switch {
	case m.Bcast && o.width == 8:
		in = jit.VPBROADCASTQ
	case m.Bcast:
		in = jit.VPBROADCASTD
	}
	m.Bcast = false
	g.Emit(in, jit.Args{Reg: int8(d), Mem: &m})
}

func (g *allocator) copyOf(v jit.Vec) jit.Vec {
	t := g.tmp()
	g.Emit(jit.VMOVDQU64, jit.Args{Reg: int8(t), RM: int8(v)})
	return t
}

// in brings an operand into a register.
func (g *allocator) in(o operand) jit.Vec {
	if o.m == nil {
		return o.r
	}
	t := g.tmp()
	g.load(t, o)
	return t
}

// source is a part of a row as an operand of an instruction on its elements.
func (g *allocator) source(slot int32, w alu.Width, part int) operand {
	r := g.find(slot)
	if r == nil && g.again(slot) {
		r = g.hold(slot, w)
	}
	if r != nil {
		return vreg(r.part(part))
	}
	if o := g.repeated(slot, w.Bytes()); o != nil {
		return *o
	}
	m := slab(slot, 64*part)
	return operand{m: &m}
}
