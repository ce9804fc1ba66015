package build

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFindProgram looks for programs that are named without a folder: a file here comes first, a folder
// of that name is none.
func TestFindProgram(t *testing.T) {
	bin, here := t.TempDir(), t.TempDir()
	t.Setenv("PATH", bin)
	t.Chdir(here)
	program := func(path string) {
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"python", "both", "elsewhere"} {
		program(filepath.Join(bin, name))
	}
	program("both")
	for _, name := range []string{"python", "folder"} {
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"python":      filepath.Join(bin, "python"),
		"elsewhere":   filepath.Join(bin, "elsewhere"),
		"both":        "both",
		"folder":      "folder",
		"missing":     "missing",
		"./elsewhere": "./elsewhere",
	} {
		if got := FindProgram(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
