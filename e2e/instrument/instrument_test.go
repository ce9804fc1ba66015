package instrument

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
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

// instrumented is what a run of an instrumented program gives.
type instrumented struct {
	exit           int
	stdout, stderr string
	report         instrumentReport
}

// instrumentReport is the JSON that such a program writes.
type instrumentReport struct {
	Findings []finding.Finding `json:"findings"`
	Stats    map[string][]struct {
		Sites []instrumentSite `json:"sites"`
	} `json:"stats"`
	Messages []string `json:"messages"`
}

type instrumentSite struct {
	Location struct {
		File string `json:"file"`
		Line int    `json:"line"`
	} `json:"location"`
	Requests  uint64 `json:"requests"`
	Conflicts uint64 `json:"conflicts"`
	Passes    uint64 `json:"passes"`
	Accesses  uint64 `json:"accesses"`
	Lines     uint64 `json:"lines"`
}

// instrumentAndRun instruments a source, flags being for the compiler too, and
// runs the result without any checks. others are further sources.
func instrumentAndRun(t *testing.T, bin, source string, flags, compiler []string, others ...string) instrumented {
	t.Helper()
	dir := t.TempDir()
	out, report := filepath.Join(dir, "out.cu"), filepath.Join(dir, "report.json")
	args := slices.Concat([]string{"instrument", "-o", out}, flags, compiler, []string{source})
	if text, err := exec.Command(bin, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, text)
	}
	args = slices.Concat([]string{"run", "-q", "--tool", "launch", "--save", filepath.Join(dir, "run.json"), "--format", "json", "-o", os.DevNull}, compiler, []string{out}, others)
	cmd := exec.Command(bin, args...)
	cmd.Env = append(os.Environ(), "WARPGRIND_REPORT="+report)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Run()
	got := instrumented{exit: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
	text, err := os.ReadFile(report)
	if err == nil {
		err = json.Unmarshal(text, &got.report)
	}
	if err != nil {
		t.Fatalf("report of %s: %v\n%s", source, err, got.stderr)
	}
	return got
}

// original runs a program without checks and returns what it prints.
func original(t *testing.T, bin string, args ...string) (exit int, stdout string) {
	t.Helper()
	cmd := exec.Command(bin, append([]string{"run", "-q", "--tool", "launch", "--format", "json", "-o", os.DevNull}, args...)...)
	out, _ := cmd.Output()
	return cmd.ProcessState.ExitCode(), string(out)
}

// TestInstrumentResults: instrumented programs print what the originals print.
func TestInstrumentResults(t *testing.T) {
	bin := tooltest.Tool(t)
	all := []string{"boyer-race", "boyer-bank", "coalesce", "grace-stmt", "grace-addr"}
	for i, c := range []struct {
		source  string
		schemes []string
		others  []string
	}{
		{"testdata/instrument/simulation.cu", all, nil},
		{"examples/scan/scan.cu", all, nil},
		{"examples/basic/histogram.cu", []string{"boyer-race", "grace-addr"}, nil},
		{"examples/basic/objects.cu", []string{"boyer-race", "coalesce"}, nil},
		{"examples/apps/sobel.cu", []string{"boyer-race", "boyer-bank"}, nil},
		{"examples/apps/groups.cu", []string{"boyer-race"}, nil},
		{"examples/apps/radix.cu", []string{"boyer-race"}, nil},
		{"examples/runtime/streams.cu", []string{"coalesce"}, nil},
		{"examples/cpp/main.cu", []string{"boyer-race", "coalesce"}, []string{"examples/cpp/filters.cu"}},
	} {
		for k, scheme := range c.schemes {
			if !tooltest.Sampled(i+k, 8) {
				continue
			}
			t.Run(filepath.Base(c.source)+"/"+scheme, func(t *testing.T) {
				t.Parallel()
				exit, want := original(t, bin, append([]string{c.source}, c.others...)...)
				compiler := []string{"-I", "examples", "-I", filepath.Dir(c.source)}
				got := instrumentAndRun(t, bin, c.source, []string{"--scheme", scheme}, compiler, c.others...)
				if got.exit != exit || got.stdout != want {
					t.Errorf("exit code %d, want %d; output\n%s\nwant\n%s\n%s", got.exit, exit, got.stdout, want, got.stderr)
				}
				for _, f := range got.report.Findings {
					if f.Rule == "race" {
						t.Errorf("race in a program without: %s at line %d", f.Message, f.Primary.Loc.Line)
					}
				}
				if len(got.report.Messages) > 0 {
					t.Errorf("messages %q", got.report.Messages)
				}
			})
		}
	}
}

