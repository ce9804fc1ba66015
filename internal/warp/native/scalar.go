package native

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Scalars live in the slab; steps on them use RAX, RCX and RDX.

// nativeScalar reports whether an OpScalar has native code. Operations that the
// lowering made of others have a function of their own.
func (g scalarCode) nativeScalar(in *program.Instr) bool {
	if op, err := alu.Lookup(in.ALU.Name); err != nil || op != in.ALU || in.D == program.NoSlot || in.D2 != program.NoSlot {
		return false
	}
	return scalars[in.ALU.Name] != nil || strings.HasPrefix(in.ALU.Name, "selp.") ||
		bodyOf(in.ALU) != nil && !limited(in.ALU)
}

// scalar compiles an OpScalar.
func (g scalarCode) scalar(in *program.Instr) {
	name := in.ALU.Name
	switch {
	case scalars[name] != nil:
		scalars[name](g.gen, in)
	case strings.HasPrefix(name, "selp."):
		wide := in.Dst == alu.W64
		g.scalarIn(jit.RAX, in.A, in.Dst)
		g.scalarIn(jit.RCX, in.B, in.Dst)
		g.Load32(jit.RDX, slab(in.C, 0))
		g.TestImm(jit.RDX, 1)
		g.CMov(jit.E, wide, jit.RAX, jit.RCX)
	case valueBody(in.ALU) != nil:
		g.vectorScalar(in)
	default:
		b := bodyOf(in.ALU)
		k := g.test(b, []operand{g.scalarOperand(in.A, b.Args[0]), g.scalarOperand(in.B, b.Args[1])})
		g.KTo(jit.RAX, k, 8)
		g.OpImm(jit.AND, false, jit.RAX, 1)
		g.Neg(false, jit.RAX)
	}
	if in.Dst == alu.Pred {
		g.Store32(slab(in.D, 0), jit.RAX)
		return
	}
	g.Store(slab(in.D, 0), jit.RAX)
	g.repeat(in.Bcast, in.Dst, jit.RAX)
}

func (g scalarCode) scalarIn(d jit.Reg, slot int32, w alu.Width) {
	if w == alu.W64 {
		g.Load(d, slab(slot, 0))
	} else {
		g.Load32(d, slab(slot, 0))
	}
}

// vectorScalar computes a scalar as one lane of many.
func (g scalarCode) vectorScalar(in *program.Instr) {
	b := bodyOf(in.ALU)
	var x []operand
	for i, k := range b.Args {
		x = append(x, g.scalarOperand([]int32{in.A, in.B, in.C, in.E}[i], k))
	}
	r := g.in(g.render(b.Nodes, x))
	g.MoveFromVec(jit.RAX, r, in.Dst == alu.W64)
}

func (g scalarCode) scalarOperand(slot int32, k body.Kind) operand {
	m := slab(slot, 0)
	m.Bcast = true
	switch k {
	case body.K32:
		return operand{m: &m, width: 4}
	case body.K64, body.KLower:
		return operand{m: &m, width: 8}
	}
	half := vreg(g.in(operand{m: &m, width: 4}))
	switch k {
	case body.KZero:
		return g.v2(jit.VPMOVZXDQ, half)
	case body.KSign:
		return g.v2(jit.VPMOVSXDQ, half)
	}
	return half
}

// scalars leave their result in RAX, zero-extended to 64 bits; comparisons 0 or
// all ones.
var scalars = map[string]func(g *gen, in *program.Instr){}

func init() {
	for _, wide := range []bool{false, true} {
		w, n := alu.W32, "32"
		if wide {
			w, n = alu.W64, "64"
		}
		scalarArith(wide, w, n)
		scalarTests(wide, w, n)
	}
	scalarConversions()
}

