package native

import (
	"strings"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Blocks is for sweeps that begin with further blocks of the grid where one has ended: More is how many
// they may, Ended how many have ended. Coord is where the running block is in a grid of size Grid. Shared
// memory is cleared for each. Instrs, Loads, Stores and Changes are what those that ended did. With Keep,
// not 0, the barriers that they passed stay in Context.PassedAt: those of one up to its element of Passed.
type Blocks struct {
	Keep                           uint64
	Passed                         [MaxBlocks]uint32
	More, Ended                    uint64
	Coord, Grid                    [3]uint32
	Shared                         uintptr
	SharedSize                     uint64
	Instrs, Loads, Stores, Changes uint64
}

// MaxBlocks bounds the blocks that end in one sweep.
const MaxBlocks = 64

const (
	ctxKeep       = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Keep))
	ctxPassedBy   = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Passed))
	ctxMore       = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.More))
	ctxEnded      = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Ended))
	ctxCoord      = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Coord))
	ctxGrid       = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Grid))
	ctxBlockMem   = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Shared))
	ctxBlockBytes = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.SharedSize))
	ctxBefore     = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Instrs))
)

// coordinates are the special registers that differ between the blocks of a launch.
var coordinates = map[string]int32{"ctaid.x": 0, "ctaid.y": 1, "ctaid.z": 2}

// Repeats reports whether sweeps of the code can begin with further blocks by themselves.
func (c *Code) Repeats() bool { return c.plan.repeatable() }

// repeatable reports whether nothing but coordinates has to be set for another block.
func (pl *plan) repeatable() bool {
	p := pl.p
	if p.StackTop != program.NoSlot || p.Clusters {
		return false
	}
	for i := range p.Specials {
		s := &p.Specials[i]
		_, known := coordinates[s.Name]
		if strings.HasPrefix(s.Name, "cluster") || strings.HasPrefix(s.Name, "ctaid.") && !known {
			return false
		}
	}
	return pl.leader[0]
}

// restores reports whether another block may read what code writes to the part of the slab that each
// block must find as the first one did.
func (pl *plan) restores() bool {
	if pl.p.Restored > pl.p.Uniform {
		return true
	}
	live := pl.liveIn[0]
	for i := range pl.steps {
		for _, s := range pl.steps[i].writes {
			if n := pl.ids[s]; s < pl.p.Restored && live[n/64]>>(n%64)&1 != 0 {
				return true
			}
		}
	}
	return false
}

// nextBlock begins the next block, if code may, where all warps of a sweep have ended at step RAX, which
// it keeps where it may not.
func (g divergeCode) nextBlock(in jit.Label) {
	if !g.pl.repeatable() {
		return
	}
	not, ended, kept := g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.Load(jit.RCX, ctx(ctxMore))
	g.Test(true, jit.RCX, jit.RCX)
	g.JumpIf(jit.E, not)
	g.Load(jit.RDX, ctx(ctxThreads))
	g.OpImm(jit.CMP, true, jit.RDX, MaxSwept)
	g.JumpIf(jit.AE, not)
	for pc := range g.p.Code {
		if op := g.p.Code[pc].Op; g.pl.sweepStop(pc) && op != program.OpBarrier {
			g.OpImm(jit.CMP, false, jit.RAX, int32(pc))
			g.JumpIf(jit.E, ended)
		}
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
func (g divergeCode) nextCoord() {
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
func (g divergeCode) clearShared() {
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
func (g divergeCode) eachWarp() {
	loop := g.NewLabel()
	g.Load(jit.R8, ctx(ctxBegin))
	g.MoveImm(jit.R9, 0)
	g.Load(jit.R10, ctx(ctxTurn))
	g.Bind(loop)
	g.Load(jit.RDI, jit.At(jit.R8, entrySlab))
	if g.pl.restores() {
		g.restoreSlab()
	}
	for _, c := range g.p.Zero {
		if c.Slot >= g.p.Restored {
			g.zero(c)
		}
	}
	for i := range g.p.Specials {
		s := &g.p.Specials[i]
		if k, ok := coordinates[s.Name]; ok {
			g.Load32(jit.RAX, ctx(ctxCoord+4*k))
			g.special(s, jit.RAX)
		}
	}
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
func (g divergeCode) restoreSlab() {
	loop, n := g.NewLabel(), g.p.Restored
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

// zero sets a slot to 0.
func (g divergeCode) zero(c program.Const) {
	g.MoveImm(jit.RAX, 0)
	switch {
	case c.Scalar:
		g.Store(slab(c.Slot, 0), jit.RAX)
	case c.Width == alu.Pred:
		g.Store32(slab(c.Slot, 0), jit.RAX)
	default:
		g.fillRow(c.Slot, c.Width)
	}
}

// special gives a special register of 32 bits the value in a register.
func (g divergeCode) special(s *program.Special, r jit.Reg) {
	if s.Slot != program.NoSlot {
		g.Store(slab(s.Slot, 0), r)
	}
	if s.Bcast != program.NoSlot {
		g.fillRow(s.Bcast, alu.W32)
	}
}

// fillRow fills a row with RAX.
func (g divergeCode) fillRow(slot int32, w alu.Width) {
	g.Emit(jit.VPBROADCASTDr, jit.Args{RM: int8(jit.RAX)})
	for k := range partsOf(w) {
		m := slab(slot, 64*k)
		g.Emit(jit.VMOVDQU32s, jit.Args{Mem: &m})
	}
}
