package x86

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
)

// Accesses to global memory that enter a bit for each unit and a journal (shadow.Live.Touched): those of
// which no lane's unit was accessed before. The others are left to the interpreter, without a trace.

// lanewise is an access that enters what an observer keeps lane by lane.
type lanewise struct{ *access }

// touching is an access that enters bits.
type touching struct{ lanewise }

// enter enters the access, or leaves the code. Lane by lane, as neighbors share words: RBX are the lanes that are
// left, RCX is one of them, RDX its unit, R13 the page of that, and RDI where in the record its place is.
func (a touching) enter() {
	g, shift := a.g, byte(bits.TrailingZeros(uint(a.Size)))
	if a.parts != 4 || !a.Load && a.Mem.Elem < 4 {
		g.Jump(a.slow)
		return
	}
	fails := g.NewLabel()
	g.CmpMemImm(ctx(native.CtxPlainSize), int32(a.Size))
	g.JumpIf(jit.NE, a.slow)
	g.Load(jit.RAX, g.memoryCode().regionLimit(a.Index))
	g.ShiftImm(jit.SHR, true, jit.RAX, shift)
	g.OpImm(jit.CMP, true, jit.RAX, 1<<31-1) // units are less than 2^31 apart
	g.JumpIf(jit.A, a.slow)
	a.checkEach(g.part)
	a.unitsAt(a.scratch[:4])
	a.park(native.CtxAt, a.scratch[:4])
	a.begin()
	next := g.NewLabel()
	g.Bind(next)
	a.lane(jit.RBX)
	g.Lea(jit.RAX, jit.At(jit.RDX, 0))
	g.OpMem(jit.SUB, true, jit.RAX, ctx(native.CtxB))
	g.Store32(jit.At(jit.RDI, 0), jit.RAX)
	g.OpImm(jit.ADD, true, jit.RDI, 4)
	a.word(fails)
	jit.BitSet.Emit(&g.Asm, jit.RAX, jit.RDX)
	g.JumpIf(jit.B, fails)
	g.Store(touchedAt, jit.RAX)
	g.Op(jit.AND, false, jit.RBX, jit.RBX)
	g.JumpIf(jit.NE, next)
	g.Store(ctx(native.CtxJournal), jit.RDI)
	a.restored()
	g.MoveImm(jit.RCX, 1)
	g.OpTo(jit.ADD, true, ctx(native.CtxPlainLooked), jit.RCX)
	b := touching{lanewise{new(*a.access)}}
	g.cold = append(g.cold, func() {
		g.Bind(fails)
		b.undo()
	})
}

// begin writes the first words of a record, or returns to the interpreter if the journal is full.
func (a touching) begin() {
	g := a.g
	g.Load(jit.RAX, ctx(native.CtxJournal))
	g.Lea(jit.RDX, jit.At(jit.RAX, 4*shadow.TouchedWords))
	g.OpMem(jit.CMP, true, jit.RDX, ctx(native.CtxJournalEnd))
	g.JumpIf(jit.A, a.slow)
	g.Lea(jit.RDI, jit.At(jit.RAX, 4*shadow.TouchedHead))
	g.Store32(jit.At(jit.RAX, 0), jit.R12)
	g.MoveImm(jit.RDX, quickKind(a.Mem)|1<<shadow.TouchedCount)
	g.Store32(jit.At(jit.RAX, 4), jit.RDX)
	g.who()
	g.Store(jit.At(jit.RAX, 8), jit.RCX)
	g.Move32(jit.RBX, jit.R12)
	g.TrailingZeros(jit.RCX, jit.RBX)
	g.Load(jit.RDX, laneOf(native.CtxAt, 8))
	g.Store(jit.At(jit.RAX, 16), jit.RDX)
	g.Store(ctx(native.CtxB), jit.RDX)
}

// lane makes RDX the unit of the lowest of some lanes, and takes that away from them.
func (a lanewise) lane(lanes jit.Reg) {
	g := a.g
	g.TrailingZeros(jit.RCX, lanes)
	g.Move32(jit.RDX, lanes)
	g.OpImm(jit.SUB, false, jit.RDX, 1)
	g.Op(jit.AND, false, lanes, jit.RDX)
	g.Load(jit.RDX, laneOf(native.CtxAt, 8))
}

// page makes RCX the entry of unit RDX's page in a table of so many. It goes to a label where the page was not
// looked for.
func (a lanewise) page(table, pages int32, fails jit.Label) {
	a.g.Lea(jit.RAX, jit.At(jit.RDX, 0))
	a.g.pageEntry(jit.RAX, jit.RCX, 0, table, pages, fails)
}

