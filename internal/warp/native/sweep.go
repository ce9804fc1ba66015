package native

import (
	"slices"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// SweepEntry is a warp of a sweep: its registers and local memory, the budget of
// its turn, its lanes, how events name it, and what it did until it last stopped, as in
// Context; Last is what it did of that since the barrier before.
type SweepEntry struct {
	Slab, Local, Written           uintptr
	Budget                         int64
	Mask, Warp                     uint64
	Instrs, Loads, Stores, Changes uint64
	Last                           struct{ Loads, Stores, Changes uint64 }
	// Image is what each block must find in the slab's first bytes (program.Restored).
	Image uintptr
}

// Places in a sweepEntry and what a sweep has in the context.
const (
	entrySlab   = int32(unsafe.Offsetof(SweepEntry{}.Slab))
	entryLocal  = int32(unsafe.Offsetof(SweepEntry{}.Local))
	entryNoted  = int32(unsafe.Offsetof(SweepEntry{}.Written))
	entryBudget = int32(unsafe.Offsetof(SweepEntry{}.Budget))
	entryMask   = int32(unsafe.Offsetof(SweepEntry{}.Mask))
	entryWarp   = int32(unsafe.Offsetof(SweepEntry{}.Warp))
	entryInstrs = int32(unsafe.Offsetof(SweepEntry{}.Instrs))
	entryLoads  = int32(unsafe.Offsetof(SweepEntry{}.Loads))
	entryStores = int32(unsafe.Offsetof(SweepEntry{}.Stores))
	entryChange = int32(unsafe.Offsetof(SweepEntry{}.Changes))
	entryLast   = int32(unsafe.Offsetof(SweepEntry{}.Last))
	entryImage  = int32(unsafe.Offsetof(SweepEntry{}.Image))
	EntrySize   = int32(unsafe.Sizeof(SweepEntry{}))

	ctxEntry    = int32(unsafe.Offsetof(Context{}.Entry))
	ctxFirst    = int32(unsafe.Offsetof(Context{}.First))
	ctxBegin    = int32(unsafe.Offsetof(Context{}.Begin))
	ctxEnd      = int32(unsafe.Offsetof(Context{}.End))
	ctxStop     = int32(unsafe.Offsetof(Context{}.Stop))
	ctxTargets  = int32(unsafe.Offsetof(Context{}.Targets))
	ctxPending  = int32(unsafe.Offsetof(Context{}.Pending))
	ctxWarps    = int32(unsafe.Offsetof(Context{}.Warps))
	ctxTurn     = int32(unsafe.Offsetof(Context{}.Turn))
	ctxPassed   = int32(unsafe.Offsetof(Context{}.Passed))
	ctxPasses   = int32(unsafe.Offsetof(Context{}.Passes))
	ctxPassedAt = int32(unsafe.Offsetof(Context{}.PassedAt))
)

// swept are the counters that entries of a sweep have, and those of the last interval.
var (
	swept     = [4][2]int32{{ctxInstrs, entryInstrs}, {ctxLoads, entryLoads}, {ctxStores, entryStores}, {ctxChanges, entryChange}}
	sweptLast = [3][2]int32{{ctxLoads, entryLast}, {ctxStores, entryLast + 8}, {ctxChanges, entryLast + 16}}
)

// sweepStop reports whether warps may stop at a step in a sweep: at a barrier
// of all threads, or at the end.
func (pl *plan) sweepStop(pc int) bool {
	in := &pl.p.Code[pc]
	switch {
	case in.Guard != program.NoSlot:
		return false
	case in.Op == program.OpExit || in.Op == program.OpReturn:
		return true
	}
	return pl.p.WholeBarrier(in)
}

// passable lists the barriers that a sweep can pass by itself: those after which there is
// native code.
func (s scope) passable() (list []int) {
	for pc := range s.p.Code {
		if s.p.Code[pc].Op == program.OpBarrier && s.sweepStop(pc) && pc+1 < len(s.p.Code) && s.does[pc+1] != nil {
			list = append(list, pc)
		}
	}
	return list
}

// sweeps emits where the warps of a sweep begin and stop. It returns the way in.
func (g divergeCode) sweeps() (in jit.Label) {
	in, next, came, out := g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.Bind(g.stop)
	g.tellThreads()
	g.Load(jit.RDX, ctx(ctxEntry))
	g.Test(true, jit.RDX, jit.RDX)
	g.JumpIf(jit.E, out)
	g.CmpMemImm(ctx(ctxDepth), 0)
	g.JumpIf(jit.NE, out)
	g.Load32(jit.RCX, ctx(ctxStop))
	g.Op(jit.CMP, false, jit.RCX, jit.RAX)
	g.JumpIf(jit.E, came)
	g.OpImm(jit.CMP, false, jit.RCX, NoStop)
	g.JumpIf(jit.NE, out)
	g.Store(ctx(ctxStop), jit.RAX)
	g.Bind(came)
	g.stopped(next)
	g.nextBlock(in)
	g.pass(in, out)
	g.Bind(in)
	g.MoveImm(jit.RCX, 0)
	for _, x := range swept {
		g.Store(ctx(x[0]), jit.RCX)
	}
	g.Load(jit.R13, ctx(ctxRegions))
	g.Load(jit.RDX, ctx(ctxEntry))
	g.Bind(next)
	g.nextWarp()
	g.Bind(out)
	g.account()
	g.ZeroUpper()
	g.Ret()
	return in
}

// changes reports whether code counts in Context.Changes, locals whether it uses local memory.
func (g divergeCode) changes() bool {
	return slices.ContainsFunc(g.p.Code, func(in program.Instr) bool { return in.Op == program.OpAtomic })
}

func (g divergeCode) locals() bool {
	return slices.ContainsFunc(g.p.Mems, func(m program.Mem) bool { return m.Space == trace.SpaceLocal || m.Space == trace.SpaceGeneric })
}

// stopped notes what the warp of the entry RDX did, and continues at a label with the next one, if any
// has not stopped. It keeps RAX. The context has no loads and stores of a warp that runs in a sweep.
func (g divergeCode) stopped(next jit.Label) {
	note := func(sum, last int32, r jit.Reg) {
		if last > 0 {
			g.Store(jit.At(jit.RDX, last), r)
		}
		g.OpTo(jit.ADD, true, jit.At(jit.RDX, sum), r)
	}
	g.Load(jit.RCX, ctx(ctxInstrs))
	note(entryInstrs, 0, jit.RCX)
	note(entryLoads, entryLast, jit.R10)
	note(entryStores, entryLast+8, jit.R11)
	if g.changes() {
		g.Load(jit.RCX, ctx(ctxChanges))
		note(entryChange, entryLast+16, jit.RCX)
	}
	inside := g.NewLabel()
	g.OpImm(jit.ADD, true, jit.RDX, EntrySize)
	g.OpMem(jit.CMP, true, jit.RDX, ctx(ctxEnd))
	g.JumpIf(jit.NE, inside)
	g.Load(jit.RDX, ctx(ctxBegin))
	g.Bind(inside)
	g.Store(ctx(ctxEntry), jit.RDX)
	g.MoveImm(jit.RCX, 1)
	g.OpTo(jit.SUB, true, ctx(ctxPending), jit.RCX)
	g.JumpIf(jit.NE, next)
}

// pass continues behind the barrier RAX, at which all warps are, if the code may. As without
// sweeps, the last warp continues with what is left of its turn.
func (g divergeCode) pass(in, out jit.Label) {
	g.Load(jit.RCX, ctx(ctxPassed))
	g.OpMem(jit.CMP, true, jit.RCX, ctx(ctxPasses))
	g.JumpIf(jit.AE, out)
	g.Load(jit.RDX, ctx(ctxThreads))
	g.OpImm(jit.CMP, true, jit.RDX, MaxSwept)
	g.JumpIf(jit.AE, out)
	passed, inside := g.NewLabel(), g.NewLabel()
	for _, pc := range g.passable() {
		next := g.NewLabel()
		g.OpImm(jit.CMP, false, jit.RAX, int32(pc))
		g.JumpIf(jit.NE, next)
		for f := range int32(2) {
			g.LeaLabel(jit.RDX, g.labelOf(f == 1, int32(pc+1)))
			g.Store(ctx(ctxTargets+8*f), jit.RDX)
		}
		g.Jump(passed)
		g.Bind(next)
	}
	g.Jump(out)
	g.Bind(passed)
	g.Store32(jit.Mem{Base: jit.RSI, Index: int8(jit.RCX), Scale: 4, Disp: ctxPassedAt}, jit.RAX)
	g.OpImm(jit.ADD, true, jit.RCX, 1)
	g.Store(ctx(ctxPassed), jit.RCX)
	g.Load(jit.RDX, ctx(ctxFirst))
	g.Load(jit.RAX, ctx(ctxTurn))
	g.Store(jit.At(jit.RDX, entryBudget), jit.RAX)
	g.OpMem(jit.CMP, true, jit.RDX, ctx(ctxBegin))
	g.JumpIf(jit.NE, inside)
	g.Load(jit.RDX, ctx(ctxEnd))
	g.Bind(inside)
	g.OpImm(jit.SUB, true, jit.RDX, EntrySize)
	g.Store(jit.At(jit.RDX, entryBudget), jit.R8)
	g.beginAt(jit.RDX)
	g.Jump(in)
}

// beginAt lets all warps run, from the entry in a register on.
func (g divergeCode) beginAt(entry jit.Reg) {
	g.Store(ctx(ctxFirst), entry)
	g.Store(ctx(ctxEntry), entry)
	g.Load(jit.RCX, ctx(ctxWarps))
	g.Store(ctx(ctxPending), jit.RCX)
	noStop := NoStop
	g.MoveImm(jit.RCX, uint64(noStop))
	g.Store(ctx(ctxStop), jit.RCX)
}

// nextWarp begins with the warp of the entry RDX.
func (g divergeCode) nextWarp() {
	some := g.NewLabel()
	g.Load(jit.RDI, jit.At(jit.RDX, entrySlab))
	g.Store(ctx(ctxSlab), jit.RDI)
	g.Load(jit.R8, jit.At(jit.RDX, entryBudget))
	g.Load32(jit.R12, jit.At(jit.RDX, entryMask))
	move := func(from, to int32) {
		g.Load(jit.RAX, jit.At(jit.RDX, from))
		g.Store(ctx(to), jit.RAX)
	}
	if g.locals() {
		move(entryLocal, ctxLocal)
		move(entryNoted, ctxWritten)
	}
	if g.watched&(Followed|Sieved|Entered) != 0 {
		move(entryWarp, ctxWarp)
	}
	g.noCounts()
	g.Store(ctx(ctxInstrs), jit.R9) // 0
	if g.changes() {
		g.Store(ctx(ctxChanges), jit.R9)
	}
	g.Load(jit.RAX, ctx(ctxTargets))
	g.OpImm(jit.CMP, false, jit.R12, -1)
	g.JumpIf(jit.NE, some)
	g.JumpTo(jit.RAX)
	g.Bind(some)
	g.setMask()
	g.Load(jit.RAX, ctx(ctxTargets+8))
	g.JumpTo(jit.RAX)
}
