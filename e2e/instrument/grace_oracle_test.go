package instrument

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// This file judges the schemes of GRace, and the emulator's rule beside them, by an
// oracle that has nothing of either: random kernels whose accesses are enumerated here,
// thread by thread, and of which every two are compared.

const (
	oracleThreads = 96  // three warps
	oracleWords   = 128 // of shared memory
)

// oracleAccess is a statement with one access to shared memory: kind is r, w, u (update)
// or a (atomic).
type oracleAccess struct {
	kind   byte
	line   int
	index  string
	at     func(tid, i int) int
	guard  string
	active func(tid, i int) bool
}

// oracleStep is a statement, or a loop around some; barrier is set if one follows, in a
// loop after each iteration.
type oracleStep struct {
	body    []oracleAccess
	times   int // 0: no loop
	barrier bool
}

type oracleKernel struct {
	name  string
	steps []oracleStep
}

// oracleData is what the kernels read indices from.
func oracleData(i int) int { return (i*i*7 + i*5 + 3) % 251 }

// oracleIndex chooses an index; i is the iteration of the loop.
func oracleIndex(r *rand.Rand) (string, func(tid, i int) int) {
	a, b := 1+r.IntN(4), r.IntN(oracleWords)
	switch r.IntN(5) {
	case 0:
		return fmt.Sprintf("(%d * tid + %d) %% 128", a, b), func(tid, _ int) int { return (a*tid + b) % 128 }
	case 1:
		return fmt.Sprintf("(tid ^ %d) %% 128", b), func(tid, _ int) int { return tid ^ b }
	case 2:
		return fmt.Sprintf("(tid + %d * i) %% 128", b), func(tid, i int) int { return (tid + b*i) % 128 }
	case 3:
		return fmt.Sprintf("data[tid + %d] %% 128", b), func(tid, _ int) int { return oracleData(tid+b) % 128 }
	}
	return "tid", func(tid, _ int) int { return tid }
}

func oracleGuard(r *rand.Rand) (string, func(tid, i int) bool) {
	m, k := 2+r.IntN(6), r.IntN(oracleThreads)
	switch r.IntN(4) {
	case 0:
		return fmt.Sprintf("if (tid %% %d == %d) ", m, k%m), func(tid, _ int) bool { return tid%m == k%m }
	case 1:
		return fmt.Sprintf("if (tid < %d) ", k), func(tid, _ int) bool { return tid < k }
	case 2:
		return fmt.Sprintf("if (tid + i == %d) ", k), func(tid, i int) bool { return tid+i == k }
	}
	return "", func(int, int) bool { return true }
}

func randomKernel(r *rand.Rand, name string) oracleKernel {
	k := oracleKernel{name: name}
	for range 2 + r.IntN(4) {
		step := oracleStep{barrier: r.IntN(3) > 0}
		n := 1
		if r.IntN(3) == 0 {
			step.times, n = 1+r.IntN(3), 1+r.IntN(2)
		}
		for range n {
			a := oracleAccess{kind: "rrwwua"[r.IntN(6)]}
			a.index, a.at = oracleIndex(r)
			a.guard, a.active = oracleGuard(r)
			step.body = append(step.body, a)
		}
		k.steps = append(k.steps, step)
	}
	return k
}

// oracleSource writes the kernels and notes the line of each access.
func oracleSource(kernels []oracleKernel) string {
	var lines []string
	put := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	put("#include <cstdio>")
	for _, k := range kernels {
		put("__global__ void %s(const int *data, int *out) {", k.name)
		put("    __shared__ int s[128];")
		put("    int tid = threadIdx.x, sum = 0, i = 0;")
		for _, step := range k.steps {
			if step.times > 0 {
				put("    for (i = 0; i < %d; i++) {", step.times)
			}
			for n := range step.body {
				a := &step.body[n]
				text := map[byte]string{'r': "sum += s[%s];", 'w': "s[%s] = tid;", 'u': "s[%s] += 1;", 'a': "atomicAdd(&s[%s], 1);"}[a.kind]
				put("    %s%s", a.guard, fmt.Sprintf(text, a.index))
				a.line = len(lines)
			}
			if step.barrier {
				put("    __syncthreads();")
			}
			if step.times > 0 {
				put("    }")
				put("    i = 0;")
			}
		}
		put("    out[tid] = sum;")
		put("}")
	}
	put("int main() {")
	put("    int h[256], *d, *out;")
	put("    for (int i = 0; i < 256; i++) h[i] = (i * i * 7 + i * 5 + 3) %% 251;")
	put("    cudaMalloc(&d, sizeof h), cudaMalloc(&out, sizeof h), cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);")
	for _, k := range kernels {
		put("    %s<<<1, %d>>>(d, out);", k.name, oracleThreads)
	}
	put("    puts(cudaGetErrorString(cudaDeviceSynchronize()));")
	put("}")
	return strings.Join(lines, "\n") + "\n"
}

