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
	case in.Op != program.OpBarrier:
		return false
	}
	b := &pl.p.Bars[in.X]
	id := func(c program.Const) bool { return c.Slot == b.ID && c.Value < program.MaxBarriers }
	return b.Kind == program.BarSync && b.Count == program.NoSlot && b.Dst == program.NoSlot && b.Group == trace.NoGroup && slices.ContainsFunc(pl.p.Consts, id)
}

// passable lists the barriers that a sweep can pass by itself: those after which there is
// native code.
func (pl *plan) passable(native func(pc int) bool) (list []int) {
	for pc := range pl.p.Code {
		if pl.p.Code[pc].Op == program.OpBarrier && pl.sweepStop(pc) && pc+1 < len(pl.p.Code) && native(pc+1) {
			list = append(list, pc)
		}
	}
	return list
}

// sweeps emits where the warps of a sweep begin and stop. It returns the way in.
func (g divergeCode) sweeps() (in jit.Label) {
	in, known, came, out := g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.Bind(g.stop)
	g.account()
	g.Load(jit.RDX, ctx(ctxEntry))
	g.Test(true, jit.RDX, jit.RDX)
	g.JumpIf(jit.E, out)
	g.Load(jit.RCX, ctx(ctxDepth))
	g.Test(true, jit.RCX, jit.RCX)
	g.JumpIf(jit.NE, out)
	g.Load32(jit.RCX, ctx(ctxStop))
	g.OpImm(jit.CMP, false, jit.RCX, NoStop)
	g.JumpIf(jit.NE, known)
	g.Store(ctx(ctxStop), jit.RAX)
	g.Jump(came)
	g.Bind(known)
	g.Op(jit.CMP, false, jit.RCX, jit.RAX)
	g.JumpIf(jit.NE, out)
	g.Bind(came)
	g.stopped(in)
	g.nextBlock(in)
	g.pass(in, out)
	g.Bind(in)
	g.nextWarp()
	g.Bind(out)
	g.ZeroUpper()
	g.Ret()
	return in
}

// stopped notes what the warp of the entry RDX did, and continues with the next one, if any
// has not stopped. It keeps RAX.
func (g divergeCode) stopped(in jit.Label) {
	for _, x := range swept {
		g.Load(jit.RCX, ctx(x[0]))
		for _, y := range sweptLast {
			if y[0] == x[0] {
				g.Store(jit.At(jit.RDX, y[1]), jit.RCX)
			}
		}
		g.OpMem(jit.ADD, true, jit.RCX, jit.At(jit.RDX, x[1]))
		g.Store(jit.At(jit.RDX, x[1]), jit.RCX)
	}
	inside := g.NewLabel()
	g.OpImm(jit.ADD, true, jit.RDX, EntrySize)
	g.OpMem(jit.CMP, true, jit.RDX, ctx(ctxEnd))
	g.JumpIf(jit.NE, inside)
	g.Load(jit.RDX, ctx(ctxBegin))
	g.Bind(inside)
	g.Store(ctx(ctxEntry), jit.RDX)
	g.Load(jit.RCX, ctx(ctxPending))
	g.OpImm(jit.SUB, true, jit.RCX, 1)
	g.Store(ctx(ctxPending), jit.RCX)
	g.JumpIf(jit.NE, in)
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
	for _, pc := range g.pl.passable(g.native) {
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

// nextWarp begins with the warp of the context's entry.
func (g divergeCode) nextWarp() {
	all := g.NewLabel()
	g.Load(jit.RAX, ctx(ctxEntry))
	g.Load(jit.RDI, jit.At(jit.RAX, entrySlab))
	g.Store(ctx(ctxSlab), jit.RDI)
	g.Load(jit.R8, jit.At(jit.RAX, entryBudget))
	g.Load32(jit.R12, jit.At(jit.RAX, entryMask))
	for _, x := range [3][2]int32{{entryLocal, ctxLocal}, {entryNoted, ctxWritten}, {entryWarp, ctxWarp}} {
		g.Load(jit.RDX, jit.At(jit.RAX, x[0]))
		g.Store(ctx(x[1]), jit.RDX)
	}
	g.clear()
	for _, x := range swept {
		g.Store(ctx(x[0]), jit.R9) // 0
	}
	g.Load(jit.RAX, ctx(ctxTargets))
	g.OpImm(jit.CMP, false, jit.R12, -1)
	g.JumpIf(jit.E, all)
	g.Load(jit.RAX, ctx(ctxTargets+8))
	g.Bind(all)
	g.JumpTo(jit.RAX)
}
