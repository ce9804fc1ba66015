package clang

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// fakeToolkit makes folders and files of a toolkit.
func fakeToolkit(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		path := filepath.Join(dir, f)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFindToolkit(t *testing.T) {
	old := fakeToolkit(t, "include/thrust/sort.h")
	compiler := fakeToolkit(t, "bin/nvcc")
	ours := fakeToolkit(t, "bin/nvcc", "lib64/"+sharedRuntime)
	for _, c := range []struct {
		name, dir, home, want string
		fails                 bool
	}{
		{"named", old, compiler, old, false},
		{"from the environment", "", compiler, compiler, false},
		{"our own is none", "", ours, "", false},
		{"nothing there", "", t.TempDir(), "", false},
		{"none at all", "", "", "", false},
		{"named, but none", t.TempDir(), old, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("CUDA_HOME", c.home)
			t.Setenv("CUDA_PATH", "")
			got, err := FindToolkit(c.dir)
			var usage *UsageError
			if errors.As(err, &usage) != c.fails || (err != nil) != c.fails {
				t.Fatalf("error %v", err)
			}
			if dir := ""; got != nil && got.Dir != c.want || got == nil && c.want != dir {
				t.Errorf("got %+v, want %q", got, c.want)
			}
		})
	}
}

// TestUseToolkit looks at the flags: libraries first, NVIDIA's own headers
// last, whatever folder of the toolkit they are in.
// TestVersion: the version that was asked for, else that of the toolkit's headers
// as far as its libraries may know it, else the newest.
func TestVersion(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("CUDA_HOME", "")
	t.Setenv("CUDA_PATH", "")
	plain := fakeToolkit(t, "include/thrust/sort.h")
	versioned := fakeToolkit(t, "include/thrust/sort.h", "include/cuda.h")
	old := fakeToolkit(t, "include/thrust/sort.h", "include/cuda.h")
	if err := errors.Join(os.WriteFile(filepath.Join(versioned, "include/cuda.h"), []byte("#define CUDA_VERSION 13050\n"), 0o666),
		os.WriteFile(filepath.Join(old, "include/cuda.h"), []byte("#define CUDA_VERSION 11080\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		asked nvcc.Version
		dir   string
		want  string
	}{
		{dir: plain, want: "12090"}, {dir: versioned, want: "12090"}, {dir: old, want: "11080"}, {want: "13000"},
		{asked: nvcc.Version{Major: 11, Minor: 8}, dir: versioned, want: "11080"},
	} {
		f := Flags{CUDA: tt.asked}
		if err := f.UseToolkit(tt.dir); err != nil {
			t.Fatal(err)
		}
		f.defineVersion()
		if !slices.Contains(f.Both, "-D__WG_CUDA_VERSION__="+tt.want) {
			t.Errorf("%v of %q: %q, want %s", tt.asked, tt.dir, f.Both, tt.want)
		}
	}
}

func TestUseToolkit(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("CUDA_HOME", "")
	t.Setenv("CUDA_PATH", "")
	for _, layout := range []string{"include/thrust/sort.h", "include/cccl/thrust/sort.h"} {
		dir := fakeToolkit(t, layout, "include/crt/host_runtime.h", "include/cooperative_groups.h")
		include := filepath.Join(dir, "include")
		for _, given := range [][]string{{"-I" + include}, {"-isystem", include}} {
			f := Flags{Both: append(append([]string{"-DA"}, given...), "-Imine")}
			if err := f.UseToolkit(""); err != nil {
				t.Fatal(err)
			}
			if want := []string{"-DA", "-Imine", "-idirafter", include}; !slices.Equal(f.Both[:4], want) {
				t.Errorf("got %q, want %q first", f.Both, want)
			}
			libs := strings.TrimPrefix(f.Both[4], "-I")
			for _, file := range []string{"thrust/sort.h", "cooperative_groups.h"} {
				if !exists(filepath.Join(libs, file)) {
					t.Errorf("%s: no %s in %s", layout, file, libs)
				}
			}
		}
	}
	// The headers of a Python package, without those of the compiler.
	split := filepath.Join(fakeToolkit(t, "include/cuda_runtime_api.h", "include/driver_types.h", "include/device_launch_parameters.h"), "include")
	f := Flags{Both: []string{"-I" + split, "-Imine"}}
	if err := f.UseToolkit(""); err != nil || !slices.Equal(f.Both, []string{"-Imine", "-idirafter", split}) {
		t.Errorf("headers without crt: %q, %v", f.Both, err)
	}
	// A program's own header of that name stays where it is.
	own := filepath.Join(fakeToolkit(t, "include/cuda_runtime_api.h"), "include")
	f = Flags{Both: []string{"-I" + own}}
	if err := f.UseToolkit(""); err != nil || !slices.Equal(f.Both, []string{"-I" + own}) {
		t.Errorf("a program's header: %q, %v", f.Both, err)
	}
	f = Flags{Both: []string{"-Imine"}}
	if err := f.UseToolkit(""); err != nil || !slices.Equal(f.Both, []string{"-Imine"}) {
		t.Errorf("without a toolkit: %q, %v", f.Both, err)
	}
	// The folder that CudaHome makes is none, and its headers are searched anyway.
	ours := filepath.Join(fakeToolkit(t, "include/cuda_runtime.h", "lib64/"+sharedRuntime), "include")
	f = Flags{Both: []string{"-I" + ours, "-isystem", ours + "/cccl", "-Imine"}}
	if err := f.UseToolkit(""); err != nil || !slices.Equal(f.Both, []string{"-Imine"}) {
		t.Errorf("our own headers: %q, %v", f.Both, err)
	}
}
