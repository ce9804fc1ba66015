//go:build toolchains

package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestToolchainPlans has the tools of others read plans: a linter of GitHub's workflows, and the
// types of the Kubernetes API. Compiling them takes a minute of processor time.
func TestToolchainPlans(t *testing.T) {
	bin := tooltest.Tool(t)
	dir := recorded(t, bin, "examples/boyer/fig1.cu")
	t.Run("github", func(t *testing.T) {
		file := filepath.Join(dir, "suite.yml")
		plan(t, bin, dir, "--for", "github", "--shards", "3", "-o", file, "--tool", "race", "caps")
		lint := linter(t, "github.com/rhysd/actionlint/cmd/actionlint@v1.7.7")
		if out, code := in(t, dir, nil, lint, "-shellcheck=", "-pyflakes=", file); code != 0 {
			t.Errorf("actionlint: %s", out)
		}
	})
	t.Run("kubernetes", func(t *testing.T) {
		module := t.TempDir() // the types of the API are in a module of their own
		for _, name := range []string{"go.mod", "go.sum", "main.go.txt"} {
			b, err := os.ReadFile(filepath.Join("testdata/kubernetes", name))
			if err == nil {
				err = os.WriteFile(filepath.Join(module, strings.TrimSuffix(name, ".txt")), b, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if out, code := in(t, module, nil, "go", "mod", "download"); code != 0 {
			t.Skipf("the Kubernetes API cannot be had here: %s", out)
		}
		cmd := exec.Command("go", "run", ".")
		cmd.Dir, cmd.Stdin = module, strings.NewReader(plan(t, bin, dir, "--for", "kubernetes", "--shards", "3", "--tool", "race", "caps"))
		out, err := cmd.CombinedOutput()
		if want := "3 Indexed [warpgrind suite --shard /3 --save results/shard-%n.json --tool=race caps]\n"; err != nil || string(out) != want {
			t.Errorf("read back: %v: %s, want %s", err, out, want)
		}
	})
}

// linter installs a program that the tests do not otherwise need, and skips the test where it cannot be had.
func linter(t *testing.T, program string) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("go", "install", program)
	cmd.Env = append(os.Environ(), "GOBIN="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("%s cannot be had here: %s", program, out)
	}
	name, _, _ := strings.Cut(filepath.Base(program), "@")
	return filepath.Join(dir, name)
}
