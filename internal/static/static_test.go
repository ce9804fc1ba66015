package static

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// kernels builds the kernels of a PTX text by a part of their names.
func kernels(t testing.TB, name string, text []byte) map[string]*ssa.Func {
	t.Helper()
	m, err := ptx.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*ssa.Func{}
	for _, it := range m.Items {
		f, ok := it.(*ptx.Func)
		if !ok || !f.Entry || f.Body == nil {
			continue
		}
		g, err := ssa.Build(m, f, ssa.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimLeft(f.Name, "_Z0123456789")] = g
	}
	return out
}

// load builds the kernels of a file in testdata; the names have their
// parameters' types left out.
func load(t testing.TB, file string) map[string]*ssa.Func {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*ssa.Func{}
	for name, f := range kernels(t, file, text) {
		for _, suffix := range []string{"PKfPf", "PKiPi", "PfPKfi", "PKdPd", "PiS_", "Pi", "PfS_PKfii"} {
			name = strings.TrimSuffix(name, suffix)
		}
		out[name] = f
	}
	return out
}

func withZ3(t testing.TB) *solve.Solver {
	t.Helper()
	tooltest.NeedsZ3(t)
	s := solve.New(solve.Options{})
	t.Cleanup(s.Close)
	return s
}

// block is a launch of one block of x threads.
func block(x uint32) Launch {
	return Launch{Block: [3]uint32{x, 1, 1}, Grid: [3]uint32{1, 1, 1}, Shared: -1}
}

// count counts pairs by verdict; those of different pointers are left out.
func count(r *Races) map[Verdict]int {
	n := map[Verdict]int{}
	for _, p := range r.Pairs {
		if !strings.HasSuffix(p.Why, MayAlias) {
			n[p.Verdict]++
		}
	}
	delete(n, Safe)
	return n
}

func TestRaces(t *testing.T) {
	s := withZ3(t)
	fs := load(t, "shared.ptx")
	tests := []struct {
		kernel string
		model  Model
		want   map[Verdict]int
	}{
		{"sequential", ITS, nil},
		{"interleaved", ITS, nil},
		{"doubleBuffer", ITS, nil},
		{"inBounds", ITS, nil},
		{"neighbor", ITS, map[Verdict]int{Proved: 1}},
		{"neighbor", Lockstep, map[Verdict]int{Proved: 1}}, // between warps
		{"noBarrier", ITS, map[Verdict]int{Proved: 1}},
		{"noBarrier", Threads, map[Verdict]int{Proved: 1}},
		{"oneBuffer", ITS, map[Verdict]int{Proved: 1}},
		{"everyoneWrites", ITS, map[Verdict]int{Proved: 1, Possible: 1}},
	}
	for _, test := range tests {
		f := fs[test.kernel]
		if f == nil {
			t.Fatalf("no kernel %s", test.kernel)
		}
		got := count(NewUnit(f, block(128), nil, s).Races(context.Background(), test.model))
		if len(got) != len(test.want) || got[Proved] != test.want[Proved] || got[Possible] != test.want[Possible] {
			t.Errorf("%s, model %d: %v, want %v", test.kernel, test.model, got, test.want)
		}
	}
}

// TestLockstep has a block of one warp: only its lanes in lockstep are ordered.
func TestLockstep(t *testing.T) {
	s := withZ3(t)
	f := load(t, "shared.ptx")["neighbor"]
	for model, want := range map[Model]int{ITS: 1, Lockstep: 0, Threads: 1} {
		if got := count(NewUnit(f, block(32), nil, s).Races(context.Background(), model))[Proved]; got != want {
			t.Errorf("model %d: %d proved, want %d", model, got, want)
		}
	}
}