// oracleEvent is one access of one thread, in a barrier interval. Two threads of a warp
// execute it together if the statement and the iteration are the same.
type oracleEvent struct {
	oracleAccess
	tid, instance, address int
}

// intervals enumerates all accesses, by barrier interval.
func (k oracleKernel) intervals() [][]oracleEvent {
	out, instance := [][]oracleEvent{nil}, 0
	for _, step := range k.steps {
		for i := range max(step.times, 1) {
			for _, a := range step.body {
				instance++
				for tid := range oracleThreads {
					if a.active(tid, i) {
						last := len(out) - 1
						out[last] = append(out[last], oracleEvent{a, tid, instance, a.at(tid, i)})
					}
				}
			}
			if step.barrier {
				out = append(out, nil)
			}
		}
	}
	return out
}

// verdict is what is to be found in a kernel: the pairs of lines that race, the words
// on which warps race, and the lines at which lanes of a warp write one word at once.
type verdict struct{ pairs, words, within map[string]bool }

func newVerdict() verdict {
	return verdict{map[string]bool{}, map[string]bool{}, map[string]bool{}}
}

// judge compares every two accesses of an interval: lanes of a warp are in lockstep, so
// that only those race that one instruction writes.
func (k oracleKernel) judge() verdict {
	v := newVerdict()
	writes := func(e oracleEvent) bool { return e.kind == 'w' || e.kind == 'u' }
	for _, all := range k.intervals() {
		for i, a := range all {
			for _, b := range all[i+1:] {
				if a.address != b.address || a.tid == b.tid || a.kind == 'a' && b.kind == 'a' || a.kind == 'r' && b.kind == 'r' {
					continue
				}
				lines := fmt.Sprintf("%s %d and %d", k.name, min(a.line, b.line), max(a.line, b.line))
				switch {
				case a.tid/32 != b.tid/32:
					v.pairs[lines] = true
					if writes(a) || writes(b) { // to grace-addr an atomic is a read
						v.words[fmt.Sprintf("%s %d", k.name, a.address)] = true
					}
				case a.instance == b.instance && writes(a):
					v.pairs[lines] = true
					v.within[lines] = true
				}
			}
		}
	}
	return v
}

// oracleFound reads a report as a verdict.
func oracleFound(all []finding.Finding) verdict {
	v := newVerdict()
	for _, f := range e2e.Separate(all) {
		var d struct{ Space, Addresses string }
		text, _ := json.Marshal(f.Details)
		if json.Unmarshal(text, &d) != nil || f.Rule != "race" || d.Space != "shared" {
			continue
		}
		name, _, _ := strings.Cut(f.KernelName, "(")
		if d.Addresses != "" {
			for _, span := range strings.Split(d.Addresses, ", ") {
				var from, to int
				fmt.Sscanf(span, "%d to %d", &from, &to)
				for at := from; at < to; at += 4 {
					v.words[fmt.Sprintf("%s %d", name, at/4)] = true
				}
			}
			continue
		}
		a, b := f.Primary.Loc.Line, f.Primary.Loc.Line
		for _, p := range f.Related {
			b = p.Loc.Line
		}
		lines := fmt.Sprintf("%s %d and %d", name, min(a, b), max(a, b))
		v.pairs[lines], v.within[lines] = true, true
	}
	return v
}

