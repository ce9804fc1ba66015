package native

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Loops run serially so many times, less one, before vector code looks whether lanes are neighbors by now. After trouble
// vector code does the next loops, serialPause of them.
const serialTimes, serialPause = 64, 256

// emit goes to the serial code where that pays, and emits it. It is for the place before the loop.
func (l serialCode) emit() {
	g, loads := l.gen, l.gathers()
	need := l.pays(nativeCosts)
	if need > len(loads) {
		return
	}
	serial, vector := g.NewLabel(), g.NewLabel()
	g.MoveImm(jit.RAX, 0)
	for _, x := range loads {
		g.Load32(jit.RCX, g.memoryCode().regionMissed(x))
		g.OpImm(jit.ADD, false, jit.RCX, lookAgain-looks)
		g.ShiftImm(jit.SHR, false, jit.RCX, byte(bits.TrailingZeros(lookAgain)))
		g.Op(jit.ADD, false, jit.RAX, jit.RCX)
	}
	g.OpImm(jit.CMP, false, jit.RAX, int32(need))
	g.JumpIf(jit.AE, serial)
	g.Bind(vector)
	g.cold = append(g.cold, func() {
		g.Bind(serial)
		l.compile(vector)
	})
}

// compile emits the serial code. It goes to a label, in the state of before, where vector code has to do it.
func (l serialCode) compile(vector jit.Label) {
	g := l.gen
	l.memoryCode().restore(nil)
	g.free &^= l.vectors
	g.Load(jit.RAX, ctx(ctxSerialTimes)) // now and then vector code looks whether lanes are neighbors
	g.OpImm(jit.ADD, false, jit.RAX, 1)
	g.Store(ctx(ctxSerialTimes), jit.RAX)
	g.JumpIf(jit.S, vector)
	g.TestImm(jit.RAX, serialTimes-1)
	g.JumpIf(jit.E, vector)
	l.allowed(vector)
	g.diverging().tellThreads()
	l.trouble = g.NewLabel()
	for k, r := range serialSaved {
		g.Store(ctx(ctxSerialSaved+8*int32(k)), r)
	}
	for _, at := range []int32{ctxSerialStay, ctxSerialMost, ctxSerialTotal, ctxSerialChanges} {
		g.Store(ctx(at), jit.R9) // 0
	}
	g.Store(ctx(ctxSerialTodo), jit.R12)
	l.eachLoad(l.beforeWarp)
	l.lanes()
	l.finish()
	g.Bind(l.trouble)
	l.regain()
	pause := int64(-serialPause)
	g.MoveImm(jit.RAX, uint64(pause))
	g.Store(ctx(ctxSerialTimes), jit.RAX)
	g.Jump(vector)
	g.memoryCode().restore(nil)
}

// allowed goes to a label where lanes must not diverge or leave the loop here, accesses have to be entered or the turn
// is near its end.
func (l serialCode) allowed(vector jit.Label) {
	g, inside := l.gen, l.gen.NewLabel()
	g.Load(jit.RAX, ctx(ctxDepth))
	g.OpMem(jit.CMP, true, jit.RAX, ctx(ctxLimit))
	g.JumpIf(jit.AE, vector)
	g.CmpMemImm(ctx(ctxMeet), l.leads.meet)
	g.JumpIf(jit.NE, inside)
	g.Test(true, jit.RAX, jit.RAX)
	g.JumpIf(jit.E, vector) // the reconvergence point is the interpreter's
	g.Bind(inside)
	for _, x := range l.watchedLoads() {
		g.CmpMemImm(g.memoryCode().regionEnters(x), 0)
		g.JumpIf(jit.NE, vector)
	}
	g.Test(true, jit.R8, jit.R8)
	g.JumpIf(jit.S, vector)
	g.Lea(jit.RAX, jit.At(jit.R8, 0))
	g.ShiftImm(jit.SHR, true, jit.RAX, byte(l.turnShift()))
	g.OpImm(jit.CMP, true, jit.RAX, minSerialTurns)
	g.JumpIf(jit.B, vector)
	g.Store(ctx(ctxSerialBound), jit.RAX)
}

