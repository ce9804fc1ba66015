package ssa_test

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx/isatest"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// TestEffects holds the form to the instruction table: what an instruction does to
// memory and to other threads is there, with the description of the table.
func TestEffects(t *testing.T) {
	list, missing := isatest.Examples()
	if len(missing) > 0 {
		t.Errorf("no example of %v", missing)
	}
	for _, e := range list {
		if e.Does.Effect().Has(inst.Control) {
			continue
		}
		f := kernels(t, parse(t, e.Op, []byte(e.Module(false))))[0]
		var found *ssa.Value
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				if v.Instr != nil && v.Instr.Pos.Line == isatest.Line && v.Does == v.Instr.What() {
					found = v
				}
			}
		}
		if found == nil {
			t.Errorf("%s: the form has no %v", e.Text, e.Does.Kind)
			continue
		}
		const memory = inst.Global | inst.Shared
		if found.Writes() != (e.Does.Writes&memory != 0) || found.Op != ssa.Copy && found.Reads() != (e.Does.Reads&memory != 0) {
			t.Errorf("%s: reads %v, writes %v", e.Text, found.Reads(), found.Writes())
		}
	}
}

// TestCalledEffects has the same in a function that cannot be inlined: the call
// may do what the instruction does.
func TestCalledEffects(t *testing.T) {
	list, _ := isatest.Examples()
	for _, e := range list {
		if e.Does.Kind == inst.Call {
			continue
		}
		m := parse(t, e.Op, []byte(e.Recursive()))
		for _, f := range kernels(t, m) {
			for _, b := range f.Blocks {
				for _, v := range b.Values {
					if v.Op == ssa.OpCall {
						checkCall(t, e, v.Call)
					}
				}
			}
		}
	}
}

func checkCall(t *testing.T, e isatest.Example, c *ssa.Call) {
	t.Helper()
	if e.Does.Touches()&inst.Shared != 0 && !c.Shared || e.Does.Touches()&inst.Global != 0 && !c.Global || e.Does.IsBarrier() && !c.Barrier {
		t.Errorf("%s: a call of it: shared %v, global %v, barrier %v", e.Text, c.Shared, c.Global, c.Barrier)
	}
}
