package native

import (
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// executed adds an execution of a basic block.
func (g *gen) executed(block int32) {
	g.Load(jit.RAX, ctx(ctxExecuted))
	g.OpImmTo(jit.ADD, true, jit.At(jit.RAX, executionSize*block), 1)
	g.addLanes(jit.At(jit.RAX, executionSize*block+executionThreads))
}

// addLanes adds the number of running lanes to a counter.
func (g *gen) addLanes(m jit.Mem) {
	if !g.part {
		g.OpImmTo(jit.ADD, true, m, 32)
		return
	}
	g.PopCount(jit.RCX, jit.R12)
	g.OpTo(jit.ADD, true, m, jit.RCX)
}

// decide counts a condition (warp.Decisions).
func (g *gen) decide(in *program.Instr) {
	g.Load(jit.RDX, ctx(ctxDecided))
	count := func(offset int32) jit.Mem { return jit.At(jit.RDX, decisionSize*in.X+offset) }
	one := func(offset int32) { g.OpImmTo(jit.ADD, true, count(offset), 1) }
	g.Load32(jit.RAX, slab(in.A, 0))
	if g.part {
		g.Op(jit.AND, false, jit.RAX, jit.R12)
	}
	none, all, end := g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.Test(false, jit.RAX, jit.RAX)
	g.JumpIf(jit.E, none)
	g.Op(jit.CMP, false, jit.RAX, jit.R12)
	g.JumpIf(jit.E, all)
	g.PopCount(jit.RCX, jit.RAX)
	g.OpTo(jit.ADD, true, count(decisionYes), jit.RCX)
	g.Op(jit.XOR, false, jit.RAX, jit.R12)
	g.PopCount(jit.RCX, jit.RAX)
	g.OpTo(jit.ADD, true, count(decisionNo), jit.RCX)
	one(decisionYesWarps)
	one(decisionNoWarps)
	one(decisionBoth)
	g.Jump(end)
	g.Bind(none)
	g.addLanes(count(decisionNo))
	one(decisionNoWarps)
	g.Jump(end)
	g.Bind(all)
	g.addLanes(count(decisionYes))
	one(decisionYesWarps)
	g.Bind(end)
}