// unitsAt makes numbers of units of offsets in the region, by 8 lanes each.
func (a *access) unitsAt(offsets []jit.Vec) {
	ptr := a.g.memoryCode().regionPtr(a.Index)
	ptr.Bcast = true
	for _, v := range offsets {
		a.op3(jit.VPADDQ, v, v, operand{m: &ptr}, 0, 0)
		a.g.Emit(jit.VPSRLQ, jit.Args{V: int8(v), RM: int8(v), Imm: byte(bits.TrailingZeros(uint(a.Size)))})
	}
}

// inRow continues if the units of the lanes that run are a row, from first on for lane 0. all and t are scratch.
func (a *access) inRow(first jit.Reg, units []jit.Vec, all, t jit.Vec, apart jit.Label) {
	g := a.g
	g.Emit(jit.VPBROADCASTQr, jit.Args{Reg: int8(all), RM: int8(first)})
	for i, v := range units {
		var lanes [8]uint64
		for l := range lanes {
			lanes[l] = uint64(8*i + l)
		}
		from, k := g.Data(lanes), jit.Vec(6)
		a.op3(jit.VPADDQ, t, all, operand{m: &from}, 0, 0)
		if i > 0 {
			k = 5
		}
		a.op3(jit.VPCMPUQ, k, v, vreg(t), 4, g.maskOf(i, 4)) // not equal
		if i > 0 {
			g.KOr(6, 6, 5, 16)
		}
	}
	g.KOrTest(6, 6, 16)
	g.JumpIf(jit.NE, apart)
}

// pageEntry makes a register the entry, in a table of so many, of the page of a unit whose number from bit shift on another register
// has. That one has the page's number then. It goes to a label where the page was not looked for.
func (g *gen) pageEntry(unit, entry jit.Reg, shift int, table, pages int32, fails jit.Label) {
	g.ShiftImm(jit.SHR, true, unit, byte(shift+bits.TrailingZeros(shadow.PageUnits)))
	g.Move32(entry, unit)
	g.OpImm(jit.AND, false, entry, pages-1)
	g.ShiftImm(jit.SHL, true, entry, byte(bits.TrailingZeros32(uint32(native.PlainPage))))
	g.OpMem(jit.ADD, true, entry, ctx(table))
	g.OpMem(jit.CMP, true, unit, jit.At(entry, 0))
	g.JumpIf(jit.NE, fails)
}

// who makes RCX who accesses, as states and records have it for lane 0.
func (g *gen) who() {
	g.Load(jit.RCX, ctx(native.CtxWarp)) // an event has the warp from bit 8 on
	g.ShiftImm(jit.SHL, true, jit.RCX, shadow.QuickThreadShift+5-8)
	g.OpMem(jit.ADD, true, jit.RCX, ctx(native.CtxPlainWho))
}

// touchedAt is where the word of a unit is.
var touchedAt = jit.Mem{Base: jit.R13, Index: int8(jit.RCX), Scale: 8}

// word loads the word of bits that has that of unit RDX. It goes to a label where the page was not looked
// for.
func (a touching) word(fails jit.Label) {
	g := a.g
	a.page(native.CtxTouched, shadow.TouchedPages, fails)
	g.Load(jit.R13, jit.At(jit.RCX, native.PageStates))
	g.Move32(jit.RCX, jit.RDX)
	g.OpImm(jit.AND, false, jit.RCX, shadow.PageUnits-1)
	g.ShiftImm(jit.SHR, false, jit.RCX, 6)
	g.Load(jit.RAX, touchedAt)
}

// undo takes the bits of the lanes back that the record has but for the last one, and leaves the code.
func (a touching) undo() {
	g, next, all := a.g, a.g.NewLabel(), a.g.NewLabel()
	g.Move32(jit.RDI, jit.R12)
	g.Op(jit.XOR, false, jit.RDI, jit.RBX)
	g.HighestBit(jit.RCX, jit.RDI)
	jit.BitClear.Emit(&g.Asm, jit.RDI, jit.RCX)
	g.Bind(next)
	g.Op(jit.AND, false, jit.RDI, jit.RDI)
	g.JumpIf(jit.E, all)
	a.lane(jit.RDI)
	a.word(all) // all were looked for
	jit.BitClear.Emit(&g.Asm, jit.RAX, jit.RDX)
	g.Store(touchedAt, jit.RAX)
	g.Jump(next)
	g.Bind(all)
	a.restored()
	g.Jump(a.slow)
}

// restored restores the registers of generated code.
func (a lanewise) restored() {
	a.g.Load(jit.RDI, ctx(native.CtxSlab))
	a.g.Load(jit.R13, ctx(native.CtxRegions))
}
