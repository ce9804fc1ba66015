package native

import "github.com/warpgrind/warpgrind/internal/warp/jit"

// nextBlock begins the next block, if code may, where all warps of a sweep have ended at step RAX, which
// it keeps where it may not.
func (g sweepCode) nextBlock(in jit.Label) {
	if g.another == nil {
		return
	}
	not, ended, kept := g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.Load(jit.RCX, ctx(ctxMore))
	g.Test(true, jit.RCX, jit.RCX)
	g.JumpIf(jit.E, not)
	g.Load(jit.RDX, ctx(ctxThreads))
	g.OpImm(jit.CMP, true, jit.RDX, MaxSwept)
	g.JumpIf(jit.AE, not)
	for _, pc := range g.ends {
		g.OpImm(jit.CMP, false, jit.RAX, int32(pc))
		g.JumpIf(jit.E, ended)
	}
	g.Jump(not)
	g.Bind(ended)
	g.OpImm(jit.SUB, true, jit.RCX, 1)
	g.Store(ctx(ctxMore), jit.RCX)
	g.Load(jit.RCX, ctx(ctxEnded))
	g.Load(jit.RDX, ctx(ctxPassed))
	g.Store32(jit.Mem{Base: jit.RSI, Index: int8(jit.RCX), Scale: 4, Disp: ctxPassedBy}, jit.RDX)
	g.OpImm(jit.ADD, true, jit.RCX, 1)
	g.Store(ctx(ctxEnded), jit.RCX)
	g.CmpMemImm(ctx(ctxKeep), 0)
	g.JumpIf(jit.NE, kept)
	g.MoveImm(jit.RCX, 0)
	g.Store(ctx(ctxPassed), jit.RCX)
	g.Bind(kept)
	g.nextCoord()
	g.clearShared()
	g.eachWarp()
	g.Load(jit.RDX, ctx(ctxBegin))
	g.beginAt(jit.RDX)
	for f := range int32(2) {
		g.LeaLabel(jit.RDX, g.labelOf(f == 1, 0))
		g.Store(ctx(ctxTargets+8*f), jit.RDX)
	}
	g.Jump(in)
	g.Bind(not)
}

// nextCoord makes the coordinates those of the next block: x runs fastest.
func (g sweepCode) nextCoord() {
	done := g.NewLabel()
	for i := range int32(3) {
		at := ctx(ctxCoord + 4*i)
		g.Load32(jit.RAX, at)
		g.OpImm(jit.ADD, false, jit.RAX, 1)
		g.Store32(at, jit.RAX)
		if i == 2 {
			break
		}
		g.OpMem(jit.CMP, false, jit.RAX, ctx(ctxGrid+4*i))
		g.JumpIf(jit.NE, done)
		g.MoveImm(jit.RAX, 0)
		g.Store32(at, jit.RAX)
	}
	g.Bind(done)
}

// clearShared clears shared memory, whose size is rounded up to whole vectors.
func (g sweepCode) clearShared() {
	loop, done := g.NewLabel(), g.NewLabel()
	g.Load(jit.RCX, ctx(ctxBlockBytes))
	g.Test(true, jit.RCX, jit.RCX)
	g.JumpIf(jit.E, done)
	g.Load(jit.RDX, ctx(ctxBlockMem))
	g.Emit(jit.VPXORD, jit.Args{})
	at := jit.At(jit.RDX, 0)
	g.Bind(loop)
	g.Emit(jit.VMOVDQU64s, jit.Args{Mem: &at})
	g.OpImm(jit.ADD, true, jit.RDX, 64)
	g.OpImm(jit.SUB, true, jit.RCX, 64)
	g.JumpIf(jit.A, loop)
	g.Bind(done)
}

// eachWarp readies the warps of the next block.
func (g sweepCode) eachWarp() {
	loop := g.NewLabel()
	g.Load(jit.R8, ctx(ctxBegin))
	g.MoveImm(jit.R9, 0)
	g.Load(jit.R10, ctx(ctxTurn))
	g.Bind(loop)
	g.Load(jit.RDI, jit.At(jit.R8, entrySlab))
	if g.another.image > 0 {
		g.restoreSlab()
	}
	g.startSlots()
	for i, x := range swept {
		g.Load(jit.RCX, jit.At(jit.R8, x[1]))
		g.OpTo(jit.ADD, true, ctx(ctxBefore+int32(8*i)), jit.RCX)
		g.Store(jit.At(jit.R8, x[1]), jit.R9)
	}
	g.Store(jit.At(jit.R8, entryBudget), jit.R10)
	g.OpImm(jit.ADD, true, jit.R8, EntrySize)
	g.OpMem(jit.CMP, true, jit.R8, ctx(ctxEnd))
	g.JumpIf(jit.NE, loop)
}

// restoreSlab copies what each block must find as the first one did.
func (g sweepCode) restoreSlab() {
	loop, n := g.NewLabel(), g.another.image
	g.Load(jit.RBX, jit.At(jit.R8, entryImage))
	g.Lea(jit.RDX, jit.At(jit.RDI, 0))
	from, to := jit.At(jit.RBX, 0), jit.At(jit.RDX, 0)
	if n >= 64 {
		g.MoveImm(jit.RCX, uint64(n/64))
		g.Bind(loop)
		g.Emit(jit.VMOVDQU64, jit.Args{Mem: &from})
		g.Emit(jit.VMOVDQU64s, jit.Args{Mem: &to})
		g.OpImm(jit.ADD, true, jit.RBX, 64)
		g.OpImm(jit.ADD, true, jit.RDX, 64)
		g.OpImm(jit.SUB, true, jit.RCX, 1)
		g.JumpIf(jit.NE, loop)
	}
	for off := int32(0); off < n%64; off += 8 {
		g.Load(jit.RCX, jit.At(jit.RBX, off))
		g.Store(jit.At(jit.RDX, off), jit.RCX)
	}
}

// startSlots gives slots their values, which are in RAX.
func (g sweepCode) startSlots() {
	last := int32(len(coordinates)) // none
	for _, x := range g.another.slots {
		switch {
		case x.coord == last:
		case x.coord == noCoord:
			g.MoveImm(jit.RAX, 0)
		default:
			g.Load32(jit.RAX, ctx(ctxCoord+4*x.coord))
		}
		last = x.coord
		switch x.kind {
		case oneValue:
			g.Store(slab(x.slot, 0), jit.RAX)
		case predicate:
			g.Store32(slab(x.slot, 0), jit.RAX)
		default:
			g.Emit(jit.VPBROADCASTDr, jit.Args{RM: int8(jit.RAX)})
			for k := range x.kind.bits() / 16 {
				m := slab(x.slot, 64*k)
				g.Emit(jit.VMOVDQU32s, jit.Args{Mem: &m})
			}
		}
	}
}
