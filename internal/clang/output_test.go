package clang

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// wrapped is the toolchain with a clang that runs a line of shell before the real one.
func wrapped(t *testing.T, line string) *Toolchain {
	t.Helper()
	tc := *toolchain(t)
	script := filepath.Join(t.TempDir(), "clang")
	if err := os.WriteFile(script, []byte("#!/bin/sh\n"+line+"\nexec "+tc.Clang+" \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	tc.Clang = script
	return &tc
}

// TestCodegenIsChecked: an output that is not an object is an error and is not kept; a kept one that
// is none is made again.
func TestCodegenIsChecked(t *testing.T) {
	t.Setenv(cache.DirEnv, t.TempDir())
	processor := map[string]string{"amd64": "x86-64-v3", "arm64": "armv8-a"}[runtime.GOARCH]
	const ir = "define i32 @enter() {\n  ret i32 1\n}\n"
	flag := filepath.Join(t.TempDir(), "silent")
	tc := wrapped(t, "[ -e "+flag+" ] && exit 0")
	gen := Codegen{Compiler: tc.Clang, Processor: processor}
	compile := func() ([]byte, error) {
		if object := gen.Cached("ir", ir); object != nil {
			return object, nil
		}
		return gen.Compile("ir", ir)
	}
	if err := os.WriteFile(flag, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if object, err := compile(); err == nil {
		t.Fatalf("a compiler that wrote nothing gave %d bytes", len(object))
	}
	if err := os.Remove(flag); err != nil {
		t.Fatal(err)
	}
	good, err := compile()
	if err != nil {
		t.Fatal(err)
	}
	damageResults(t, "object")
	before := fallback.Now()
	if again, err := compile(); err != nil || len(again) != len(good) {
		t.Errorf("%d bytes, %v; want %d", len(again), err, len(good))
	}
	if list := fallback.Since(before); len(list) != 1 || list[0].Way != fallback.Cache || list[0].Count != 1 {
		t.Errorf("replaced: %+v; want one entry of the cache", list)
	}
}

// damageResults empties a piece of every result in the cache, as an earlier version kept it when the
// compiler had written elsewhere: their checksums are right.
func damageResults(t *testing.T, piece string) {
	t.Helper()
	cache.Open().Rewrite(func(r cache.Result) cache.Result {
		if _, ok := r[piece]; ok {
			r[piece] = nil
		}
		return r
	})
}

// TestUnitIsChecked is the same for a source, a precompiled header and a program.
func TestUnitIsChecked(t *testing.T) {
	t.Setenv(cache.DirEnv, t.TempDir())
	dir := t.TempDir()
	source := filepath.Join(dir, "a.cu")
	if err := os.WriteFile(source, []byte("__global__ void k(int *p) { *p = 1; }\nint main() { k<<<1, 1>>>(0); }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	unit := Unit{Source: source, Lang: nvcc.CUDA, SM: 80}
	for _, piece := range []string{"object", "ptx", "header"} {
		if _, err := toolchain(t).Compile(context.Background(), unit); err != nil {
			t.Fatal(err)
		}
		damageResults(t, piece)
		again, err := toolchain(t).Compile(context.Background(), unit)
		if err != nil || len(again.Object) == 0 || len(again.PTX) == 0 {
			t.Errorf("%s: %v, or an empty product", piece, err)
		}
	}
	silent := wrapped(t, `case "$*" in *gpubinary*) for a; do [ "$last" = -o ] && : > "$a"; last=$a; done; exit 0;; esac`)
	silent.Version += " silent"
	if p, err := silent.Compile(context.Background(), unit); err == nil {
		t.Errorf("a compiler that wrote an empty object gave %d bytes", len(p.Object))
	}
}
