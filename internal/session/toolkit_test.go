package session

import (
	"os"
	"path/filepath"
	"slices"
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