// TestInstrumentFigures: the text that the paper prints for its figures.
func TestInstrumentFigures(t *testing.T) {
	bin := tooltest.Tool(t)
	race := instrumentAndRun(t, bin, "examples/boyer/fig1.cu", []string{"--scheme", "boyer-race"}, []string{"-I", "examples/boyer"})
	if want := "// RAW hazard at expression:\n#line 8\n    out[id] = s[(id + 1) % nt];\n"; !strings.Contains(race.stderr, want) {
		t.Errorf("figure 1:\n%s", race.stderr)
	}
	fixed := instrumentAndRun(t, bin, "examples/boyer/fig1_fixed.cu", []string{"--scheme", "boyer-race"}, []string{"-I", "examples/boyer"})
	if strings.Contains(fixed.stderr, "hazard") {
		t.Errorf("figure 1 with the barrier:\n%s", fixed.stderr)
	}
	flags := []string{"--scheme", "boyer-bank", "--banks", "16"}
	calm := instrumentAndRun(t, bin, "examples/boyer/fig2.cu", flags, []string{"-I", "examples/boyer"})
	if want := "// No bank conflicts at expression:\n#line 21\n    mem[j] = 0;\n"; !strings.Contains(calm.stderr, want) {
		t.Errorf("figure 2 with flag 0:\n%s", calm.stderr)
	}
	bad := instrumentAndRun(t, bin, "examples/boyer/fig2.cu", flags, []string{"-I", "examples/boyer", "-D", "CAUSE_BANK_CONFLICTS=1"})
	want := "// Bank conflicts at expression:\n#line 21\n    mem[j] = 0;\n" +
		"// Bank:      0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15\n// Accesses: 16\n"
	if !strings.Contains(bad.stderr, want) {
		t.Errorf("figure 2 with flag 1:\n%s", bad.stderr)
	}
}

// hazard is one kind of race at one line.
type hazard struct {
	kind string
	line int
}

func (h hazard) String() string { return fmt.Sprintf("%s at line %d", h.kind, h.line) }

// emulatorHazards are the hazards that the emulator sees between any two
// threads: for each pair of accesses, at the later one.
func emulatorHazards(t *testing.T, bin string, args ...string) map[hazard]bool {
	t.Helper()
	_, findings := e2e.RunJSON(t, bin, append([]string{"--tool", "race", "--race-model", "thread"}, args...)...)
	out := map[hazard]bool{}
	var add func(f finding.Finding)
	add = func(f finding.Finding) {
		for _, m := range f.Members {
			add(*m)
		}
		var d struct {
			Space    string
			RAW, WAR uint64
		}
		text, _ := json.Marshal(f.Details)
		if err := json.Unmarshal(text, &d); err != nil || d.Space != "shared" {
			return
		}
		for _, p := range append([]finding.Place{f.Primary}, f.Related...) {
			if d.RAW > 0 && strings.HasPrefix(p.Role, "read") {
				out[hazard{"RAW", p.Loc.Line}] = true
			}
			if d.WAR > 0 && !strings.HasPrefix(p.Role, "read") {
				out[hazard{"WAR", p.Loc.Line}] = true
			}
		}
	}
	for _, f := range findings {
		add(f)
	}
	return out
}