// lanes runs each lane.
func (l serialCode) lanes() {
	g := l.gen
	next, round, ended, left, most := g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.Bind(next)
	g.Load32(jit.RAX, ctx(ctxSerialTodo))
	g.TrailingZeros(jit.RBX, jit.RAX)
	g.Lea(jit.RCX, jit.At(jit.RAX, -1))
	g.Op(jit.AND, false, jit.RAX, jit.RCX)
	g.Store32(ctx(ctxSerialTodo), jit.RAX)
	g.Store32(ctx(ctxSerialLane), jit.RBX)
	g.Load(jit.R9, ctx(ctxSerialBound))
	if l.regions {
		g.Load(jit.R13, ctx(ctxRegions))
	}
	l.eachLoad(l.beforeLane)
	g.Store(ctx(ctxSerialTurns), jit.R9)
	l.fillAll()
	l.eachLoad(l.holdLoad)
	g.Bind(round)
	for i := l.from + 1; i < l.to; i++ {
		l.step(i)
		g.release(0)
	}
	for _, h := range l.inOrder() {
		l.move(h, h.first)
	}
	l.leaveUnless(left)
	g.OpImm(jit.SUB, true, jit.R9, 1)
	g.JumpIf(jit.NE, round)
	// The lane has more to do. That is trouble if it is not for the turn's end.
	g.Load(jit.RAX, ctx(ctxSerialTurns))
	g.OpMem(jit.CMP, true, jit.RAX, ctx(ctxSerialBound))
	g.JumpIf(jit.NE, l.trouble)
	g.Load(jit.RCX, ctx(ctxSerialStay))
	g.Load32(jit.R9, ctx(ctxSerialLane))
	jit.BitSet.Emit(&g.Asm, jit.RCX, jit.R9)
	g.Store(ctx(ctxSerialStay), jit.RCX)
	l.deliver(wantedToStay)
	g.Jump(ended)
	g.Bind(left)
	g.Load(jit.RAX, ctx(ctxSerialTurns))
	g.Op(jit.SUB, true, jit.RAX, jit.R9)
	g.OpImm(jit.ADD, true, jit.RAX, 1)
	l.deliver(wantedAfter)
	g.Bind(ended)
	g.OpTo(jit.ADD, true, ctx(ctxSerialTotal), jit.RAX)
	g.OpMem(jit.CMP, true, jit.RAX, ctx(ctxSerialMost))
	g.JumpIf(jit.BE, most)
	g.Store(ctx(ctxSerialMost), jit.RAX)
	g.Bind(most)
	g.CmpMemImm(ctx(ctxSerialTodo), 0)
	g.JumpIf(jit.NE, next)
}

// fillAll loads what the first round finds: the home that is where the lane was at last.
func (l serialCode) fillAll() {
	last := func() {}
	for s, h := range l.inOrder() {
		if h.now = h.first; h.first == unplaced {
			continue
		}
		fill := func() {
			l.fill(h, laneRow(s, h.width))
			h.loose = h.loosens
		}
		if h.first == inGeneral && !h.inCell && h.general == jit.RBX {
			last = fill
		} else {
			fill()
		}
	}
	last()
}

// deliver stores the rows of the lane that are wanted so much or more. It keeps RAX.
func (l serialCode) deliver(least wanted) {
	l.Load32(jit.R9, ctx(ctxSerialLane))
	for k, s := range l.rows() {
		if l.leaves(s) < least {
			continue
		}
		h := l.homes[s]
		to := laneRow(0, h.width)
		to.Base, to.Index, to.Disp = jit.RSI, int8(jit.R9), ctxSerialRows+serialRowStride*int32(k)
		switch {
		case h.now == inVector && h.loose:
			l.canonicalIn(spare, h.vector)
			l.MoveFromVec(jit.RCX, spare, false)
		case h.now == inVector:
			l.MoveFromVec(jit.RCX, h.vector, h.width == alu.W64)
		default:
			l.toGeneral(jit.RCX, h)
		}
		if h.width == alu.W64 {
			l.Store(to, jit.RCX)
		} else {
			l.Store32(to, jit.RCX)
		}
	}
}

// regain brings the registers of vector code back, and reports changes.
func (l serialCode) regain() {
	if l.atomic != 0 {
		l.Load(jit.RAX, ctx(ctxSerialChanges))
		l.OpTo(jit.ADD, true, ctx(ctxChanges), jit.RAX)
	}
	for k, r := range serialSaved {
		l.Load(r, ctx(ctxSerialSaved+8*int32(k)))
	}
	if l.regions {
		l.Load(jit.R13, ctx(ctxRegions))
	}
	l.MoveImm(jit.R9, 0)
}

