package x86

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
)

// byPattern looks at the addresses of all lanes. Each half of 16 lanes may lie
// in a row or at one place; the rest is gathered lane by lane.
func (a *access) byPattern() {
	g, wide, each := a.g, a.parts == 4, a.g.NewLabel()
	a.unlessMissed(each)
	g.MoveFromVec(jit.RAX, a.addr[0], wide)
	g.MoveFromVec(jit.RDX, a.addr[a.parts/2], wide)
	if a.Size > 1 {
		g.Move32(jit.RCX, jit.RAX)
		g.Op(jit.OR, false, jit.RCX, jit.RDX)
		g.TestImm(jit.RCX, int32(a.Size-1))
		g.JumpIf(jit.NE, a.slow)
	}
	g.OpMem(jit.SUB, wide, jit.RAX, g.memoryCode().regionStart(a.Index))
	g.OpMem(jit.SUB, wide, jit.RDX, g.memoryCode().regionStart(a.Index))
	first, second := a.repeatFirst()
	other := g.NewLabel()
	if a.Mem.Count > 1 {
		g.Jump(other)
	} else {
		a.inRows(first, second, a.Size, other)
		a.pointers(int32(15 * a.Size))
		for h, r := range []jit.Reg{jit.RAX, jit.RDX} {
			a.rowOf(h, jit.At(r, 0))
		}
	}
	b := *a
	g.cold = append(g.cold, func() {
		g.Bind(other)
		if b.Load {
			gather := g.NewLabel()
			b.atFirst(first, second, gather)
			b.pointers(0)
			for h, r := range []jit.Reg{jit.RAX, jit.RDX} {
				b.placeOf(h, r)
			}
			g.Jump(b.done)
			g.Bind(gather)
		}
		g.Bind(each)
		b.missed(jit.RAX)
		b.each(false)
		g.Jump(b.done)
	})
}

// unlessMissed goes to a label, where each lane is to be done, if looking for neighbors has been in
// vain.
func (a *access) unlessMissed(each jit.Label) {
	if a.learns() {
		a.g.CmpMemImm(a.g.memoryCode().regionMissed(a.Index), native.Looks)
		a.g.JumpIf(jit.AE, each)
	}
}

// missed notes that lanes are not neighbors, or that it was not looked.
func (a *access) missed(r jit.Reg) {
	if a.learns() {
		g, missed := a.g, a.g.memoryCode().regionMissed(a.Index)
		g.Load32(r, missed)
		g.OpImm(jit.ADD, false, r, 1)
		g.OpImm(jit.AND, false, r, native.LookAgain-1)
		g.Store32(missed, r)
	}
}

// learns reports whether lanes that are neighbors are only one of the ways that an access has.
func (a *access) learns() bool { return a.Mem.Count == 1 && (a.Load || a.Mem.Elem >= 4) }

// byMask looks at the addresses of the lanes that run, where these are not all. They may lie in a
// row or at one place; the rest is gathered lane by lane.
func (a *access) byMask() {
	if a.Mem.Count > 1 {
		a.each(true)
		return
	}
	g, wide, each := a.g, a.parts == 4, a.g.NewLabel()
	a.unlessMissed(each)
	a.park(native.CtxAt, a.addr[:a.parts])
	g.TrailingZeros(jit.RCX, jit.R12)
	a.lowestAddress(jit.RAX)
	if a.Size > 1 {
		g.TestImm(jit.RAX, int32(a.Size-1))
		g.JumpIf(jit.NE, a.slow)
		g.ShiftImm(jit.SHL, false, jit.RCX, byte(bits.TrailingZeros(uint(a.Size))))
	}
	g.Lea(jit.RBX, jit.At(jit.RAX, 0)) // RBX: where lane 0 would be, RCX: how far it is from there
	g.Op(jit.SUB, wide, jit.RBX, jit.RCX)
	other := g.NewLabel()
	a.differ(jit.RBX, a.Size, other)
	g.OpMem(jit.SUB, wide, jit.RAX, g.memoryCode().regionStart(a.Index))
	a.inside(jit.RAX, 0)
	g.HighestBit(jit.RDX, jit.R12)
	if a.Size > 1 {
		g.ShiftImm(jit.SHL, false, jit.RDX, byte(bits.TrailingZeros(uint(a.Size))))
	}
	g.Op(jit.SUB, true, jit.RAX, jit.RCX)
	g.Op(jit.ADD, true, jit.RDX, jit.RAX)
	a.inside(jit.RDX, 0)
	g.OpMem(jit.ADD, true, jit.RAX, g.memoryCode().regionPtr(a.Index))
	for h := range 2 {
		a.rowOf(h, jit.At(jit.RAX, int32(16*h*a.Size)))
	}
	b := *a
	g.cold = append(g.cold, func() {
		g.Bind(other)
		if b.Load {
			gather := g.NewLabel()
			b.differ(jit.RAX, 0, gather)
			b.within(jit.RAX, 0)
			for h := range 2 {
				b.placeOf(h, jit.RAX)
			}
			g.Jump(b.done)
			g.Bind(gather)
		}
		g.Bind(each)
		b.missed(jit.RAX)
		b.each(true)
		g.Jump(b.done)
	})
}

