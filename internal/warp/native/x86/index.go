package x86

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// An address is mostly that of an array, one for all lanes, and an index by lane of 32 bits times the
// size of an element. Such a row of 64 bits stays so: as the vectors of the index, and a scalar in the
// context. Accesses take it as it is; whatever else wants the row has it computed (find).

// index is what the lanes of a row are that is held so: the elements of its registers, extended to 64 bits
// by the sign unless unsigned, shifted left, and added to Context.Sums[sum-1], or to 0 where sum is 0.
type index struct {
	set      bool
	unsigned bool
	shift    byte
	sum      uint8
}

// spare is a register for values that are on their way to the slab.
const spare = jit.Vec(31)

// indexCode is the generator for results that are held so, indexAccess an access to them.
type (
	indexCode   struct{ *gen }
	indexAccess struct{ *access }
)

// result makes a step's result a row that is held as an index, if it is one and that pays.
func (g indexCode) result(in *program.Instr) bool {
	switch in.ALU.Name {
	case "cvt.s64.s32", "cvt.u64.s32":
		return g.of(in, in.A, index{set: true})
	case "cvt.s64.u32", "cvt.u64.u32":
		return g.of(in, in.A, index{set: true, unsigned: true})
	case "mul.wide.s32", "mul.wide.u32":
		f, ok := g.pl.Values[in.B]
		x := index{set: true, unsigned: in.ALU.Name == "mul.wide.u32", shift: byte(bits.TrailingZeros64(f))}
		return ok && f > 0 && f <= 8 && f&(f-1) == 0 && g.of(in, in.A, x)
	case "shl.b64":
		n, ok := g.pl.Values[in.B]
		r := g.peek(in.A)
		if !ok || r == nil || !r.index.set || r.index.sum != 0 || n+uint64(r.index.shift) > 3 {
			return false
		}
		x := *r
		x.index.shift += byte(n)
		g.defineIndex(in.D, x)
		return true
	case "add.s64", "add.u64":
		return g.sum(in, in.A, in.B) || g.sum(in, in.B, in.A)
	}
	return false
}

// lookAhead is how many steps of a run are looked at for an access that takes an index.
const lookAhead = 64

// pays reports whether an access of the run takes what a step computes as an index.
func (g indexCode) pays(i int) bool {
	from := map[int32]bool{g.Program.Code[i].D: true}
	for j := i + 1; j < min(g.Until, i+lookAhead); j++ {
		in := &g.Program.Code[j]
		switch in.Op {
		case program.OpLoad, program.OpStore, program.OpAtomic:
			m := &g.Program.Mems[in.X]
			if from[m.Base] && !m.Scalar && g.takes(m) && (in.Op == program.OpAtomic || g.NativeMem(in)) {
				return true
			}
		}
		derived := false
		if in.Op == program.OpVec {
			switch in.ALU.Name {
			case "add.s64", "add.u64", "shl.b64":
				derived = from[in.A] || from[in.B]
			}
		}
		for _, s := range g.pl.Steps[j].Writes {
			delete(from, s)
		}
		if derived {
			from[in.D] = true
		}
		if len(from) == 0 {
			break
		}
	}
	return false
}

// takes reports whether an access can go by an index at all.
func (g indexCode) takes(m *program.Mem) bool {
	return (m.Space == trace.SpaceGlobal || m.Space == trace.SpaceShared) && !g.Follows(m) && !g.Sieved(m)
}

// of makes the row of a slot the index of a step's result.
func (g indexCode) of(in *program.Instr, slot int32, x index) bool {
	if g.pl.Same[slot] || !g.pays(g.at) {
		return false
	}
	r := g.hold(slot, alu.W32)
	if r.same {
		return false
	}
	g.defineIndex(in.D, row{reg: r.reg, index: x})
	return true
}

