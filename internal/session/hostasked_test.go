package session

import (
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
