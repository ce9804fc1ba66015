package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// rules are some, as the registry has them.
var rules = finding.Rules{
	"memory": {ID: "memory", Rank: finding.Stops}, "sync": {ID: "sync", Rank: finding.Stops}, "hang": {ID: "hang", Rank: finding.Stops},
	"race": {ID: "race", Rank: finding.Wrong, Groups: true}, "init": {ID: "init", Rank: finding.Unset, Groups: true},
	"launch": {ID: "launch", Rank: finding.Stops}, "bank": {ID: "bank", Groups: true},
}

// of gives a finding an origin and a level.
func of(f *finding.Finding, origin string, level finding.Level, follows bool) *finding.Finding {
	f.Origin, f.Follows, f.Level = origin, follows, level
	return f
}

// fix is a repair without its place.
type fix struct {
	kind finding.RepairKind
	call string
	next bool
}

var (
	threads = fix{finding.AddBarrier, finding.Syncthreads, false}
	warps   = fix{finding.AddSyncwarp, finding.Syncwarp, false}
	again   = fix{finding.AddBarrier, finding.Syncthreads, true}
	fences  = fix{finding.AddFence, "__threadfence()", false}
)

// race makes a finding of a pair: variable, the earlier line, the later one, and the
// repair.
func race(kernel, variable string, early, late int, x fix) *finding.Finding {
	r := between(early, late, x)
	f := mend(kernel, variable, early, late, "")
	f.Repair, f.Help, f.Cause = r, r.Add("k.cu"), "no-barrier"
	return f
}

func between(early, late int, x fix) *finding.Repair {
	return &finding.Repair{Kind: x.kind, Call: x.call, Next: x.next,
		From: &finding.Point{Pos: at("k.cu", early, 1).Pos}, To: &finding.Point{Pos: at("k.cu", late, 1).Pos}}
}

// mend makes a finding of a pair whose repair has no place.
func mend(kernel, variable string, early, late int, kind finding.RepairKind) *finding.Finding {
	return &finding.Finding{
		Rule: "race", Kind: "RAW", Level: finding.Error, Kernel: kernel, KernelName: kernel, Launches: finding.InLaunch(0),
		Object: &finding.Object{Kind: finding.Variable, Space: "shared", Name: variable}, Range: finding.Bytes{Hi: 64},
		Message: fmt.Sprintf("RAW on shared variable %s", variable), Count: 2, Unit: "thread pair",
		Repair: &finding.Repair{Kind: kind}, Help: string(kind), Cause: "not-atomic",
		Primary: finding.Place{Role: "read by", Access: finding.Read, Loc: at("k.cu", late, 1)},
		Related: []finding.Place{{Role: "written by", Access: finding.Write, Loc: at("k.cu", early, 1)}},
	}
}

// by puts the two threads of a race into blocks and warps.
func by(f *finding.Finding, block, warp int) *finding.Finding {
	f.Related[0].Thread = &finding.Thread{}
	f.Primary.Thread = &finding.Thread{BlockIndex: uint64(block), Warp: warp, Lane: 1}
	return f
}

// missed makes a finding of the rule sync at a line.
func missed(kind string, line int, repair finding.RepairKind, origin string) *finding.Finding {
	return &finding.Finding{Rule: "sync", Kind: kind, Level: finding.Error, Kernel: "k", Message: kind, Cause: finding.Cause(kind),
		Origin: origin, Repair: &finding.Repair{Kind: repair}, Help: string(repair),
		Primary: finding.Place{Role: "reached by", Loc: at("k.cu", line, 1)}}
}

// unwritten makes a read of an allocation.
func unwritten(id, line int) *finding.Finding {
	return &finding.Finding{Rule: "init", Kind: "global", Level: finding.Error, Kernel: "k", Help: "fill it", Cause: "unwritten",
		Repair: &finding.Repair{Kind: "fill"}, Object: &finding.Object{Kind: finding.Allocation, Space: "global", ID: id, Where: "cudaMalloc"},
		Message: "read of uninitialized memory",
		Primary: finding.Place{Role: "read by", Access: finding.Read, Loc: at("k.cu", line, 1)}}
}

