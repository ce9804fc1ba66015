package warp

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Slots of the programs below: room for a row of 64-bit lanes each.
const (
	slotA = 64 + 256*iota
	slotB
	slotC
	slotE
	slotD
	slotP = slotD + 256
)

// awkward are operands that are easy to get wrong.
var awkward = []uint64{
	0, 1, 2, 31, 32, 33, 63, 64, 255, 256, 0x7fff, 0x8000, 0xffff, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, ^uint64(0),
	0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x00000001, 0x007fffff, 0x80000000, 0x4f000000, 0xcf000000, 0x4f800000,
	0x3ff0000000000000, 0xbff8000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001, 0x41e0000000000000, 0xc1e0000000200000,
}

// operands fills the rows with values, mostly awkward ones.
func fillOperands(w *Warp, op *alu.Op, slots []int32, r *rand.Rand) {
	for i, width := range op.Args {
		for l := range 32 {
			v := awkward[r.Intn(len(awkward))]
			if r.Intn(3) == 0 {
				v = r.Uint64()
			}
			w.SetLane(slots[i], width, l, v)
		}
	}
}

// nativeProgram is a program around steps: step i is that at 4*i+1, which code is entered for
// at 4*i and leaves at 4*i+3.
func nativeProgram(steps ...program.Instr) *program.Program {
	p := &program.Program{Slab: slotP + 64, Uniform: 64, StackTop: program.NoSlot, Funcs: []program.Func{{}}}
	for _, in := range steps {
		if in.Guard = program.NoSlot; in.Op == program.OpScalar {
			in.Bcast = program.NoSlot
		}
		p.Code = append(p.Code, program.Instr{Op: program.OpEnter, Guard: program.NoSlot, N: 1}, in,
			program.Instr{Op: program.OpPredMov, A: slotP, D: slotP, Guard: program.NoSlot},
			program.Instr{Op: program.OpReturn, Guard: program.NoSlot})
	}
	return p
}

// nativeWarp compiles a program for a warp with lanes m.
func nativeWarp(t *testing.T, x translator, p *program.Program, m uint32) (*Warp, *native.Form) {
	t.Helper()
	env := &Env{}
	w := NewWarp(p, env)
	w.groups = []group{{mask: m, join: -1, frame: -1}}
	env.native.code = x.NewCode(p, slotD) // nothing reads it
	v := w.form(m)
	if v.Entry[0] == 0 {
		t.Fatal("no code")
	}
	env.native.regions = make([]native.Region, 1)
	env.native.ctx.Regions = &env.native.regions[0]
	env.native.ctx.Functions = env.native.code.Functions
	return w, v
}

// TestNativeOperations compares generated code with the definitions.
func TestNativeOperations(t *testing.T) { testExecutors(t, testOperations) }

func testOperations(t *testing.T, x translator) {
	var steps []program.Instr
	for _, op := range native.Operations() {
		for _, code := range []program.Opcode{program.OpVec, program.OpScalar} {
			if code == program.OpScalar && op.Formula != nil && (op.Formula.Limit < 1e30 || strings.HasPrefix(op.Name, "__nv_")) {
				continue // left to the interpreter
			}
			if op.Dst == alu.Pred && code == program.OpVec {
				code = program.OpCmp
			}
			steps = append(steps, program.Instr{Op: code, ALU: op, Dst: op.Dst, D: slotD, D2: program.NoSlot, A: slotA, B: slotB, C: slotC, E: slotE})
		}
	}
	p := nativeProgram(steps...)
	for _, m := range []uint32{^uint32(0), 0x0ff0a5f1} {
		w, v := nativeWarp(t, x, p, m)
		for i := range steps {
			testNative(t, w, v, int32(4*i), m)
		}
	}
}

// testNative compares the step after pc with its definition.
func testNative(t *testing.T, w *Warp, v *native.Form, pc int32, m uint32) {
	in := &w.Prog.Code[pc+1]
	op, r := in.ALU, rand.New(rand.NewSource(1))
	limited := op.Formula != nil && op.Formula.Limit < 1e30
	for round := range 40 {
		fillOperands(w, op, []int32{slotA, slotB, slotC, slotE}, r)
		if limited && round > 0 { // the first round leaves the code, if the others do not
			withinLimit(w, op, r)
		}
		for l := range 32 {
			w.SetLane(slotD, alu.W64, l, 0x5555555555555555)
		}
		before := w.snapshot()
		budget, done := int64(100), w.Env.WarpInstrs
		if at := w.native(v, pc, none, m, &budget); at != pc+3 {
			if limited && round == 0 && at == pc+1 {
				continue
			}
			t.Fatalf("%s: left at step %d", op.Name, at-pc)
		}
		if budget != 98 || w.Env.WarpInstrs == done {
			t.Fatalf("%s: budget %d after 1 instruction of 100", op.Name, budget)
		}
		if msg := compareLanes(w, before, in, m); msg != "" {
			t.Errorf("%s (opcode %d, mask %#x): %s", op.Name, in.Op, m, msg)
			return
		}
	}
}

