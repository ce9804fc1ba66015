package fix

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/session"
)

// TestPreferred: which of two patches that hold is taken.
func TestPreferred(t *testing.T) {
	left := func(n int) map[string]bool {
		m := map[string]bool{}
		for i := range n {
			m[string(rune('a'+i))] = true
		}
		return m
	}
	for i, c := range []struct{ better, worse trialRun }{
		{trialRun{left: left(0), changed: []string{"x"}}, trialRun{left: left(1), succeeds: true}},
		{trialRun{succeeds: true, changed: []string{"x"}}, trialRun{}},
		{trialRun{}, trialRun{changed: []string{"x"}}},
		{trialRun{changed: []string{"x"}}, trialRun{changed: []string{"x"}, inexact: true, valid: 9}},
		{trialRun{inexact: true, valid: 9}, trialRun{inexact: true, valid: 8}},
	} {
		for _, pair := range [][2]*trialRun{{&c.better, &c.worse}, {&c.worse, &c.better}} {
			if taken, other, why := preferred(pair[0], pair[1]); taken != &c.better || other != &c.worse || why != ranks[i].why {
				t.Errorf("case %d: %+v is taken before %+v: %s", i, *taken, *other, why)
			}
		}
	}
	a, b := &trialRun{}, &trialRun{}
	if taken, _, _ := preferred(a, b); taken != a {
		t.Error("of two that are as good the second is taken")
	}
}

// TestFillsKeepData: a fill that replaces what was written does not hold where results change, unless the program as it is does
// so at the same place.
func TestFillsKeepData(t *testing.T) {
	run := func(where string) *session.Session { return &session.Session{Overwritten: map[string]uint64{where: 8}} }
	for _, test := range []struct {
		fills   bool
		changed []string
		where   string
		holds   bool
	}{
		{true, []string{"a line"}, "a.cu:7", false},
		{true, []string{"a line"}, "a.cu:3", true},
		{true, nil, "a.cu:7", true},
		{false, []string{"a line"}, "a.cu:7", true},
	} {
		f := &fixer{original: run("a.cu:3")}
		tr := &trialRun{patch: &code.Patch{Fills: test.fills}, changed: test.changed, runs: []comparedRun{{s: run(test.where)}}}
		if f.refuse(tr, &finding.Finding{}); (tr.why == "") != test.holds {
			t.Errorf("%+v: %q", test, tr.why)
		}
	}
}
