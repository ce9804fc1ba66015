package x86

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// marking is an access to global memory that marks which elements it touches (shadow.Marks). One that the interpreter then
// does after all marks them again.
type marking struct{ lanewise }

// unless marks the access if its region wants that, and then jumps to a label if the region wants no more. enters tells whether there
// is code to enter the access as well.
func (a marking) unless(enters bool, done jit.Label) {
	g, plain := a.g, a.g.NewLabel()
	g.Load32(jit.RAX, g.memoryCode().regionEnters(a.Index))
	if !enters {
		g.TestImm(jit.RAX, int32(native.Enter))
		g.JumpIf(jit.NE, a.slow)
		a.mark()
		g.Jump(done)
		return
	}
	g.TestImm(jit.RAX, int32(native.Mark))
	g.JumpIf(jit.E, plain)
	a.mark()
	g.Load32(jit.RAX, g.memoryCode().regionEnters(a.Index))
	g.TestImm(jit.RAX, int32(native.Enter))
	g.JumpIf(jit.E, done)
	g.Bind(plain)
}

// mark marks the elements of the lanes that run, or leaves the code where one of them is outside of the region.
func (a marking) mark() {
	g, m, shift := a.g, a.Mem, byte(bits.TrailingZeros(uint(a.Size)))
	if a.parts == 0 {
		if m.Base == program.NoSlot {
			g.MoveImm(jit.RDX, 0)
		} else {
			g.Load(jit.RDX, slab(m.Base, 0))
		}
		g.OpMem(jit.SUB, true, jit.RDX, g.memoryCode().regionStart(a.Index))
		a.inside(jit.RDX, 0)
		g.ShiftImm(jit.SHR, true, jit.RDX, shift)
		a.toMarks()
		a.one()
		a.restored()
		return
	}
	if a.parts != 4 {
		g.Jump(a.slow)
		return
	}
	a.checkEach(g.part)
	for _, v := range a.scratch[:4] {
		g.Emit(jit.VPSRLQ, jit.Args{V: int8(v), RM: int8(v), Imm: shift})
	}
	apart, done, next := g.NewLabel(), g.NewLabel(), g.NewLabel()
	if g.part {
		a.park(native.CtxAt, a.scratch[:4])
	}
	a.row(apart)
	g.Jump(done)
	g.Bind(apart)
	if !g.part {
		a.park(native.CtxAt, a.scratch[:4])
	}
	a.toMarks()
	g.Move32(jit.RBX, jit.R12)
	g.Bind(next)
	a.lane(jit.RBX)
	a.one()
	g.Op(jit.AND, false, jit.RBX, jit.RBX)
	g.JumpIf(jit.NE, next)
	g.Bind(done)
	a.restored()
}

// toMarks makes RDI where the bits are, R13 where the bytes of their pages are.
func (a marking) toMarks() {
	g := a.g
	g.Load(jit.RDI, g.memoryCode().regionBits(a.Index))
	g.Load(jit.R13, g.memoryCode().regionPages(a.Index))
}

// page marks a page, whose number is that in RDX without so many bits.
func (a marking) page(shift int) {
	g := a.g
	g.ShiftImm(jit.SHR, true, jit.RDX, byte(shift))
	g.MoveImm(jit.RAX, 1)
	g.StoreX(jit.Mem{Base: jit.R13, Index: int8(jit.RDX), Scale: 1}, jit.RAX, 1)
}

// one marks element RDX.
func (a marking) one() {
	g, has := a.g, a.g.NewLabel()
	word := jit.Mem{Base: jit.RDI, Index: int8(jit.RCX), Scale: 8}
	g.Lea(jit.RCX, jit.At(jit.RDX, 0))
	g.ShiftImm(jit.SHR, true, jit.RCX, 6)
	g.Load(jit.RAX, word)
	jit.BitSet.Emit(&g.Asm, jit.RAX, jit.RDX)
	g.JumpIf(jit.B, has)
	g.Store(word, jit.RAX)
	a.page(bits.TrailingZeros(shadow.MarkPage))
	g.Bind(has)
}

// row marks the elements of the lanes that run if they are neighbors, and goes to a label if they are not.
func (a marking) row(apart jit.Label) {
	g := a.g
	if g.part {
		g.TrailingZeros(jit.RCX, jit.R12)
		g.Load(jit.RDX, laneOf(native.CtxAt, 8))
		g.Op(jit.SUB, true, jit.RDX, jit.RCX) // lane 0's, or what it would be
		g.JumpIf(jit.B, apart)
	} else {
		g.MoveFromVec(jit.RDX, a.scratch[0], true)
	}
	a.inRow(jit.RDX, a.scratch[:4], a.scratch[4], a.scratch[5], apart)
	a.toMarks()
	// RBX: the lanes' bits from RDX%32 on, in two words of 32 bits.
	g.Move32(jit.RCX, jit.RDX)
	g.OpImm(jit.AND, false, jit.RCX, 31)
	g.MoveImm(jit.RAX, 0)
	jit.BitSet.Emit(&g.Asm, jit.RAX, jit.RCX)
	g.Move32(jit.RBX, jit.R12)
	g.Mul(true, jit.RBX, jit.RAX)
	g.Lea(jit.RCX, jit.At(jit.RDX, 0))
	g.ShiftImm(jit.SHR, true, jit.RCX, 5)
	g.OpTo(jit.OR, true, jit.Mem{Base: jit.RDI, Index: int8(jit.RCX), Scale: 4}, jit.RBX)
	for i := range 2 { // the second may be in another page
		g.Lea(jit.RDX, jit.At(jit.RCX, int32(i)))
		a.page(bits.TrailingZeros(shadow.MarkPage) - 5)
	}
}