func scalarArith(wide bool, w alu.Width, n string) {
	enter := func(f func(g *gen, in *program.Instr), names ...string) {
		for _, name := range names {
			scalars[name] = func(g *gen, in *program.Instr) {
				g.scalarCode().scalarIn(jit.RAX, in.A, w)
				f(g, in)
			}
		}
	}
	op := func(a jit.Arith) func(g *gen, in *program.Instr) {
		return func(g *gen, in *program.Instr) { g.OpMem(a, wide, jit.RAX, slab(in.B, 0)) }
	}
	enter(func(*gen, *program.Instr) {}, "mov.b"+n)
	enter(op(jit.ADD), "add.s"+n, "add.u"+n)
	enter(op(jit.SUB), "sub.s"+n, "sub.u"+n)
	enter(op(jit.AND), "and.b"+n)
	enter(op(jit.OR), "or.b"+n)
	enter(op(jit.XOR), "xor.b"+n)
	enter(func(g *gen, _ *program.Instr) { g.Neg(wide, jit.RAX) }, "neg.s"+n)
	enter(func(g *gen, _ *program.Instr) { g.Not(wide, jit.RAX) }, "not.b"+n)
	mul := func(g *gen, in *program.Instr) {
		g.scalarCode().scalarIn(jit.RCX, in.B, w)
		g.Mul(wide, jit.RAX, jit.RCX)
	}
	enter(mul, "mul.lo.s"+n, "mul.lo.u"+n)
	enter(func(g *gen, in *program.Instr) {
		mul(g, in)
		g.OpMem(jit.ADD, wide, jit.RAX, slab(in.C, 0))
	}, "mad.lo.s"+n, "mad.lo.u"+n)
	for name, c := range map[string]jit.Cond{"min.s": jit.G, "max.s": jit.L, "min.u": jit.A, "max.u": jit.B} {
		enter(func(g *gen, in *program.Instr) {
			g.scalarCode().scalarIn(jit.RCX, in.B, w)
			g.Op(jit.CMP, wide, jit.RAX, jit.RCX)
			g.CMov(c, wide, jit.RAX, jit.RCX)
		}, name+n)
	}
	scalarShifts(wide, w, n)
}

// scalarShifts have a fast form for constant counts; x86 takes counts modulo the
// width, PTX clamps them.
func scalarShifts(wide bool, w alu.Width, n string) {
	for name, k := range map[string]jit.ShiftKind{"shl.b": jit.SHL, "shr.b": jit.SHR, "shr.u": jit.SHR, "shr.s": jit.SAR} {
		scalars[name+n] = func(g *gen, in *program.Instr) {
			count, ok := g.pl.values[in.B]
			if !ok || count >= uint64(w.Bytes())*8 {
				g.scalarCode().vectorScalar(in)
				return
			}
			g.scalarCode().scalarIn(jit.RAX, in.A, w)
			g.ShiftImm(k, wide, jit.RAX, byte(count))
		}
	}
}

func scalarTests(wide bool, w alu.Width, n string) {
	for _, c := range []struct {
		name     string
		s, u     jit.Cond
		unsigned string
	}{{"eq", jit.E, jit.E, ""}, {"ne", jit.NE, jit.NE, ""}, {"lt", jit.L, jit.B, "lo"}, {"le", jit.LE, jit.BE, "ls"},
		{"gt", jit.G, jit.A, "hi"}, {"ge", jit.GE, jit.AE, "hs"}} {
		of := func(cond jit.Cond) func(g *gen, in *program.Instr) {
			return func(g *gen, in *program.Instr) {
				g.scalarCode().scalarIn(jit.RAX, in.A, w)
				g.OpMem(jit.CMP, wide, jit.RAX, slab(in.B, 0))
				g.Set(cond, jit.RAX)
				g.Neg(false, jit.RAX)
			}
		}
		scalars["setp."+c.name+".s"+n], scalars["setp."+c.name+".u"+n] = of(c.s), of(c.u)
		if c.unsigned != "" {
			scalars["setp."+c.unsigned+".u"+n] = of(c.u)
		} else {
			scalars["setp."+c.name+".b"+n] = of(c.u)
		}
	}
}

func scalarConversions() {
	for _, name := range []string{"cvt.u64.u32", "cvt.s64.u32", "cvt.u32.u64", "cvt.u32.s64", "cvt.s32.u64", "cvt.s32.s64"} {
		scalars[name] = func(g *gen, in *program.Instr) { g.Load32(jit.RAX, slab(in.A, 0)) }
	}
	for _, name := range []string{"cvt.u64.s32", "cvt.s64.s32"} {
		scalars[name] = func(g *gen, in *program.Instr) { g.LoadX(jit.RAX, slab(in.A, 0), 4, true) }
	}
	for name, signed := range map[string]bool{"mul.wide.s32": true, "mul.wide.u32": false} {
		scalars[name] = func(g *gen, in *program.Instr) {
			g.LoadX(jit.RAX, slab(in.A, 0), 4, signed)
			g.LoadX(jit.RCX, slab(in.B, 0), 4, signed)
			g.Mul(true, jit.RAX, jit.RCX)
		}
	}
}