// TestInstrumentAgrees: boyer-race and the emulator's rule without warps find
// the same hazards at the same lines.
func TestInstrumentAgrees(t *testing.T) {
	bin := tooltest.Tool(t)
	for i, args := range [][]string{
		{"examples/boyer/fig1.cu"},
		{"examples/scan/scan.cu", "-D", "NO_BARRIER=1"},
		{"examples/scan/scan.cu", "-D", "NO_BARRIER=2"},
		{"examples/scan/scan.cu", "-D", "NO_BARRIER=3"},
		{"examples/bugs/missing_barrier.cu"},
		{"examples/bugs/missing_syncwarp.cu"},
		{"testdata/instrument/bytes.cu"},
	} {
		if !tooltest.Sampled(i, 3) {
			continue
		}
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			want := emulatorHazards(t, bin, args...)
			compiler := append([]string{"-I", filepath.Dir(args[0]), "-I", "examples"}, args[1:]...)
			got := map[hazard]bool{}
			for _, f := range instrumentAndRun(t, bin, args[0], []string{"--scheme", "boyer-race"}, compiler).report.Findings {
				got[hazard{f.Kind, f.Primary.Loc.Line}] = true
			}
			if !maps.Equal(got, want) {
				t.Errorf("instrumented %v\nemulator     %v", keys(got), keys(want))
			}
		})
	}
}

func keys(m map[hazard]bool) []string {
	var out []string
	for h := range m {
		out = append(out, h.String())
	}
	slices.Sort(out)
	return out
}

// siteNumbers are sums of the performance schemes by line.
type siteNumbers struct{ requests, conflicts, passes uint64 }

// emulatorSites reads the statistics of a rule of the emulator by line.
func emulatorSites(t *testing.T, bin, rule string, args ...string) map[int]siteNumbers {
	t.Helper()
	got := e2e.Run(t, bin, append([]string{"--tool", rule, "--format", "json"}, args...)...)
	var r struct {
		Stats map[string][]struct {
			Sites []struct {
				Location                    struct{ Line int }
				Requests, Conflicts, Passes uint64
				Accesses                    uint64
				Lines                       float64 `json:"lines_per_access"`
			}
		}
	}
	if err := json.Unmarshal(got.Report, &r); err != nil {
		t.Fatalf("%v\n%s", err, got.Stderr)
	}
	out := map[int]siteNumbers{}
	for _, k := range r.Stats[rule] {
		for _, s := range k.Sites {
			n := out[s.Location.Line]
			if rule == "coalesce" {
				n.requests += s.Accesses
				n.passes += uint64(math.Round(s.Lines * float64(s.Accesses)))
			} else {
				n.requests += s.Requests
				n.conflicts += s.Conflicts
				n.passes += s.Passes
			}
			out[s.Location.Line] = n
		}
	}
	return out
}

// TestInstrumentNumbers: boyer-bank and coalesce count what the emulator counts.
func TestInstrumentNumbers(t *testing.T) {
	bin := tooltest.Tool(t)
	for i, c := range []struct {
		source, scheme, arch, banks string
	}{
		{"examples/scan/scan.cu", "boyer-bank", "sm_13", "16"},
		{"examples/boyer/fig2.cu", "boyer-bank", "sm_13", "16"},
		{"examples/scan/scan.cu", "boyer-bank", "sm_80", "32"},
		{"examples/basic/transpose.cu", "boyer-bank", "sm_80", "32"},
		{"examples/basic/transpose.cu", "coalesce", "sm_80", "32"},
		{"testdata/instrument/bytes.cu", "coalesce", "sm_80", "32"},
		{"testdata/instrument/bytes.cu", "boyer-bank", "sm_80", "32"},
	} {
		if !tooltest.Sampled(i+2, 3) {
			continue
		}
		t.Run(filepath.Base(c.source)+"/"+c.scheme+c.banks, func(t *testing.T) {
			t.Parallel()
			rule := map[string]string{"boyer-bank": "bank", "coalesce": "coalesce"}[c.scheme]
			want := emulatorSites(t, bin, rule, "--arch", c.arch, c.source)
			res := instrumentAndRun(t, bin, c.source, []string{"--scheme", c.scheme, "--banks", c.banks}, []string{"-I", "examples", "-I", filepath.Dir(c.source)})
			got := map[int]siteNumbers{}
			for _, s := range res.report.Stats[c.scheme] {
				for _, site := range s.Sites {
					n := got[site.Location.Line]
					n.requests += site.Requests + site.Accesses
					n.conflicts += site.Conflicts
					n.passes += site.Passes + site.Lines
					got[site.Location.Line] = n
				}
			}
			for line, n := range want {
				if got[line] != n {
					t.Errorf("line %d: instrumented %+v, emulator %+v", line, got[line], n)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%d lines, emulator %d", len(got), len(want))
			}
		})
	}
}
