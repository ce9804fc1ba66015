package check

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
)

func TestParseRacePolicy(t *testing.T) {
	p, err := ParseRacePolicy("volatile=allow, same-value=error,acquire=fence")
	if err != nil || !p.FenceToAcquire || p.WarpSync.Set {
		t.Fatal(p, err)
	}
	if _, ok := p.Volatile.Or(finding.Warning); ok {
		t.Error("volatile=allow is reported")
	}
	if l, ok := p.SameValue.Or(finding.Info); l != finding.Error || !ok {
		t.Error("same-value=error:", l, ok)
	}
	if l, ok := p.WarpSync.Or(finding.Error); l != finding.Error || !ok {
		t.Error("the standard:", l, ok)
	}
	for _, bad := range []string{"volatile", "volatile=maybe", "speed=allow", "acquire=allow", ","} {
		if _, err := ParseRacePolicy(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
