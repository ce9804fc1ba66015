//lint:file-ignore SA1019 clients of today give roots

package command

import (
	"context"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// agent is a client of "warpgrind mcp", whose only root is a directory.
type agent struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.Closer // its standard input
	s   *mcp.ClientSession
	dir string
}

func newAgent(t *testing.T) *agent {
	t.Helper()
	dir := t.TempDir()
	return newAgentIn(t, dir, dir)
}

// newAgentIn starts a server for a client with roots.
func newAgentIn(t *testing.T, dir string, roots ...string) *agent {
	t.Helper()
	return startAgent(t, dir, exec.Command(tooltest.Tool(t), "mcp"), roots...)
}

// startAgent starts a server by a command.
func startAgent(t *testing.T, dir string, cmd *exec.Cmd, roots ...string) *agent {
	t.Helper()
	a := &agent{t: t, dir: dir}
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	for _, r := range roots {
		c.AddRoots(&mcp.Root{URI: (&url.URL{Scheme: "file", Path: r}).String()})
	}
	cmd.Dir = t.TempDir()
	cmd.Stderr = os.Stderr
	a.cmd = cmd
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	a.in = in
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	s, err := c.Connect(t.Context(), &mcp.IOTransport{Reader: out, Writer: in}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a.s = s
	return a
}

// call calls a tool, and reads its result into out. It returns the error that the tool reports.
func (a *agent) call(ctx context.Context, tool string, args map[string]any, out any) string {
	a.t.Helper()
	r, err := a.s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return err.Error()
	}
	if r.IsError {
		return r.Content[0].(*mcp.TextContent).Text
	}
	text, err := json.Marshal(r.StructuredContent)
	if err != nil {
		a.t.Fatal(err)
	}
	if err := json.Unmarshal(text, out); err != nil {
		a.t.Fatal(err)
	}
	return ""
}

func (a *agent) write(name, text string) {
	a.t.Helper()
	if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o644); err != nil {
		a.t.Fatal(err)
	}
}

type agentReport struct {
	Report   string
	Exit     int
	Errors   int
	Findings []struct {
		Number              int
		Rule, File, Other   string
		Line                int
		Message, Help, Kind string
	}
	Compiler []string
	Messages []string
	Output   string
}

// TestAgentRepairs: an agent finds a race, asks for all of it, takes the patch and sees the program run clean.
func TestAgentRepairs(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	text, err := os.ReadFile("examples/boyer/fig1.cu")
	if err != nil {
		t.Fatal(err)
	}
	a.write("fig1.cu", strings.Replace(string(text), "../check.h", "check.h", 1))
	header, err := os.ReadFile("examples/check.h")
	if err != nil {
		t.Fatal(err)
	}
	a.write("check.h", string(header))
	var r agentReport
	if e := a.call(t.Context(), "run", map[string]any{"files": []string{"fig1.cu"}}, &r); e != "" {
		t.Fatal(e)
	}
	if r.Exit != 1 || len(r.Findings) != 1 || r.Findings[0].Rule != "race" || r.Findings[0].Line != 8 || filepath.Base(r.Findings[0].File) != "fig1.cu" || !strings.Contains(r.Output, "63 of 64") {
		t.Fatalf("report %+v", r)
	}
	var f struct {
		Cause   string
		Primary struct{ Thread map[string]any }
	}
	if e := a.call(t.Context(), "finding", map[string]any{"report": r.Report, "number": 1}, &f); e != "" || f.Primary.Thread == nil {
		t.Fatalf("finding %+v, %s", f, e)
	}
	var p struct {
		Exit  int
		Patch string
	}
	if e := a.call(t.Context(), "fix", map[string]any{"files": []string{"fig1.cu"}, "seconds": 120}, &p); e != "" || p.Exit != 0 {
		t.Fatalf("fix %+v, %s", p, e)
	}
	patch := exec.Command("patch", "-p1", "-d", "/")
	patch.Stdin = strings.NewReader(p.Patch)
	if out, err := patch.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, p.Patch)
	}
	r = agentReport{}
	if e := a.call(t.Context(), "run", map[string]any{"files": []string{"fig1.cu"}}, &r); e != "" || r.Exit != 0 {
		t.Fatalf("after the patch: %+v, %s", r, e)
	}
}