// tally counts what a checker finds rightly, wrongly and not at all.
type tally struct{ right, wrong, missed int }

func (n *tally) add(t *testing.T, who string, got, want map[string]bool) {
	t.Helper()
	for x := range got {
		if want[x] {
			n.right++
		} else {
			n.wrong++
			t.Errorf("%s: %s is not a race", who, x)
		}
	}
	for x := range want {
		if !got[x] {
			n.missed++
			t.Errorf("%s: %s is missed", who, x)
		}
	}
}

// TestGraceOracle: a few random kernels, 2,000 in the long tests, with and without the
// static analyzer's answer. Many kernels are one program, for compiling it is what takes
// the time.
func TestGraceOracle(t *testing.T) {
	bin := tooltest.Tool(t)
	sources, each := 1, 8
	if tooltest.Long() {
		sources, each = 20, 100
		tooltest.NeedsZ3(t)
	}
	tallies := make([]map[string]*tally, sources)
	t.Run("kernels", func(t *testing.T) {
		for i := range sources {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				tallies[i] = judgeKernels(t, bin, rand.New(rand.NewPCG(uint64(i), 19)), each)
			})
		}
	})
	sum, judged := map[string]tally{}, 0
	for _, m := range tallies {
		if m != nil {
			judged += each
		}
		for who, n := range m {
			s := sum[who]
			sum[who] = tally{s.right + n.right, s.wrong + n.wrong, s.missed + n.missed}
		}
	}
	for who, n := range sum {
		t.Logf("%s: of %d kernels %d races found, %d found wrongly, %d missed", who, judged, n.right, n.wrong, n.missed)
	}
}

func judgeKernels(t *testing.T, bin string, r *rand.Rand, n int) map[string]*tally {
	t.Helper()
	var kernels []oracleKernel
	for i := range n {
		kernels = append(kernels, randomKernel(r, fmt.Sprintf("k%d", i)))
	}
	source := filepath.Join(t.TempDir(), "kernels.cu")
	if err := os.WriteFile(source, []byte(oracleSource(kernels)), 0o666); err != nil {
		t.Fatal(err)
	}
	want := newVerdict()
	for _, k := range kernels {
		v := k.judge()
		for i, from := range []map[string]bool{v.pairs, v.words, v.within} {
			for x := range from {
				[]map[string]bool{want.pairs, want.words, want.within}[i][x] = true
			}
		}
	}
	out := map[string]*tally{"emulator": {}}
	_, all := e2e.RunJSON(t, bin, "--tool", "race", "--race-model", "lockstep", source)
	out["emulator"].add(t, "emulator", oracleFound(all).pairs, want.pairs)
	for _, flags := range oracleFlags(t, bin, source) {
		how := "grace" + strings.Join(flags[:len(flags)/2], "")
		stmt, lost := graceCounters(t, bin, "grace-stmt", graceProgram{source: source}, slices.Concat(flags, []string{"--pool", "512"})...)
		if lost["entries lost"] > 0 || len(stmt.report.Messages) > 0 {
			t.Error(lost, stmt.report.Messages)
		}
		out[how+" stmt"] = new(tally)
		out[how+" stmt"].add(t, how+" stmt", oracleFound(stmt.report.Findings).pairs, want.pairs)
		addr, _ := graceCounters(t, bin, "grace-addr", graceProgram{source: source}, flags...)
		found := oracleFound(addr.report.Findings)
		out[how+" addr"] = new(tally)
		out[how+" addr"].add(t, how+" addr", found.words, want.words)
		out[how+" addr"].add(t, how+" addr", found.within, want.within)
	}
	return out
}

// oracleFlags are the flags of instrument: none, and in the long tests the static
// analyzer's answer.
func oracleFlags(t *testing.T, bin, source string) [][]string {
	t.Helper()
	out := [][]string{nil}
	if tooltest.Long() {
		static := filepath.Join(t.TempDir(), "static.json")
		exec.Command(bin, "check", "--tool", "race", "--race-model", "lockstep", "--format", "json", "-o", static, source).Run() // the exit code reports findings
		out = append(out, []string{"--static", static})
	}
	return out
}
