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

// TestSamples: which mutants are taken, and what the page says of that.
func TestSamples(t *testing.T) {
	for text, c := range map[string]struct {
		every int
		want  []int
		page  string
	}{
		"":     {1, []int{0, 1, 2, 3, 4, 5, 6, 7}, ""},
		"0":    {4, []int{0, 4}, "One program in 4 was taken (`-every 4`), the first of them number 0, counted from 0 (`-from 0`)."},
		"3":    {4, []int{3, 7}, "One program in 4 was taken (`-every 4`), the first of them number 3, counted from 0 (`-from 3`)."},
		"1,3":  {4, []int{1, 3, 5, 7}, "Of each 4 programs 2 were taken (`-every 4`), the first of them number 1,3, counted from 0 (`-from 1,3`)."},
		"1, x": {4, nil, ""},
		"-1":   {4, nil, ""},
	} {
		o := options{every: c.every}
		if err := o.setFrom(text); text != "" && (err == nil) != (c.want != nil) {
			t.Errorf("-from %s: %v", text, err)
		}
		if c.want == nil {
			continue
		}
		var got []int
		for i := range 8 {
			if o.takes(i) {
				got = append(got, i)
			}
		}
		if page := fixPage(nil, o); !slices.Equal(got, c.want) || !strings.Contains(page, c.page) {
			t.Errorf("-from %s takes %v, and its page is %s", text, got, page)
		}
	}
}

// TestErrorsPage: errors are counted, and not programs.
func TestErrorsPage(t *testing.T) {
	const text = `{"results": [
		{"finding": {"rule": "race", "kind": "RAW", "cause": "no-barrier", "kernel_name": "k(int *)", "primary": {"location": {"line": 5}}, "repair": {"kind": "syncthreads"}}, "outcome": "fixed", "what": "add it"},
		{"finding": {"rule": "race", "kind": "WAW", "cause": "blocks-unordered", "kernel_name": "own(int *)", "primary": {"location": {"line": 7}}, "repair": {"kind": "own-element"}}, "outcome": "open", "untried": "not-in-program", "tried": [{"cause": "stays"}]},
		{"finding": {"rule": "race", "kind": "WAR", "cause": "no-barrier", "kernel_name": "k(int *)", "primary": {"location": {"line": 9}}, "repair": {"kind": "syncthreads"}}, "outcome": "gone"},
		{"finding": {"rule": "race", "kind": "WAR", "cause": "no-fence", "kernel_name": "f(int *)", "primary": {"location": {"line": 11}}, "repair": {"kind": "fence"}}, "outcome": "open", "tried": [{"cause": "stays"}]}]}`
	var doc fixReport
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	r := &repaired{outcome: Left}
	r.results(&doc)
	page := errorsPage([]*job{{program: &program{path: "a.cu"}, repaired: r}, {program: &program{path: "b.cu"}, repaired: &repaired{outcome: Failed}}, {program: &program{path: "c.cu"}}}, "dir")
	for _, line := range []string{"| a.cu | 4 | 2 | 50.0 % | 66.7 % | 1 | 1 |  |", "| b.cu | 0 | 0 | - | - | 0 | 0 | yes |", "| all | 4 | 2 | 50.0 % | 66.7 % | 1 | 1 |  |",
		"| a.cu:9 | `k` | WAR no-barrier | gone with the patch for another one |", "| a.cu:7 | `own` | WAW blocks-unordered | race blocks-unordered (own-element): the program does not show what was intended |",
		"| a.cu:11 | `f` | WAR no-fence | race no-fence (fence): tried 1 stays |"} {
		if !strings.Contains(page, line+"\n") {
			t.Errorf("the page lacks %q:\n%s", line, page)
		}
	}
	if strings.Contains(page, "c.cu") {
		t.Error("a program that was not run is in the page")
	}
}
