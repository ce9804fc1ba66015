package programs

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// The tests of this file repeat what Boyer, Skadron and Weimer report in
// "Automated Dynamic Analysis of CUDA Programs" (2008).

// TestFigure1: "RAW hazard at expression: #line 8", and none with the barrier.
func TestFigure1(t *testing.T) {
	bin := tooltest.Tool(t)
	got, findings := e2e.RunJSON(t, bin, "examples/boyer/fig1.cu")
	if got.Exit != 1 {
		t.Errorf("exit code %d, want 1\n%s", got.Exit, got.Stderr)
	}
	if len(findings) != 1 || findings[0].Rule != "race" || findings[0].Primary.Loc.Line != 8 {
		t.Errorf("want exactly one race, at line 8; got:\n%s", e2e.Show(findings))
	}
	for _, model := range []string{"its", "lockstep", "thread"} {
		if got := e2e.Run(t, bin, "--race-model", model, "examples/boyer/fig1.cu"); got.Exit != 1 {
			t.Errorf("--race-model %s: exit code %d, want 1", model, got.Exit)
		}
	}
	fixed := e2e.Run(t, bin, "examples/boyer/fig1_fixed.cu")
	if fixed.Exit != 0 || !strings.Contains(string(fixed.Report), "0 findings") {
		t.Errorf("with the barrier: exit code %d, report:\n%s", fixed.Exit, fixed.Report)
	}
}

// bankDetails is what these tests need of the bank rule's details.
type bankDetails struct {
	Worst     int    `json:"worst"`
	Requests  uint64 `json:"requests"`
	Conflicts uint64 `json:"conflicts"`
	Histogram []int  `json:"histogram"`
}

func bankFindings(t *testing.T, findings []finding.Finding, kernel string) map[int]bankDetails {
	t.Helper()
	byLine := map[int]bankDetails{}
	for _, f := range findings {
		if f.Rule != "bank" || !strings.Contains(f.KernelName, kernel) {
			continue
		}
		var d bankDetails
		text, err := json.Marshal(f.Details)
		if err == nil {
			err = json.Unmarshal(text, &d)
		}
		if err != nil {
			t.Fatal(err)
		}
		sum := byLine[f.Primary.Loc.Line]
		sum.Requests += d.Requests
		sum.Conflicts += d.Conflicts
		if d.Worst > sum.Worst {
			sum.Worst, sum.Histogram = d.Worst, d.Histogram
		}
		byLine[f.Primary.Loc.Line] = sum
	}
	return byLine
}

// TestFigure2: no conflicts at line 21 with the flag 0, and with the flag 1
// bank 0 with 16 accesses.
func TestFigure2(t *testing.T) {
	bin := tooltest.Tool(t)
	flags := []string{"--tool", "bank", "--arch", "sm_13", "examples/boyer/fig2.cu"}
	_, findings := e2e.RunJSON(t, bin, flags...)
	if len(findings) > 0 {
		t.Errorf("flag 0: want no conflicts, got:\n%s", e2e.Show(findings))
	}
	_, findings = e2e.RunJSON(t, bin, append([]string{"-D", "CAUSE_BANK_CONFLICTS=1"}, flags...)...)
	at21, ok := bankFindings(t, findings, "k(")[21]
	if !ok || at21.Worst != 16 || len(at21.Histogram) != 16 || at21.Histogram[0] != 16 {
		t.Errorf("flag 1: want 16 accesses of bank 0 at line 21, got %+v\n%s", at21, e2e.Show(findings))
	}
}

// span is a range of source lines, both ends included.
type span struct{ from, to int }

func (s span) has(line int) bool { return s.from <= line && line <= s.to }