// withinLimit gives the operand of a formula that has a limit numbers of many sizes up to
// it.
func withinLimit(w *Warp, op *alu.Op, r *rand.Rand) {
	for l := range 32 {
		x := r.NormFloat64() * math.Pow(2, float64(r.Intn(60)-30))
		x = max(-op.Formula.Limit, min(op.Formula.Limit, x))
		w.SetLane(slotA, alu.W32, l, uint64(math.Float32bits(float32(x))))
	}
}

func (w *Warp) snapshot() *Warp {
	c := NewWarp(w.Prog, w.Env)
	copy(c.Words(0, w.Prog.Slab), w.Words(0, w.Prog.Slab))
	return c
}

func compareLanes(w, before *Warp, in *program.Instr, m uint32) string {
	want, op, code := before.snapshot(), in.ALU, in.Op
	if code == program.OpScalar {
		want.scalar(in)
	} else {
		want.lanes(in, m)
	}
	for l := range 32 {
		g, x := w.LaneValue(slotD, op.Dst, l), want.LaneValue(slotD, op.Dst, l)
		if code == program.OpScalar && op.Dst != alu.Pred {
			g, x = *w.S64(slotD), *want.S64(slotD)
		}
		if g != x && (m>>l&1 != 0 || code != program.OpScalar) {
			return fmt.Sprintf("lane %d: got %#x, want %#x of %#x, %#x, %#x", l, g, x,
				before.V64(slotA)[l], before.V64(slotB)[l], before.V64(slotC)[l])
		}
	}
	return ""
}

// TestNativeAtomics compares atomic operations on shared and on global memory
// with the interpreter's.
func TestNativeAtomics(t *testing.T) { testExecutors(t, testAtomics) }

func testAtomics(t *testing.T, x translator) {
	for _, name := range native.Atomics() {
		op, typ, _ := strings.Cut(name, ".")
		for _, sp := range []trace.Space{trace.SpaceShared, trace.SpaceGlobal} {
			for _, m := range []uint32{^uint32(0), 0x0ff0a5f1} {
				testAtomic(t, x, name, program.AtomicFunc(op, typ), sp, m)
			}
		}
	}
}

func testAtomic(t *testing.T, x translator, name string, fn func(old, b, c uint64) uint64, sp trace.Space, m uint32) {
	width, elem := alu.W32, 4
	if strings.HasSuffix(name, "64") {
		width, elem = alu.W64, 8
	}
	op := program.Mem{Site: &trace.Site{Kind: trace.Atomic}, Space: sp, Elem: elem, Count: 1, Regs: [4]int32{slotD, program.NoSlot, program.NoSlot, program.NoSlot},
		Bcast: [4]int32{program.NoSlot, program.NoSlot, program.NoSlot, program.NoSlot}, Width: width, Base: slotA, BaseWidth: alu.W64, Offset: 16,
		B: slotB, C: program.NoSlot, Fn: fn, Atom: name}
	if strings.HasPrefix(name, "cas") {
		op.C = slotC
	}
	in := program.Instr{Op: program.OpAtomic}
	p := nativeProgram(in)
	p.Mems = []program.Mem{op}
	w, v := nativeWarp(t, x, p, m)
	memory := make([]byte, 256)
	w.Env.Block.Shared = memory
	w.Env.native.regions[0] = native.Region{Start: -op.Offset, Limit: uint64(len(memory) - elem + 1), Ptr: uintptrOf(memory)}
	r := rand.New(rand.NewSource(1))
	for range 30 {
		r.Read(memory)
		fillOperands(w, &alu.Op{Args: []alu.Width{alu.W64, width, width}}, []int32{slotA, slotB, slotC}, r)
		for l := range 32 {
			w.V64(slotA)[l] = uint64(r.Intn(12) * elem)
			if r.Intn(2) == 0 { // what compare-and-swap expects, sometimes
				w.SetLane(slotB, width, l, vec.ReadElem(unsafe.Pointer(&memory[w.V64(slotA)[l]+16]), elem))
			}
		}
		want, before := w.snapshot(), slices.Clone(memory)
		w.Progress, want.Progress = 0, 0
		budget := int64(100)
		if pc := w.native(v, 0, none, m, &budget); pc != 3 {
			t.Fatalf("%s: left at step %d", name, pc)
		}
		got := slices.Clone(memory)
		copy(memory, before)
		op.Space = trace.SpaceShared
		if !want.atomic(&op, m) {
			t.Fatal(want.Env.Fault)
		}
		if !slices.Equal(got, memory) || *w.V64(slotD) != *want.V64(slotD) || w.Progress != want.Progress {
			t.Errorf("%s in %s, mask %#x: differs from the interpreter\n% x\n% x\n%x\n%x, %d and %d changes",
				name, sp, m, got, memory, *w.V64(slotD), *want.V64(slotD), w.Progress, want.Progress)
			return
		}
	}
}
