package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

func TestMain(m *testing.M) { os.Exit(tooltest.Main(m)) }

// quick is a benchmark of small sizes with a freshly built warpgrind.
func quick(t *testing.T, profile, only string) *bench {
	t.Helper()
	cfg := config{warpgrind: tooltest.Tool(t), kernels: "kernels", quick: true, reps: 1, rounds: 1, profile: profile, only: only}
	b, err := newBench(context.Background(), cfg, t.TempDir(), t.Output())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestQuick runs every kernel at a small size in each of warpgrind's columns:
// the results must agree and no correct kernel may be reported.
func TestQuick(t *testing.T) {
	b := quick(t, "", "")
	table, err := b.measure(context.Background(), true)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range table.columns {
		for k, cell := range table.cells[i] {
			if c.missing == "" && (cell.rate <= 0 || cell.memory <= 0 || cell.note != "") {
				t.Errorf("%s, %s: %+v", c.title, table.kernels[k].name, cell)
			}
		}
	}
	text := table.markdown("", b.cfg)
	for _, want := range []string{"| matmul | 64 |", "| **synchronizing** |", "| all checks / scalar C |"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
}

// TestProgramTimes runs a whole program as the page has it.
func TestProgramTimes(t *testing.T) {
	list, err := quick(t, "", "").measurePrograms(context.Background(), "../examples")
	if err != nil {
		t.Fatal(err)
	}
	if text := programsSection(list); len(list) != 1 || list[0].instructions == 0 || !strings.Contains(text, "| apps/traversal.cu | ") {
		t.Errorf("%v\n%s", list, text)
	}
}

// TestProducts multiplies matrices in both ways.
func TestProducts(t *testing.T) {
	p, err := quick(t, "", "").measureProducts(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if text := productsSection(p); p.mma <= 0 || p.wgmmaChecked <= 0 || !strings.Contains(text, "| wgmma | ") {
		t.Errorf("%+v\n%s", p, text)
	}
}

// TestPruning measures what pruning spares at small sizes.
func TestPruning(t *testing.T) {
	b := quick(t, "", "matmul,vadd")
	var out strings.Builder
	if err := b.pruning(context.Background(), []string{"../examples/scan"}, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| matmul, N = 64 | ", "| vadd, N = 16384 | 2 of 3 |", "../examples/scan (1)"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the page lacks %q:\n%s", want, out.String())
		}
	}
}

func TestProfile(t *testing.T) {
	dir := t.TempDir()
	b := quick(t, dir, "matmul,bfs")
	var out strings.Builder
	if err := b.profile(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	for _, k := range b.list {
		if st, err := os.Stat(filepath.Join(dir, k.name+".pprof")); err != nil || st.Size() == 0 {
			t.Errorf("%s: no profile: %v", k.name, err)
		}
	}
}

// TestInstructionSets: the bench measures what the processor has, and the page has a section for each further set.
func TestInstructionSets(t *testing.T) {
	has := []string{"avx512", "avx2", "go"}
	for list, want := range map[string][]string{"": {"avx512", "avx2"}, "avx2": {"avx2"}, "avx2,go": {"avx2", "go"}, "sse": nil} {
		got, err := instructionSets(list, has)
		if !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%q: %v, %v", list, got, err)
		}
	}
	if got, err := instructionSets("", []string{"go"}); err != nil || !slices.Equal(got, []string{"go"}) {
		t.Errorf("without vectors: %v, %v", got, err)
	}
	first := &table{simd: "avx512", kernels: allKernels[:1], columns: []column{{title: titleNone}, {title: titleC}},
		cells: [][]cell{{{rate: 4e9, seconds: 1}}, {{rate: 1e9, seconds: 4}}}}
	second := &table{simd: "avx2", kernels: allKernels[:1], columns: []column{{title: titleNone}}, cells: [][]cell{{{rate: 2e9, seconds: 2}}}}
	second.takePeers(first)
	if text := second.section(); !strings.Contains(text, "# The same with AVX2") || !strings.Contains(text, "| matmul | 2.00 |") {
		t.Error(text)
	}
}

func TestSame(t *testing.T) {
	for _, tc := range []struct {
		a, b result
		ok   bool
	}{
		{result{sum: 1, weighted: 2}, result{sum: 1, weighted: 2}, true},
		{result{sum: 1, weighted: 2}, result{sum: 1 + 1e-6, weighted: 2}, true},
		{result{sum: 1, weighted: 2}, result{sum: 1, weighted: 2.001}, false},
		{result{sum: 1, weighted: 2}, result{sum: math.NaN(), weighted: 2}, false},
		{result{sum: 1, weighted: 2}, result{}, false},
	} {
		if err := tc.a.same(tc.b); (err == nil) != tc.ok {
			t.Errorf("%v same as %v: %v", tc.a, tc.b, err)
		}
	}
}

func TestFlat(t *testing.T) {
	at := func(ms int64, names ...string) *profile.Sample {
		l := &profile.Location{}
		for _, n := range names {
			l.Line = append(l.Line, profile.Line{Function: &profile.Function{Name: n}})
		}
		return &profile.Sample{Location: []*profile.Location{l}, Value: []int64{1, ms * 1e6}}
	}
	got := flat(&profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		Sample: []*profile.Sample{
			at(10, "runtime.memmove"), at(5, "inlined", "outer"), at(10, preempted),
			at(10, "github.com/warpgrind/warpgrind/internal/warp.(*Block).run"), at(10, "github.com/warpgrind/warpgrind/internal/warp.(*Block).run"),
		},
	})
	want := []sample{{"github.com/warpgrind/warpgrind/internal/warp.(*Block).run", 20}, {"runtime.memmove", 10}, {"inlined", 5}}
	if !slices.Equal(got, want) {
		t.Fatalf("got %+v", got)
	}
	for function, want := range map[string]string{
		got[0].name:             "warp: interpreter's steps, control flow",
		"runtime.memmove":       "Go: runtime, garbage collection",
		"runtime._ExternalCode": "jit: generated code",
		"github.com/warpgrind/warpgrind/internal/warp.nativeUnit.native": "jit: calls of generated code",
		"github.com/warpgrind/warpgrind/internal/warp.memoryUnit.load":   "warp: memory path",
		"github.com/warpgrind/warpgrind/internal/warp/native.(*gen).run": "jit: compiling",
		"github.com/warpgrind/warpgrind/internal/warp/alu.Add":           "warp/alu: arithmetic of lanes",
		"github.com/warpgrind/warpgrind/internal/check/race.(*T).Do":     "check: race",
		"github.com/warpgrind/warpgrind/internal/check/sync.f":           "check: other rules",
		"scan":                     "warp: memory path",
		"helper":                   "assembly: helpers local to a file",
		"github.com/spf13/cobra.f": "other",
	} {
		if p := part(function); p != want {
			t.Errorf("part(%q) = %q, want %q", function, p, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{0.00123: "0.00123", 0.5: "0.500", 12.34: "12.3", 1234: "1234"} {
		if got := short(v); got != want {
			t.Errorf("short(%g) = %q, want %q", v, got, want)
		}
	}
	if g := geomean([]float64{1, 4}); math.Abs(g-2) > 1e-12 {
		t.Errorf("geometric mean of 1 and 4: %g", g)
	}
	if g := geomean([]float64{0, 4, 0}); g != 4 {
		t.Errorf("geometric mean of 4 and missing values: %g", g)
	}
	if g := geomean([]float64{0}); g != 0 {
		t.Errorf("geometric mean of a missing value: %g", g)
	}
}

// TestMissingPeer checks that a peer that is not there leaves dashes and a
// note, and does not stop the others.
func TestMissingPeer(t *testing.T) {
	tab := &table{kernels: allKernels, columns: []column{{title: titleNone}, {title: titlePoCL, missing: "not installed"}}}
	tab.cells = make([][]cell, 2)
	tab.notes = []string{titlePoCL + ": not installed"}
	for range tab.kernels {
		tab.cells[0] = append(tab.cells[0], cell{rate: 2e9, memory: 1 << 20})
		tab.cells[1] = append(tab.cells[1], cell{})
		tab.counts = append(tab.counts, 1e9)
	}
	text := tab.markdown("", config{reps: 1, rounds: 1})
	for _, want := range []string{
		"| scan | - | - |\n",
		"| **provable** | **-** |\n",
		"- PoCL: not installed",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
}
