package clang

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLinkLibraries: the header libraries of the machine are a part of the toolkit's folder, also if they come later;
// those that are there stay, and links that lead nowhere are made anew.
func TestLinkLibraries(t *testing.T) {
	bare(t)
	if _, err := os.Stat("/usr/local/cuda"); err == nil {
		t.Skip("this machine has a toolkit")
	}
	h := Home{fakeToolkit(t, "include/cuda/atomic", "include/nv/target", "include/cuda_runtime.h", "include/cccl/.made")}
	if err := h.setApart(); err != nil {
		t.Fatal(err)
	}
	cccl := filepath.Join(h.Include(), "cccl")
	check := func(when, file string, want bool) {
		t.Helper()
		if err := h.linkLibraries(); err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		if exists(cccl+"/"+file) != want { // not cleaned: what the kernel makes of ".." counts
			t.Errorf("%s: %s exists is %v", when, file, !want)
		}
	}
	check("without libraries", "thrust", false)
	for _, file := range []string{"cuda/atomic", "cuda/../cuda_runtime.h", "../cuda/atomic", "../cuda/../nv/target"} {
		check("without libraries", file, true)
	}

	dir, err := CCCLDir()
	if err != nil {
		t.Fatal(err)
	}
	libraries := filepath.Join(dir, "include", "cccl")
	fakeCCCL(t, libraries, "300300")
	for _, lib := range []string{"cuda/std", "cub"} {
		if err := os.MkdirAll(filepath.Join(libraries, lib), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	check("after setup", "thrust/version.h", true)
	check("after setup", "cuda/std", true)
	check("in the folder of the toolkit", "../cuda/std", true)
	check("in the folder of the toolkit", "../thrust", false)
	check("what the libraries do not have", "nv/target", true)

	if err := os.Rename(dir, dir+".moved"); err != nil {
		t.Fatal(err)
	}
	venv := t.TempDir()
	t.Setenv("VIRTUAL_ENV", venv)
	fakeCCCL(t, filepath.Join(venv, "lib", "python3.12", "site-packages", "nvidia", "cu13", "include", "cccl"), "300300")
	check("moved", "thrust/version.h", true)
	if left, _ := filepath.Glob(filepath.Join(h.Dir, "link-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
