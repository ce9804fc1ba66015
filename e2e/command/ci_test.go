package command

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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

// pinned is an action at a commit; ours is the one that users pin themselves.
var pinned = regexp.MustCompile(`^([\w-]+/[\w/-]+@[0-9a-f]{40}|warpgrind/warpgrind@main)$`)

// ciRunner executes the run: steps of a workflow and of our action as GitHub's runner does,
// without a container; the actions of others are not executed.
type ciRunner struct {
	t               *testing.T
	root, dir, temp string
	env, path       []string
	outputs         map[string]string // "steps.id.outputs.name"
	action          action
	log             string
}

// newCIRunner is a job in a workspace; temp is kept from job to job, as by a cache.
func newCIRunner(t *testing.T, dir, temp string) *ciRunner {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	r := &ciRunner{t: t, root: root, dir: dir, temp: temp, outputs: map[string]string{}}
	readYAML(t, "action.yml", &r.action)
	return r
}

// value is that of an expression's variable.
func (r *ciRunner) value(name string, inputs map[string]string) string {
	fixed := map[string]string{"github.action_path": r.root, "runner.temp": r.temp}
	if v, ok := fixed[name]; ok {
		return v
	}
	if in, ok := strings.CutPrefix(name, "inputs."); ok {
		if _, known := r.action.Inputs[in]; !known {
			r.t.Errorf("%s is not an input", name)
		}
		return inputs[in]
	}
	if !strings.HasPrefix(name, "steps.") {
		r.t.Errorf("unknown expression %s", name)
	}
	return r.outputs[name]
}

// holds evaluates the conditions that the samples have: always(), and a comparison.
func (r *ciRunner) holds(condition string, inputs map[string]string) bool {
	name, text, compared := strings.Cut(condition, " != ")
	if !compared {
		return condition == "" || condition == "always()"
	}
	return r.value(name, inputs) != strings.Trim(text, "'")
}

// steps runs steps until one fails and returns its exit code.
func (r *ciRunner) steps(steps []workflowStep, inputs map[string]string, inAction bool) int {
	for _, s := range steps {
		if !r.holds(s.If, inputs) {
			continue
		}
		code := 0
		switch {
		case strings.HasPrefix(s.Uses, "warpgrind/"):
			code = r.useAction(s.With)
		case s.Uses != "":
			if !pinned.MatchString(s.Uses) {
				r.t.Errorf("uses %q: not at a commit", s.Uses)
			}
		default:
			code = r.script(s, inputs, inAction)
		}
		if code != 0 {
			return code
		}
	}
	return 0
}

// useAction runs our action.
func (r *ciRunner) useAction(with map[string]string) int {
	inputs := map[string]string{}
	for name, in := range r.action.Inputs {
		inputs[name] = in.Default
	}
	for name, v := range with {
		if _, ok := r.action.Inputs[name]; !ok {
			r.t.Errorf("the action has no input %s", name)
		}
		inputs[name] = v
	}
	return r.steps(r.action.Runs.Steps, inputs, true)
}

// script runs one step, with the files through which steps talk to the runner.
func (r *ciRunner) script(s workflowStep, inputs map[string]string, inAction bool) int {
	if expression.MatchString(s.Run) || inAction && s.Shell != "bash" {
		r.t.Errorf("step %q: shell %q; an expression in a script would be code of its caller's", s.Name, s.Shell)
	}
	files := r.t.TempDir()
	at := func(name string) string { return filepath.Join(files, name) }
	env := append([]string{"GITHUB_ACTION_PATH=" + r.root, "RUNNER_TEMP=" + r.temp, "GITHUB_PATH=" + at("path"), "GITHUB_ENV=" + at("env"),
		"GITHUB_OUTPUT=" + at("output"), "GITHUB_WORKSPACE=" + r.dir, "GITHUB_STEP_SUMMARY=" + filepath.Join(r.temp, "summary")}, r.env...)
	for k, v := range s.Env {
		env = append(env, k+"="+expression.ReplaceAllStringFunc(v, func(e string) string {
			return r.value(expression.FindStringSubmatch(e)[1], inputs)
		}))
	}
	env = append(env, "PATH="+strings.Join(append(slices.Clone(r.path), os.Getenv("PATH")), ":"))
	code, log := shell(r.t, r.dir, s.Run, env...)
	r.log += log
	read := func(name string) []string {
		b, _ := os.ReadFile(at(name))
		return strings.FieldsFunc(string(b), func(c rune) bool { return c == '\n' })
	}
	for _, l := range read("output") {
		k, v, _ := strings.Cut(l, "=")
		r.outputs["steps."+s.ID+".outputs."+k] = v
	}
	r.env, r.path = append(r.env, read("env")...), append(read("path"), r.path...)
	return code
}

// ciWorkflow is the part of a workflow that is examined.
type ciWorkflow struct {
	Jobs map[string]struct {
		Permissions map[string]string
		Steps       []workflowStep
	}
}