// TestAgentBounds: files outside the roots, options that are files, endless programs and nonsense end in an error of the call, and
// the server continues.
func TestAgentBounds(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	secret := filepath.Join(t.TempDir(), "secret.cu")
	if err := os.WriteFile(secret, []byte("int main() {}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(a.dir, "link.cu")); err != nil {
		t.Fatal(err)
	}
	a.write("endless.cu", "int main() { for (volatile int i = 0; ; i++); }\n")
	a.write("broken.cu", "int main() { return x; }\n")
	a.write("thief.cu", "#include <cstdio>\nint main() { FILE *f = fopen(\""+secret+"\", \"r\"); puts(f ? \"read\" : \"closed\"); f = fopen(\""+a.dir+"/new\", \"w\"); puts(f ? \"written\" : \"closed\"); }\n")
	a.write("hider.cu", "#include <cstdio>\n#include <sys/mman.h>\nint main() { printf(\"%d\\n\", memfd_create(\"x\", 0) < 0 && mmap(nullptr, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED); }\n")
	for _, c := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"run", map[string]any{"files": []string{secret}}, "not below a root"},
		{"run", map[string]any{"files": []string{"link.cu"}}, "not below a root"},
		{"run", map[string]any{"files": []string{"../x.cu"}}, "no such file"},
		{"run", map[string]any{"files": []string{}}, "name a file"},
		{"run", map[string]any{"files": []string{"endless.cu"}, "options": []string{secret}}, "does not begin with - and a name"},
		{"run", map[string]any{"files": []string{"endless.cu"}, "seconds": 3}, "time limit"},
		{"run", map[string]any{"files": []string{"endless.cu"}, "options": []string{"--no-such"}}, "unknown flag"},
		{"check", map[string]any{"files": []string{"endless.cu"}, "options": []string{"-I" + filepath.Dir(secret), "-include", secret}}, "not for tools"},
		{"run", map[string]any{"files": []string{"endless.cu"}, "options": []string{"--format=text"}}, "not for tools"},
		{"run", map[string]any{"files": []string{"endless.cu"}, "options": []string{"-record=x"}}, "not for tools"},
		{"fix", map[string]any{"files": []string{"endless.cu"}, "options": []string{"--help"}}, "not for tools"},
		{"run", map[string]any{"files": []string{"endless.cu"}, "options": []string{"-o/x.json"}}, "not for tools"},
		{"run", map[string]any{"files": []string{"endless.cu"}, "options": []string{"-"}}, "does not begin with - and a name"},
		{"finding", map[string]any{"number": 1}, "no report"},
		{"explain", map[string]any{"rule": "no such"}, "no rule"},
		{"run", map[string]any{"files": 7}, ""},
	} {
		e := a.call(t.Context(), c.tool, c.args, new(any))
		if e == "" || !strings.Contains(e, c.want) {
			t.Errorf("%s %v: error %q, want %q", c.tool, c.args, e, c.want)
		}
	}
	var r agentReport
	if e := a.call(t.Context(), "run", map[string]any{"files": []string{"broken.cu"}}, &r); e == "" && len(r.Compiler) == 0 {
		t.Errorf("a program that does not compile: %+v", r)
	}
	r = agentReport{}
	if e := a.call(t.Context(), "run", map[string]any{"files": []string{"thief.cu"}}, &r); e != "" || strings.Count(r.Output, "closed") != 2 {
		t.Errorf("a program that reads and writes outside: %+v, %s", r, e)
	}
	r = agentReport{}
	if e := a.call(t.Context(), "run", map[string]any{"files": []string{"hider.cu"}}, &r); e != "" || !strings.HasPrefix(r.Output, "1\n") {
		t.Errorf("a program that shares memory without a file: %+v, %s", r, e)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a.call(ctx, "run", map[string]any{"files": []string{"endless.cu"}}, &r)
	var rules struct{ Rules []struct{ ID, Doc string } }
	if e := a.call(t.Context(), "explain", map[string]any{}, &rules); e != "" || len(rules.Rules) < 8 {
		t.Errorf("rules %v, %s", rules, e)
	}
}

