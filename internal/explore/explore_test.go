package explore

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// TestCut: an execution that was cut short does not count, and the exploration ends.
func TestCut(t *testing.T) {
	e := New(Config{Executions: 10})
	l := &trace.Launch{Grid: trace.Dim3{X: 2, Y: 1, Z: 1}, Block: trace.Dim3{X: 32, Y: 1, Z: 1}, Repeatable: true}
	os := e.launch(l)
	if len(os) != 1 {
		t.Fatal(e.results[0].Refused)
	}
	x := e.all[0]
	x.cfg.Checkers = nil
	x.started, x.arrived = true, map[uint64]procs{}
	x.choose([]trace.Turn{{Block: 0}, {Block: 1}})
	x.ended(&trace.Ending{Cut: true})
	if x.next(trace.Work{}) != nil {
		t.Error("the exploration continues")
	}
	if r := e.Results()[0]; r.Complete || r.Executions != 0 || len(r.Outcomes) != 0 {
		t.Errorf("%+v", r)
	}
}

// TestRefuses: what cannot be explored has a reason.
func TestRefuses(t *testing.T) {
	one := trace.Dim3{X: 1, Y: 1, Z: 1}
	for _, l := range []trace.Launch{
		{Grid: trace.Dim3{X: 65, Y: 1, Z: 1}, Block: one, Repeatable: true},
		{Grid: one, Block: one, Repeatable: true, Nests: true},
		{Grid: one, Block: one},
	} {
		if refuses(&l) == "" {
			t.Errorf("%+v is explored", l)
		}
	}
	if why := refuses(&trace.Launch{Grid: one, Block: one, Repeatable: true}); why != "" {
		t.Error(why)
	}
}