// beyond makes a read beyond a variable that hits bytes of another one.
func beyond(variable, hit string, line int, lo, hi int64) *finding.Finding {
	return &finding.Finding{Rule: "memory", Kind: "out-of-bounds", Level: finding.Error, Kernel: "k", Cause: "beyond-object",
		Object: &finding.Object{Kind: finding.Variable, Space: "shared", Name: variable},
		Hit:    &finding.Object{Kind: finding.Variable, Space: "shared", Name: hit}, HitRange: finding.Bytes{Lo: lo, Hi: hi},
		Message: "shared read of 4 bytes beyond " + variable, Help: "keep the index within", Repair: &finding.Repair{Kind: "check-index"},
		Primary: finding.Place{Role: "read by", Access: finding.Read, Loc: at("k.cu", line, 1)}}
}

// fenced makes a race whose fence goes elsewhere than between its accesses.
func fenced(kernel, variable string, early, late, from, to int) *finding.Finding {
	f := race(kernel, variable, early, late, fences)
	f.Repair = between(from, to, fences)
	f.Help = f.Repair.Add("k.cu")
	return f
}

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
			[]*finding.Finding{mend("k", "s", 10, 12, "atomic"), mend("k", "s", 20, 22, "atomic"), mend("k", "t", 11, 12, "atomic")},
			[]string{"2: atomic", "0: atomic"}},
		{"an update that is not atomic",
			[]*finding.Finding{race("k", "s", 10, 10, warps), mend("k", "s", 10, 10, "atomic"), mend("k", "t", 11, 11, "atomic")},
			[]string{"2: atomic", "0: atomic"}},
		{"one fence for two arrays, and the flag that is set without it",
			[]*finding.Finding{race("k", "a", 11, 42, fences),
				of(fenced("k", "a", 10, 40, 10, 30), "release k.cu:30", finding.Error, false),
				of(fenced("l", "b", 20, 41, 20, 30), "release k.cu:30", finding.Error, false),
				of(mend("k", "flag", 29, 30, "fence"), "release k.cu:30", finding.Info, false)},
			[]string{"0: add __threadfence() between line 11 and line 42", "3: add __threadfence() between line 20 and line 30"}},
		{"what follows from another one comes last",
			[]*finding.Finding{of(mend("k", "data", 10, 12, "volatile-data"), "plain k.cu:11", finding.Error, true),
				of(mend("k", "flag", 11, 13, "volatile"), "plain k.cu:11", finding.Error, false)},
			[]string{"2: volatile"}},
		{"the next pass of a loop, for warps and the block",
			[]*finding.Finding{race("k", "a", 12, 8, fix{finding.AddSyncwarp, finding.Syncwarp, true}), race("k", "b", 12, 9, again)},
			[]string{"2: add __syncthreads() after line 12, before line 8 runs again"}},
		{"a chain on several variables that one barrier cannot repair",
			[]*finding.Finding{race("k", "a", 10, 14, threads), race("k", "b", 12, 18, threads), race("k", "c", 16, 20, threads)},
			[]string{"2: add __syncthreads() between line 12 and line 14", "0: add __syncthreads() between line 16 and line 20"}},
		{"another variable, in the next pass only",
			[]*finding.Finding{race("k", "a", 10, 14, threads), race("k", "b", 16, 11, again)},
			[]string{"0: add __syncthreads() between line 10 and line 14", "0: add __syncthreads() after line 16, before line 11 runs again"}},
		{"another variable, within a line",
			[]*finding.Finding{race("k", "a", 10, 14, threads), race("k", "b", 12, 12, threads)},
			[]string{"0: add __syncthreads() between line 10 and line 14", "0: add __syncthreads() between the read and the write of line 12"}},
		{"what is wrong at one shuffle", []*finding.Finding{missed("mask", 9, "a", ""), missed("absent-lane", 9, "b", ""), missed("mask", 12, "c", "")}, []string{"2: a", "0: c"}},
		{"threads that ended before two barriers",
			[]*finding.Finding{missed("exited", 9, "a", "8 exited"), missed("exited", 12, "a", "8 exited"), missed("exited", 20, "a", "4 exited")},
			[]string{"2: a", "0: a"}},
		{"memory that was not filled", []*finding.Finding{unwritten(3, 9), unwritten(3, 12)}, []string{"2: fill it"}},
		{"other memory that was not filled", []*finding.Finding{unwritten(3, 9), unwritten(4, 12)}, []string{"0: fill it", "0: fill it"}},
		{"what lies beyond",
			[]*finding.Finding{beyond("s", "t", 12, 0, 64), race("k", "t", 10, 12, threads), race("k", "s", 9, 12, threads)},
			[]string{"0: keep the index within", "2: add __syncthreads() between line 10 and line 12"}},
		{"what lies beyond, alone",
			[]*finding.Finding{race("k", "t", 10, 12, threads), beyond("s", "t", 12, 0, 64)}, []string{"2: keep the index within"}},
		{"a race on more than the access beyond hits",
			[]*finding.Finding{race("k", "t", 10, 12, threads), beyond("s", "t", 12, 0, 4)},
			[]string{"0: keep the index within", "0: add __syncthreads() between line 10 and line 12"}},
		{"a race on another variable than the access beyond hits",
			[]*finding.Finding{race("k", "u", 10, 12, threads), beyond("s", "t", 12, 0, 64)},
			[]string{"0: keep the index within", "0: add __syncthreads() between line 10 and line 12"}},
		{"no places", []*finding.Finding{{Rule: "race", Kernel: "k", Help: "x"}, {Rule: "race", Kernel: "k", Help: "x"}}, []string{"0: x", "0: x"}},
		{"none", nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := len(tc.in)
			out := Group(tc.in, rules)
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
	out := Group([]*finding.Finding{a, b}, rules)
	if len(out) != 1 || out[0].Count != 4 || out[0].Launches.Count() != 2 || len(out[0].Notes) != 2 {
		t.Errorf("got %+v", out[0])
	}
	if a.Count != 2 || len(a.Notes) != 0 || a.Members != nil {
		t.Error("Group changed its input")
	}
}

