package passes

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/coverage"
	"github.com/warpgrind/warpgrind/internal/pragma"
)

// TestCoverageAgrees compares the lines and branches of testdata/coverage.cpp, with made-up counts, with those of llvm-cov.
func TestCoverageAgrees(t *testing.T) {
	tools := coverageTools(t)
	source, err := filepath.Abs("testdata/coverage.cpp")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ir := runIn(t, dir, tools["clang"], "-Xclang", "-fprofile-instrument=clang", "-Xclang", "-fcoverage-mapping", "-Xclang", "-disable-llvm-passes", "-O1", "-S", "-emit-llvm", "-o", "-", source)
	runIn(t, dir, tools["clang"], "-fprofile-instr-generate", "-fcoverage-mapping", "-c", "-o", "x.o", source)
	c, profile := collected(t, irtext.Parse([]byte(ir)))
	if err := os.WriteFile(filepath.Join(dir, "x.proftext"), []byte(profile), 0o666); err != nil {
		t.Fatal(err)
	}
	runIn(t, dir, tools["llvm-profdata"], "merge", "x.proftext", "-o", "x.profdata")
	want := recordsIn(runIn(t, dir, tools["llvm-cov"], "export", "-format=lcov", "-instr-profile=x.profdata", "x.o"))
	got := recordsOf(c.Result())
	for line := range max(len(want), len(got)) {
		if w, g := want[line], got[line]; !slices.Equal(w, g) {
			t.Errorf("line %d: %q; llvm-cov has %q", line, g, w)
		}
	}
	if len(want) < 50 {
		t.Errorf("llvm-cov has %d lines", len(want))
	}
}

// coverageTools are a clang and LLVM's tools for coverage of its version.
func coverageTools(t *testing.T) map[string]string {
	t.Helper()
	for version := 40; version >= 15; version-- {
		found := map[string]string{}
		for _, name := range []string{"clang", "llvm-profdata", "llvm-cov"} {
			if path, err := exec.LookPath(fmt.Sprintf("%s-%d", name, version)); err == nil {
				found[name] = path
			}
		}
		if len(found) == 3 {
			return found
		}
	}
	t.Skip("clang, llvm-profdata and llvm-cov of one version are not installed")
	return nil
}

func runIn(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return string(out)
}

// collected reads a module, with counts that are made up: each counter is larger than all that come after it together, so
// that no difference is negative. The second result is LLVM's profile of the same counts.
func collected(t *testing.T, m *irtext.Module) (*coverage.Collector, string) {
	t.Helper()
	marker := &coverageMarker{ids: map[string]string{}, names: map[string]string{}}
	u := marker.constants(m)
	c := coverage.NewCollector()
	if err := c.Add(u); err != nil {
		t.Fatal(err)
	}
	var profile strings.Builder
	counters := map[string]int{}
	for _, l := range m.Lines {
		if x, ok := marker.incrementIn(l); ok {
			counters[x.at.Function] = max(counters[x.at.Function], x.at.Number+1)
		}
	}
	for _, f := range u.Functions {
		n := counters[f.ID()]
		if n == 0 {
			continue
		}
		fmt.Fprintf(&profile, "%s\n%d\n%d\n", f.Name, f.Hash, n)
		for i := range n {
			count := uint64(1) << (28 - i)
			c.Count(pragma.Counter{Function: f.ID(), Number: i}, coverage.Count{Threads: count})
			fmt.Fprintln(&profile, count)
		}
		fmt.Fprintln(&profile)
	}
	return c, profile.String()
}

// recordsIn are the counts of lines and branches in an LCOV file, by line, the branches in the order of their counts.
func recordsIn(text string) map[int][]string {
	out := map[int][]string{}
	branch := ""
	for line := range strings.Lines(text) {
		var at, block, way int
		var count string
		if n, _ := fmt.Sscanf(line, "DA:%d,%s", &at, &count); n == 2 {
			out[at] = append(out[at], "DA "+count)
		} else if n, _ := fmt.Sscanf(line, "BRDA:%d,%d,%d,%s", &at, &block, &way, &count); n == 4 {
			if way%2 == 0 {
				branch = count
			} else {
				out[at] = append(out[at], fmt.Sprintf("BRDA %s %s", branch, count))
			}
		}
	}
	for _, list := range out {
		slices.Sort(list)
	}
	return out
}

func recordsOf(r *coverage.Result) map[int][]string {
	out := map[int][]string{}
	for _, f := range r.Files {
		for _, l := range f.Lines {
			out[l.Line] = append(out[l.Line], fmt.Sprintf("DA %d", l.Threads))
		}
		for _, b := range f.Branches {
			yes, no := fmt.Sprint(b.Taken.Threads), fmt.Sprint(b.NotTaken.Threads)
			if !b.Evaluated() {
				yes, no = "-", "-"
			}
			out[b.Line] = append(out[b.Line], fmt.Sprintf("BRDA %s %s", yes, no))
		}
	}
	for _, list := range out {
		slices.Sort(list)
	}
	return out
}
