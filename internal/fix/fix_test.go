package fix

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// brokenProgram has a race that a barrier removes. The comments are where patches go.
const brokenProgram = `#include <cstdio>
__global__ void k(int *out) {
  __shared__ int s[64], r[64];
  int t = threadIdx.x;
  s[t] = t;
  /*A*/
  out[t] = s[63 - t];
  /*B*/
  r[t] = t; /*C*/ __syncthreads();
  out[t] += r[t ^ 32] /*D*/ ;
  if (t == 0) out[64] = 7;
}
int main() {
  int *out, h[65];
  cudaMalloc(&out, sizeof h);
  k<<<1, 64>>>(out); /*H*/
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[1]);
  printf("%d\n", h[64]);
}
`

// inserts is a patch that adds texts at marks. written is what it says it adds, where that differs.
func inserts(file, what string, keeps bool, at map[string]string, written map[string]string) *code.Patch {
	p := &code.Patch{What: what, KeepsMemory: keeps}
	for mark, text := range at {
		from := strings.Index(brokenProgram, "/*"+mark+"*/")
		p.Inline = append(p.Inline, code.Edit{File: file, From: from, To: from + 5, Text: text})
		if w, differs := written[mark]; differs {
			text = w
		}
		p.Edits = append(p.Edits, code.Edit{File: file, From: from, To: from + 5, Text: text})
	}
	return p
}

// TestFixRefuses: whatever is proposed, what does not hold is not offered, and the reason is told.
func TestFixRefuses(t *testing.T) {
	tooltest.NeedsClang(t)
	file := filepath.Join(t.TempDir(), "broken.cu")
	if err := os.WriteFile(file, []byte(brokenProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	bad := func(what, mark, text string) *code.Patch {
		return inserts(file, what, false, map[string]string{mark: text}, nil)
	}
	const barrier = "__syncthreads();"
	fills := inserts(file, "a fill of what was written", false, map[string]string{"A": barrier, "H": "cudaMemset(out, 0, sizeof h);"}, nil)
	fills.Fills = true
	skips := inserts(file, "a condition that keeps valid accesses away", true, map[string]string{"A": barrier + " if (t >= 32) out[t] = 5; else"}, nil)
	skips.Skips = source.Pos{File: file, Line: 7, Col: 12}
	cases := []struct {
		patch *code.Patch
		why   string
	}{
		{bad("what does not compile", "A", "nothing();"), "it does not compile"},
		{bad("what changes nothing", "A", ";"), "the finding stays"},
		{bad("a barrier elsewhere", "B", barrier), "the finding stays"},
		{bad("a barrier that not all threads reach", "A", "if (t < 32) __syncthreads();"), ""},
		{bad("one race for another", "A", barrier+" r[t ^ 32] = 1; out[t] = r[t];"), "race: "},
		{bad("an access out of bounds", "A", barrier+" out[t + 64] = 1;"), "memory: "},
		{bad("a read of what nothing has written", "A", barrier+" out[t] = out[t] + 1;"), "init: "},
		{bad("a kernel that ends at once", "A", "return;"), "are not written any more"},
		{bad("a kernel that does not end", "A", barrier+" while (t < 99) t ^= 1;"), "hang: "},
		{bad("a fault", "A", barrier+" __trap();"), ""},
		{bad("a race under some schedules", "A", "if (*(volatile int *)&s[63 - t] != 63 - t) "+barrier), ""},
		{bad("an instruction that there is not", "A", barrier+` asm volatile("nothing.u32 0;");`), "its device code is not loaded: "},
		{bad("host code that does not compile", "H", "nothing();"), "it does not compile"},
		{inserts(file, "a crash of the host", false, map[string]string{"A": barrier, "H": "__builtin_trap();"}, nil), "the program is ended by "},
		{fills, "it overwrites what the program has written"},
		{skips, "it leaves out valid accesses"},
		{inserts(file, "another result in memory", true, map[string]string{"A": barrier, "D": "+ 1"}, nil), "it changes results: "},
	}
	var list []*code.Patch
	for _, c := range cases {
		list = append(list, c.patch)
	}
	r := fixed(t, file, list...)
	if len(r.Files) > 0 || r.Exit != session.ExitFindings || len(r.Results) != 1 || r.Results[0].Outcome != repair.Open || len(r.Results[0].Tried) < len(cases) {
		t.Fatalf("%+v", r)
	}
	for i, tried := range r.Results[0].Tried {
		want := "" // of a patch in two parts, of which the second is for what the first brought
		if i < len(cases) {
			want = cases[i].why
		}
		if tried.Why == "" || !strings.Contains(tried.Why, want) {
			t.Errorf("%s: the reason is %q, want %q", tried.What, tried.Why, want)
		}
	}

	t.Run("the first that holds", func(t *testing.T) {
		r := fixed(t, file, bad("nothing", "A", ";"), bad("the barrier", "A", barrier), bad("too much", "A", barrier+barrier))
		if r.Exit != session.ExitClean || len(r.Files) != 1 || !strings.Contains(r.Files[0].After, "  "+barrier+"\n  out[t]") {
			t.Errorf("%+v", r)
		}
	})
	t.Run("declined", func(t *testing.T) {
		none := func(*repair.Offer) (bool, error) { return false, nil }
		r, _, err := fixWith(context.Background(), fixConfig(file), none, propose(bad("the barrier", "A", barrier)))
		if err != nil || len(r.Files) > 0 || r.Exit != session.ExitFindings || r.Results[0].Outcome != repair.Declined {
			t.Errorf("%v, %+v", err, r)
		}
	})
	t.Run("another text than was run", func(t *testing.T) {
		p := inserts(file, "the barrier", false, map[string]string{"A": barrier}, map[string]string{"A": ";"})
		if r, _, err := fixWith(context.Background(), fixConfig(file), nil, propose(p)); err == nil {
			t.Errorf("it is offered: %+v", r.Files)
		}
	})
	t.Run("a header that the text does not have", func(t *testing.T) {
		const grid = "cooperative_groups::this_thread_block().sync();"
		p := inserts(file, "the barrier", false, map[string]string{"A": grid}, nil)
		p.Headers = []string{"cooperative_groups.h"}
		if r, _, err := fixWith(context.Background(), fixConfig(file), nil, propose(p)); err == nil {
			t.Errorf("it is offered: %+v", r.Files)
		}
	})
	t.Run("a result that was defined", func(t *testing.T) {
		r := fixed(t, file, inserts(file, "two changes", false, map[string]string{"A": barrier, "D": "* 2"}, nil), bad("the barrier", "A", barrier))
		if len(r.Results) == 0 || r.Results[0].What != "the barrier" {
			t.Errorf("%+v", r.Results)
		}
	})
}

func fixConfig(file string) session.Config {
	return session.Config{Config: build.Config{Inputs: []string{file}}, RunConfig: session.RunConfig{Timeout: 20 * time.Second, MaxSteps: 1 << 22, Stdout: io.Discard, Stderr: io.Discard}}
}

func propose(patches ...*code.Patch) func(*fixer, *finding.Finding) []*code.Patch {
	return func(*fixer, *finding.Finding) []*code.Patch { return patches }
}

// fixed repairs a program with some proposals.
func fixed(t *testing.T, file string, patches ...*code.Patch) *repair.Report {
	t.Helper()
	r, _, err := fixWith(context.Background(), fixConfig(file), nil, propose(patches...))
	if err != nil {
		t.Fatal(err)
	}
	return r
}