// TestWorkflow runs the jobs of the sample workflow, and with it our action: with sources to
// check, and only set up for a build of the project's own.
func TestWorkflow(t *testing.T) {
	if testing.Short() {
		t.Skip("builds warpgrind")
	}
	var w ciWorkflow
	readYAML(t, "docs/ci/github.yml", &w)
	temp := t.TempDir()
	tooltest.FreshCache(t, filepath.Join(temp, "warpgrind", "cache"))
	for _, tc := range []struct {
		job, source string
		code        int
		want        string
	}{
		{"kernels", "", 0, "0 findings"},
		{"kernels", "#define RACE\n", 1, "::error file=tests/kernels.cu,line=14,"},
		{"kernels", "#error broken\n", 2, "::error file=tests/kernels.cu,line=1,col=2,title=warpgrind%3A does not compile::broken"},
		{"build", "", 0, "0 findings"},
		{"build", "#define RACE\n", 1, "::error file=tests/kernels.cu,line=14,"},
	} {
		dir := kernels(t, false)
		name := filepath.Join(dir, "tests", "kernels.cu")
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, append([]byte(tc.source), text...), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		r := newCIRunner(t, dir, temp)
		if code := r.steps(w.Jobs[tc.job].Steps, nil, false); code != tc.code || !strings.Contains(r.log, tc.want) {
			t.Errorf("job %s with %q: exit code %d, want %d and %q in\n%s", tc.job, tc.source, code, tc.code, tc.want, r.log)
		}
		sarif, err := os.ReadFile(filepath.Join(dir, "warpgrind.sarif"))
		if err != nil || bytes.Contains(sarif, []byte(`"results": []`)) != (tc.code != 1) {
			t.Errorf("job %s with %q: %v, %.300s", tc.job, tc.source, err, sarif)
		}
		if tc.job == "kernels" && r.outputs["steps.check.outputs.exit-code"] != strconv.Itoa(tc.code) {
			t.Errorf("exit-code is %q", r.outputs["steps.check.outputs.exit-code"])
		}
	}
	if st, err := os.Stat(filepath.Join(temp, "summary")); err != nil || st.Size() == 0 {
		t.Errorf("no job summary (%v)", err)
	}
}

// TestActionWords: flags and arguments keep their quotes, patterns stand for files, and
// nothing of them is executed.
func TestActionWords(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	for _, name := range []string{"a.cu", "b.cu"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	bin := filepath.Join(temp, "warpgrind", "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "warpgrind"), []byte("#!/bin/sh\nprintf '<%s>' \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r := newCIRunner(t, dir, temp)
	check := slices.IndexFunc(r.action.Runs.Steps, func(s workflowStep) bool { return s.ID == "check" })
	inputs := map[string]string{"run": `*.cu -- "an argument" $(touch evil) no*match`, "flags": `-D 'N="a b"' -I my\ dir`, "sarif": "s", "report": "r"}
	if code := r.script(r.action.Runs.Steps[check], inputs, true); code != 0 {
		t.Fatalf("exit code %d\n%s", code, r.log)
	}
	want := `<run><--format><github><--format><sarif=s><--format><html=r><-D><N="a b"><-I><my dir><a.cu><b.cu><--><an argument><$(touch><evil)><no*match>`
	if r.log != want {
		t.Errorf("got  %s\nwant %s", r.log, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "evil")); err == nil {
		t.Error("an input was executed")
	}
}

// TestActionInputs: every input and output of the action is described.
func TestActionInputs(t *testing.T) {
	var a action
	readYAML(t, "action.yml", &a)
	for name, in := range a.Inputs {
		if in.Description == "" || in.Required {
			t.Errorf("input %s: %+v", name, in)
		}
	}
	for _, s := range a.Runs.Steps {
		if s.Uses != "" && !pinned.MatchString(s.Uses) {
			t.Errorf("uses %q: not at a commit", s.Uses)
		}
	}
}

// TestGitLab runs the script of the sample job.
func TestGitLab(t *testing.T) {
	var file map[string]struct {
		Image struct {
			Name       string
			Entrypoint []string
		}
		Script    []string
		Artifacts struct {
			Paths   []string
			Reports map[string]string
		}
	}
	readYAML(t, "docs/ci/gitlab-ci.yml", &file)
	job := file["kernels"]
	if e := job.Image.Entrypoint; len(e) != 1 || e[0] != "" { // the image's is warpgrind, GitLab wants a shell
		t.Errorf("entry point %q", e)
	}
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

// TestPytest collects the sample program, and sees what the page shows.
func TestPytest(t *testing.T) {
	if err := exec.Command("python3", "-c", "import pytest").Run(); err != nil {
		t.Skip("no pytest is installed")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("docs/ci")); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("docs/CI.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, ok := strings.Cut(string(page), "$ pytest --warpgrind \"--tool race -D RACE\"\n")
	if shown, _, _ = strings.Cut(shown, "```"); !ok {
		t.Fatal("docs/CI.md does not show pytest")
	}
	for _, tc := range []struct {
		flags string
		code  int
		want  []string
	}{
		{"", 0, []string{"1 passed"}},
		{`--warpgrind "--tool race -D RACE"`, 1, []string{"1 failed", "shift.cu:13: error[race]: data race: read and write of s", shown}},
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
			image, digest, _ := strings.Cut(words[1], "@sha256:")
			if len(digest) != 64 {
				t.Errorf("%s: not at a digest", line)
			}
			if strings.Contains(image, "golang") && image != "golang:"+goVersion(t)+"-bookworm" {
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
	if !bytes.Contains(b, []byte("RUN warpgrind setup --system\n")) {
		t.Error("the image has no runtime library")
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
