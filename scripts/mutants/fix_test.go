package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/mutate"
)

// TestFixReasons: errors that are left are named by what they are, not by their messages.
func TestFixReasons(t *testing.T) {
	const text = `{"results": [
		{"finding": {"rule": "race", "cause": "no-barrier", "repair": {"kind": "syncthreads"}}, "outcome": "fixed", "what": "add it"},
		{"finding": {"rule": "init", "cause": "unwritten", "repair": {"kind": "fill"}}, "outcome": "manual", "untried": "nothing-to-edit"},
		{"finding": {"rule": "init", "cause": "unwritten", "repair": {"kind": "fill"}}, "outcome": "manual", "untried": "nothing-to-edit"},
		{"finding": {"rule": "memory", "cause": "outside", "repair": {"kind": "check-index"}}, "outcome": "open",
			"tried": [{"cause": "stays"}, {"cause": "not-compiled"}, {"cause": "stays"}]},
		{"finding": {"rule": "race", "cause": "no-barrier"}, "outcome": "gone"}]}`
	var doc fixReport
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	r := &repaired{outcome: Left}
	r.results(&doc)
	want := []string{"init unwritten (fill): no patch of this kind applies there", "memory outside (check-index): tried 1 not-compiled, 2 stays"}
	if r.total != 5 || r.done != 2 || !slices.Equal(r.why, want) || !slices.Equal(r.what, []string{"add it"}) {
		t.Errorf("%+v", r)
	}
	p := &program{path: "a.cu"}
	jobs := []*job{
		{program: p, mutant: mutate.Mutant{Kind: mutate.Barrier}, repaired: r},
		{program: p, mutant: mutate.Mutant{Kind: mutate.Barrier}, repaired: &repaired{outcome: Repaired}},
		{program: p, mutant: mutate.Mutant{Kind: mutate.Barrier}, repaired: &repaired{outcome: Unstated}},
		{program: p, mutant: mutate.Mutant{Kind: mutate.Init}, repaired: &repaired{outcome: Milder}},
		{program: p, mutant: mutate.Mutant{Kind: mutate.Init}},
	}
	page := fixPage(jobs, options{})
	for _, line := range []string{"| barrier | 3 | 1 | 33.3 % | 50.0 % | 0 | 1 | 1 | 0 | 0 |", "| initialization | 0 | 0 | - | - | 0 | 0 | 0 | 0 | 1 |", "| " + want[0] + " | 1 |"} {
		if !strings.Contains(page, line+"\n") {
			t.Errorf("the page lacks %q:\n%s", line, page)
		}
	}
}
