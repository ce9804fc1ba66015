package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
)

type details struct {
	Variable string `json:"variable"`
	Reason   string `json:"reason,omitempty"`
	Origin   string `json:"origin,omitempty"`
	Follows  bool   `json:"follows,omitempty"`
	Cause    string `json:"cause,omitempty"`
}

// of gives a finding an origin and a level.
func of(f *finding.Finding, origin string, level finding.Level, follows bool) *finding.Finding {
	d := f.Details.(details)
	d.Origin, d.Follows = origin, follows
	f.Details, f.Level = d, level
	return f
}

// race makes a finding of a pair: variable, the earlier line, the later one,
// and the help; %d in it are the lines.
func race(kernel, variable string, early, late int, help string) *finding.Finding {
	if strings.Contains(help, "%d") {
		help = fmt.Sprintf(help, early, late)
	}
	return &finding.Finding{
		Rule: "race", Kind: "RAW", Level: finding.Error, Kernel: kernel, KernelName: kernel, Launches: finding.InLaunch(0),
		Message: fmt.Sprintf("RAW on shared variable %s", variable), Count: 2, Unit: "thread pair", Help: help,
		Details: details{Variable: variable, Reason: "no barrier between them"},
		Primary: finding.Place{Role: "read by", Loc: at("k.cu", late, 1)},
		Related: []finding.Place{{Role: "written by", Loc: at("k.cu", early, 1)}},
	}
}

// missed makes a finding of the rule sync at a line.
func missed(kind string, line int, help string, notes ...string) *finding.Finding {
	return &finding.Finding{Rule: "sync", Kind: kind, Level: finding.Error, Kernel: "k", Message: kind, Notes: notes, Help: help,
		Primary: finding.Place{Role: "reached by", Loc: at("k.cu", line, 1)}}
}

// unwritten makes a read of memory without a name.
func unwritten(off, line int) *finding.Finding {
	return &finding.Finding{Rule: "init", Kind: "global", Level: finding.Error, Kernel: "k", Help: "fill it",
		Message: fmt.Sprintf("read of byte %d of the 400 bytes of cudaMalloc #3 at k.cu:5, which nobody wrote", off),
		Primary: finding.Place{Role: "read by", Loc: at("k.cu", line, 1)}}
}

// beyond makes a read beyond a variable.
func beyond(variable string, line int) *finding.Finding {
	return &finding.Finding{Rule: "memory", Kind: "out-of-bounds", Level: finding.Error, Kernel: "k",
		Message: "shared read of 4 bytes beyond " + variable, Help: "keep the index within",
		Primary: finding.Place{Role: "read by", Loc: at("k.cu", line, 1)}}
}

// onAllocation makes a finding on memory without a name.
func onAllocation(kernel string, early, late int) *finding.Finding {
	f := race(kernel, "", early, late, "split the kernel")
	f.Message = fmt.Sprintf("RAW on element %d of the memory of cudaMalloc #1 at k.cu:5", early)
	return f
}

const (
	threads = "add __syncthreads() between line %d and line %d"
	warps   = "add __syncwarp() between line %d and line %d"
	again   = "add __syncthreads() after line %d, before line %d runs again"
)

