package x86

import (
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
)

// nextBlock begins the next block, if code may, where all warps of a sweep have ended at step RAX, which
// it keeps where it may not.
func (g sweepCode) nextBlock(in jit.Label) {
	if g.Another == nil {
		return
	}
	not, ended, kept := g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.Load(jit.RCX, ctx(native.CtxMore))
	g.Test(true, jit.RCX, jit.RCX)
	g.JumpIf(jit.E, not)
	g.Load(jit.RDX, ctx(native.CtxThreads))
	g.OpImm(jit.CMP, true, jit.RDX, native.MaxSwept)
	g.JumpIf(jit.AE, not)
	for _, pc := range g.Ends {
		g.OpImm(jit.CMP, false, jit.RAX, int32(pc))
		g.JumpIf(jit.E, ended)
	}
	g.Jump(not)
	g.Bind(ended)
	g.OpImm(jit.SUB, true, jit.RCX, 1)
	g.Store(ctx(native.CtxMore), jit.RCX)
	g.Load(jit.RCX, ctx(native.CtxEnded))
	g.Load(jit.RDX, ctx(native.CtxPassed))
	g.Store32(jit.Mem{Base: jit.RSI, Index: int8(jit.RCX), Scale: 4, Disp: native.CtxPassedBy}, jit.RDX)
	g.OpImm(jit.ADD, true, jit.RCX, 1)
	g.Store(ctx(native.CtxEnded), jit.RCX)
	g.CmpMemImm(ctx(native.CtxKeep), 0)
	g.JumpIf(jit.NE, kept)
	g.MoveImm(jit.RCX, 0)
	g.Store(ctx(native.CtxPassed), jit.RCX)
	g.Bind(kept)
	g.nextCoord()
	g.clearShared()
	g.eachWarp()
	g.Load(jit.RDX, ctx(native.CtxBegin))
	g.beginAt(jit.RDX)
	for f := range int32(2) {
		g.LeaLabel(jit.RDX, g.labelOf(f == 1, 0))
		g.Store(ctx(native.CtxTargets+8*f), jit.RDX)
	}
	g.Jump(in)
	g.Bind(not)
}

// nextCoord makes the coordinates those of the next block: x runs fastest.
func (g sweepCode) nextCoord() {
	done := g.NewLabel()
	for i := range int32(3) {
		at := ctx(native.CtxCoord + 4*i)
		g.Load32(jit.RAX, at)
		g.OpImm(jit.ADD, false, jit.RAX, 1)
		g.Store32(at, jit.RAX)
		if i == 2 {
			break
		}
		g.OpMem(jit.CMP, false, jit.RAX, ctx(native.CtxGrid+4*i))
		g.JumpIf(jit.NE, done)
		g.MoveImm(jit.RAX, 0)
		g.Store32(at, jit.RAX)
	}
	g.Bind(done)
}

// clearShared clears shared memory, whose size is rounded up to whole vectors.
func (g sweepCode) clearShared() {
	loop, done := g.NewLabel(), g.NewLabel()
	g.Load(jit.RCX, ctx(native.CtxBlockBytes))
	g.Test(true, jit.RCX, jit.RCX)
	g.JumpIf(jit.E, done)
	g.Load(jit.RDX, ctx(native.CtxBlockMem))
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
	g.Load(jit.R8, ctx(native.CtxBegin))
	g.MoveImm(jit.R9, 0)
	g.Load(jit.R10, ctx(native.CtxTurn))
	g.Bind(loop)
	g.Load(jit.RDI, jit.At(jit.R8, native.EntrySlab))
	if g.Another.Image > 0 {
		g.restoreSlab()
	}
	g.startSlots()
	for i, x := range native.Swept {
		g.Load(jit.RCX, jit.At(jit.R8, x[1]))
		g.OpTo(jit.ADD, true, ctx(native.CtxBefore+int32(8*i)), jit.RCX)
		g.Store(jit.At(jit.R8, x[1]), jit.R9)
	}
	g.Store(jit.At(jit.R8, native.EntryBudget), jit.R10)
	g.OpImm(jit.ADD, true, jit.R8, native.EntrySize)
	g.OpMem(jit.CMP, true, jit.R8, ctx(native.CtxEnd))
	g.JumpIf(jit.NE, loop)
}

// restoreSlab copies what each block must find as the first one did.
func (g sweepCode) restoreSlab() {
	loop, n := g.NewLabel(), g.Another.Image
	g.Load(jit.RBX, jit.At(jit.R8, native.EntryImage))
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
	last := int32(len(native.Coordinates)) // none
	for _, x := range g.Another.Slots {
		switch {
		case x.Coord == last:
		case x.Coord == native.NoCoord:
			g.MoveImm(jit.RAX, 0)
		default:
			g.Load32(jit.RAX, ctx(native.CtxCoord+4*x.Coord))
		}
		last = x.Coord
		switch x.Kind {
		case native.OneValue:
			g.Store(slab(x.Slot, 0), jit.RAX)
		case native.Predicate:
			g.Store32(slab(x.Slot, 0), jit.RAX)
		default:
			g.Emit(jit.VPBROADCASTDr, jit.Args{RM: int8(jit.RAX)})
			for k := range x.Kind.Bits() / 16 {
				m := slab(x.Slot, 64*k)
				g.Emit(jit.VMOVDQU32s, jit.Args{Mem: &m})
			}
		}
	}
}
