package process

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestWithoutShell: each command that makes temporary files has in its JSON that nothing removes them after a kill where there
// is no shell.
func TestWithoutShell(t *testing.T) {
	t.Parallel()
	dir, bin := t.TempDir(), tooltest.Tool(t)
	for _, name := range []string{"clang-19", "ld"} {
		path, err := exec.LookPath(name)
		if err == nil {
			path, err = filepath.EvalSymlinks(path)
		}
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	app := filepath.Join(dir, "app.cu")
	const text = "__global__ void k(int *p) { __shared__ int s[32]; s[threadIdx.x] = 1; __syncthreads(); p[threadIdx.x] = s[31 - threadIdx.x]; }\n" +
		"int main() { int *p; cudaMalloc(&p, 128); k<<<1, 32>>>(p); return cudaDeviceSynchronize() + cudaFree(p); }\n"
	if err := os.WriteFile(app, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	commands := []string{"run", "check", "fix", "tidy", "control", "barriers"}
	if testing.Short() {
		commands = commands[:3]
	}
	for _, command := range commands {
		cmd := exec.Command(bin, command, "--format", "json", app)
		cmd.Env = append(os.Environ(), "PATH="+dir)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		_ = cmd.Run() // tidy and barriers exit with 1 where they find something
		var r struct {
			Environment struct{ Fallbacks []struct{ Way string } }
		}
		if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
			t.Errorf("%s: %v\n%s%s", command, err, stdout.Bytes(), stderr.Bytes())
		} else if !slices.Contains(r.Environment.Fallbacks, struct{ Way string }{"cleaner"}) {
			t.Errorf("%s: fallbacks %+v\n%s", command, r.Environment.Fallbacks, stderr.Bytes())
		}
	}
}
