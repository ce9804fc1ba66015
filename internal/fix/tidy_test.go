package fix

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// tidyProgram has synchronization of each kind that it needs, and that it does not need.
const tidyProgram = `#include <cstdio>
#include <cstdlib>
__global__ void k(int *out, int *counts, int step) {
  __shared__ int s[64], r[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads(); // needed
  out[t] = s[63 - t];
  __syncthreads(); // weaker
  out[t ^ 1] += 1;
  atomicAdd(&counts[t], 2);
  atomicAdd(counts + 64, 1);
  r[t] = 1;
  __syncthreads(); // input
  out[t] = r[(t + step) % 64];
  if (t == 0)
    __threadfence();
  if (step < 0) __syncthreads(); // never
}
__global__ void own(int *a) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads(); // proved
  a[threadIdx.x] = s[threadIdx.x];
}
int main(int argc, char **argv) {
  int *out, *counts, h[65] = {};
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMalloc(&counts, sizeof h);
  cudaMemcpy(counts, h, sizeof h, cudaMemcpyHostToDevice);
  k<<<1, 64>>>(out, counts, argc > 1 ? atoi(argv[1]) : 0);
  own<<<1, 64>>>(out);
  cudaMemcpy(h, counts, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[1], h[64]);
}
`

func tidyFile(t *testing.T, text string) string {
	t.Helper()
	tooltest.NeedsClang(t)
	file := filepath.Join(t.TempDir(), "a.cu")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestTidy: what is proved to be redundant is taken away, and what two inputs do not need if that is asked for.
func TestTidy(t *testing.T) {
	for _, theseInputs := range []bool{false, true} {
		t.Run(fmt.Sprintf("these inputs %v", theseInputs), func(t *testing.T) { tidies(t, theseInputs) })
	}
}

func tidies(t *testing.T, theseInputs bool) {
	file := tidyFile(t, tidyProgram)
	r, err := Tidy(context.Background(), fixConfig(file), []string{"1"}, theseInputs, nil)
	if err != nil {
		t.Fatal(err)
	}
	here := repair.Unneeded
	if theseInputs {
		here = repair.Redundant
	}
	want := map[string]repair.Need{
		"needed": repair.Needed, "weaker": here, "counts[t]": repair.Needed, "counts + 64": repair.Needed, "input": repair.Needed,
		"__threadfence": here, "never": repair.NotReached, "proved": repair.Redundant,
	}
	lines := strings.Split(tidyProgram, "\n")
	for _, x := range r.Results {
		for mark, need := range want {
			if !strings.Contains(lines[x.At.Line-1], mark) {
				continue
			}
			if delete(want, mark); x.Need != need || x.Proved != (mark == "proved") {
				t.Fatalf("%s: %+v, want %s", mark, x, need)
			}
			if need == repair.Redundant && x.Saving.Barriers+x.Saving.Fences+x.Saving.Atomics <= 0 {
				t.Errorf("%s: saves %+v", mark, x.Saving)
			}
		}
	}
	if len(want) > 0 || len(r.Results) != 8 || len(r.Files) != 1 || r.Exit != session.ExitClean {
		t.Fatalf("not there: %v; %+v", want, r)
	}
	after := r.Files[0].After
	for in, proved := range map[string]bool{"  __syncwarp(); // weaker\n": false, "step) % 64];\n  if (step < 0)": false, "threadIdx.x;\n  a[": true} {
		if strings.Contains(after, in) != (proved || theseInputs) {
			t.Errorf("%q: %v\n%s", in, theseInputs, after)
		}
	}
}

// TestTidyRefuses: whatever is proposed, what does not hold is not offered, and the reason is told.
func TestTidyRefuses(t *testing.T) {
	cases := []struct {
		text, more string
		cause      repair.TrialCause
	}{
		{"nothing()", "", repair.NotCompiled},
		{"if (t == 0) s[32] = 32", "", repair.NewFinding},
		{"if (t < 32) __syncthreads()", "", repair.NewFinding},
		{"__syncthreads(); out[t] = 0; return", "", repair.OtherResult},
		{"__syncthreads(); if (step == 1) return", "1", repair.OtherResult},
		{"__trap()", "", ""},
	}
	file := tidyFile(t, tidyProgram)
	propose := func(written string, of func(i int) string) func(p *code.Program) []*repair.Redundancy {
		return func(p *code.Program) []*repair.Redundancy {
			x := repair.Redundancies(p)[0]
			from := strings.Index(tidyProgram, "__syncthreads()")
			x.Patches = nil
			for i := range cases {
				if text := of(i); text != "" {
					edit := code.Edit{File: file, From: from, To: from + len("__syncthreads()"), Text: text}
					last := &code.Patch{What: text, Edits: []code.Edit{edit}, Inline: []code.Edit{edit}}
					if written != "" {
						edit.Text = written
						last.Edits = []code.Edit{edit}
					}
					x.Patches = append(x.Patches, last)
				}
			}
			return []*repair.Redundancy{x}
		}
	}
	r, err := tidyWith(context.Background(), fixConfig(file), []string{"1"}, true, nil, propose("", func(i int) string { return cases[i].text }))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Results) != 1 || r.Results[0].Need != repair.Needed || len(r.Files) > 0 || len(r.Results[0].Tried) != len(cases) {
		t.Fatalf("%+v", r)
	}
	for i, x := range r.Results[0].Tried {
		if x.Why == "" || cases[i].cause != "" && x.Cause != cases[i].cause {
			t.Errorf("%s: %s, %s", cases[i].text, x.Cause, x.Why)
		}
		if second := strings.Contains(x.Why, "with input 2"); second != (cases[i].more != "") {
			t.Errorf("%s: %s", cases[i].text, x.Why)
		}
	}
	t.Run("another text than was run", func(t *testing.T) {
		same := func(i int) string {
			if i == 0 {
				return "__syncthreads()"
			}
			return ""
		}
		if r, err := tidyWith(context.Background(), fixConfig(file), nil, true, nil, propose("out[t] = 0", same)); err == nil {
			t.Errorf("it is offered: %+v", r.Files)
		}
	})
	t.Run("a program with errors", func(t *testing.T) {
		r, err := Tidy(context.Background(), fixConfig(tidyFile(t, brokenProgram)), nil, false, nil)
		if err != nil || r.Exit != session.ExitFindings || len(r.Results) > 0 || len(r.Messages) == 0 {
			t.Errorf("%v, %+v", err, r)
		}
	})
}

