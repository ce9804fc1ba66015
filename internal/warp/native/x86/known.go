package x86

import (
	"github.com/warpgrind/warpgrind/internal/trace/recall"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// expected leaves the code unless the access is the one that the group
// expects: the site and the warp, the mask and the shape, and the base.
func (a *access) expected() {
	g := a.g
	a.nextNode()
	g.MoveImm(jit.RDX, recall.SiteBits(a.Mem.Site.ID))
	g.OpMem(jit.ADD, true, jit.RDX, ctx(native.CtxWarp))
	g.OpMem(jit.CMP, true, jit.RDX, jit.At(jit.RAX, recall.NodeWhat))
	g.JumpIf(jit.NE, a.slow)
	g.Load32(jit.RDX, jit.At(jit.RAX, recall.NodeShape))
	g.ShiftImm(jit.SHL, true, jit.RDX, 3)
	g.OpMem(jit.ADD, true, jit.RDX, ctx(native.CtxShapes))
	g.Load(jit.RDX, jit.At(jit.RDX, 0))
	g.OpMem(jit.CMP, false, jit.R12, jit.At(jit.RDX, native.ShapeMask))
	g.JumpIf(jit.NE, a.slow)
	g.Load32(jit.RCX, jit.At(jit.RAX, recall.NodeBase))
	if a.Mem.Scalar || a.Mem.Base == program.NoSlot {
		a.expectOne()
	} else {
		a.expectLanes()
	}
}

// nextNode puts the address of the next node into RAX.
func (a *access) nextNode() {
	g := a.g
	g.Load(jit.RCX, ctx(native.CtxCursor))
	g.Load32(jit.RAX, jit.At(jit.RCX, native.CursorNext))
	g.ShiftImm(jit.SHL, true, jit.RAX, recall.NodeShift)
	g.OpMem(jit.ADD, true, jit.RAX, ctx(native.CtxNodes))
}

// expectOne compares the one address of all lanes with the base in RCX.
func (a *access) expectOne() {
	g := a.g
	g.CmpMemImm(jit.At(jit.RDX, native.ShapeOr), 0)
	g.JumpIf(jit.NE, a.slow)
	if a.Mem.Base == program.NoSlot {
		g.MoveImm(jit.RAX, 0)
	} else {
		g.Load(jit.RAX, slab(a.Mem.Base, 0))
	}
	g.MoveImm(jit.RDX, a.Mem.Offset)
	g.Op(jit.ADD, true, jit.RAX, jit.RDX)
	g.Op(jit.CMP, true, jit.RAX, jit.RCX)
	g.JumpIf(jit.NE, a.slow)
}

// expectLanes compares each lane's address with the base in RCX plus the
// offset of the shape at RDX.
func (a *access) expectLanes() {
	g, w, t, u := a.g, a.width(), a.scratch[0], a.scratch[1]
	from, repeat := native.ShapeOff32, jit.VPBROADCASTDr
	if w == 8 {
		from, repeat = native.ShapeOff, jit.VPBROADCASTQr
	}
	g.MoveImm(jit.RAX, a.Mem.Offset)
	g.Op(jit.SUB, true, jit.RCX, jit.RAX)
	g.Emit(repeat, jit.Args{Reg: int8(t), RM: int8(jit.RCX)})
	for i := range a.parts {
		off := jit.At(jit.RDX, from+int32(64*i))
		a.op3(addInt.of(w), u, t, operand{m: &off}, 0, 0)
		k := jit.Vec(5)
		if i > 0 {
			k = 6
		}
		a.op3(compareInt.of(w), k, a.addr[i], vreg(u), 4, g.maskOf(i, a.parts)) // not equal
		if i > 0 {
			g.KOr(5, 5, 6, 16)
		}
	}
	g.KOrTest(5, 5, 16)
	g.JumpIf(jit.NE, a.slow)
}

// advance notes that the expected access was made.
func (a *access) advance() {
	g := a.g
	a.nextNode()
	g.Load32(jit.RDX, jit.At(jit.RCX, native.CursorNext))
	g.Store32(jit.At(jit.RCX, native.CursorAt), jit.RDX)
	g.Load32(jit.RDX, jit.At(jit.RAX, recall.NodeChild))
	g.Store32(jit.At(jit.RCX, native.CursorNext), jit.RDX)
}
