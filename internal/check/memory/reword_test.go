package memory

import (
	"maps"
	"reflect"
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// faultKinds are the kinds of faults of the causes that are not of the bounds.
var faultKinds = map[trace.Cause]trace.FaultKind{
	trace.CauseMisaligned: trace.FaultMisaligned, trace.CauseReadOnly: trace.FaultReadOnly, trace.CauseStack: trace.FaultStack,
	trace.CauseNotAllocated: trace.FaultFree, trace.CauseInside: trace.FaultFree, trace.CauseOtherAllocator: trace.FaultFree,
	trace.CauseFreedTwice: trace.FaultDoubleFree,
}

// faulted is the finding of a fault.
func faulted(c trace.Cause, message string) *finding.Finding {
	k := New(check.Config{})
	l := &trace.Launch{Grid: trace.Dim3{X: 1, Y: 1, Z: 1}, Block: trace.Dim3{X: 32, Y: 1, Z: 1}}
	k.(*checker).Faults.In(l)(&trace.Fault{Kind: faultKinds[c], Cause: c, Space: trace.SpaceGlobal, Size: 4, Mask: 1, Message: message, Notes: []string{message}})
	return k.Findings()[0]
}

// TestRewording changes all help texts of the rule and the messages of faults: kinds,
// causes and repairs stay, and each cause has a help.
func TestRewording(t *testing.T) {
	before := map[trace.Cause]*finding.Finding{}
	for c := range repairs {
		before[c] = faulted(c, "global read of 4 bytes at 0x0: a null pointer, in freed memory")
		if before[c].Help == "" {
			t.Errorf("%s: no help", c)
		}
	}
	saved := maps.Clone(helps)
	defer func() { helps = saved }()
	for k := range helps {
		helps[k] = "other words for " + string(k)
	}
	for c, f := range before {
		g := faulted(c, "something else went wrong")
		if g.Kind != f.Kind || g.Cause != f.Cause || g.Level != f.Level || !reflect.DeepEqual(g.Repair, f.Repair) || g.Key != f.Key {
			t.Errorf("%s: %s %s %v becomes %s %s %v", c, f.Kind, f.Cause, f.Repair, g.Kind, g.Cause, g.Repair)
		}
	}
}
