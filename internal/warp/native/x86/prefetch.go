package x86

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
)

// prefetchAhead is how many bytes before its use a row is brought near that the next warps of a sweep will want. Processors
// do so by themselves, but not always: the places of loads in the code, modulo some bits, decide.
const prefetchAhead = 1024

// prefetching is an access that brings memory near before it or others want it.
type prefetching struct{ *access }

// rowsApart bounds how far from each other the lanes may be whose next addresses nextRows guesses.
const rowsApart = 1 << 15

// nextRows brings near what the next warps will want where each lane walks along a row of its own, and the rows of
// a warp follow each other: what is as far from a lane as the warp's lanes are apart. Each time it is another lane,
// that of a number from missed; while a warp walks along its rows, all have their turn.
func (a prefetching) nextRows(lane jit.Reg) {
	g, far := a.g, a.g.NewLabel()
	if !a.Load || a.Mem.Space != trace.SpaceGlobal || a.parts != 4 {
		return
	}
	a.park(native.CtxAt, a.addr[:])
	g.Load(jit.RCX, ctx(native.CtxAt+8*31))
	g.OpMem(jit.SUB, true, jit.RCX, ctx(native.CtxAt))
	g.OpImm(jit.CMP, true, jit.RCX, rowsApart)
	g.JumpIf(jit.AE, far)
	g.OpMem(jit.ADD, true, jit.RCX, jit.Mem{Base: jit.RSI, Index: int8(lane), Scale: 8, Disp: native.CtxAt})
	jit.Prefetch(&g.Asm, jit.At(jit.RCX, int32(a.Mem.Offset)+64))
	g.Bind(far)
}

// places prefetches the places of the lanes of an atomic instruction: each operation waits for those before it, and
// would wait for its place only then. Not to write there: others may do so meanwhile, and a compare-and-swap may fail.
func (a prefetching) places() {
	g, next := a.g, a.g.NewLabel()
	g.Move32(jit.RBX, jit.R12)
	g.Bind(next)
	g.TrailingZeros(jit.RCX, jit.RBX)
	g.Load(jit.RAX, laneOf(native.CtxAt, 8))
	jit.Prefetch(&g.Asm, jit.At(jit.RAX, 0))
	g.Lea(jit.RDX, jit.At(jit.RBX, -1))
	g.Op(jit.AND, false, jit.RBX, jit.RDX)
	g.JumpIf(jit.NE, next)
}
