package kernels

import (
	"reflect"
	"testing"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
)

// TestRequestsCount: each operation of the protocol has its row, so that no new one passes something on to kernels unseen.
func TestRequestsCount(t *testing.T) {
	known := map[string]bool{}
	for _, o := range protocol.Operations {
		known[o.Name] = true
		if _, ok := requestsCount[o.Name]; !ok {
			t.Errorf("no row says how %s counts", o.Name)
		}
	}
	for name := range requestsCount {
		if !known[name] {
			t.Errorf("%s is not an operation", name)
		}
	}
}

// TestLaunchCounts: each field of a launch is among the words of its step (hostFlow.launchAsked), or cannot be found out by kernels.
func TestLaunchCounts(t *testing.T) {
	fields := map[string]string{
		"Kernel": "counts", "Cooperative": "counts", "Programmatic": "counts", "Cluster": "counts", "Grid": "counts", "Block": "counts", "SharedDynamic": "counts", "Params": "counts",
		"Unconfigured": "refuses the launch", "MayOverlap": "announces another launch", "Stream": "the order in which launches begin counts",
		"Triggered": "events", "Started": "events", "Begun": "events",
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[protocol.Launch]()) {
		if fields[f.Name] == "" {
			t.Errorf("the field %s of a launch has no rule for how it counts", f.Name)
		}
		delete(fields, f.Name)
	}
	for name := range fields {
		t.Errorf("a launch has no field %s", name)
	}
}
