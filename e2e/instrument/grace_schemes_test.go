package instrument

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// The tests of this file hold the schemes of GRace (Zheng et al., 2011) against
// the emulator's race rule with the lanes of a warp in lockstep, which is the
// model that the schemes have.

// graceProgram is an example with the macros that it is compiled with.
type graceProgram struct {
	source  string
	defines []string
}

func (p graceProgram) flags() []string {
	var out []string
	for _, d := range p.defines {
		out = append(out, "-D", d)
	}
	return append(out, "-I", "examples", "-I", filepath.Dir(p.source))
}

func (p graceProgram) String() string {
	return strings.Join(append([]string{filepath.Base(p.source)}, p.defines...), " ")
}

// byTurns reports whether the lanes' turns decide what the program accesses: a scheme
// changes them as any other code does. Lanes that found a slot taken and lanes that lost one
// meet behind the loop alone, as some jump out of it between them; which continue first decides
// who writes where together. In testdata/instrument/claim.cu they meet in each
// iteration, and both schemes count the same.
func (p graceProgram) byTurns() bool { return filepath.Base(p.source) == "forgotten_volatile.cu" }

const (
	coCluster = "examples/papers/co_cluster.cu"
	emCluster = "examples/papers/em.cu"
)

// gracePrograms are small enough for the quadratic GRace-stmt.
var gracePrograms = []graceProgram{
	{coCluster, []string{"COLS=16", "ROUNDS=1"}},
	{coCluster, []string{"COLS=16", "BUG"}},
	{emCluster, []string{"POINTS=2048", "ROUNDS=1"}},
	{emCluster, []string{"POINTS=2560", "ROUNDS=1", "THREADS=320"}},
	{"examples/scan/scan.cu", []string{"NO_BARRIER=1"}},
	{"examples/boyer/fig1.cu", nil},
	{"examples/bugs/missing_syncwarp.cu", nil},
	{"examples/langdon/forgotten_volatile.cu", nil},
	{"testdata/instrument/bytes.cu", nil},
	{"testdata/instrument/claim.cu", nil},
}

// racingLines are the pairs of lines that race in shared memory, sorted.
func racingLines(all []finding.Finding) []string {
	var out []string
	for _, f := range e2e.Separate(all) {
		var d struct{ Space string }
		text, _ := json.Marshal(f.Details)
		if err := json.Unmarshal(text, &d); err != nil || f.Rule != "race" || d.Space != "shared" {
			continue
		}
		a, b := f.Primary.Loc.Line, f.Primary.Loc.Line
		for _, p := range f.Related {
			b = p.Loc.Line
		}
		if s := fmt.Sprintf("%d and %d", min(a, b), max(a, b)); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return out
}

// lockstepLines are the pairs of lines that the emulator finds.
func lockstepLines(t *testing.T, bin string, p graceProgram) []string {
	t.Helper()
	_, findings := e2e.RunJSON(t, bin, append(append([]string{"--tool", "race", "--race-model", "lockstep"}, p.flags()...), p.source)...)
	return racingLines(findings)
}

// graceCounters reads the scheme's counters from the report of a run.
func graceCounters(t *testing.T, bin, scheme string, p graceProgram, flags ...string) (instrumented, map[string]uint64) {
	t.Helper()
	dir := t.TempDir()
	out, report := filepath.Join(dir, "out.cu"), filepath.Join(dir, "report.json")
	args := slices.Concat([]string{"instrument", "--scheme", scheme, "-o", out}, flags, p.flags(), []string{p.source})
	if text, err := exec.Command(bin, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, text)
	}
	cmd := exec.Command(bin, slices.Concat([]string{"run", "-q", "--tool", "launch", "-o", os.DevNull}, p.flags(), []string{out})...)
	cmd.Env = append(os.Environ(), "WARPGRIND_REPORT="+report)
	stdout, err := cmd.Output()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	got := instrumented{exit: cmd.ProcessState.ExitCode(), stdout: string(stdout)}
	var raw struct {
		Stats map[string][]map[string]json.RawMessage `json:"stats"`
	}
	text, err := os.ReadFile(report)
	if err != nil {
		return got, nil // nothing was instrumented
	}
	if err := json.Unmarshal(text, &got.report); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	counters := map[string]uint64{}
	for _, source := range raw.Stats[scheme] {
		for name, value := range source {
			var n uint64
			if json.Unmarshal(value, &n) == nil {
				counters[name] += n
			}
		}
	}
	return got, counters
}

// TestGraceAgrees: results are those of the original, GRace-stmt names the
// pairs of lines that the emulator finds, and GRace-addr the addresses that
// GRace-stmt finds. An example that prints what a race gave it is not compared.
func TestGraceAgrees(t *testing.T) {
	bin := tooltest.Tool(t)
	for i, p := range gracePrograms {
		if !tooltest.Sampled(i+1, 8) { // defective variants
			continue
		}
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			want := lockstepLines(t, bin, p)
			exit, output := original(t, bin, append(p.flags(), p.source)...)
			stmt, byStmt := graceCounters(t, bin, "grace-stmt", p)
			addr, byAddr := graceCounters(t, bin, "grace-addr", p)
			if got := racingLines(stmt.report.Findings); !slices.Equal(got, want) {
				t.Errorf("grace-stmt finds lines %v, the emulator %v", got, want)
			}
			for _, name := range []string{"racing addresses", "racing pairs within a warp"} {
				if byStmt[name] != byAddr[name] && !p.byTurns() {
					t.Errorf("%s: grace-stmt %d, grace-addr %d", name, byStmt[name], byAddr[name])
				}
			}
			if (byStmt["racing addresses"] > 0) != (len(want) > 0) || byStmt["entries lost"] > 0 {
				t.Errorf("counters %v with races at %v", byStmt, want)
			}
			for scheme, got := range map[string]instrumented{"grace-stmt": stmt, "grace-addr": addr} {
				if len(want) == 0 && (got.exit != exit || got.stdout != output) {
					t.Errorf("%s: exit code %d, want %d; output\n%s\nwant\n%s", scheme, got.exit, exit, got.stdout, output)
				}
			}
		})
	}
}

// readSites reads what --sites wrote.
func readSites(t *testing.T, file string) (sites []instrument.Site) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &sites)
	}
	if err != nil {
		t.Fatal(err)
	}
	return sites
}