// lowestAddress loads the address of lane RCX from the context.
func (a *access) lowestAddress(d jit.Reg) {
	if a.parts == 4 {
		a.g.Load(d, laneOf(native.CtxAt, 8))
	} else {
		a.g.Load32(d, laneOf(native.CtxAt, 4))
	}
}

// differ goes to a label unless the lanes that run have addresses that lie so many bytes apart, from
// lane 0 on, which has or would have r.
func (a *access) differ(r jit.Reg, apart int, label jit.Label) {
	g, w, first, x := a.g, a.width(), a.scratch[0], a.scratch[1]
	lanes := 64 / w
	g.Emit(pair{jit.VPBROADCASTDr, jit.VPBROADCASTQr}.of(w), jit.Args{Reg: int8(first), RM: int8(r)})
	for i := range a.parts {
		want := first
		if apart > 0 {
			var steps [8]uint64
			for l := range lanes {
				steps[l*w/8] |= uint64((i*lanes+l)*apart) << (l * w % 8 * 8)
			}
			from := g.Data(steps)
			a.op3(addInt.of(w), x, first, operand{m: &from}, 0, 0)
			want = x
		}
		k := jit.Vec(6)
		if i > 0 {
			k = 5
		}
		a.op3(compareInt.of(w), k, a.addr[i], vreg(want), 4, g.maskOf(i, a.parts)) // not equal
		if i > 0 {
			g.KOr(6, 6, 5, 16)
		}
	}
	g.KOrTest(6, 6, 16)
	g.JumpIf(jit.NE, label)
}

// op3 emits an instruction of two operands with a constant, and a mask.
func (a *access) op3(in *jit.Inst, d, x jit.Vec, y operand, imm byte, k jit.K) {
	a.g.Emit(in, jit.Args{Reg: int8(d), V: int8(x), RM: int8(y.r), Mem: y.m, Imm: imm, K: k})
}

func (a *access) op2(in *jit.Inst, d jit.Vec, x operand) { a.op3(in, d, 0, x, 0, 0) }

// width is the bytes of an address.
func (a *access) width() int { return 2 * a.parts }

// repeatFirst repeats each half's first address in a scratch register.
func (a *access) repeatFirst() (first, second jit.Vec) {
	in := pair{jit.VPBROADCASTD, jit.VPBROADCASTQ}.of(a.width())
	first, second = a.scratch[0], a.scratch[1]
	a.op2(in, first, vreg(a.addr[0]))
	a.op2(in, second, vreg(a.addr[a.parts/2]))
	return first, second
}

// inRows continues if each half's lanes are neighbors, so far apart.
func (a *access) inRows(first, second jit.Vec, apart int, other jit.Label) {
	g, w, x := a.g, a.width(), a.scratch[2]
	lanes := 64 / w
	var steps [8]uint64
	for i := range lanes {
		steps[i*w/8] |= uint64(i*apart) << (i * w % 8 * 8)
	}
	iota := g.Data(steps)
	under := jit.K(0)
	for i := range a.parts {
		switch {
		case i == 0:
			a.op3(addInt.of(w), x, first, operand{m: &iota}, 0, 0)
		case i == a.parts/2:
			a.op3(addInt.of(w), x, second, operand{m: &iota}, 0, 0)
		default:
			a.op3(addInt.of(w), x, x, g.constant(w, uint64(lanes*apart)), 0, 0)
		}
		a.op3(compareInt.of(w), 5, a.addr[i], vreg(x), 0, under)
		under = 5
	}
	g.KOrTest(5, 5, lanes)
	g.JumpIf(jit.AE, other)
}

