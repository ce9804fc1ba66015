package x86

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Local memory is kept by words: the words of all lanes at one offset are a row
// of 128 bytes (see localIndex), so that offset o of lane 0 is at 32*o.

// localLimit is one more than the largest offset of an access of the size.
func localLimit(size int) jit.Mem {
	return ctx(native.CtxLocalLimit + 8*int32(bits.TrailingZeros(uint(size))))
}

// orLocal lets an access to generic addresses that cannot go its usual way try
// local memory.
func (a *access) orLocal() {
	g, b := a.g, *a
	a.slow = g.NewLabel()
	here := a.slow
	g.cold = append(g.cold, func() {
		g.Bind(here)
		b.localEach(b.Mem.Offset - mem.LocalWindow)
		if !b.Load { // counted with the others
			g.OpImm(jit.SUB, true, jit.R11, 1)
			was := g.done
			g.done = native.Tally{Locals: 1}
			g.count()
			g.done = was
		}
		g.Jump(b.done)
	})
}

// localRows is for one offset in all lanes.
func (a *access) localRows() {
	g, m := a.g, a.Mem
	g.MoveImm(jit.RAX, m.Offset)
	if m.Base != program.NoSlot {
		g.OpMem(jit.ADD, true, jit.RAX, slab(m.Base, 0))
	}
	if a.Size > 1 {
		g.TestImm(jit.RAX, int32(a.Size-1))
		g.JumpIf(jit.NE, a.slow)
	}
	g.OpMem(jit.CMP, true, jit.RAX, localLimit(a.Size))
	g.JumpIf(jit.AE, a.slow)
	if least, limit, ok := g.Extent(m); ok {
		g.MoveImm(jit.RCX, -least)
		g.Op(jit.ADD, true, jit.RCX, jit.RAX)
		g.OpImm(jit.CMP, true, jit.RCX, int32(limit))
		g.JumpIf(jit.AE, a.slow)
	}
	if g.Watched&native.Noted != 0 {
		a.note()
	}
	g.ShiftImm(jit.SHL, true, jit.RAX, 5)
	g.OpMem(jit.ADD, true, jit.RAX, ctx(native.CtxLocal))
	for k := range m.Count {
		if len(a.values[k]) == 0 {
			continue
		}
		at := int32(k * m.Elem * 32)
		switch {
		case m.Elem == 4 && a.Load:
			for i, v := range a.values[k] {
				row := jit.At(jit.RAX, at+int32(64*i))
				a.op2(jit.VMOVDQU32, v, operand{m: &row})
			}
		case m.Elem == 4:
			for i, v := range a.values[k] {
				a.storeRow(at, i, v)
			}
		case a.Load:
			a.loadWide(k, at)
		default:
			a.storeWide(k, at)
		}
	}
}

// note enters a store at offset RAX in local memory, or leaves the code where a lane has not
// written what it loads.
func (a *access) note() {
	g := a.g
	g.Load(jit.RCX, ctx(native.CtxWritten))
	g.Move32(jit.RDX, jit.R12)
	g.ShiftImm(jit.SHL, true, jit.RDX, 32)
	g.Op(jit.OR, true, jit.RDX, jit.R12)
	for i := range a.Size / 2 { // two bytes at a time
		at := jit.Mem{Base: jit.RCX, Index: int8(jit.RAX), Scale: 4, Disp: int32(8 * i)}
		g.Load(jit.RBX, at)
		if a.Load {
			g.Not(true, jit.RBX)
			g.Op(jit.AND, true, jit.RBX, jit.RDX)
			g.JumpIf(jit.NE, a.slow)
		} else {
			g.Op(jit.OR, true, jit.RBX, jit.RDX)
			g.Store(at, jit.RBX)
		}
	}
}

// loadWide puts 64-bit values together from the rows of their halves.
func (a *access) loadWide(k int, at int32) {
	for i, v := range a.values[k] {
		lo, hi := jit.At(jit.RAX, at+int32(32*i)), jit.At(jit.RAX, at+128+int32(32*i))
		t := a.scratch[0]
		a.op2(jit.VPMOVZXDQ, t, operand{m: &hi})
		a.g.Emit(jit.VPSLLQ, jit.Args{V: int8(t), RM: int8(t), Imm: 32})
		a.op2(jit.VPMOVZXDQ, v, operand{m: &lo})
		a.op3(jit.VPORQ, v, v, vreg(t), 0, 0)
	}
}

// storeWide takes 64-bit values apart.
func (a *access) storeWide(k int, at int32) {
	g := a.g
	for word := range int32(2) {
		for p := range 2 {
			for h := range 2 {
				v, t := a.values[k][2*p+h], a.scratch[h]
				if word == 1 {
					g.Emit(jit.VPSRLQ, jit.Args{V: int8(t), RM: int8(v), Imm: 32})
					v = t
				}
				g.Emit(jit.VPMOVQD, jit.Args{Reg: int8(v), RM: int8(t)})
			}
			a.op3(jit.VINSERTI64X4, a.scratch[0], a.scratch[0], vreg(a.scratch[1]), 1, 0)
			a.storeRow(at+128*word, p, a.scratch[0])
		}
	}
}

// storeRow writes half a row, as a whole: loads can then follow at once.
func (a *access) storeRow(at int32, half int, v jit.Vec) {
	row := jit.At(jit.RAX, at+int32(64*half))
	if a.g.part {
		t := a.scratch[2]
		a.op2(jit.VMOVDQU32, t, operand{m: &row})
		a.op3(jit.VMOVDQU32, t, 0, vreg(v), 0, a.g.maskOf(half, 2))
		v = t
	}
	a.op2(jit.VMOVDQU32s, v, operand{m: &row})
}

// localEach is for an offset by lane: its address plus a constant.
func (a *access) localEach(plus uint64) {
	g := a.g
	offset := g.c64(plus)
	limit := localLimit(a.Size)
	limit.Bcast = true
	for i := range a.parts {
		u := a.scratch[i]
		under := g.maskOf(i, a.parts)
		a.op3(jit.VPADDQ, u, a.addr[i], offset, 0, 0)
		a.op3(jit.VPCMPUQ, 5, u, operand{m: &limit}, 5, under) // not below
		a.op3(jit.VPTESTMQ, 7, u, g.c64(uint64(a.Size-1)), 0, under)
		g.KOr(5, 5, 7, 16)
		if least, limit, ok := g.Extent(a.Mem); ok {
			t := a.scratch[7]
			a.op3(jit.VPSUBQ, t, u, g.c64(least), 0, 0)
			a.op3(jit.VPCMPUQ, 7, t, g.c64(limit), 5, under)
			g.KOr(5, 5, 7, 16)
		}
		if i == 0 {
			g.KCopy(6, 5)
		} else {
			g.KOr(6, 6, 5, 16)
		}
		g.Emit(jit.VPSLLQ, jit.Args{V: int8(u), RM: int8(u), Imm: 5})
		var lanes [8]uint64
		for l := range lanes {
			lanes[l] = uint64(4 * (8*i + l))
		}
		m := g.Data(lanes)
		a.op3(jit.VPADDQ, u, u, operand{m: &m}, 0, 0)
	}
	g.KOrTest(6, 6, 16)
	g.JumpIf(jit.NE, a.slow)
	g.Load(jit.RAX, ctx(native.CtxLocal))
	for k := range a.Mem.Count {
		if len(a.values[k]) == 0 {
			continue
		}
		for i := range 4 {
			a.eight(k, i, native.RowBytes, g.part)
		}
	}
}