// sum makes a step's result the sum of a row that is held as an index and a value that all
// lanes have.
func (g indexCode) sum(in *program.Instr, slot, same int32) bool {
	r := g.peek(slot)
	if r == nil || !r.index.set {
		return false
	}
	x, sum := *r, g.freeSum()
	s := g.peek(same)
	switch {
	case sum == 0 || slot == same:
		return false
	case s != nil && s.same:
		g.MoveFromVec(jit.RAX, s.reg[0], true)
	case s == nil && g.pl.Same[same]:
		g.Load(jit.RAX, slab(same, 0))
	default:
		return false
	}
	if x.index.sum != 0 {
		g.OpMem(jit.ADD, true, jit.RAX, sumOf(x.index.sum))
	}
	x.index.sum = sum
	g.Store(sumOf(sum), jit.RAX)
	g.defineIndex(in.D, x)
	return true
}

// sumOf is the place of a sum.
func sumOf(sum uint8) jit.Mem { return ctx(native.CtxSums + 8*int32(sum-1)) }

// freeSum is a sum that no held row has, 0 if there is none.
func (g *allocator) freeSum() uint8 {
	var used uint32
	for i := range g.rows {
		used |= 1 << g.rows[i].index.sum
	}
	n := bits.TrailingZeros32(^(used | 1))
	if n > native.MaxSums {
		return 0
	}
	return uint8(n)
}

// defineIndex gives a slot a value that is held as an index.
func (g *allocator) defineIndex(slot int32, x row) {
	g.forget(slot)
	g.adopt(row{slot: slot, parts: 4, reg: x.reg, index: x.index, dirty: true})
}

// widen computes a row that is held as an index.
func (g *allocator) widen(r row) *row {
	w := row{slot: r.slot, parts: 4, dirty: r.dirty}
	for i := range r.parts {
		w.reg[i] = g.tmp()
		g.widenPart(w.reg[i], &r, i)
	}
	g.forget(r.slot)
	return g.adopt(w)
}

// widenPart computes a part of such a row.
func (g *allocator) widenPart(d jit.Vec, r *row, i int) {
	x := r.reg[i/2]
	if i%2 == 1 {
		g.Emit(jit.VEXTRACTI64X4, jit.Args{Reg: int8(x), RM: int8(d), Imm: 1})
		x = d
	}
	extend := jit.VPMOVSXDQ
	if r.index.unsigned {
		extend = jit.VPMOVZXDQ
	}
	g.Emit(extend, jit.Args{Reg: int8(d), RM: int8(x)})
	if r.index.shift > 0 {
		g.Emit(jit.VPSLLQ, jit.Args{V: int8(d), RM: int8(d), Imm: r.index.shift})
	}
	if r.index.sum != 0 {
		m := sumOf(r.index.sum)
		m.Bcast = true
		g.Emit(jit.VPADDQ, jit.Args{Reg: int8(d), V: int8(d), Mem: &m})
	}
}

// recover rebuilds the index and the sum of a row from its values in the slab. The sum is the first active lane's value
// minus its index. Code jumps to not if the lanes do not agree on it. had is set if the row's registers already hold the
// index; otherwise recover loads it.
func (g memoryCode) recover(r *row, had bool, not jit.Label) {
	value := slab(r.slot, 0)
	g.MoveImm(jit.RCX, 0)
	if g.part {
		g.TrailingZeros(jit.RCX, jit.R12)
		value.Index, value.Scale = int8(jit.RCX), 8
	}
	g.Load(jit.RAX, value)
	if had {
		for k, v := range r.regs() {
			m := ctx(native.CtxAt + int32(64*k))
			g.Emit(jit.VMOVDQU64s, jit.Args{Reg: int8(v), Mem: &m})
		}
		g.LoadX(jit.RDX, laneOf(native.CtxAt, 4), 4, !r.index.unsigned)
		if r.index.shift > 0 {
			g.ShiftImm(jit.SHL, true, jit.RDX, r.index.shift)
		}
		g.Op(jit.SUB, true, jit.RAX, jit.RDX)
	}
	if r.index.sum == 0 {
		if had {
			g.Test(true, jit.RAX, jit.RAX)
			g.JumpIf(jit.NE, not)
		}
	} else {
		g.Store(sumOf(r.index.sum), jit.RAX)
	}
	if !had {
		g.indexFrom(r)
	}
	for i := range r.parts {
		m := slab(r.slot, 64*i)
		g.widenPart(spare, r, i)
		g.Emit(jit.VPCMPUQ, jit.Args{Reg: 5, V: int8(spare), Mem: &m, Imm: 4, K: g.maskOf(i, 4)}) // not equal
		g.KOrTest(5, 5, 8)
		g.JumpIf(jit.NE, not)
	}
}