// atFirst continues if all lanes of each half have its first one's address.
func (a *access) atFirst(first, second jit.Vec, other jit.Label) {
	under := jit.K(0)
	for i := range a.parts {
		x := first
		if i >= a.parts/2 {
			x = second
		}
		a.op3(compareInt.of(a.width()), 5, a.addr[i], vreg(x), 0, under)
		under = 5
	}
	a.g.KOrTest(5, 5, 64/a.width())
	a.g.JumpIf(jit.AE, other)
}

// pointers makes RAX and RDX, which are relative to the region, pointers, if
// they and the places span further are inside.
func (a *access) pointers(span int32) {
	for _, r := range []jit.Reg{jit.RAX, jit.RDX} {
		a.inside(r, span)
		a.g.OpMem(jit.ADD, true, r, a.g.memoryCode().regionPtr(a.Index))
	}
}

// rowOf loads or stores those of the 16 lanes of half h that run, which are in a row at a place.
func (a *access) rowOf(h int, at jit.Mem) {
	g, v := a.g, a.values[0]
	if len(v) == 0 {
		return
	}
	next := at
	next.Disp += 64
	emit := func(in *jit.Inst, v jit.Vec, at jit.Mem, k jit.K) {
		g.Emit(in, jit.Args{Reg: int8(v), Mem: &at, K: k, Zero: a.Load && k != 0})
	}
	half := g.maskOf(h, 2)
	switch {
	case a.Mem.Elem == 8:
		in := jit.VMOVDQU64s
		if a.Load {
			in = jit.VMOVDQU64
		}
		emit(in, v[2*h], at, half)
		emit(in, v[2*h+1], next, g.maskOf(2*h+1, 4))
	case a.Load:
		in := map[int][2]*jit.Inst{1: {jit.VPMOVZXBD, jit.VPMOVSXBD}, 2: {jit.VPMOVZXWD, jit.VPMOVSXWD},
			4: {jit.VMOVDQU32, jit.VMOVDQU32}}[a.Mem.Elem]
		if a.Mem.SignBits > 0 {
			emit(in[1], v[h], at, half)
			a.cut(v[h])
		} else {
			emit(in[0], v[h], at, half)
		}
	default:
		emit(map[int]*jit.Inst{1: jit.VPMOVDB, 2: jit.VPMOVDW, 4: jit.VMOVDQU32s}[a.Mem.Elem], v[h], at, half)
	}
}

// cut keeps the bits of a sign-extended element that its register has.
func (a *access) cut(v jit.Vec) {
	if n := a.Mem.SignBits; n > 0 && n < 32 {
		a.op3(jit.VPANDD, v, v, a.g.c32(1<<n-1), 0, 0)
	}
}

// placeOf loads what all lanes of half h have at r.
func (a *access) placeOf(h int, r jit.Reg) {
	for k := range a.Mem.Count {
		v := a.values[k]
		at := jit.At(r, int32(k*a.Mem.Elem))
		switch {
		case len(v) == 0:
		case a.Mem.Elem == 8:
			a.op2(jit.VPBROADCASTQ, v[2*h], operand{m: &at})
			a.op2(jit.VMOVDQU64, v[2*h+1], vreg(v[2*h]))
		case a.Mem.Elem == 4:
			a.op2(jit.VPBROADCASTD, v[h], operand{m: &at})
		default:
			a.element(jit.RCX, at)
			a.g.Emit(jit.VPBROADCASTDr, jit.Args{Reg: int8(v[h]), RM: int8(jit.RCX)})
		}
	}
}

// each loads or stores lane by lane: those of the mask, or all.
func (a *access) each(masked bool) {
	g := a.g
	if !a.Load && a.Mem.Elem < 4 {
		smallStore{a}.each(masked)
		return
	}
	if masked && a.learns() {
		prefetching{a}.nextRows(jit.RAX)
	}
	a.checkEach(masked)
	g.Load(jit.RAX, g.memoryCode().regionPtr(a.Index))
	var loaded jit.Label
	few := masked && a.Load
	if few {
		loaded = singly{a}.unlessFew(a.scratch[:a.parts], uint8(a.width()), 1)
	}
	for k := range a.Mem.Count {
		if len(a.values[k]) == 0 {
			continue
		}
		for i := range 4 {
			a.eight(k, i, a.Mem.Elem, masked)
		}
	}
	if few {
		g.Bind(loaded)
	}
	a.extendEach()
}

