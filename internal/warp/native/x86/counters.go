package x86

import (
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// executed adds an execution of a basic block.
func (g *gen) executed(block int32) {
	g.Load(jit.RAX, ctx(native.CtxExecuted))
	g.OpImmTo(jit.ADD, true, jit.At(jit.RAX, native.ExecutionSize*block), 1)
	g.addLanes(jit.At(jit.RAX, native.ExecutionSize*block+native.ExecutionThreads))
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
	g.Load(jit.RDX, ctx(native.CtxDecided))
	count := func(offset int32) jit.Mem { return jit.At(jit.RDX, native.DecisionSize*in.X+offset) }
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
	g.OpTo(jit.ADD, true, count(native.DecisionYes), jit.RCX)
	g.Op(jit.XOR, false, jit.RAX, jit.R12)
	g.PopCount(jit.RCX, jit.RAX)
	g.OpTo(jit.ADD, true, count(native.DecisionNo), jit.RCX)
	one(native.DecisionYesWarps)
	one(native.DecisionNoWarps)
	one(native.DecisionBoth)
	g.Jump(end)
	g.Bind(none)
	g.addLanes(count(native.DecisionNo))
	one(native.DecisionNoWarps)
	g.Jump(end)
	g.Bind(all)
	g.addLanes(count(native.DecisionYes))
	one(native.DecisionYesWarps)
	g.Bind(end)
}
