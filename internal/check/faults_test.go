package check

import (
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// TestFaultOfNoThread: a launch that is stopped between two blocks is in no thread; one that is stopped
// in a block without a position is in a thread, which the notes name.
func TestFaultOfNoThread(t *testing.T) {
	for _, tc := range []struct {
		name  string
		fault trace.Fault
		notes []string
		by    bool
	}{
		{"between blocks", trace.Fault{Warp: trace.NoWarp}, nil, false},
		{"in a block", trace.Fault{Block: 2, Warp: 1, Lane: 3}, []string{"in thread (35,0,0) of block (2,0,0), warp 1 lane 3"}, true},
		{"at a place", trace.Fault{Block: 2, Warp: 1, Lane: 3, Site: &trace.Site{}}, nil, true},
	} {
		c := &Faults{Rule: "hang", Kinds: []trace.FaultKind{trace.FaultBudget},
			Describe: func(*finding.Finding, *trace.Launch, *trace.Fault) {}, Role: func(*trace.Fault) string { return "was here" }}
		tc.fault.Kind = trace.FaultBudget
		c.In(&trace.Launch{Grid: trace.Dim3{X: 4, Y: 1, Z: 1}, Block: trace.Dim3{X: 64, Y: 1, Z: 1}})(&tc.fault)
		f := c.Findings()[0]
		if !slices.Equal(f.Notes, tc.notes) || (f.Primary.Thread != nil) != tc.by {
			t.Errorf("%s: notes %q, thread %v", tc.name, f.Notes, f.Primary.Thread)
		}
	}
}