// TestEvidence looks at the two threads of a proof.
func TestEvidence(t *testing.T) {
	s := withZ3(t)
	r := NewUnit(load(t, "shared.ptx")["neighbor"], block(128), nil, s).Races(context.Background(), ITS)
	i := slices.IndexFunc(r.Pairs, func(p Pair) bool { return p.Verdict == Proved })
	p := r.Pairs[i]
	if !p.IntraWarp || !p.InterWarp || p.InterBlock {
		t.Errorf("between %v %v %v, want threads of one warp and of two", p.IntraWarp, p.InterWarp, p.InterBlock)
	}
	write, read := p.Evidence.Thread[0][0], p.Evidence.Thread[1][0]
	if p.A.Reads {
		write, read = read, write
	}
	if (read+1)%128 != write || int64(4*write) != p.Evidence.Offset {
		t.Errorf("thread %d writes and %d reads at byte %d", write, read, p.Evidence.Offset)
	}
}

// TestScan decides all of the scan kernels: clean for the sizes that they are
// written for, racy with a thread too many in the block.
func TestScan(t *testing.T) {
	s := withZ3(t)
	fs := load(t, "scan.ptx")
	for name, threads := range map[string]uint32{"scanNaive": 512, "scanEfficient": 256, "scanPadded": 256} {
		l := block(threads)
		l.Params = map[Part]uint64{{2, 0}: 512}
		if got := count(NewUnit(fs[name], l, nil, s).Races(context.Background(), ITS)); len(got) > 0 {
			t.Errorf("%s: %v, want all safe", name, got)
		}
	}
	l := block(512)
	l.Params = map[Part]uint64{{2, 0}: 256}
	if got := count(NewUnit(fs["scanNaive"], l, nil, s).Races(context.Background(), ITS)); got[Proved] == 0 {
		t.Errorf("scanNaive with too many threads: %v, want a race", got)
	}
}

// TestUnknownLaunch has verdicts that depend on what is not given.
func TestUnknownLaunch(t *testing.T) {
	s := withZ3(t)
	l := block(256)
	u := NewUnit(load(t, "scan.ptx")["scanNaive"], l, []string{"out", "in", "n"}, s)
	r := u.Races(context.Background(), ITS)
	// Its two buffers have n elements each: fewer than threads would be a race.
	if i := slices.IndexFunc(r.Pairs, func(p Pair) bool { return p.unusual }); i < 0 {
		t.Fatalf("%v, want a race for unusual parameters", count(r))
	}
	u = NewUnit(randomFunc(t, "@%p0 bra END;\n", "setp.lt.s32 %p0, %tx, %h;\nand.b32 %r199, %tx, 7;\n"), l, []string{"o", "w", "h"}, s)
	r = u.Races(context.Background(), ITS)
	i := slices.IndexFunc(r.Pairs, func(p Pair) bool { return p.Verdict == Possible })
	if i < 0 {
		t.Fatalf("%v, want a possible race", count(r))
	}
	if got := u.Decide(r.Pairs[i].Needs); got != "--param h=VALUE" {
		t.Errorf("decided by %q", got)
	}
	u = NewUnit(load(t, "shared.ptx")["neighbor"], Launch{Shared: -1}, nil, s)
	if got := count(u.Races(context.Background(), ITS)); got[Proved] != 0 {
		t.Errorf("for any block: %v, want nothing proved", got)
	}
}

// randomFunc is a kernel with the head of random ones: it stores at %r199, which
// compute sets, where guard does not leave.
func randomFunc(t *testing.T, guard, compute string) *ssa.Func {
	t.Helper()
	return kernels(t, "given", []byte(randomHead+compute+guard+
		"mul.wide.s32 %a, %r199, 4;\nadd.s64 %a, %o, %a;\nst.global.u32 [%a], %tx;\nEND:\nret;\n}\n"))["k"]
}

// TestNoSolver decides what needs no solver, and says why it does not decide
// the rest.
func TestNoSolver(t *testing.T) {
	s := solve.New(solve.Options{Path: "no-such-z3"})
	f := load(t, "shared.ptx")["neighbor"]
	if got := count(NewUnit(f, block(128), nil, s).Races(context.Background(), ITS)); got[Proved] != 1 {
		t.Errorf("known block: %v, want a proof", got)
	}
	undecided := 0
	for name, f := range load(t, "shared.ptx") {
		for _, p := range NewUnit(f, Launch{Shared: -1}, nil, s).Races(context.Background(), ITS).Pairs {
			switch {
			case p.Verdict == Watched && p.Why == "":
				t.Errorf("%s, any block: watched, and it does not say why", name)
			case p.Why == "not decided: no-such-z3 not found":
				undecided++
			}
		}
	}
	if undecided == 0 {
		t.Error("all is decided without z3")
	}
}

