package static

import (
	"context"
	"testing"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx/isatest"
)

// exampleUnit builds a unit of an example's module, with text in its place.
func exampleUnit(t *testing.T, e isatest.Example, text string) *Unit {
	t.Helper()
	f := kernels(t, e.Op, []byte(e.Replaced(false, text)))["k"]
	return NewUnit(f, Launch{Block: [3]uint32{64, 1, 1}, Grid: [3]uint32{2, 1, 1}}, nil, withZ3(t))
}

// TestEffects holds the decision of pairs to the instruction table: an access by any
// instruction to memory that threads write is a pair that is not safe.
func TestEffects(t *testing.T) {
	list, _ := isatest.Examples()
	for _, e := range list {
		if e.Does.Kind == inst.Call {
			continue
		}
		r := exampleUnit(t, e, "EXAMPLE").Races(context.Background(), ITS)
		unsafe := map[int]bool{}
		for _, p := range r.Pairs {
			if p.B.Value.Instr.Pos.Line == isatest.Line {
				unsafe[p.A.Value.Instr.Pos.Line] = true
			}
		}
		if r.Undecided != "" {
			continue
		}
		if e.Does.Touches()&inst.Shared != 0 && !unsafe[isatest.SharedLine] {
			t.Errorf("%s: the store to shared memory before it is safe", e.Text)
		}
		if e.Does.Touches()&inst.Global != 0 && !unsafe[isatest.GlobalLine] {
			t.Errorf("%s: the store to global memory before it is safe", e.Text)
		}
	}
}

// TestBarriersAround has each instruction between two barriers: the second is
// redundant only if the instruction does nothing that other threads may see.
func TestBarriersAround(t *testing.T) {
	list, _ := isatest.Examples()
	for _, e := range list {
		if e.Does.Effect()&(inst.Memory|inst.Waits|inst.Orders) == 0 || e.Does.Kind == inst.Barrier || e.Does.Kind == inst.BarrierReduce {
			continue
		}
		for _, b := range exampleUnit(t, e, "bar.sync 0;\nEXAMPLE\nbar.sync 0;").Barriers(context.Background()) {
			if b.Kind == Redundant {
				t.Errorf("%s: the barrier after it is redundant", e.Text)
			}
		}
	}
}

// TestOrdered has each instruction with which threads wait for each other between
// two accesses that race without it: only a run can tell.
func TestOrdered(t *testing.T) {
	list, _ := isatest.Examples()
	for _, e := range list {
		if !e.Does.Effect().Has(inst.Waits) || e.Does.Kind == inst.WarpSync || e.Does.Kind == inst.Call {
			continue
		}
		r := exampleUnit(t, e, "st.shared.u32 [s+2048], %rt;\nEXAMPLE\nld.shared.u32 %r9, [s+2048];").Races(context.Background(), ITS)
		for _, p := range r.Pairs {
			if p.Verdict > Watched && p.A != p.B {
				t.Errorf("%s: a race across it is %v", e.Text, p.Verdict)
			}
		}
	}
}