// scanLines finds, for each of the two kernels with removable barriers, the
// lines of the kernel's start, its three barriers and its end.
func scanLines(t *testing.T) map[string][5]int {
	t.Helper()
	text, err := os.ReadFile("examples/scan/scan.cu")
	if err != nil {
		t.Fatal(err)
	}
	marks := []string{"__global__", " UP_SWEEP_BARRIER();", " DOWN_SWEEP_BARRIER();", " FINAL_BARRIER();", "}"}
	out := map[string][5]int{}
	for _, kernel := range []string{"scanEfficient", "scanPadded"} {
		var at [5]int
		next := 0
		for i, line := range strings.Split(string(text), "\n") {
			if next == len(marks) {
				break
			}
			starts := next > 0 || strings.Contains(line, kernel)
			if starts && strings.HasPrefix(strings.TrimLeft(line, " "), strings.TrimLeft(marks[next], " ")) &&
				(next < 4 || line == "}") {
				at[next] = i + 1
				next++
			}
		}
		if next != len(marks) {
			t.Fatalf("%s: mark %q not found", kernel, marks[next])
		}
		out[kernel] = at
	}
	return out
}

// TestScanBarriers: the scan as shipped is clean; each barrier removed in turn
// leaves races where that barrier was, and not beyond the next one.
func TestScanBarriers(t *testing.T) {
	bin := tooltest.Tool(t)
	lines := scanLines(t)
	tests := []struct {
		flag     string
		from, to int // indices of scanLines' marks
	}{
		{"NO_BARRIER=1", 0, 2},
		{"NO_BARRIER=2", 1, 3},
		{"NO_BARRIER=3", 2, 4},
	}
	for _, tt := range tests {
		t.Run(tt.flag, func(t *testing.T) {
			t.Parallel()
			got, findings := e2e.RunJSON(t, bin, "-D", tt.flag, "examples/scan/scan.cu")
			if got.Exit != 1 {
				t.Errorf("exit code %d, want 1\n%s", got.Exit, got.Stderr)
			}
			for kernel, at := range lines {
				if kernel == "scanEfficient" && tt.from == 2 {
					continue // there each thread stores what it computed itself
				}
				checkRaces(t, findings, kernel, span{at[tt.from], at[tt.to]})
			}
			for _, f := range findings {
				if strings.Contains(f.KernelName, "scanNaive") {
					t.Errorf("not expected:\n%s", e2e.Show([]finding.Finding{f}))
				}
			}
		})
	}
}

// checkRaces wants races in the kernel, all of them within the span.
func checkRaces(t *testing.T, findings []finding.Finding, kernel string, s span) {
	t.Helper()
	races := 0
	for _, f := range findings {
		if f.Rule != "race" || !strings.Contains(f.KernelName, kernel) {
			continue
		}
		races++
		places := append([]finding.Place{f.Primary}, f.Related...)
		for _, p := range places {
			if p.Loc.Line > 0 && !s.has(p.Loc.Line) {
				t.Errorf("%s: race outside lines %d to %d:\n%s", kernel, s.from, s.to, e2e.Show([]finding.Finding{f}))
			}
		}
	}
	if races == 0 {
		t.Errorf("%s: no race", kernel)
	}
}

// TestScanBanks: as shipped, mild conflicts at some statements; with the macro
// that should avoid all conflicts, at least twice as many conflicts, up to
// 16-way.
func TestScanBanks(t *testing.T) {
	bin := tooltest.Tool(t)
	flags := []string{"--tool", "bank", "--arch", "sm_13", "examples/scan/scan.cu"}
	_, findings := e2e.RunJSON(t, bin, flags...)
	shipped := bankFindings(t, findings, "scanPadded")
	if len(shipped) == 0 {
		t.Errorf("as shipped: want mild conflicts, got none")
	}
	for line, d := range shipped {
		if d.Worst != 2 {
			t.Errorf("as shipped: line %d: worst conflict is %d-way, want 2", line, d.Worst)
		}
	}
	_, findings = e2e.RunJSON(t, bin, append([]string{"-D", "ZERO_BANK_CONFLICTS"}, flags...)...)
	macro := bankFindings(t, findings, "scanPadded")
	if len(macro) == 0 || conflicts(macro) < 2*conflicts(shipped) {
		t.Errorf("with the macro: %d conflicts, as shipped %d; want at least twice as many",
			conflicts(macro), conflicts(shipped))
	}
	worst := 0
	for _, d := range macro {
		worst = max(worst, d.Worst)
	}
	if worst != 16 {
		t.Errorf("with the macro: worst conflict is %d-way, want 16", worst)
	}
}

func conflicts(lines map[int]bankDetails) uint64 {
	var sum uint64
	for _, d := range lines {
		sum += d.Conflicts
	}
	return sum
}
