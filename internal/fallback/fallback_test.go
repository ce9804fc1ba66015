package fallback

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// TestSince: only what failed after a mark is listed, and reasons are bounded.
func TestSince(t *testing.T) {
	Took(Cache, errors.New("before"))
	m := Now()
	if list := Since(m); len(list) != 0 {
		t.Errorf("nothing failed since: %+v", list)
	}
	for i := range 3 * maxReasons {
		Took(GeneratedCode, fmt.Errorf("reason %d", i%(2*maxReasons)))
	}
	list := Since(m)
	if len(list) != 1 || list[0].Way != GeneratedCode || list[0].Count != 3*maxReasons || len(list[0].Reasons) != maxReasons {
		t.Errorf("%+v", list)
	}
	if !slices.Contains(list[0].Reasons, "reason 0") {
		t.Errorf("reasons %q", list[0].Reasons)
	}
}