// indexFrom makes a row's registers the index that it has with its sum.
func (g memoryCode) indexFrom(r *row) {
	for i := range r.parts {
		m, half := slab(r.slot, 64*i), r.reg[i/2]
		g.load(spare, operand{m: &m})
		if r.index.sum != 0 {
			sum := sumOf(r.index.sum)
			sum.Bcast = true
			g.Emit(jit.VPSUBQ, jit.Args{Reg: int8(spare), V: int8(spare), Mem: &sum})
		}
		g.Emit(jit.VPSRAQ, jit.Args{V: int8(spare), RM: int8(spare), Imm: r.index.shift})
		if i%2 == 0 {
			g.Emit(jit.VPMOVQD, jit.Args{Reg: int8(spare), RM: int8(half)})
			continue
		}
		g.Emit(jit.VPMOVQD, jit.Args{Reg: int8(spare), RM: int8(spare)})
		g.Emit(jit.VINSERTI64X4, jit.Args{Reg: int8(half), V: int8(half), RM: int8(spare), Imm: 1})
	}
}

// reloadAll loads all held rows from the slab. It goes to a label where one is not what it was held as.
func (g memoryCode) reloadAll(rows []row, not jit.Label) {
	var have uint32
	for i := range rows {
		if r := &rows[i]; !r.index.set {
			g.reload(r)
			for _, v := range r.regs() {
				have |= 1 << v
			}
		}
	}
	for i := range rows {
		if r := &rows[i]; r.index.set {
			g.recover(r, have>>r.reg[0]&1 != 0, not)
			have |= 1 << r.reg[0]
		}
	}
}

// takes reports whether an access can go to a row that is held as an index: each lane's place is then
// one of an array of elements that are as far apart as the index counts.
func (a indexAccess) takes(r *row) bool {
	m := a.Mem
	if !r.index.set || a.Size > 1<<r.index.shift || !(indexCode{a.g}).takes(m) {
		return false
	}
	for _, s := range m.Regs[:m.Count] {
		if s == m.Base && m.Site.Kind.Writes() {
			return false
		}
	}
	return true
}

// wide is the same access by the addresses of all lanes, which it computes.
func (a indexAccess) wide() *access {
	b := *a.access
	for i := range b.widened {
		a.g.widenPart(b.widened[i], &a.held, i)
	}
	b.addr, b.parts, b.held = b.widened, 4, row{}
	return &b
}

// compile is for an address that is held as an index. RAX is where index 0 is, RCX the largest index.
func (a indexAccess) compile() {
	g, generic, each := a.g, a.g.NewLabel(), a.g.NewLabel()
	a.bounds(generic)
	rows := a.Mem.Count == 1 && a.Size == 1<<a.held.index.shift
	switch {
	case !rows:
		a.each(generic)
	case g.part:
		a.byMask(generic, each)
	default:
		a.byPattern(generic, each)
	}
	b := indexAccess{new(*a.access)}
	g.cold = append(g.cold, func() {
		if rows {
			g.Bind(each)
			b.missed(jit.RDX)
			b.each(generic)
			g.Jump(b.done)
		}
		g.Bind(generic)
		if w := b.wide(); g.part {
			w.byMask()
		} else {
			w.byPattern()
		}
		g.Jump(b.done)
	})
}