// TestAgentRoots: a root that does not exist is left out, and / is none.
func TestAgentRoots(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := newAgentIn(t, dir, filepath.Join(dir, "missing"), dir)
	a.write("none.cu", "int main() {}\n")
	var r agentReport
	if e := a.call(t.Context(), "run", map[string]any{"files": []string{"none.cu"}}, &r); e != "" || r.Exit != 4 {
		t.Errorf("with a root that is missing: %+v, %s", r, e)
	}
	for _, m := range r.Messages {
		if strings.Contains(m, "cache") {
			t.Errorf("a message about the server's cache: %s", m)
		}
	}
	a = newAgentIn(t, dir, "/")
	if e := a.call(t.Context(), "run", map[string]any{"files": []string{filepath.Join(dir, "none.cu")}}, &r); !strings.Contains(e, "root / is refused") {
		t.Errorf("with the root /: %s", e)
	}
	other := t.TempDir() // the client's, which the user's comes before
	a = startAgent(t, dir, exec.Command(tooltest.Tool(t), "mcp", "--root", dir), other)
	if e := a.call(t.Context(), "run", map[string]any{"files": []string{"none.cu"}}, &r); e != "" || r.Exit != 4 {
		t.Errorf("with --root: %+v, %s", r, e)
	}
	if e := a.call(t.Context(), "run", map[string]any{"files": []string{filepath.Join(other, "x.cu")}}, &r); e == "" {
		t.Error("--root did not come before the client's roots")
	}
	if out, err := exec.Command(tooltest.Tool(t), "mcp", "--root", filepath.Join(dir, "missing")).CombinedOutput(); err == nil || !strings.Contains(string(out), "exists") {
		t.Errorf("a missing --root: %v, %s", err, out)
	}
}

// TestAgentEnds: nothing runs on when the server ends, however it does.
func TestAgentEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  func(*agent) error
		code int
	}{
		"killed":     {func(a *agent) error { return a.cmd.Process.Kill() }, -1},
		"terminated": {func(a *agent) error { return a.cmd.Process.Signal(syscall.SIGTERM) }, 143},
		"left":       {func(a *agent) error { return a.in.Close() }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAgent(t)
			a.write("endless.cu", "#include <unistd.h>\nint main() { for (;;) pause(); }\n")
			for range 3 {
				go a.s.CallTool(t.Context(), &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"files": []string{"endless.cu"}, "seconds": 600}})
			}
			within(t, "the programs run", func() bool { return len(naming(a.dir)) >= 3 })
			if err := c.end(a); err != nil {
				t.Fatal(err)
			}
			within(t, "nothing runs", func() bool { return len(naming(a.dir)) == 0 })
			a.cmd.Wait()
			if got := a.cmd.ProcessState.ExitCode(); got != c.code {
				t.Errorf("exit code %d, want %d", got, c.code)
			}
		})
	}
}

// naming are the processes whose arguments name a directory.
func naming(dir string) (pids []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, p := range all {
		if text, err := os.ReadFile(p); err == nil && strings.Contains(string(text), dir) {
			pids = append(pids, filepath.Base(filepath.Dir(p)))
		}
	}
	return pids
}

func within(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after a minute it does not hold that %s", what)
		}
	}
}

const agentJob = `{"version": 1, "id": "scale-1",
 "source": "__global__ void scale(const float *x, float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 2 * x[i]; }",
 "shapes": {"n": 1000},
 "arguments": [{"name": "x", "type": "f32", "role": "input", "shape": ["n"]},
               {"name": "y", "type": "f32", "role": "output", "shape": ["n"]},
               {"name": "n", "type": "i32", "role": "scalar", "value": "n"}],
 "launches": [{"kernel": "scale", "grid": ["ceil(n, 256)"], "block": [256]}],
 "reference": {"source": "void reference(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }"}}
`

// TestAgentFloods: a message without an end ends the server, with a line, before it fills the memory.
func TestAgentFloods(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(tooltest.Tool(t), "mcp", "--root", t.TempDir())
	cmd.Stdin = io.MultiReader(strings.NewReader(`"`), io.LimitReader(letters{}, 1<<30))
	out, _ := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 2 || string(out) != "warpgrind: a message of more than 64 MiB\n" {
		t.Errorf("%v: %s", cmd.ProcessState, out)
	}
	if used := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss; used > 600<<10 {
		t.Errorf("%d KiB of memory", used)
	}
}

// letters is text without an end.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

// TestAgentJudges: a job goes to the judge.
func TestAgentJudges(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	var job map[string]any
	if err := json.Unmarshal([]byte(agentJob), &job); err != nil {
		t.Fatal(err)
	}
	var verdict struct{ Verdict string }
	if e := a.call(t.Context(), "judge", map[string]any{"job": job, "seconds": 300}, &verdict); e != "" || verdict.Verdict != "correct" {
		t.Errorf("verdict %+v, %s", verdict, e)
	}
}
