package x86

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// serialCode is the generator for a loop that runs serially.
type serialCode struct {
	*native.SerialLoop
	*gen
}

// emit goes to the serial code where that pays, and emits it. It is for the place before the loop.
func (l serialCode) emit() {
	g, loads := l.gen, l.Gathers()
	need := l.Pays(native.AVX512Costs)
	if need > len(loads) {
		return
	}
	serial, vector := g.NewLabel(), g.NewLabel()
	g.MoveImm(jit.RAX, 0)
	for _, x := range loads {
		g.Load32(jit.RCX, g.memoryCode().regionMissed(x))
		g.OpImm(jit.ADD, false, jit.RCX, native.LookAgain-native.Looks)
		g.ShiftImm(jit.SHR, false, jit.RCX, byte(bits.TrailingZeros(native.LookAgain)))
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
	g.free &^= l.Vectors
	g.Load(jit.RAX, ctx(native.CtxSerialTimes)) // now and then vector code looks whether lanes are neighbors
	g.OpImm(jit.ADD, false, jit.RAX, 1)
	g.Store(ctx(native.CtxSerialTimes), jit.RAX)
	g.JumpIf(jit.S, vector)
	g.TestImm(jit.RAX, native.SerialTimes-1)
	g.JumpIf(jit.E, vector)
	l.allowed(vector)
	g.diverging().tellThreads()
	l.Trouble = g.NewLabel()
	for k, r := range native.SerialSaved {
		g.Store(ctx(native.CtxSerialSaved+8*int32(k)), r)
	}
	for _, at := range []int32{native.CtxSerialStay, native.CtxSerialMost, native.CtxSerialTotal, native.CtxSerialChanges} {
		g.Store(ctx(at), jit.R9) // 0
	}
	g.Store(ctx(native.CtxSerialTodo), jit.R12)
	l.eachLoad(l.beforeWarp)
	l.lanes()
	l.finish()
	g.Bind(l.Trouble)
	l.regain()
	pause := int64(-native.SerialPause)
	g.MoveImm(jit.RAX, uint64(pause))
	g.Store(ctx(native.CtxSerialTimes), jit.RAX)
	g.Jump(vector)
	g.memoryCode().restore(nil)
}

// allowed goes to a label where lanes must not diverge or leave the loop here, accesses have to be entered or the turn
// is near its end.
func (l serialCode) allowed(vector jit.Label) {
	g, inside := l.gen, l.gen.NewLabel()
	g.Load(jit.RAX, ctx(native.CtxDepth))
	g.OpMem(jit.CMP, true, jit.RAX, ctx(native.CtxLimit))
	g.JumpIf(jit.AE, vector)
	g.CmpMemImm(ctx(native.CtxMeet), l.Leads.Meet)
	g.JumpIf(jit.NE, inside)
	g.Test(true, jit.RAX, jit.RAX)
	g.JumpIf(jit.E, vector) // the reconvergence point is the interpreter's
	g.Bind(inside)
	for _, x := range l.WatchedLoads() {
		g.CmpMemImm(g.memoryCode().regionEnters(x), 0)
		g.JumpIf(jit.NE, vector)
	}
	g.Test(true, jit.R8, jit.R8)
	g.JumpIf(jit.S, vector)
	g.Lea(jit.RAX, jit.At(jit.R8, 0))
	g.ShiftImm(jit.SHR, true, jit.RAX, byte(l.TurnShift()))
	g.OpImm(jit.CMP, true, jit.RAX, native.MinSerialTurns)
	g.JumpIf(jit.B, vector)
	g.Store(ctx(native.CtxSerialBound), jit.RAX)
}

// lanes runs each lane.
func (l serialCode) lanes() {
	g := l.gen
	next, round, ended, left, most := g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.Bind(next)
	g.Load32(jit.RAX, ctx(native.CtxSerialTodo))
	g.TrailingZeros(jit.RBX, jit.RAX)
	g.Lea(jit.RCX, jit.At(jit.RAX, -1))
	g.Op(jit.AND, false, jit.RAX, jit.RCX)
	g.Store32(ctx(native.CtxSerialTodo), jit.RAX)
	g.Store32(ctx(native.CtxSerialLane), jit.RBX)
	g.Load(jit.R9, ctx(native.CtxSerialBound))
	if l.Regions {
		g.Load(jit.R13, ctx(native.CtxRegions))
	}
	l.eachLoad(l.beforeLane)
	g.Store(ctx(native.CtxSerialTurns), jit.R9)
	l.fillAll()
	l.eachLoad(l.holdLoad)
	g.Bind(round)
	for i := l.From + 1; i < l.To; i++ {
		l.step(i)
		g.release(0)
	}
	for _, h := range l.InOrder() {
		l.move(h, h.First)
	}
	l.leaveUnless(left)
	g.OpImm(jit.SUB, true, jit.R9, 1)
	g.JumpIf(jit.NE, round)
	// The lane has more to do. That is trouble if it is not for the turn's end.
	g.Load(jit.RAX, ctx(native.CtxSerialTurns))
	g.OpMem(jit.CMP, true, jit.RAX, ctx(native.CtxSerialBound))
	g.JumpIf(jit.NE, l.Trouble)
	g.Load(jit.RCX, ctx(native.CtxSerialStay))
	g.Load32(jit.R9, ctx(native.CtxSerialLane))
	jit.BitSet.Emit(&g.Asm, jit.RCX, jit.R9)
	g.Store(ctx(native.CtxSerialStay), jit.RCX)
	l.deliver(native.WantedToStay)
	g.Jump(ended)
	g.Bind(left)
	g.Load(jit.RAX, ctx(native.CtxSerialTurns))
	g.Op(jit.SUB, true, jit.RAX, jit.R9)
	g.OpImm(jit.ADD, true, jit.RAX, 1)
	l.deliver(native.WantedAfter)
	g.Bind(ended)
	g.OpTo(jit.ADD, true, ctx(native.CtxSerialTotal), jit.RAX)
	g.OpMem(jit.CMP, true, jit.RAX, ctx(native.CtxSerialMost))
	g.JumpIf(jit.BE, most)
	g.Store(ctx(native.CtxSerialMost), jit.RAX)
	g.Bind(most)
	g.CmpMemImm(ctx(native.CtxSerialTodo), 0)
	g.JumpIf(jit.NE, next)
}

// fillAll loads what the first round finds: the home that is where the lane was at last.
func (l serialCode) fillAll() {
	last := func() {}
	for s, h := range l.InOrder() {
		if h.Now = h.First; h.First == native.Unplaced {
			continue
		}
		fill := func() {
			l.fill(h, laneRow(s, h.Width))
			h.Loose = h.Loosens
		}
		if h.First == native.InGeneral && !h.InCell && h.General == jit.RBX {
			last = fill
		} else {
			fill()
		}
	}
	last()
}

// deliver stores the rows of the lane that are wanted so much or more. It keeps RAX.
func (l serialCode) deliver(least native.Wanted) {
	l.Load32(jit.R9, ctx(native.CtxSerialLane))
	for k, s := range l.Rows() {
		if l.Leaves(s) < least {
			continue
		}
		h := l.Homes[s]
		to := laneRow(0, h.Width)
		to.Base, to.Index, to.Disp = jit.RSI, int8(jit.R9), native.CtxSerialRows+native.SerialRowStride*int32(k)
		switch {
		case h.Now == native.InVector && h.Loose:
			l.canonicalIn(spare, h.Vector)
			l.MoveFromVec(jit.RCX, spare, false)
		case h.Now == native.InVector:
			l.MoveFromVec(jit.RCX, h.Vector, h.Width == alu.W64)
		default:
			l.toGeneral(jit.RCX, h)
		}
		if h.Width == alu.W64 {
			l.Store(to, jit.RCX)
		} else {
			l.Store32(to, jit.RCX)
		}
	}
}

// regain brings the registers of vector code back, and reports changes.
func (l serialCode) regain() {
	if l.Atomic != 0 {
		l.Load(jit.RAX, ctx(native.CtxSerialChanges))
		l.OpTo(jit.ADD, true, ctx(native.CtxChanges), jit.RAX)
	}
	for k, r := range native.SerialSaved {
		l.Load(r, ctx(native.CtxSerialSaved+8*int32(k)))
	}
	if l.Regions {
		l.Load(jit.R13, ctx(native.CtxRegions))
	}
	l.MoveImm(jit.R9, 0)
}

// finish gives the rows their new values, counts, and continues after the loop, or in it with the lanes that stay.
func (l serialCode) finish() {
	g := l.gen
	l.regain()
	l.commit(native.WantedAfter, g.maskOf)
	g.Load32(jit.RAX, ctx(native.CtxSerialStay))
	if l.Leads.Not {
		g.Not(false, jit.RAX)
	}
	g.setPred(l.Leads.Predicate)
	same := g.NewLabel()
	g.Load(jit.RAX, ctx(native.CtxSerialMost))
	g.PopCount(jit.RDX, jit.R12)
	g.Mul(true, jit.RDX, jit.RAX)
	g.Load(jit.RCX, ctx(native.CtxSerialTotal))
	g.Op(jit.CMP, true, jit.RDX, jit.RCX)
	g.JumpIf(jit.E, same)
	g.Store(ctx(native.CtxMet), jit.RSI) // not 0
	g.Bind(same)
	if b := l.Begins.Counts; b != program.NoBlock {
		g.Load(jit.RDX, ctx(native.CtxExecuted))
		g.OpTo(jit.ADD, true, jit.At(jit.RDX, native.ExecutionSize*b), jit.RAX)
		g.OpTo(jit.ADD, true, jit.At(jit.RDX, native.ExecutionSize*b+native.ExecutionThreads), jit.RCX)
	}
	times := func(r jit.Reg, n int32) {
		g.MoveImm(jit.RDX, uint64(n))
		g.Mul(true, jit.RDX, r)
	}
	times(jit.RCX, l.Begins.Instrs)
	g.OpTo(jit.ADD, true, ctx(native.CtxThreads), jit.RDX)
	times(jit.RAX, l.Begins.Instrs)
	g.OpTo(jit.ADD, true, ctx(native.CtxInstrs), jit.RDX)
	times(jit.RAX, l.Begins.Cost)
	g.Op(jit.SUB, true, jit.R8, jit.RDX)
	done := l.Tallies()
	times(jit.RAX, done.Loads)
	g.Op(jit.ADD, true, jit.R10, jit.RDX)
	times(jit.RAX, done.Globals)
	g.OpTo(jit.ADD, true, ctx(native.CtxGlobals), jit.RDX)
	g.Load32(jit.RAX, ctx(native.CtxSerialStay))
	g.Test(false, jit.RAX, jit.RAX)
	g.JumpIf(jit.E, g.label(l.Leads.Meet))
	l.commit(native.WantedToStay, func(part, parts int) jit.K {
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
	g.JumpIf(jit.E, g.label(int32(l.From))) // all
	g.Load(jit.RDX, ctx(native.CtxDepth))
	g.CmpMemImm(ctx(native.CtxMeet), l.Leads.Meet)
	g.JumpIf(jit.E, same)
	g.diverging().join(l.Leads.Meet)
	g.Jump(come)
	g.Bind(same)
	g.Lea(jit.RBX, jit.At(jit.RSI, -native.DivergedSize))
	g.Op(jit.ADD, true, jit.RBX, jit.RDX)
	g.Bind(come)
	g.diverging().come(jit.RCX)
	g.Move32(jit.R12, jit.RAX)
	g.diverging().setMask()
	g.Jump(g.labelOf(true, int32(l.From)))
}

// commit gives the rows that are wanted so much, in the lanes of a part that a mask says, what the lanes left.
func (l serialCode) commit(much native.Wanted, mask func(part, parts int) jit.K) {
	g, v := l.gen, spare
	for n, s := range l.Rows() {
		if l.Leaves(s) != much {
			continue
		}
		h := l.Homes[s]
		for i := range partsOf(h.Width) {
			from, to := ctx(native.CtxSerialRows+native.SerialRowStride*int32(n)+int32(64*i)), slab(s, 64*i)
			move := jit.VMOVDQU32
			if h.Width == alu.W64 {
				move = jit.VMOVDQU64
			}
			k := mask(i, partsOf(h.Width))
			if k != 0 { // a whole vector is stored, so that loads can follow at once
				g.load(v, operand{m: &to})
			}
			g.Emit(move, jit.Args{Reg: int8(v), Mem: &from, K: k})
			g.Emit(jit.VMOVDQU32s, jit.Args{Reg: int8(v), Mem: &to})
		}
	}
}

// eachLoad goes over the loads by their steps.
func (l serialCode) eachLoad(f func(x *native.SerialLoad)) {
	for _, i := range slices.Sorted(maps.Keys(l.Loads)) {
		f(l.Loads[i])
	}
}
