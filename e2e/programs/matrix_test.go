package programs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestMatrix runs one small kernel in four of testdata/regress and testdata/perf, all
// rules on, in each race model, on both builds and with a random schedule (all with
// two in the long tests). The reports
// of one worker and of two must be the same byte for byte, and what is not the
// race rule's must not depend on the model. The race rule's own kernels go
// through the same ways in internal/check/race, those of testdata/defects
// through theirs in TestDefects.
func TestMatrix(t *testing.T) {
	bin := tooltest.Tool(t)
	var files []string
	for _, dir := range []string{"regress", "perf"} {
		found, err := filepath.Glob(filepath.Join("testdata", dir, "*.cu"))
		if err != nil || len(found) == 0 {
			t.Fatal("no programs in", dir, err)
		}
		files = append(files, found...)
	}
	seeds := []string{"1"}
	if tooltest.Long() {
		seeds = append(seeds, "2")
	}
	for i, file := range files {
		if !tooltest.Sampled(i, 4) {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".cu"), func(t *testing.T) {
			t.Parallel()
			for k, build := range []string{"source", "optimized"} {
				if !tooltest.Sampled(i/4+k, 2) {
					continue
				}
				for _, seed := range seeds {
					models(t, bin, file, "--build", build, "--schedule", "random", "--seed", seed)
				}
			}
		})
	}
}

// models runs a file in each race model.
func models(t *testing.T, bin, file string, flags ...string) {
	t.Helper()
	var its []string
	for _, model := range []string{"its", "lockstep", "thread"} {
		args := append([]string{"--tool", "all", "--format", "json", "--race-model", model}, flags...)
		one := e2e.Run(t, bin, slices.Concat(args, []string{"-j", "1", file})...)
		two := e2e.Run(t, bin, slices.Concat(args, []string{"-j", "2", file})...)
		if !bytes.Equal(one.Report, two.Report) {
			t.Errorf("%v: the reports of -j 1 and -j 2 differ:\n%s", args, e2e.FirstDifference(one.Report, two.Report))
		}
		others := otherThanRaces(t, one.Report)
		if its == nil {
			its = others
		}
		if !slices.Equal(others, its) {
			t.Errorf("%v: findings %q, with its %q", args, others, its)
		}
	}
}

func otherThanRaces(t *testing.T, text []byte) []string {
	t.Helper()
	var r struct {
		Findings []finding.Finding `json:"findings"`
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, f := range e2e.Separate(r.Findings) {
		if f.Rule != "race" {
			out = append(out, fmt.Sprintf("%d %s %s %v %d", f.Primary.Loc.Line, f.Rule, f.Kind, f.Level, f.Count))
		}
	}
	return out
}
