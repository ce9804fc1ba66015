package race_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// expectation is one of those in a comment "// want A; B; ..." at the line of
// a finding's primary place, each
//
//	[level] [KIND] [cause/repair] [[when]] [?[group]]
//
// The level is error where none is given. when names race models, builds
// (source, optimized), schedules (default, random) or several of them; it is expected in all of those that are not
// named at all. With a ? it may also be absent, as who comes first decides, but
// one of the expectations of its group must be met. The repair barrier stands for
// each of syncthreads, split-branch and counted-barrier: which of them it is depends on
// the model and the build. divided.cu has them by name.
type expectation struct {
	line             int
	level, kind, why string
	group            string
	met              bool
}

var wantPattern = regexp.MustCompile(`^(?:(error|warning|info)\b)? ?(?:(RAW|WAR|WAW)\b)? ?([a-z-]+/[a-z-]+)? ?(?:\[([a-z ]+)\])? ?(\?[a-z]*)?$`)

// way is one way to run a file.
type way struct {
	model, build, schedule string
	seed                   int
}

func (w way) String() string { return fmt.Sprint(w.model, " ", w.build, " ", w.schedule, w.seed) }

// named reports whether when, a list of words, holds for a run.
func (w way) named(when string) bool {
	words := strings.Fields(when)
	for _, group := range [][]string{{"its", "lockstep", "thread"}, {"source", "optimized"}, {"default", "random"}} {
		some, own := false, false
		for _, word := range words {
			if slices.Contains(group, word) {
				some = true
				own = own || word == w.model || word == w.build || word == w.schedule
			}
		}
		if some && !own {
			return false
		}
	}
	return true
}

func expectations(t *testing.T, file string, w way) (out []*expectation) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		_, wants, ok := strings.Cut(line, "// want ")
		if !ok {
			continue
		}
		for _, want := range strings.Split(wants, "; ") {
			m := wantPattern.FindStringSubmatch(strings.TrimSpace(want))
			if m == nil {
				t.Fatalf("%s:%d: malformed expectation %q", file, i+1, want)
			}
			if !w.named(m[4]) {
				continue
			}
			if m[1] == "" {
				m[1] = "error"
			}
			out = append(out, &expectation{line: i + 1, level: m[1], kind: m[2], why: m[3], group: m[5]})
		}
	}
	return out
}

// ways are all that a file is run in: each race model, both builds, the default
// schedule and a random one (two in the long tests).
func ways() (out []way) {
	seeds := 2
	if tooltest.Long() {
		seeds = 3
	}
	for _, model := range []string{"its", "lockstep", "thread"} {
		for _, build := range []string{"source", "optimized"} {
			for seed := range seeds {
				schedule := "default"
				if seed > 0 {
					schedule = "random"
				}
				out = append(out, way{model, build, schedule, seed})
			}
		}
	}
	return out
}

// taken reports whether TestSuite runs file i in way k.
func (w way) taken(i, k int) bool {
	if w.seed > 0 && !tooltest.Sampled(i+k/2, 8) {
		return false
	}
	return w.build == "source" || tooltest.Sampled(i+k/4, 3)
}

func TestMain(m *testing.M) { os.Exit(tooltest.Main(m)) }

// TestSuite runs the kernels of testdata/*/: in the source-keeping build with each race model, in
// the optimized one with one of them, with a random schedule in an eighth of these ways; in the
// long tests in all ways. The reports must be the expected ones, and in one of the ways, in the
// long tests in each, the same with one worker and with two.
func TestSuite(t *testing.T) {
	bin := tooltest.Tool(t)
	files, err := filepath.Glob("testdata/*/*.cu")
	if err != nil || len(files) == 0 {
		t.Fatal("no test kernels", err)
	}
	for i, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".cu"), func(t *testing.T) {
			t.Parallel()
			for k, w := range ways() {
				if !w.taken(i, k) {
					continue
				}
				two := runSuite(t, bin, file, w, 2)
				compare(t, w, expectations(t, file, w), two)
				if !tooltest.Long() && k != 4*(i%3) {
					continue
				}
				if one := runSuite(t, bin, file, w, 1); !bytes.Equal(one, two) {
					t.Errorf("%v: the reports of -j 1 and -j 2 differ: %s", w, firstDifference(one, two))
				}
			}
		})
	}
}

// firstDifference returns the first lines that differ.
func firstDifference(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return "line " + strconv.Itoa(i+1) + ":" + x[i] + " and" + y[i]
		}
	}
	return "one is longer"
}

// runSuite returns a run's report in JSON.
func runSuite(t *testing.T, bin, file string, w way, workers int) []byte {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.json")
	cmd := exec.Command(bin, append([]string{"run", "--tool", "race", "--race-model", w.model, "--build", w.build, "--schedule", w.schedule,
		"--seed", strconv.Itoa(w.seed), "-j", strconv.Itoa(workers), "--format", "json", "-o", report, file}, flagsOf(t, file)...)...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) || bytes.Contains(out, []byte("FAIL")) {
		t.Fatalf("%v: %v\n%s", w, err, out)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

var flagsPattern = regexp.MustCompile(`(?m)^// flags: (.*)$`)

// flagsOf returns the flags that a file asks for.
func flagsOf(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if m := flagsPattern.FindSubmatch(text); m != nil {
		return strings.Fields(string(m[1]))
	}
	return nil
}

// leaves are the findings as the rule made them.
func leaves(fs []*finding.Finding) (out []*finding.Finding) {
	for _, f := range fs {
		if len(f.Members) > 0 {
			out = append(out, leaves(f.Members)...)
		} else {
			out = append(out, f)
		}
	}
	return out
}

var blockBarrier = regexp.MustCompile(`/(syncthreads|split-branch|counted-barrier)$`)

func anyBarrier(why string) string { return blockBarrier.ReplaceAllString(why, "/barrier") }

func compare(t *testing.T, w way, want []*expectation, report []byte) {
	t.Helper()
	var r struct{ Findings []*finding.Finding }
	if err := json.Unmarshal(report, &r); err != nil {
		t.Fatal(err)
	}
	for _, f := range leaves(r.Findings) {
		d, _ := f.Details.(map[string]any)
		why := fmt.Sprint(d["cause"], "/", d["repair"])
		found := false
		for _, e := range want {
			if e.line == f.Primary.Loc.Line && e.level == f.Level.String() && (e.kind == "" || e.kind == f.Kind) && (e.why == "" || e.why == why || e.why == anyBarrier(why)) {
				e.met, found = true, true
			}
		}
		if !found {
			t.Errorf("%v: not expected at line %d: %v %s %s (%s)", w, f.Primary.Loc.Line, f.Level, f.Message, why, strings.Join(f.Notes, "; "))
		}
	}
	for _, e := range want {
		inGroup := func(o *expectation) bool { return o.group == e.group && o.met }
		if !e.met && (e.group == "" || len(e.group) > 1 && !slices.ContainsFunc(want, inGroup)) {
			t.Errorf("%v: nothing found at line %d: want %s %s %s", w, e.line, e.level, e.kind, e.why)
		}
	}
}
