package programs

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// The tests of this file run the programs under examples/langdon: the eight
// troubles of Langdon, "Debugging CUDA" (2011). Each file begins with the
// commands that find its trouble, and marks the lines of the findings with
// "// want RULE, RULE". docs/LANGDON.md shows the same commands.

var (
	langdonCommand = regexp.MustCompile(`(?m)^//   warpgrind (.+)$`)
	langdonWant    = regexp.MustCompile(`// want ([a-z]+(?:, [a-z]+)*)$`)
)

// langdonWants reads the expectations of a program.
func langdonWants(text string) []want {
	var out []want
	for i, line := range strings.Split(text, "\n") {
		m := langdonWant.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		for _, rule := range strings.Split(m[1], ", ") {
			out = append(out, want{rule: rule, line: i + 1})
		}
	}
	return out
}

// atLeastWarning returns the errors and the warnings.
func atLeastWarning(all []finding.Finding) []finding.Finding {
	var out []finding.Finding
	for _, f := range all {
		if f.Level >= finding.Warning {
			out = append(out, f)
		}
	}
	return out
}

// langdonBench is a copy of the examples in which commands run.
type langdonBench struct {
	t        *testing.T
	bin, dir string
}

// do runs one command and returns its exit code, its output and, for "run",
// the findings.
func (b langdonBench) do(command string) (int, string, []finding.Finding) {
	b.t.Helper()
	args := strings.Fields(command)
	file := filepath.Join(b.dir, "report.json")
	if args[0] == "run" {
		args = append([]string{"run", "--format", "json=" + file}, args[1:]...)
	}
	cmd := exec.Command(b.bin, args...)
	cmd.Dir = filepath.Join(b.dir, "langdon")
	out, _ := cmd.CombinedOutput() // the exit code is examined
	if args[0] != "run" {
		return cmd.ProcessState.ExitCode(), string(out), nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		b.t.Fatalf("%s: %v\n%s", command, err, out)
	}
	var report struct {
		Findings []finding.Finding `json:"findings"`
	}
	if err := json.Unmarshal(text, &report); err != nil {
		b.t.Fatalf("%s: %v\n%s", command, err, text)
	}
	return cmd.ProcessState.ExitCode(), string(out), e2e.Separate(report.Findings)
}

// command runs one command of the program's comment and judges what came.
func (b langdonBench) command(command, program string) {
	b.t.Helper()
	code, out, found := b.do(command)
	switch {
	case strings.HasPrefix(command, "diff "):
		if code != 1 || !strings.Contains(out, "elements differ") {
			b.t.Errorf("%s: exit code %d, want 1 and differences\n%s", command, code, out)
		}
	case strings.Contains(command, "-D FIXED"):
		if code != 0 || len(atLeastWarning(found)) > 0 {
			b.t.Errorf("%s: exit code %d, want 0\n%s%s", command, code, out, e2e.Show(found))
		}
	default:
		compareWants(b.t, langdonWants(program), atLeastWarning(found))
	}
	if strings.Contains(command, "--log-launches") && !strings.Contains(out, ", block (") {
		b.t.Errorf("%s: no launch in the log:\n%s", command, out)
	}
}

// TestLangdonExamples runs the commands of each program, and the repaired
// program with the flags of the first.
func TestLangdonExamples(t *testing.T) {
	bin := tooltest.Tool(t)
	paths, err := filepath.Glob("examples/langdon/*.cu")
	if err != nil || len(paths) != 8 {
		t.Fatalf("%d programs, want 8 (%v)", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".cu"), func(t *testing.T) {
			t.Parallel()
			b := langdonBench{t: t, bin: bin, dir: t.TempDir()}
			if err := os.CopyFS(b.dir, os.DirFS("examples")); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			commands := langdonCommand.FindAllStringSubmatch(string(text), -1)
			if len(commands) == 0 || len(langdonWants(string(text))) == 0 {
				t.Fatal("no command, or nothing that it should find")
			}
			for _, c := range commands {
				b.command(c[1], string(text))
			}
			b.command(strings.Replace(commands[0][1], "run ", "run -D FIXED ", 1), string(text))
		})
	}
}

// TestLangdonError: his Error() as a command: who leaves an error, in the order of
// execution, and the races of the function, which atomics end.
func TestLangdonError(t *testing.T) {
	const program = "testdata/langdon/error_function.cu"
	bin := tooltest.Tool(t)
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	got, findings := e2e.RunJSON(t, bin, "--watch", "status[2]", program)
	compareWants(t, langdonWants(string(text)), atLeastWarning(findings))
	first, _, _ := strings.Cut(got.Stderr[max(0, strings.Index(got.Stderr, "watch status[2]")):], "\n")
	if !strings.Contains(first, "thread (32,0,0) of block (5,0,0)") || !strings.Contains(first, "writes 328380 (0x502bc), held 0") {
		t.Errorf("the first error is not that of block 5:\n%s", first)
	}
	if got, findings = e2e.RunJSON(t, bin, "-D", "FIXED", program); got.Exit != 0 || len(findings) > 0 {
		t.Errorf("with atomics: exit code %d\n%s", got.Exit, e2e.Show(findings))
	}
}

// TestLangdonPage: the page shows every command of the examples.
func TestLangdonPage(t *testing.T) {
	page, err := os.ReadFile("docs/LANGDON.md")
	if err != nil {
		t.Fatal(err)
	}
	paths, _ := filepath.Glob("examples/langdon/*.cu")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range langdonCommand.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(string(page), "warpgrind "+c[1]+"\n") {
				t.Errorf("docs/LANGDON.md does not show: warpgrind %s", c[1])
			}
		}
	}
}
