package clang

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/scratch"
	"github.com/warpgrind/warpgrind/internal/shim"
)

// shimHash names the content of package shim's files.
var shimHash = sync.OnceValue(func() string {
	return hashOf(shim.Files, func(string) bool { return true })
})

// shimDir returns the directory with the extracted files of package shim: that of all users
// where it has been set up, or else the user's own.
func shimDir() (string, error) {
	if dir := filepath.Join(cache.System, "shim-"+shimHash()); cache.IsRoots(dir) {
		return dir, nil
	}
	return ownShimDir()
}

// ownShimDir is the user's own.
func ownShimDir() (string, error) {
	base, err := cache.Dir()
	if err != nil {
		return "", err
	}
	return shimIn(base)
}

// shimIn returns the directory with the files below base.
func shimIn(base string) (string, error) {
	return extracted(base, "shim-"+shimHash(), shim.Files)
}

// renameInto puts something into its place in the cache, unless another process was faster.
func renameInto(from, to string) error {
	err := cache.Shut(from)
	if err == nil {
		err = os.Rename(from, to)
	}
	if err != nil {
		if _, statErr := os.Stat(to); statErr == nil {
			return nil
		}
	}
	return err
}

// install puts an object or a shared library that was built into its place.
func install(built, to string) error {
	if !isObject(built) {
		return fmt.Errorf("%s: the compiler did not write it", built)
	}
	return renameInto(built, to)
}

// Python returns the directory of the modules that Python programs load, which is removed as those
// of the shim's other files are.
func Python() (string, error) {
	base, err := cache.Dir()
	if err != nil {
		return "", err
	}
	dir, err := extracted(base, "shim-python-"+hashOf(shim.Python, func(string) bool { return true }), shim.Python)
	return filepath.Join(dir, "python"), err
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
	lib := filepath.Join(dir, tc.runtimeName())
	if isObject(lib) {
		return lib, nil
	}
	if strings.HasPrefix(dir, cache.System+"/") { // which was set up for another compiler
		if dir, err = ownShimDir(); err != nil {
			return "", err
		}
		if lib = filepath.Join(dir, tc.runtimeName()); isObject(lib) {
			return lib, nil
		}
	}
	if err = tc.buildRuntime(ctx, dir, lib); !isFull(err) {
		return lib, err
	}
	if dir, err = ownDir(dir, err); err == nil {
		dir, err = extractedIn(dir, "shim-"+shimHash(), shim.Files)
	}
	if err != nil {
		return "", err
	}
	lib = filepath.Join(dir, tc.runtimeName())
	return lib, tc.buildRuntime(ctx, dir, lib)
}

// runtimeName is the name of the library's file.
func (tc *Toolchain) runtimeName() string {
	id := sha256.Sum256([]byte(tc.Clang + "\n" + tc.Version))
	return "libwarpgrind-" + hex.EncodeToString(id[:6]) + ".o"
}

// Setup builds the runtime library where it is missing, for this user, or for all users in
// cache.System, which takes root.
func (tc *Toolchain) Setup(ctx context.Context, system bool) (string, error) {
	if !system {
		return tc.runtimeLibrary(ctx)
	}
	if err := os.MkdirAll(cache.System, 0o755); err != nil {
		return "", err
	}
	dir, err := shimIn(cache.System)
	if err != nil {
		return "", err
	}
	lib := filepath.Join(dir, tc.runtimeName())
	return lib, tc.buildRuntime(ctx, dir, lib)
}

// buildRuntime compiles the library from the sources in dir, unless it is there.
func (tc *Toolchain) buildRuntime(ctx context.Context, dir, lib string) error {
	sources, err := filepath.Glob(filepath.Join(dir, "runtime", "*.cpp"))
	if err != nil || len(sources) == 0 {
		return errors.Join(err, errors.New("the runtime's sources are missing"))
	}
	waiting := func() { tc.tell(runtimePart, 0, len(sources)) }
	defer tc.tell(runtimePart, len(sources), len(sources))
	return once(ctx, lib, waiting, func() error {
		tmp, remove, err := scratch.In(dir, "runtime-new-")
		if err != nil {
			return err
		}
		defer remove()
		out, err := tc.compileRuntime(ctx, dir, tmp, sources)
		if err != nil {
			return err
		}
		return install(out, lib)
	})
}

// compileRuntime compiles the sources and joins them to one object.
func (tc *Toolchain) compileRuntime(ctx context.Context, dir, tmp string, sources []string) (string, error) {
	join := []string{"-r", "-nostdlib", "-o"}
	// A missing linker shows at once, not after half a minute of compiling.
	empty := filepath.Join(tmp, "empty.o")
	if err := tc.runtimeStep(ctx, []string{"-c", "-x", "c++", "-o", empty, os.DevNull}); err != nil {
		return "", err
	}
	if err := tc.runtimeStep(ctx, append(slices.Clone(join), filepath.Join(tmp, "joined.o"), empty)); err != nil {
		return "", err
	}
	flags := []string{"-std=c++17", "-O2", "-fPIC", "-w", "-D__WG_RUNTIME__", "-I", filepath.Join(dir, "include"), "-I", filepath.Join(dir, "runtime")}
	headers := filepath.Join(tmp, "precompiled.pch")
	err := tc.runtimeStep(ctx, append(slices.Concat(flags, instantiated), "-x", "c++-header", "-o", headers, filepath.Join(dir, "runtime", "precompiled.h")))
	if err != nil {
		return "", err
	}
	flags = append(flags, "-include-pch", headers, "-c", "-o")
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	g := &group{slots: make(chan struct{}, runtime.NumCPU()), cancel: cancel}
	objects := make([]string, len(sources))
	done := tc.progress(len(sources))
	for i, src := range sources {
		objects[i] = filepath.Join(tmp, strings.TrimSuffix(filepath.Base(src), ".cpp")+".o")
		g.run(func() error {
			defer done()
			return tc.runtimeStep(ctx, append(slices.Clone(flags), objects[i], src))
		})
	}
	if err := g.wait(); err != nil {
		return "", err
	}
	out := filepath.Join(tmp, "runtime.joined.o")
	return out, tc.runtimeStep(ctx, slices.Concat(join, []string{out}, objects))
}

// progress reports that none of n files is compiled, and returns a function that reports one more.
func (tc *Toolchain) progress(n int) func() {
	var mu sync.Mutex
	done := 0
	tc.tell(runtimePart, 0, n)
	return func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		tc.tell(runtimePart, done, n)
	}
}

// runtimePart is the runtime library for tell.
const runtimePart = "the runtime library"

// tell tells whoever wants to know how many of the files of what is built are compiled.
func (tc *Toolchain) tell(what string, done, all int) {
	if tc.Building != nil {
		tc.Building(what, done, all)
	}
}

// runtimeStep runs clang for the runtime library.
func (tc *Toolchain) runtimeStep(ctx context.Context, args []string) error {
	_, diag, err := runTool(ctx, nil, tc.Clang, args...)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if isShort(err) {
		return err
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