// bounds loads RAX and RCX. Where index 0 is not in the region or misaligned, or indices may be as large as
// negative ones, the label is for what needs addresses.
func (a indexAccess) bounds(generic jit.Label) {
	g, x := a.g, &a.held.index
	if x.sum == 0 {
		g.MoveImm(jit.RAX, 0)
	} else {
		g.Load(jit.RAX, sumOf(x.sum))
	}
	if a.Size > 1 {
		g.TestImm(jit.RAX, int32(a.Size-1))
		g.JumpIf(jit.NE, generic)
	}
	g.OpMem(jit.SUB, true, jit.RAX, g.memoryCode().regionStart(a.Index))
	g.JumpIf(jit.S, generic)
	g.Load(jit.RCX, g.memoryCode().regionLimit(a.Index))
	g.OpImm(jit.SUB, true, jit.RCX, 1)
	g.Op(jit.SUB, true, jit.RCX, jit.RAX)
	if x.shift > 0 {
		g.ShiftImm(jit.SHR, true, jit.RCX, x.shift)
	}
	g.OpImm(jit.CMP, true, jit.RCX, 1<<31-1)
	g.JumpIf(jit.A, generic)
	g.OpMem(jit.ADD, true, jit.RAX, g.memoryCode().regionPtr(a.Index))
}

// at is the place of the element with an index in a register, and some more.
func (a indexAccess) at(r jit.Reg, more int) jit.Mem {
	return jit.Mem{Base: jit.RAX, Index: int8(r), Scale: uint8(a.Size), Disp: int32(more * a.Size)}
}

// byPattern is byPattern for indices.
func (a indexAccess) byPattern(generic, each jit.Label) {
	g, other := a.g, a.g.NewLabel()
	a.unlessMissed(each)
	g.MoveFromVec(jit.RDX, a.addr[0], false)
	g.MoveFromVec(jit.RBX, a.addr[1], false)
	first, second := a.repeatFirst()
	a.inRows(first, second, 1, other)
	for _, r := range []jit.Reg{jit.RDX, jit.RBX} {
		g.Lea(r, jit.At(r, 15))
		g.Op(jit.CMP, true, r, jit.RCX)
		g.JumpIf(jit.A, generic)
	}
	for h, r := range []jit.Reg{jit.RDX, jit.RBX} {
		if a.Load && a.Mem.Space != trace.SpaceShared {
			jit.Prefetch(&g.Asm, a.at(r, -15+prefetchAhead/a.Size))
		}
		a.rowOf(h, a.at(r, -15))
	}
	b := indexAccess{new(*a.access)}
	g.cold = append(g.cold, func() {
		g.Bind(other)
		if b.Load {
			b.atFirst(first, second, each)
			for _, r := range []jit.Reg{jit.RDX, jit.RBX} {
				g.Op(jit.CMP, true, r, jit.RCX)
				g.JumpIf(jit.A, generic)
				g.Lea(r, b.at(r, 0))
			}
			for h, r := range []jit.Reg{jit.RDX, jit.RBX} {
				b.placeOf(h, r)
			}
			g.Jump(b.done)
			return
		}
		g.Jump(each)
	})
}

// byMask is byMask for indices. RBX becomes the index of lane 0, which may be negative.
func (a indexAccess) byMask(generic, each jit.Label) {
	g, other := a.g, a.g.NewLabel()
	a.unlessMissed(each)
	a.access.park(native.CtxAt, a.addr[:2])
	g.TrailingZeros(jit.RDX, jit.R12)
	lowest := laneOf(native.CtxAt, 4)
	lowest.Index = int8(jit.RDX)
	g.Load32(jit.RBX, lowest)
	g.Op(jit.SUB, true, jit.RBX, jit.RDX)
	a.differ(jit.RBX, 1, other)
	g.HighestBit(jit.RDX, jit.R12)
	g.Op(jit.ADD, true, jit.RDX, jit.RBX)
	g.Op(jit.CMP, true, jit.RDX, jit.RCX)
	g.JumpIf(jit.A, generic)
	for h := range 2 {
		a.rowOf(h, a.at(jit.RBX, 16*h))
	}
	b := indexAccess{new(*a.access)}
	g.cold = append(g.cold, func() {
		g.Bind(other)
		if b.Load {
			g.Load32(jit.RBX, lowest)
			b.differ(jit.RBX, 0, each)
			g.Op(jit.CMP, true, jit.RBX, jit.RCX)
			g.JumpIf(jit.A, generic)
			g.Lea(jit.RBX, b.at(jit.RBX, 0))
			for h := range 2 {
				b.placeOf(h, jit.RBX)
			}
			g.Jump(b.done)
			return
		}
		g.Jump(each)
	})
}

