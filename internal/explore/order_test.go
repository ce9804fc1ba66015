package explore

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
)

func TestParse(t *testing.T) {
	for _, text := range []string{"steps:0:0.0", "steps:12:0.0*2,3.31,0.0*7"} {
		o, err := Parse(text + "\n")
		if err != nil || o.String() != text {
			t.Errorf("%s: %v, %v", text, o, err)
		}
	}
	for _, text := range []string{"", "steps:", "steps:0", "steps:0:", "steps:0:1", "steps:0:1.32", "steps:0:0.0*0", "steps:0:0.0*", "steps:0:0.0,",
		"steps:-1:0.0", "steps:0:0.0*9999999999", "steps:0:0.0*1048575,0.0*2", "hold:0:0.0.1", "steps:0:0.0.1"} {
		if o, err := Parse(text); err == nil {
			t.Errorf("%q is taken for %v", text, o)
		}
	}
}

func TestFollower(t *testing.T) {
	a, b := trace.Turn{Block: 0}, trace.Turn{Block: 1}
	f := &Follower{Order: Order{Launch: 1, Turns: []trace.Turn{a, b, a}}}
	if f.Steer(&trace.Launch{ID: 0}) != nil || len(f.Remarks()) != 1 {
		t.Error("another launch is steered, or a missing one is not told")
	}
	choose := f.Steer(&trace.Launch{ID: 1})
	for i, ready := range [][]trace.Turn{{b, a}, {b, a}, {b}, {b}} {
		if n := choose(ready); n != []int{1, 0, 0, 0}[i] {
			t.Errorf("turn %d: %d", i, n)
		}
	}
	if f.missed != 1 || len(f.Remarks()) != 1 {
		t.Errorf("%d missed: %q", f.missed, f.Remarks())
	}
}