func TestGroup(t *testing.T) {
	warning := race("k", "s", 10, 12, threads)
	warning.Level = finding.Warning
	other := race("k", "s", 10, 12, threads)
	other.Rule = "memory"
	for _, tc := range []struct {
		name string
		in   []*finding.Finding
		want []string // "members: help" of each finding
	}{
		{"one", []*finding.Finding{race("k", "s", 10, 12, threads)}, []string{"0: add __syncthreads() between line 10 and line 12"}},
		{"one barrier for two variables",
			[]*finding.Finding{race("k", "a", 10, 13, threads), race("k", "b", 11, 13, threads)},
			[]string{"2: add __syncthreads() between line 11 and line 13"}},
		{"two barriers on one variable",
			[]*finding.Finding{race("k", "s", 10, 12, threads), race("k", "s", 12, 14, threads), race("k", "s", 10, 14, threads)},
			[]string{"3: add __syncthreads() between line 10 and line 12, between line 12 and line 14"}},
		{"far apart",
			[]*finding.Finding{race("k", "s", 10, 12, threads), race("k", "s", 20, 22, threads)},
			[]string{"0: add __syncthreads() between line 10 and line 12", "0: add __syncthreads() between line 20 and line 22"}},
		{"touching, but not on one variable",
			[]*finding.Finding{race("k", "a", 10, 12, threads), race("k", "b", 12, 14, threads)},
			[]string{"0: add __syncthreads() between line 10 and line 12", "0: add __syncthreads() between line 12 and line 14"}},
		{"the block's barrier mends the warp's pair",
			[]*finding.Finding{race("k", "s", 10, 12, threads), race("k", "s", 9, 13, warps)},
			[]string{"2: add __syncthreads() between line 10 and line 12"}},
		{"and does not where it may go elsewhere",
			[]*finding.Finding{race("k", "s", 8, 13, threads), race("k", "s", 9, 10, warps)},
			[]string{"0: add __syncthreads() between line 8 and line 13", "0: add __syncwarp() between line 9 and line 10"}},
		{"a loop's next pass",
			[]*finding.Finding{race("k", "s", 10, 12, threads), race("k", "s", 12, 10, again), race("k", "s", 13, 11, again)},
			[]string{"3: add __syncthreads() between line 10 and line 12, after line 13, before line 10 runs again"}},
		{"other levels and rules",
			[]*finding.Finding{race("k", "s", 10, 12, threads), warning, other},
			[]string{"0: add __syncthreads() between line 10 and line 12", "0: add __syncthreads() between line 10 and line 12", "0: add __syncthreads() between line 10 and line 12"}},
		{"instances of a template",
			[]*finding.Finding{race("k<int>", "s", 10, 12, threads), race("k<float>", "s", 10, 12, threads)},
			[]string{"2: add __syncthreads() between line 10 and line 12"}},
		{"other kernels",
			[]*finding.Finding{race("k", "s", 10, 12, threads), race("l", "s", 11, 12, threads)},
			[]string{"0: add __syncthreads() between line 10 and line 12", "0: add __syncthreads() between line 11 and line 12"}},
		{"variable and fix",
			[]*finding.Finding{race("k", "s", 10, 12, "make the update atomic"), race("k", "s", 20, 22, "make the update atomic"), race("k", "t", 11, 12, "make the update atomic")},
			[]string{"2: make the update atomic", "0: make the update atomic"}},
		{"an update that is not atomic",
			[]*finding.Finding{race("k", "s", 10, 10, "add __syncwarp() between the read and the write of line 10"), race("k", "s", 10, 10, "make the update atomic"), race("k", "t", 11, 11, "make the update atomic")},
			[]string{"2: make the update atomic", "0: make the update atomic"}},
		{"an allocation", []*finding.Finding{onAllocation("k", 10, 12), onAllocation("k", 20, 22)}, []string{"2: split the kernel"}},
		{"one fence for two arrays, and the flag that is set without it",
			[]*finding.Finding{race("k", "a", 11, 42, "add __threadfence() between line 11 and line 42"),
				of(race("k", "a", 10, 40, "add __threadfence() between line 10 and line 30"), "release k.cu:30", finding.Error, false),
				of(race("l", "b", 20, 41, "add __threadfence() between line 20 and line 30"), "release k.cu:30", finding.Error, false),
				of(race("k", "flag", 29, 30, "add __threadfence() before the variable is written and after it is read"), "release k.cu:30", finding.Info, false)},
			[]string{"0: add __threadfence() between line 11 and line 42", "3: add __threadfence() between line 20 and line 30"}},
		{"what follows from another one comes last",
			[]*finding.Finding{of(race("k", "data", 10, 12, "make the flag volatile, as data says"), "plain k.cu:11", finding.Error, true),
				of(race("k", "flag", 11, 13, "make the flag volatile"), "plain k.cu:11", finding.Error, false)},
			[]string{"2: make the flag volatile"}},
		{"the next pass of a loop, for warps and the block",
			[]*finding.Finding{race("k", "a", 12, 8, "add __syncwarp() after line %d, before line %d runs again"), race("k", "b", 12, 9, again)},
			[]string{"2: add __syncthreads() after line 12, before line 8 runs again"}},
		{"what is wrong at one shuffle", []*finding.Finding{missed("mask", 9, "a"), missed("absent-lane", 9, "b"), missed("mask", 12, "c")}, []string{"2: a", "0: c"}},
		{"threads that ended before two barriers",
			[]*finding.Finding{missed("divergent", 9, "a", "8 had exited before"), missed("divergent", 12, "a", "8 had exited before"), missed("divergent", 20, "a", "4 had exited before")},
			[]string{"2: a", "0: a"}},
		{"memory that was not filled", []*finding.Finding{unwritten(100, 9), unwritten(104, 12)}, []string{"2: fill it"}},
		{"what lies beyond",
			[]*finding.Finding{beyond("s", 12), race("k", "t", 10, 12, threads), race("k", "s", 9, 12, threads)},
			[]string{"0: keep the index within", "2: add __syncthreads() between line 10 and line 12"}},
		{"what lies beyond, alone",
			[]*finding.Finding{race("k", "t", 10, 12, threads), beyond("s", 12)}, []string{"2: keep the index within"}},
		{"no places", []*finding.Finding{{Rule: "race", Kernel: "k", Help: "x"}, {Rule: "race", Kernel: "k", Help: "x"}}, []string{"0: x", "0: x"}},
		{"none", nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := len(tc.in)
			out := Group(tc.in)
			var got []string
			for _, f := range out {
				got = append(got, fmt.Sprintf("%d: %s", len(f.Members), f.Help))
			}
			if strings.Join(got, "\n") != strings.Join(tc.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
			}
			if m := len(Ungroup(out)); m != n {
				t.Errorf("%d findings after Ungroup, want %d", m, n)
			}
		})
	}
}