// TestTidyAsks: only what is chosen is written, and only if it holds without what is not.
func TestTidyAsks(t *testing.T) {
	file := tidyFile(t, tidyProgram)
	propose := func(p *code.Program) []*repair.Redundancy {
		list := repair.Redundancies(p)[:2]
		for i, more := range []string{" int extra = 0;", " (void)extra;"} { // the second needs the first
			x := list[i]
			from := 0
			for _, line := range strings.SplitAfter(tidyProgram, "\n")[:x.At.Line-1] {
				from += len(line)
			}
			from += x.At.Col - 1 + len("__syncthreads();")
			edits := []code.Edit{{File: file, From: from, To: from, Text: more}}
			x.Patches = []*code.Patch{{What: more, Edits: edits, Inline: edits}}
		}
		return list
	}
	for _, c := range []struct {
		takes, written string
		fails          bool
	}{
		{takes: " int extra = 0;", written: " int extra = 0;"},
		{takes: " (void)extra;", fails: true},
		{},
	} {
		r, err := tidyWith(context.Background(), fixConfig(file), nil, true, func(o *repair.Offer) (bool, error) {
			if len(o.Files) != 1 || !strings.Contains(o.Files[0].After, o.What) {
				t.Errorf("the offer is %+v", o)
			}
			return o.What == c.takes, nil
		}, propose)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Results) != 2 || (len(r.Messages) > 0) != c.fails || (len(r.Files) > 0) != (c.written != "") {
			t.Errorf("%q: %+v", c.takes, r)
		} else if c.written != "" && (!strings.Contains(r.Files[0].After, c.written) || strings.Contains(r.Files[0].After, "(void)extra") || r.Results[1].Need != repair.Kept) {
			t.Errorf("%q: %+v", c.takes, r)
		}
	}
}
