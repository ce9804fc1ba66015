// Package e2e has the tests of whole programs, a package for each theme:
//
//   - programs: the examples and the programs under testdata, with the findings that they should have
//   - command: the commands, the compiler driver, and clients of them: CI samples, editors, agents, job engines
//   - static: the static rules, their messages, and whether they agree with runs
//   - instrument: instrumented sources, and the published algorithms against the emulator's own rules
//   - process: signals, load, and what is left on the machine
//   - toolchain: compilers and libraries of others (build tag toolchains)
//   - tree: the repository: imports, pages, promises, releases
//
// This package has what they share. Tests run in the module's root, so that files are named as users of the tree
// name them, also in reports. A package of tests has
//
//	func TestMain(m *testing.M) { os.Exit(e2e.Main(m)) }
package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// Main runs a package's tests in the module's root, without the user's settings (see tooltest). It returns their exit code.
func Main(m *testing.M) int {
	root, err := tooltest.Root()
	if err == nil {
		err = os.Chdir(root)
	}
	if err == nil {
		err = os.Setenv("PWD", root) // as a shell does; compilers prefer it to the kernel's answer
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	return tooltest.Main(m)
}

// Outcome is the result of one run of warpgrind.
type Outcome struct {
	Exit           int
	Stdout, Stderr string
	Report         []byte // the file that -o named
}

// Run runs "warpgrind run" with the arguments and the report in a file.
func Run(t *testing.T, bin string, args ...string) Outcome {
	t.Helper()
	return Invoke(t, bin, "run", args...)
}

// Invoke is run for any command that writes a report.
func Invoke(t *testing.T, bin, command string, args ...string) Outcome {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report")
	cmd := exec.Command(bin, append([]string{command, "-o", file}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	report, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return Outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), report}
}

// RunJSON runs a program twice, with one worker and with two, and fails unless
// exit codes and reports are the same byte for byte.
func RunJSON(t *testing.T, bin string, args ...string) (Outcome, []finding.Finding) {
	t.Helper()
	one := Run(t, bin, append([]string{"--format", "json", "-j", "1"}, args...)...)
	two, findings := RunOnce(t, bin, args...)
	if one.Exit != two.Exit {
		t.Errorf("exit code %d with -j 1, %d with -j 2\n%s", one.Exit, two.Exit, two.Stderr)
	}
	if !bytes.Equal(one.Report, two.Report) {
		t.Errorf("the reports of -j 1 and -j 2 differ:\n%s", FirstDifference(one.Report, two.Report))
	}
	return one, findings
}

// RunOnce runs a program with two workers.
func RunOnce(t *testing.T, bin string, args ...string) (Outcome, []finding.Finding) {
	t.Helper()
	out := Run(t, bin, append([]string{"--format", "json", "-j", "2"}, args...)...)
	return out, out.Findings(t)
}

// Findings returns the findings of a report in JSON, members of a joined finding one by one.
func (out Outcome) Findings(t *testing.T) []finding.Finding {
	t.Helper()
	var report struct {
		Findings []finding.Finding `json:"findings"`
	}
	if err := json.Unmarshal(out.Report, &report); err != nil {
		t.Fatalf("exit code %d, no JSON report: %v\n%s", out.Exit, err, out.Stderr)
	}
	return Separate(report.Findings)
}

// RunSample is runJSON for one program in eight and in the long tests, else runOnce:
// that reports do not depend on the workers is held by thousands of small runs too.
func RunSample(t *testing.T, i int, bin string, args ...string) (Outcome, []finding.Finding) {
	t.Helper()
	if tooltest.Sampled(i, 8) {
		return RunJSON(t, bin, args...)
	}
	return RunOnce(t, bin, args...)
}

// Separate lists the findings as the rules made them: those that a report
// joined because of their common cause, one by one.
func Separate(fs []finding.Finding) []finding.Finding {
	var out []finding.Finding
	for _, f := range fs {
		if len(f.Members) == 0 {
			out = append(out, f)
		}
		for _, m := range f.Members {
			out = append(out, *m)
		}
	}
	return out
}

// FirstDifference names the first line in which two texts differ.
func FirstDifference(a, b []byte) string {
	as, bs := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("line %d:\n-j 1: %s\n-j 2: %s", i+1, as[i], bs[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(as), len(bs))
}

// ErrorLevel returns the findings that decide the exit code.
func ErrorLevel(all []finding.Finding) []finding.Finding {
	var out []finding.Finding
	for _, f := range all {
		if f.Level == finding.Error {
			out = append(out, f)
		}
	}
	return out
}

// Show prints findings for a failure message, one a line.
func Show(all []finding.Finding) string {
	var b strings.Builder
	for _, f := range all {
		fmt.Fprintf(&b, "  %s:%d: %v: %s %s: %s\n", filepath.Base(f.Primary.Loc.File),
			f.Primary.Loc.Line, f.Level, f.Rule, f.Kind, f.Message)
	}
	return b.String()
}

// Options are the flags that a program names in its first line, "// flags: ".
func Options(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	flags, _ := strings.CutPrefix(line, "// flags: ")
	if flags == line {
		return nil
	}
	return strings.Fields(flags)
}

// CorrectExamples lists the programs under examples/ that have no defect, each
// as the files to compile.
func CorrectExamples(t *testing.T) [][]string {
	t.Helper()
	paths, err := filepath.Glob("examples/*/*.cu")
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for _, path := range paths {
		dir := filepath.Base(filepath.Dir(path))
		if dir == "bugs" || dir == "langdon" || dir == "cpp" || path == filepath.Join("examples", "boyer", "fig1.cu") {
			continue
		}
		out = append(out, []string{path})
	}
	return append(out, []string{"examples/cpp/main.cu", "examples/cpp/filters.cu"})
}

// scripts/toolchains.sh sets one of these: the virtual environment with
// NVIDIA's compiler and headers, Triton and Numba, or why there is none.
const (
	toolchainsEnv = "WARPGRIND_TOOLCHAINS"
	missingEnv    = "WARPGRIND_TOOLCHAINS_MISSING"
)

// Toolchains returns the environment's folder and the CUDA toolkit in it.
func Toolchains(t *testing.T) (venv, toolkit string) {
	t.Helper()
	venv = os.Getenv(toolchainsEnv)
	if venv == "" {
		reason := os.Getenv(missingEnv)
		if reason == "" {
			reason = "run make test-toolchains"
		}
		t.Skip("no toolchains: " + reason)
	}
	found, err := filepath.Glob(filepath.Join(venv, "lib", "python3*", "site-packages", "nvidia", "cu*", "bin", "nvcc"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s has not one nvcc but %q", venv, found)
	}
	return venv, filepath.Dir(filepath.Dir(found[0]))
}

// TableBegin and TableEnd enclose the table of a page that a test writes.
const TableBegin, TableEnd = "<!-- table -->\n", "<!-- end of table -->\n"

// ComparePage fails where the table in a page is not this one, or writes it there. command is how to do so.
func ComparePage(t *testing.T, page, table string, update bool, command string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(text), TableBegin)
	old, after, ok2 := strings.Cut(rest, TableEnd)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no place for the table", page)
	}
	if update {
		if err := os.WriteFile(page, []byte(before+TableBegin+table+TableEnd+after), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if old != table {
		t.Errorf("%s is out of date: %s\n%s", page, command, FirstDifference([]byte(old), []byte(table)))
	}
}
