package build

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/clang"
)

func TestToolkit(t *testing.T) {
	with, without := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(with, "nvcc"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		what, path, home, cudaPath string
		want                       []string
	}{
		{"none", without, "", "", []string{"CUDA_HOME=/ours", "CUDA_PATH=/ours", "PATH=" + without + ":/ours/bin"}},
		{"an nvcc", with, "", "", nil},
		{"CUDA_HOME", without, "/theirs", "", nil},
		{"CUDA_PATH", without, "", "/theirs", nil},
		{"no PATH", "", "", "", []string{"CUDA_HOME=/ours", "CUDA_PATH=/ours", "PATH=/ours/bin"}},
	} {
		t.Setenv("PATH", tt.path)
		t.Setenv("CUDA_HOME", tt.home)
		t.Setenv("CUDA_PATH", tt.cudaPath)
		if got := toolkit(clang.Home{Dir: "/ours"}); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.what, got, tt.want)
		}
	}
}

// TestEnvironmentSaysWhy wants the reason where a program that was not built for the run does not get our libraries.
func TestEnvironmentSaysWhy(t *testing.T) {
	real, err := clang.Find("")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	t.Setenv("WARPGRIND_CACHE", filepath.Join(dir, "cache"))
	// A compiler with all that is looked for when one is chosen, but no C++ library.
	fake := filepath.Join(dir, filepath.Base(real.Clang))
	script := "#!/bin/sh\nfor a; do [ \"$a\" = -D__WG_RUNTIME__ ] && echo \"a.cpp:1:10: fatal error: 'string' file not found\" >&2 && exit 1; done\nexec " + real.Clang + " \"$@\"\n"
	if err := os.WriteFile(fake, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, tool := range map[string]string{"opt": real.Opt, "llc": real.LLC} {
		if err := os.Symlink(tool, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ what, compiler, want string }{
		{"no compiler", filepath.Join(dir, "none"), "not found"},
		{"no C++ library", fake, "cannot build the runtime library ('string' file not found)"},
	} {
		env, err := Environment(t.Context(), tt.compiler)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got error %v, want one with %q", tt.what, err, tt.want)
		}
		if !slices.Equal(env, os.Environ()) {
			t.Errorf("%s: the environment is not that of the caller", tt.what)
		}
	}
}
