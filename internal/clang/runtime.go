package clang

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/shim"
)

// shimHash names the content of package shim's files.
var shimHash = sync.OnceValues(func() (string, error) {
	h := sha256.New()
	err := fs.WalkDir(shim.Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := shim.Files.ReadFile(path)
		fmt.Fprintf(h, "%s %d\n", path, len(data))
		h.Write(data)
		return err
	})
	return hex.EncodeToString(h.Sum(nil))[:16], err
})

// shimDir returns the directory with the extracted files of package shim. It
// is made under a temporary name and renamed, so two processes can do it at
// once.
func shimDir() (string, error) {
	hash, err := shimHash()
	if err != nil {
		return "", err
	}
	base, err := cache.Dir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(base, "shim-"+hash)
	if _, err := os.Stat(dir); err == nil {
		useShim(dir)
		return dir, nil
	}
	removeShims(base)
	tmp, err := os.MkdirTemp(base, "shim-new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	if err := os.CopyFS(filepath.Join(tmp, "shim"), shim.Files); err != nil {
		return "", err
	}
	return dir, renameInto(filepath.Join(tmp, "shim"), dir)
}

// renameInto renames unless another process was faster.
func renameInto(from, to string) error {
	err := os.Rename(from, to)
	if err != nil {
		if _, statErr := os.Stat(to); statErr == nil {
			return nil
		}
	}
	return err
}

// Headers returns the directory of the CUDA headers.
func Headers() (string, error) {
	dir, err := shimDir()
	return filepath.Join(dir, "include"), err
}

// runtimeLibrary returns the CUDA runtime library, compiled once for each
// compiler and version of its sources.
func (tc *Toolchain) runtimeLibrary(ctx context.Context) (string, error) {
	dir, err := shimDir()
	if err != nil {
		return "", err
	}
	id := sha256.Sum256([]byte(tc.Clang + "\n" + tc.Version))
	lib := filepath.Join(dir, "libwarpgrind-"+hex.EncodeToString(id[:6])+".o")
	if _, err := os.Stat(lib); err == nil {
		return lib, nil
	}
	sources, err := filepath.Glob(filepath.Join(dir, "runtime", "*.cpp"))
	if err != nil || len(sources) == 0 {
		return "", errors.Join(err, errors.New("the runtime's sources are missing"))
	}
	tmp, err := os.MkdirTemp(dir, "runtime-new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	out, err := tc.compileRuntime(ctx, dir, tmp, sources)
	if err != nil {
		return "", err
	}
	return lib, renameInto(out, lib)
}

// compileRuntime compiles the sources and joins them to one object.
func (tc *Toolchain) compileRuntime(ctx context.Context, dir, tmp string, sources []string) (string, error) {
	flags := []string{"-std=c++17", "-O2", "-fPIC", "-w", "-D__WG_RUNTIME__", "-I", filepath.Join(dir, "include"), "-I", filepath.Join(dir, "runtime")}
	headers := filepath.Join(tmp, "precompiled.pch")
	err := tc.runtimeStep(ctx, append(flags, "-x", "c++-header", "-o", headers, filepath.Join(dir, "runtime", "precompiled.h")))
	if err != nil {
		return "", err
	}
	flags = append(flags, "-include-pch", headers, "-c", "-o")
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	g := &group{slots: make(chan struct{}, runtime.NumCPU()), cancel: cancel}
	objects := make([]string, len(sources))
	for i, src := range sources {
		objects[i] = filepath.Join(tmp, strings.TrimSuffix(filepath.Base(src), ".cpp")+".o")
		g.run(func() error { return tc.runtimeStep(ctx, append(slices.Clone(flags), objects[i], src)) })
	}
	if err := g.wait(); err != nil {
		return "", err
	}
	out := filepath.Join(tmp, "runtime.joined.o")
	return out, tc.runtimeStep(ctx, append([]string{"-r", "-nostdlib", "-o", out}, objects...))
}

// runtimeStep runs clang for the runtime library.
func (tc *Toolchain) runtimeStep(ctx context.Context, args []string) error {
	_, diag, err := runTool(ctx, nil, tc.Clang, args...)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return incomplete(tc.Clang, diag)
	}
	return nil
}

// incomplete reports that the compiler cannot build our own C++ sources, so that
// something it needs is not installed. The first line with an error tells what.
func incomplete(clang string, diag []byte) error {
	reason := "it failed without a message"
	for _, line := range strings.Split(string(diag), "\n") {
		if _, msg, ok := strings.Cut(line, "error: "); ok {
			reason = msg
			break
		}
	}
	return &NotFoundError{fmt.Sprintf("%s cannot build the runtime library (%s): install g++, whose headers and linker it uses", clang, reason)}
}
