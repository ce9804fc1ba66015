package clang

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/warpgrind/warpgrind/internal/shim"
)

// TestCopyTo: files come whole, and a folder that was removed is not made again.
func TestCopyTo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := copyTo(root, "shim", shim.Files); err != nil {
		t.Fatal(err)
	}
	want, err := shim.Files.ReadFile("include/cuda_runtime.h")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "shim", "include", "cuda_runtime.h")); err != nil || string(got) != string(want) {
		t.Errorf("%d bytes, want %d: %v", len(got), len(want), err)
	}
	if err := os.RemoveAll(filepath.Dir(dir)); err != nil {
		t.Fatal(err)
	}
	if err := copyTo(root, "again", shim.Files); err == nil {
		t.Error("no error in a folder that is gone")
	}
	if _, err := os.Stat(filepath.Dir(dir)); err == nil {
		t.Error("the folder was made again")
	}
}
