package programs

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// projects are programs of several files with build files as users have them.
// Each is built by these, unchanged, and its programs must pass, alone and
// under warpgrind run.
var projects = []struct {
	dir      string
	build    []string // commands; $CUDA_HOME is the folder of warpgrind cc
	programs []string // with arguments; each prints PASS
	needs    string   // a program that the build needs, beside make
}{
	{"makefile", []string{"make -j2"}, []string{"./imagetool 20 17"}, ""},
	{"cmake", []string{
		"cmake -S . -B build -DCMAKE_CUDA_COMPILER=$CUDA_HOME/bin/nvcc -DCMAKE_CUDA_ARCHITECTURES=70",
		"cmake --build build -j2", "cmake --build build --target test",
	}, []string{"build/particles 33 2", "build/product"}, "cmake"},
	{"openmp", []string{`make -j2 NVCC="warpgrind cc"`}, []string{"./sums"}, ""},
	{"rdc", []string{"make -j2"}, []string{"./stackmachine"}, ""},
	{"staticlib", []string{"make -j2"}, []string{"./solve", "./verify"}, ""},
	{"textures", []string{"make -j2"}, []string{"./resample"}, ""},
}

func TestProjects(t *testing.T) {
	bin := tooltest.Tool(t)
	for _, p := range projects {
		t.Run(p.dir, func(t *testing.T) {
			if _, err := exec.LookPath(p.needs); p.needs != "" && err != nil {
				t.Skipf("no %s", p.needs)
			}
			sh := projectShell(t, bin, p.dir)
			for _, command := range p.build {
				sh(command)
			}
			if p.dir == "cmake" { // what is missing concerns its own target alone, and is refused by name
				if out := sh("cmake --build build --target thumbnail || true"); !strings.Contains(out, "not supported: NPP") {
					t.Errorf("thumbnail:\n%s", out)
				}
			}
			for _, program := range p.programs {
				name, args, _ := strings.Cut(program, " ")
				for _, command := range []string{program, "warpgrind run " + name + " -- " + args} {
					out := sh(command)
					if !strings.Contains(out, ": PASS") || !strings.Contains(out, ": 0 findings") {
						t.Errorf("%s:\n%s", command, out)
					}
				}
			}
			if out := sh(p.build[0]); strings.Contains(out, "error") {
				t.Errorf("second build:\n%s", out)
			}
		})
	}
}

// projectShell copies a project and returns a function that runs a shell's
// command in the copy, which must succeed, and returns its output.
func projectShell(t *testing.T, bin, project string) func(command string) string {
	t.Helper()
	work := t.TempDir()
	if err := os.CopyFS(work, os.DirFS(filepath.Join("testdata", "projects", project))); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "XDG_DATA_HOME="+t.TempDir())
	run := func(command string) string {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, "sh", "-c", command)
		cmd.Dir, cmd.Env = work, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		return string(out)
	}
	env = append(env, "PATH="+filepath.Dir(bin)+string(os.PathListSeparator)+os.Getenv("PATH"))
	home := strings.TrimSpace(run("warpgrind cc --print-cuda-home"))
	env = append(env, "CUDA_HOME="+home, "PATH="+filepath.Join(home, "bin")+string(os.PathListSeparator)+
		filepath.Dir(bin)+string(os.PathListSeparator)+os.Getenv("PATH"))
	return run
}