// each is each for indices.
func (a indexAccess) each(generic jit.Label) {
	g := a.g
	if !a.Load && a.Mem.Elem < 4 {
		g.Jump(generic)
		return
	}
	a.within(generic)
	var loaded jit.Label
	few := g.part && a.Load
	if few {
		loaded = singly(a).unlessFew(a.addr[:2], 4, 1<<a.held.index.shift)
	}
	for k := range a.Mem.Count {
		for i := range a.values[k] {
			a.some(k, i)
		}
	}
	if few {
		g.Bind(loaded)
	}
	a.extendEach()
}

// within goes to a label if an index is above RCX.
func (a indexAccess) within(generic jit.Label) {
	g, most := a.g, a.scratch[0]
	g.Emit(jit.VPBROADCASTDr, jit.Args{Reg: int8(most), RM: int8(jit.RCX)})
	for i, k := range []jit.Vec{6, 5} {
		a.op3(jit.VPCMPUD, k, a.addr[i], vreg(most), 6, g.maskOf(i, 2)) // above
	}
	g.KOrTest(6, 5, 16)
	g.JumpIf(jit.NE, generic)
}

// some does part i of the lanes' elements k: a vector of them.
func (a indexAccess) some(k, i int) {
	g, v, parts := a.g, a.values[k][i], len(a.values[k])
	x := a.addr[i*2/parts]
	load, store := jit.VPGATHERDD, jit.VPSCATTERDD
	if a.Mem.Elem == 8 {
		load, store = jit.VPGATHERDQ, jit.VPSCATTERDQ
		if i%2 == 1 {
			half := a.scratch[1]
			g.Emit(jit.VEXTRACTI64X4, jit.Args{Reg: int8(x), RM: int8(half), Imm: 1})
			x = half
		}
	}
	if g.part {
		g.KCopy(5, g.maskOf(i, parts))
	} else {
		g.KXnor(5, 5, 5, 16)
	}
	at := jit.Mem{Base: jit.RAX, Index: int8(x), Scale: 1 << a.held.index.shift, Disp: int32(k * a.Mem.Elem)}
	if a.Load {
		a.op3(jit.VPXORD, v, v, vreg(v), 0, 0)
		a.op3(load, v, 0, operand{m: &at}, 0, 5)
	} else {
		a.op3(store, v, 0, operand{m: &at}, 0, 5)
	}
}

// park is parkEach for indices.
func (a indexAccess) park() {
	g, generic, parked, first := a.g, a.g.NewLabel(), a.g.NewLabel(), a.scratch[4]
	a.bounds(generic)
	a.within(generic)
	g.Emit(jit.VPBROADCASTQr, jit.Args{Reg: int8(first), RM: int8(jit.RAX)})
	x := a.held
	x.index.sum, x.index.unsigned = 0, true
	for i, v := range a.scratch[:4] {
		g.widenPart(v, &x, i)
		a.op3(jit.VPADDQ, v, v, vreg(first), 0, 0)
	}
	a.access.park(native.CtxAt, a.scratch[:4])
	b := indexAccess{new(*a.access)}
	g.cold = append(g.cold, func() {
		g.Bind(generic)
		b.wide().parkEach()
		g.Jump(parked)
	})
	g.Bind(parked)
}