// checkEach leaves the places of the lanes relative to the region in the first
// scratch registers, 0 for those that do not run if masked, and leaves the code if one is outside
// or misaligned. It uses the two registers after these.
func (a *access) checkEach(masked bool) {
	g, w := a.g, a.width()
	start, limit := g.memoryCode().regionStart(a.Index), g.memoryCode().regionLimit(a.Index)
	start.Bcast, limit.Bcast = true, true
	most, bits := a.scratch[4], a.scratch[5] // the furthest place, and all addresses together
	for i := range a.parts {
		under := jit.K(0)
		if masked {
			under = g.maskOf(i, a.parts)
		}
		place, addr := a.scratch[i], a.addr[i]
		g.Emit(subInt.of(w), jit.Args{Reg: int8(place), V: int8(addr), Mem: &start, K: under, Zero: under != 0})
		if i == 0 {
			most = place
			g.Emit(jit.VMOVDQU64, jit.Args{Reg: int8(bits), RM: int8(addr), K: under, Zero: under != 0})
			continue
		}
		a.op3(maxInt.of(w), a.scratch[4], most, vreg(place), 0, 0)
		a.op3(orInt.of(w), bits, bits, vreg(addr), 0, under)
		most = a.scratch[4]
	}
	a.op3(compareInt.of(w), 6, most, operand{m: &limit}, 5, 0) // not below
	other := jit.K(6)
	if a.Size > 1 {
		other = 5
		a.op3(pair{jit.VPTESTMD, jit.VPTESTMQ}.of(w), jit.Vec(other), bits, g.constant(w, uint64(a.Size-1)), 0, 0)
	}
	g.KOrTest(6, other, 16)
	g.JumpIf(jit.NE, a.slow)
}

// eight does element k of lanes 8i to 8i+7; elements are so many bytes apart.
func (a *access) eight(k, i, apart int, masked bool) {
	g, v := a.g, a.values[k]
	index := a.scratch[i%a.parts]
	if a.parts == 2 { // widen the place of each lane
		half := vreg(a.scratch[i/2])
		index = a.scratch[4]
		if i%2 == 1 {
			g.Emit(jit.VEXTRACTI64X4, jit.Args{Reg: int8(half.r), RM: int8(index), Imm: 1})
			half = vreg(index)
		}
		a.op2(jit.VPMOVZXDQ, index, half)
	}
	if masked {
		g.KCopy(5, g.maskOf(i, 4))
	} else {
		g.KXnor(5, 5, 5, 16)
	}
	at := jit.Mem{Base: jit.RAX, Index: int8(index), Scale: 1, Disp: int32(k * apart)}
	switch t := a.scratch[5+i%2]; {
	case a.Mem.Elem == 8 && a.Load:
		a.op3(jit.VPXORD, v[i], v[i], vreg(v[i]), 0, 0)
		a.op3(jit.VPGATHERQQ, v[i], 0, operand{m: &at}, 0, 5)
	case a.Mem.Elem == 8:
		a.op3(jit.VPSCATTERQQ, v[i], 0, operand{m: &at}, 0, 5)
	case a.Load:
		none := g.NewLabel()
		a.op3(jit.VPXORD, t, t, vreg(t), 0, 0)
		if masked { // a gather of no lane takes as long as one of eight
			g.TestImm(jit.R12, int32(uint32(0xff)<<(8*i)))
			g.JumpIf(jit.E, none)
		}
		a.op3(jit.VPGATHERQD, t, 0, operand{m: &at}, 0, 5)
		g.Bind(none)
		if i%2 == 1 {
			a.op3(jit.VINSERTI64X4, v[i/2], a.scratch[5], vreg(t), 1, 0)
		}
	default:
		s := v[i/2]
		if i%2 == 1 {
			g.Emit(jit.VEXTRACTI64X4, jit.Args{Reg: int8(s), RM: int8(t), Imm: 1})
			s = t
		}
		a.op3(jit.VPSCATTERQD, s, 0, operand{m: &at}, 0, 5)
	}
}

// extendEach makes elements of a byte or two from the words that were loaded.
func (a *access) extendEach() {
	if !a.Load || a.Mem.Elem >= 4 {
		return
	}
	n := byte(32 - 8*a.Mem.Elem)
	for _, v := range slices.Concat(a.values[:a.Mem.Count]...) {
		if a.Mem.SignBits > 0 {
			a.g.Emit(jit.VPSLLD, jit.Args{V: int8(v), RM: int8(v), Imm: n})
			a.g.Emit(jit.VPSRAD, jit.Args{V: int8(v), RM: int8(v), Imm: n})
			a.cut(v)
		} else {
			a.op3(jit.VPANDD, v, v, a.g.c32(1<<(8*a.Mem.Elem)-1), 0, 0)
		}
	}
}