// TestEnumeration compares what trying all threads says with what z3 does.
func TestEnumeration(t *testing.T) {
	s := withZ3(t)
	fs := load(t, "shared.ptx")
	for _, name := range []string{"sequential", "noBarrier", "neighbor", "oneBuffer"} {
		c := newCheck(context.Background(), NewUnit(fs[name], block(64), nil, s), ITS)
		compared := 0
		for i, a := range c.accesses {
			for _, b := range c.accesses[i:] {
				compared += compareQueries(t, c, name, a, b)
			}
		}
		if compared == 0 {
			t.Errorf("%s: nothing compared", name)
		}
	}
}

// compareQueries asks all questions about two accesses in both ways.
func compareQueries(t *testing.T, c *raceCheck, name string, a, b *Access) (compared int) {
	if !sameRoot(a, b) || !a.Writes && !b.Writes {
		return 0
	}
	p := &Pair{A: a, B: b}
	for _, iv := range c.wide {
		for _, ra := range iv.at[a.Value] {
			for _, rb := range iv.at[b.Value] {
				q := c.meeting(p, iv, ra, rb, interWarp)
				model, sat, ok := q.enumerate(c.complete(q.terms, q.enc[:]))
				if !ok {
					continue
				}
				compared++
				want := c.solve(q.formula())
				if want.Status != solve.Unknown && sat != (want.Status == solve.Sat) {
					t.Errorf("%s: lines %d and %d: trying says %v, z3 %v", name, a.Value.Loc.Line, b.Value.Loc.Line, sat, want.Status)
				}
				if sat && solve.Eval(solve.And(q.formula()...), model) != 1 {
					t.Errorf("%s: lines %d and %d: %v is not a model", name, a.Value.Loc.Line, b.Value.Loc.Line, model)
				}
			}
		}
	}
	return compared
}

func TestBarriers(t *testing.T) {
	s := withZ3(t)
	fs := load(t, "shared.ptx")
	for name, want := range map[string][]BarrierKind{
		"someWait": {Divergent}, "twice": {Redundant}, "sequential": nil, "interleaved": nil, "noBarrier": nil, "doubleBuffer": nil,
	} {
		var got []BarrierKind
		for _, b := range NewUnit(fs[name], block(128), nil, s).Barriers(context.Background()) {
			got = append(got, b.Kind)
			if b.Verdict != Proved {
				t.Errorf("%s: %v, want it proved", name, b.Verdict)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestBounds(t *testing.T) {
	s := withZ3(t)
	fs := load(t, "shared.ptx")
	for name, want := range map[string]int{"beyond": 1, "inBounds": 0, "sequential": 0, "neighbor": 0} {
		if got := NewUnit(fs[name], block(128), nil, s).Bounds(context.Background()); len(got) != want {
			t.Errorf("%s: %d, want %d", name, len(got), want)
		} else if want > 0 && (got[0].Evidence.Offset != 512 || got[0].Evidence.Thread[0][0] != 127) {
			t.Errorf("%s: thread %d at byte %d", name, got[0].Evidence.Thread[0][0], got[0].Evidence.Offset)
		}
	}
}

// TestDrano holds the published analysis against the paper's figures 1 and 2.
func TestDrano(t *testing.T) {
	fs := load(t, "fan2.ptx")
	for name, want := range map[string][]int{"figure1": {9}, "fan2": {19, 19, 19, 21}, "fan2Fixed": nil} {
		f := fs[name]
		if name == "figure1" {
			f = fs["figure1PKi"]
			for n := range fs {
				if strings.HasPrefix(n, "figure1") {
					f = fs[n]
				}
			}
		}
		var got []int
		for _, v := range RunDrano(f).Uncoalesced() {
			got = append(got, v.Loc.Line)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: lines %v, want %v", name, got, want)
		}
	}
}
