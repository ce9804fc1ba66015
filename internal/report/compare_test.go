package report

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
)

func TestCompareOfRules(t *testing.T) {
	f := func(rule, print string) *finding.Finding {
		return &finding.Finding{Rule: rule, Fingerprint: print, Level: finding.Error}
	}
	before := &Report{Findings: []*finding.Finding{f("race", "a"), f("race", "b"), f("bank", "c")}}
	after := &Report{Tools: []string{"race"}, Findings: []*finding.Finding{f("race", "b"), f("race", "d")}}
	c := Compare(before, after)
	if got, want := c.Summary(), "1 new, 1 gone, 1 the same, 1 of rules that were not checked now"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if c.NewErrors() != 1 || c.New[0].Fingerprint != "d" || c.Gone[0].Fingerprint != "a" || c.Unchecked[0].Fingerprint != "c" {
		t.Errorf("got %+v", c)
	}
	after.Tools = nil // unknown: what is not there is gone
	if got, want := Compare(before, after).Summary(), "1 new, 2 gone, 1 the same"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
