package x86

import (
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
)

// smallStore stores elements of 1 or 2 bytes, which no instruction scatters.
type smallStore struct{ *access }

// each stores lane by lane. RBX are the lanes of the mask that are left, from the lowest, RCX is one of
// them and RDX its place.
func (a smallStore) each(masked bool) {
	g := a.g
	a.checkEach(masked)
	a.park(native.CtxAt, a.scratch[:a.parts])
	a.park(native.CtxB, a.values[0])
	next := g.NewLabel()
	g.Load(jit.RAX, g.memoryCode().regionPtr(a.Index))
	g.Move32(jit.RBX, jit.R12)
	g.Bind(next)
	g.TrailingZeros(jit.RCX, jit.RBX)
	g.Move32(jit.RDX, jit.RBX)
	g.OpImm(jit.SUB, false, jit.RDX, 1)
	g.Op(jit.AND, false, jit.RBX, jit.RDX)
	a.lowestAddress(jit.RDX)
	g.Load32(jit.RDI, laneOf(native.CtxB, 4))
	g.StoreX(jit.Mem{Base: jit.RAX, Index: int8(jit.RDX), Scale: 1}, jit.RDI, a.Mem.Elem)
	g.Test(false, jit.RBX, jit.RBX)
	g.JumpIf(jit.NE, next)
	g.Load(jit.RDI, ctx(native.CtxSlab))
}