// finish gives the rows their new values, counts, and continues after the loop, or in it with the lanes that stay.
func (l serialCode) finish() {
	g := l.gen
	l.regain()
	l.commit(wantedAfter, g.maskOf)
	g.Load32(jit.RAX, ctx(ctxSerialStay))
	if l.leads.not {
		g.Not(false, jit.RAX)
	}
	g.setPred(l.leads.predicate)
	same := g.NewLabel()
	g.Load(jit.RAX, ctx(ctxSerialMost))
	g.PopCount(jit.RDX, jit.R12)
	g.Mul(true, jit.RDX, jit.RAX)
	g.Load(jit.RCX, ctx(ctxSerialTotal))
	g.Op(jit.CMP, true, jit.RDX, jit.RCX)
	g.JumpIf(jit.E, same)
	g.Store(ctx(ctxMet), jit.RSI) // not 0
	g.Bind(same)
	if b := l.begins.counts; b != program.NoBlock {
		g.Load(jit.RDX, ctx(ctxExecuted))
		g.OpTo(jit.ADD, true, jit.At(jit.RDX, executionSize*b), jit.RAX)
		g.OpTo(jit.ADD, true, jit.At(jit.RDX, executionSize*b+executionThreads), jit.RCX)
	}
	times := func(r jit.Reg, n int32) {
		g.MoveImm(jit.RDX, uint64(n))
		g.Mul(true, jit.RDX, r)
	}
	times(jit.RCX, l.begins.instrs)
	g.OpTo(jit.ADD, true, ctx(ctxThreads), jit.RDX)
	times(jit.RAX, l.begins.instrs)
	g.OpTo(jit.ADD, true, ctx(ctxInstrs), jit.RDX)
	times(jit.RAX, l.begins.cost)
	g.Op(jit.SUB, true, jit.R8, jit.RDX)
	done := l.tallies()
	times(jit.RAX, done.loads)
	g.Op(jit.ADD, true, jit.R10, jit.RDX)
	times(jit.RAX, done.globals)
	g.OpTo(jit.ADD, true, ctx(ctxGlobals), jit.RDX)
	g.Load32(jit.RAX, ctx(ctxSerialStay))
	g.Test(false, jit.RAX, jit.RAX)
	g.JumpIf(jit.E, g.label(l.leads.meet))
	l.commit(wantedToStay, func(part, parts int) jit.K {
		g.KFrom(5, jit.RAX)
		if part > 0 {
			g.KShiftR(5, 5, byte(part*32/parts))
		}
		return 5
	})
	l.resume()
}

// resume runs the lanes in RAX, which have rounds left, in vector code from the beginning of the loop.
func (l serialCode) resume() {
	g, same, come := l.gen, l.gen.NewLabel(), l.gen.NewLabel()
	g.Move32(jit.RCX, jit.R12)
	g.Op(jit.XOR, false, jit.RCX, jit.RAX)
	g.JumpIf(jit.E, g.label(int32(l.from))) // all
	g.Load(jit.RDX, ctx(ctxDepth))
	g.CmpMemImm(ctx(ctxMeet), l.leads.meet)
	g.JumpIf(jit.E, same)
	g.diverging().join(l.leads.meet)
	g.Jump(come)
	g.Bind(same)
	g.Lea(jit.RBX, jit.At(jit.RSI, -DivergedSize))
	g.Op(jit.ADD, true, jit.RBX, jit.RDX)
	g.Bind(come)
	g.diverging().come(jit.RCX)
	g.Move32(jit.R12, jit.RAX)
	g.diverging().setMask()
	g.Jump(g.labelOf(true, int32(l.from)))
}

// commit gives the rows that are wanted so much, in the lanes of a part that a mask says, what the lanes left.
func (l serialCode) commit(much wanted, mask func(part, parts int) jit.K) {
	g, v := l.gen, spare
	for n, s := range l.rows() {
		if l.leaves(s) != much {
			continue
		}
		h := l.homes[s]
		for i := range partsOf(h.width) {
			from, to := ctx(ctxSerialRows+serialRowStride*int32(n)+int32(64*i)), slab(s, 64*i)
			move := jit.VMOVDQU32
			if h.width == alu.W64 {
				move = jit.VMOVDQU64
			}
			k := mask(i, partsOf(h.width))
			if k != 0 { // a whole vector is stored, so that loads can follow at once
				g.load(v, operand{m: &to})
			}
			g.Emit(move, jit.Args{Reg: int8(v), Mem: &from, K: k})
			g.Emit(jit.VMOVDQU32s, jit.Args{Reg: int8(v), Mem: &to})
		}
	}
}

// eachLoad goes over the loads by their steps.
func (l serialCode) eachLoad(f func(x *serialLoad)) {
	for _, i := range slices.Sorted(maps.Keys(l.loads)) {
		f(l.loads[i])
	}
}
