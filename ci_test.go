package warpgrind_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// workflowStep is a step of an action or of a job.
type workflowStep struct {
	ID, Name, Uses, Run, Shell string
	If                         string
	With, Env                  map[string]string
}

// action is the part of action.yml that is examined.
type action struct {
	Inputs map[string]struct {
		Description, Default string
		Required             bool
	}
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []workflowStep
	}
}

func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// kernels is a folder with tests/kernels.cu, which is clean, or racy.
func kernels(t *testing.T, racy bool) string {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile("docs/ci/shift.cu")
	if err != nil {
		t.Fatal(err)
	}
	if racy {
		text = append([]byte("#define RACE\n"), text...)
	}
	if err := os.Mkdir(filepath.Join(dir, "tests"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tests", "kernels.cu"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// shell runs a script as a CI service does and returns its exit code and output.
func shell(t *testing.T, dir, script string, env ...string) (code int, out string) {
	t.Helper()
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir = dir
	path := "PATH=" + filepath.Dir(tooltest.Tool(t)) + ":" + os.Getenv("PATH")
	cmd.Env = append(append(os.Environ(), path, "GITHUB_STEP_SUMMARY=", "CI_PROJECT_DIR="), env...)
	b, err := cmd.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(b)
}

var expression = regexp.MustCompile(`\$\{\{ *([\w.-]+) *\}\}`)

// TestAction runs the commands of the composite action's steps, as GitHub's
// runner would.
func TestAction(t *testing.T) {
	var a action
	readYAML(t, "action.yml", &a)
	for _, racy := range []bool{false, true} {
		dir, temp := kernels(t, racy), t.TempDir()
		root, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		value := map[string]string{"github.action_path": root, "inputs.run": "tests/*.cu", "inputs.flags": "--tool race,memory -D UNUSED"}
		for name, in := range a.Inputs {
			if in.Description == "" {
				t.Errorf("input %s has no description", name)
			}
			if _, ok := value["inputs."+name]; !ok {
				value["inputs."+name] = in.Default
			}
		}
		output := filepath.Join(temp, "output")
		env := []string{"GITHUB_ACTION_PATH=" + root, "RUNNER_TEMP=" + temp, "GITHUB_PATH=" + filepath.Join(temp, "path"),
			"GITHUB_OUTPUT=" + output, "GITHUB_WORKSPACE=" + dir, "GITHUB_STEP_SUMMARY=" + filepath.Join(temp, "summary")}
		code, log := 0, ""
		for _, s := range a.Runs.Steps {
			if s.Run == "" {
				continue
			}
			if s.Shell != "bash" || expression.MatchString(s.Run) {
				t.Errorf("step %q: shell %q; an expression in a script would be code of its caller's", s.Name, s.Shell)
			}
			with := env
			for k, v := range s.Env {
				with = append(with, k+"="+expression.ReplaceAllStringFunc(v, func(e string) string {
					got, ok := value[expression.FindStringSubmatch(e)[1]]
					if !ok {
						t.Errorf("step %q: %s is not an input", s.Name, e)
					}
					return got
				}))
			}
			if code, log = shell(t, dir, s.Run, with...); code != 0 {
				break
			}
		}
		want, exit := "0 findings", "exit-code=0\n"
		if racy {
			want, exit = "::error file=tests/kernels.cu,line=14,", "exit-code=1\n"
		}
		if (code == 1) != racy || !strings.Contains(log, want) {
			t.Errorf("exit code %d, want %q in\n%s", code, want, log)
		}
		if got, err := os.ReadFile(output); err != nil || string(got) != exit {
			t.Errorf("output %q, want %q (%v)", got, exit, err)
		}
		for _, name := range []string{filepath.Join(dir, "warpgrind.sarif"), filepath.Join(dir, "warpgrind.html"), filepath.Join(temp, "summary")} {
			if st, err := os.Stat(name); err != nil || st.Size() == 0 {
				t.Errorf("%s: not written (%v)", name, err)
			}
		}
	}
}

// TestWorkflow: what the sample gives to the action are inputs of it.
func TestWorkflow(t *testing.T) {
	var a action
	readYAML(t, "action.yml", &a)
	var w struct {
		Jobs map[string]struct {
			Permissions map[string]string
			Steps       []workflowStep
		}
	}
	readYAML(t, "docs/ci/github.yml", &w)
	used := 0
	for _, job := range w.Jobs {
		for _, s := range job.Steps {
			if !regexp.MustCompile(`^[\w-]+/[\w/-]+@\w+$`).MatchString(s.Uses) {
				t.Errorf("uses %q", s.Uses)
			}
			if !strings.HasPrefix(s.Uses, "warpgrind/") {
				continue
			}
			used++
			for name := range s.With {
				if _, ok := a.Inputs[name]; !ok {
					t.Errorf("the action has no input %s", name)
				}
			}
			for name, in := range a.Inputs {
				if in.Required && s.With[name] == "" {
					t.Errorf("input %s is required", name)
				}
			}
		}
	}
	if used != 1 {
		t.Errorf("the action is used %d times", used)
	}
}

// TestGitLab runs the script of the sample job.
func TestGitLab(t *testing.T) {
	var file map[string]struct {
		Script    []string
		Artifacts struct {
			Paths   []string
			Reports map[string]string
		}
	}
	readYAML(t, "docs/ci/gitlab-ci.yml", &file)
	job := file["kernels"]
	for _, racy := range []bool{false, true} {
		dir := kernels(t, racy)
		code, out := shell(t, dir, strings.Join(job.Script, "\n"), "CI_PROJECT_DIR="+dir)
		if (code == 1) != racy {
			t.Errorf("exit code %d\n%s", code, out)
		}
		report, err := os.ReadFile(filepath.Join(dir, job.Artifacts.Reports["junit"]))
		if err != nil || bytes.Contains(report, []byte("<failure")) != racy {
			t.Errorf("%v: %s", err, report)
		}
		for _, p := range job.Artifacts.Paths {
			if _, err := os.Stat(filepath.Join(dir, p)); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestSanitizerScript: the script that had compute-sanitizer in it.
func TestSanitizerScript(t *testing.T) {
	script, err := filepath.Abs("docs/ci/sanitize.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, racy := range []bool{false, true} {
		code, out := shell(t, kernels(t, racy), script+" tests/kernels.cu an argument")
		want := "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)"
		if racy {
			want = "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)"
		}
		if (code != 0) != racy || !strings.Contains(out, want) {
			t.Errorf("exit code %d, want %q in\n%s", code, want, out)
		}
	}
}

// TestCTest builds and runs the sample project with CMake, checked by ctest
// itself and by its memory check.
func TestCTest(t *testing.T) {
	if _, err := exec.LookPath("ctest"); err != nil {
		t.Skip("no ctest is installed")
	}
	for _, racy := range []bool{false, true} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS("docs/ci")); err != nil {
			t.Fatal(err)
		}
		flags := ""
		if racy {
			flags = "-DRACE"
		}
		code, out := shell(t, dir, `
export CUDA_HOME=$(warpgrind cc --print-cuda-home)
cmake -S . -B build -DCMAKE_CUDA_COMPILER=$CUDA_HOME/bin/nvcc -DCMAKE_CUDA_FLAGS="`+flags+`" \
  -DMEMORYCHECK_COMMAND=$CUDA_HOME/bin/compute-sanitizer \
  -DMEMORYCHECK_COMMAND_OPTIONS="--tool racecheck --error-exitcode 1"
cmake --build build`)
		if code != 0 {
			t.Fatalf("exit code %d\n%s", code, out)
		}
		if code, out = shell(t, dir, "cd build && ctest --output-on-failure"); (code != 0) != racy || strings.Contains(out, "data race: read and write of") != racy {
			t.Errorf("ctest: exit code %d\n%s", code, out)
		}
		if code, out = shell(t, dir, "cd build && ctest -T memcheck"); (code != 0) != racy || strings.Contains(out, "Race reported - 1") != racy {
			t.Errorf("ctest -T memcheck: exit code %d\n%s", code, out)
		}
	}
}

// TestPytest collects the sample program.
func TestPytest(t *testing.T) {
	if err := exec.Command("python3", "-c", "import pytest").Run(); err != nil {
		t.Skip("no pytest is installed")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("docs/ci")); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		flags string
		code  int
		want  []string
	}{
		{"", 0, []string{"1 passed"}},
		{`--warpgrind "-D RACE"`, 1, []string{"1 failed", "shift.cu:13: error[race]: data race: read and write of s", "help: add __syncthreads() between"}},
		{`--warpgrind "-D 'N=('"`, 1, []string{"1 failed", "error: expected"}},
	} {
		code, out := shell(t, dir, "python3 -m pytest -p no:cacheprovider "+tc.flags+" .")
		if code != tc.code {
			t.Errorf("%s: exit code %d, want %d", tc.flags, code, tc.code)
		}
		for _, want := range tc.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", tc.flags, want, out)
			}
		}
	}
}

// TestContainerfile: what it copies is there, Go is new enough, and its
// instructions are ones that builders know.
func TestContainerfile(t *testing.T) {
	b, err := os.ReadFile("Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	stages := map[string]bool{}
	for _, line := range strings.Split(strings.ReplaceAll(string(b), "\\\n", " "), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		switch words[0] {
		case "FROM":
			if strings.Contains(words[1], "golang") && words[1] != "golang:"+goVersion(t)+"-bookworm" {
				t.Errorf("%s: go.mod asks for Go %s", line, goVersion(t))
			}
			if len(words) == 4 && words[2] == "AS" {
				stages[words[3]] = true
			}
		case "COPY":
			from, ok := strings.CutPrefix(words[1], "--from=")
			if ok && !stages[from] {
				t.Errorf("%s: no stage %s", line, from)
			}
			for _, name := range words[1 : len(words)-1] {
				if _, err := os.Stat(name); err != nil && !ok {
					t.Errorf("%s: %v", line, err)
				}
			}
		case "RUN":
			if out, err := exec.Command("bash", "-n", "-c", strings.TrimPrefix(line, "RUN ")).CombinedOutput(); err != nil {
				t.Errorf("%s: %s", line, out)
			}
		case "WORKDIR", "ENTRYPOINT":
		default:
			t.Errorf("%s: not known", line)
		}
	}
	if _, err := os.Stat("cmd/warpgrind"); err != nil || !stages["build"] {
		t.Errorf("no stage that builds cmd/warpgrind (%v)", err)
	}
}

// goVersion is the language version in go.mod: 1.26.
func goVersion(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(b)
	if m == nil {
		t.Fatal("go.mod has no Go version")
	}
	return string(m[1])
}