// TestGroupListsPlacesOnce lists a helper that is inlined at several calls by its line, once.
func TestGroupListsPlacesOnce(t *testing.T) {
	inlined := func(variable string, early, late, from int) *finding.Finding {
		f := race("k", variable, early, late, threads)
		f.Primary.Loc.InlinedAt = []source.Pos{at("k.cu", from, 5).Pos}
		return f
	}
	out := Group([]*finding.Finding{inlined("s", 10, 12, 30), inlined("s", 10, 12, 31), inlined("s", 10, 13, 30), inlined("s", 10, 12, 32), inlined("s", 10, 13, 31)}, rules)
	if len(out) != 1 {
		t.Fatalf("%d findings", len(out))
	}
	var got []string
	for _, n := range out[0].Notes {
		if strings.HasPrefix(n, "- ") || strings.HasPrefix(n, "the same cause") {
			got = append(got, n)
		}
	}
	want := []string{"the same cause shows at 2 more pairs of places:", "- RAW on s, line 10:1 and line 12:1: 4 thread pairs", "- RAW on s, line 10:1 and line 13:1: 4 thread pairs"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestGroupTellsEffects joins what a race leads to with the race: the end of a kernel that
// waits forever, and reads of bytes that were not written yet. Those of other places,
// bytes and kernels are findings of their own, as is a kernel that spins on a flag.
func TestGroupTellsEffects(t *testing.T) {
	hang := func(kernel string, line int, waits bool) *finding.Finding {
		return &finding.Finding{Rule: "hang", Kind: "budget", Level: finding.Error, Kernel: kernel, Message: "forever", Waits: waits,
			Primary: finding.Place{Role: "was here", Loc: at("k.cu", line, 1)}, Launches: finding.InLaunch(0)}
	}
	early := func(kernel string, line int, lo int64) *finding.Finding {
		f := mend(kernel, "s", line, line, "write-first")
		f.Rule, f.Kind, f.Related, f.Range = "init", "shared", nil, finding.Bytes{Lo: lo, Hi: lo + 4}
		return f
	}
	awaited := mend("k", "s", 10, 12, "wait-there")
	awaited.Hangs = true
	spins := mend("p", "s", 10, 12, "wait-there")
	spins.Hangs = true
	unordered := mend("m", "s", 30, 32, "split-kernel")
	for _, tc := range []struct {
		name string
		in   []*finding.Finding
		want int // findings after joining
	}{
		{"a hang", []*finding.Finding{hang("k", 20, true), awaited}, 1},
		{"a hang of another kernel", []*finding.Finding{hang("m", 20, true), awaited}, 2},
		{"a hang at no barrier", []*finding.Finding{hang("p", 20, false), spins}, 2},
		{"bytes of the race", []*finding.Finding{unordered, early("m", 32, 60)}, 1},
		{"bytes behind those of the race", []*finding.Finding{unordered, early("m", 32, 64)}, 2},
		{"another line", []*finding.Finding{unordered, early("m", 33, 60)}, 2},
		{"another kernel", []*finding.Finding{unordered, early("n", 32, 60)}, 2},
	} {
		got := Group(tc.in, rules)
		if len(got) != tc.want {
			t.Errorf("%s: %d findings, want %d", tc.name, len(got), tc.want)
		}
	}
	f := Group([]*finding.Finding{hang("k", 20, true), awaited}, rules)[0]
	if f.Rule != "race" || f.Count != 2 || f.Help != awaited.Help || f.Notes[len(f.Notes)-1] != "therefore, at line 20:1: forever" {
		t.Errorf("hang: %+v", f)
	}
}

// TestJoinShowsTheStrongestWitness puts threads of different blocks before those of different
// warps, and these before lanes of one warp.
func TestJoinShowsTheStrongestWitness(t *testing.T) {
	inWarp, inBlock, across := by(race("k", "s", 10, 12, threads), 0, 0), by(race("k", "s", 10, 13, threads), 0, 1), by(race("k", "s", 10, 14, threads), 1, 0)
	for _, tc := range []struct {
		in   []*finding.Finding
		want *finding.Finding
	}{
		{[]*finding.Finding{inWarp, inBlock}, inBlock},
		{[]*finding.Finding{inWarp, inBlock, across}, across},
	} {
		if got := Group(tc.in, rules); len(got) != 1 || got[0].Primary.Loc.Pos != tc.want.Primary.Loc.Pos {
			t.Errorf("%d findings, at %v, want %v", len(got), got[0].Primary.Loc, tc.want.Primary.Loc)
		}
	}
}

func TestSortPutsTheWorstFirst(t *testing.T) {
	mk := func(rule string, l finding.Level, count uint64) *finding.Finding {
		return &finding.Finding{Rule: rule, Level: l, Count: count}
	}
	fs := []*finding.Finding{mk("bank", finding.Warning, 3), mk("bank", finding.Warning, 9), mk("race", finding.Warning, 1),
		mk("init", finding.Error, 1), mk("race", finding.Error, 1), mk("memory", finding.Error, 1)}
	Sort(fs, rules)
	var got []string
	for _, f := range fs {
		got = append(got, fmt.Sprintf("%v %s %d", f.Level, f.Rule, f.Count))
	}
	want := "error memory 1, error race 1, error init 1, warning race 1, warning bank 9, warning bank 3"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}

// TestLibraryCalls joins what one call of a header library leads to: in all kernels that it launches, and
// below one call in a kernel; other calls and other rules stay apart.
func TestLibraryCalls(t *testing.T) {
	at := func(rule, kernel string, line int, launched bool) *finding.Finding {
		p := finding.Place{Loc: source.Location{Pos: source.Pos{File: "a.cu", Line: line}}, Launched: launched,
			Library: &source.Location{Pos: source.Pos{File: "/x/include/cub/a.cuh", Line: 7}}}
		return &finding.Finding{Rule: rule, Kernel: kernel, Level: finding.Error, Primary: p}
	}
	fs := []*finding.Finding{at("memory", "scan", 3, true), at("memory", "init", 3, true), at("init", "scan", 3, true), at("memory", "scan", 4, true),
		at("memory", "k", 9, false), at("memory", "k", 9, false)}
	var sizes []int
	for _, f := range Group(fs, nil) {
		sizes = append(sizes, max(1, len(f.Members)))
	}
	slices.Sort(sizes)
	if want := []int{1, 1, 2, 2}; !slices.Equal(sizes, want) {
		t.Errorf("groups of %v, want %v", sizes, want)
	}
}
