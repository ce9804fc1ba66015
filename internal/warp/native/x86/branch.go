package x86

import (
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// branch continues where all lanes go the same way, or lets them part.
func (g *gen) branch(i int, x native.BranchStep) {
	loop := loopCode{g}
	if loop.carries() {
		loop.settleLoop()
	} else {
		g.settle()
	}
	target, next := g.label(x.Target), g.label(x.Next)
	switch {
	case g.part && x.Loops:
		g.diverging().leavesLoop(i, x)
		return
	case loop.carries():
		loop.endsLoop(i, x)
		return
	}
	g.Load32(jit.RAX, slab(x.Predicate, 0))
	none, all := next, target
	if x.Not {
		none, all = target, next
	}
	if g.part {
		g.Op(jit.AND, false, jit.RAX, jit.R12)
		g.JumpIf(jit.E, none)
		g.Op(jit.CMP, false, jit.RAX, jit.R12)
	} else {
		g.Test(false, jit.RAX, jit.RAX)
		g.JumpIf(jit.E, none)
		g.OpImm(jit.CMP, false, jit.RAX, -1)
	}
	g.JumpIf(jit.E, all)
	if x.Parts == native.PartsNever {
		g.exit(i)
		return
	}
	parting := g.NewLabel()
	g.Jump(parting)
	g.cold = append(g.cold, func() {
		g.Bind(parting)
		g.diverging().parts(i, x, x.Not)
	})
}

// setPred writes a predicate from RAX in the lanes that take part.
func (g *gen) setPred(slot int32) {
	if g.part && slot >= g.Program.Uniform {
		g.OpMem(jit.XOR, false, jit.RAX, slab(slot, 0))
		g.Op(jit.AND, false, jit.RAX, jit.R12)
		g.OpMem(jit.XOR, false, jit.RAX, slab(slot, 0))
	}
	g.Store32(slab(slot, 0), jit.RAX)
}

// compare computes a predicate.
func (g *gen) compare(in native.OperationStep) {
	if !g.wanted(in.D) {
		return
	}
	b := in.Body
	n := partsOf(native.WidthOf(b.Args[0]))
	for i := range n {
		k := g.test(b, g.sources(b, []int32{in.A, in.B}, i))
		g.release(0)
		if i == 0 {
			g.KTo(jit.RAX, k, 32/n)
			continue
		}
		g.KTo(jit.RCX, k, 32/n)
		g.ShiftImm(jit.SHL, false, jit.RCX, byte(i*32/n))
		g.Op(jit.OR, false, jit.RAX, jit.RCX)
	}
	g.setPred(in.D)
}

// choose is OpSel: a predicate's bits are the masks of the parts.
func (g *gen) choose(in *program.Instr) {
	n, w := partsOf(in.Dst), in.Dst.Bytes()
	var out []jit.Vec
	for i := range n {
		k := g.newK()
		g.KMove(k, slab(in.C, i*4/n), 32/n)
		r := g.sel(k, g.source(in.A, in.Dst, i), g.source(in.B, in.Dst, i), w)
		out = append(out, r.r)
		g.keep(out)
	}
	g.define(in.D, in.Dst, out)
}

// predicate is the operations on masks.
func (g *gen) predicate(in *program.Instr) {
	g.Load32(jit.RAX, slab(in.A, 0))
	switch in.Op {
	case program.OpPredNot:
		g.Not(false, jit.RAX)
	case program.OpPredAnd:
		g.OpMem(jit.AND, false, jit.RAX, slab(in.B, 0))
	case program.OpPredOr:
		g.OpMem(jit.OR, false, jit.RAX, slab(in.B, 0))
	case program.OpPredXor:
		g.OpMem(jit.XOR, false, jit.RAX, slab(in.B, 0))
	}
	g.setPred(in.D)
}