func TestGroupAddsUp(t *testing.T) {
	a, b := race("k", "s", 10, 12, threads), race("k", "s", 11, 13, threads)
	b.Launches = finding.InLaunch(3)
	out := Group([]*finding.Finding{a, b})
	if len(out) != 1 || out[0].Count != 4 || out[0].Launches.Count() != 2 || len(out[0].Notes) != 2 {
		t.Errorf("got %+v", out[0])
	}
	if a.Count != 2 || len(a.Notes) != 0 || a.Members != nil {
		t.Error("Group changed its input")
	}
}

// TestGroupTellsEffects joins what a race leads to with the race: the end of a kernel that
// hangs, and reads of what nobody had written yet. Those of other places and
// kernels are findings of their own.
func TestGroupTellsEffects(t *testing.T) {
	hang := func(kernel string, line int) *finding.Finding {
		return &finding.Finding{Rule: "hang", Kind: "budget", Level: finding.Error, Kernel: kernel, Message: "for ever",
			Primary: finding.Place{Role: "was here", Loc: at("k.cu", line, 1)}, Launches: finding.InLaunch(0)}
	}
	unwritten := func(kernel string, line int) *finding.Finding {
		f := race(kernel, "s", line, line, "write it")
		f.Rule, f.Kind, f.Related = "init", "shared", nil
		return f
	}
	awaited := race("k", "s", 10, 12, "wait at full before line 12")
	awaited.Details = details{Variable: "s", Cause: "not-awaited"}
	unordered := race("m", "s", 30, 32, "split the kernel")
	got := Group([]*finding.Finding{hang("k", 20), hang("m", 40), awaited, unordered, unwritten("m", 32), unwritten("n", 44)})
	if len(got) != 4 {
		t.Errorf("%d findings", len(got))
	}
	for _, f := range got {
		switch {
		case f.Rule == "race" && f.Kernel == "k":
			if f.Count != 2 || f.Help != awaited.Help || f.Notes[len(f.Notes)-1] != "therefore, at line 20:1: for ever" {
				t.Errorf("hang: %+v", f)
			}
		case f.Rule == "race":
			if f.Help != unordered.Help || len(f.Members) != 2 {
				t.Errorf("unwritten: %+v", f)
			}
		case f.Rule == "hang" && f.Kernel == "m", f.Rule == "init" && f.Kernel == "n":
		default:
			t.Errorf("not expected: %+v", f)
		}
	}
}

func TestSortPutsTheWorstFirst(t *testing.T) {
	mk := func(rule string, l finding.Level, count uint64) *finding.Finding {
		return &finding.Finding{Rule: rule, Level: l, Count: count}
	}
	fs := []*finding.Finding{mk("bank", finding.Warning, 3), mk("bank", finding.Warning, 9), mk("race", finding.Warning, 1),
		mk("init", finding.Error, 1), mk("race", finding.Error, 1), mk("memory", finding.Error, 1)}
	Sort(fs)
	var got []string
	for _, f := range fs {
		got = append(got, fmt.Sprintf("%v %s %d", f.Level, f.Rule, f.Count))
	}
	want := "error memory 1, error race 1, error init 1, warning race 1, warning bank 9, warning bank 3"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}
