package clang

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/scratch"
	"github.com/warpgrind/warpgrind/internal/shim"
)

// The replacements for NVIDIA's closed libraries (shim.Libraries) are compiled when a program
// first calls them, not with the runtime library: most programs call none.

var librariesHash = sync.OnceValue(func() string {
	return hashOf(shim.Libraries, func(string) bool { return true })
})

// librariesDir is the folder with their sources, and with what is compiled of them. Its name
// is that of a version of the shim's files, so that it is removed as those are.
func librariesDir() (string, error) {
	base, err := cache.Dir()
	if err != nil {
		return "", err
	}
	return extracted(base, "shim-libraries-"+librariesHash(), shim.Libraries)
}

// extracted returns the directory of a name below base with embedded files, or one that this process alone uses where base
// has no room for them.
func extracted(base, name string, files embed.FS) (string, error) {
	dir, err := extractedIn(base, name, files)
	if !isFull(err) {
		return dir, err
	}
	own, err := ownDir(base, err)
	if err != nil {
		return "", err
	}
	return extractedIn(own, name, files)
}

// own is the directory of this process where the cache is full.
var own struct {
	sync.Mutex
	dir string
}

// ownDir makes it at the first call, and counts why base is full.
func ownDir(base string, full error) (dir string, err error) {
	own.Lock()
	defer own.Unlock()
	if own.dir == "" {
		var why syscall.Errno
		errors.As(full, &why)
		fallback.Took(fallback.Room, fmt.Errorf("%s: %w: the runtime library is built for this run alone", base, why))
		own.dir, _, err = scratch.Dir()
	}
	return own.dir, err
}

// isFull reports whether a file system refuses more.
func isFull(err error) bool {
	return slices.ContainsFunc([]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS}, func(e error) bool { return errors.Is(err, e) })
}

// extractedIn is extracted for base alone. The directory is made under a temporary name and renamed, so two processes can do
// it at once.
func extractedIn(base, name string, files embed.FS) (string, error) {
	dir := filepath.Join(base, name)
	if exists(dir) {
		useShim(dir)
		return dir, nil
	}
	removeShims(base)
	tmp, remove, err := scratch.In(base, "shim-new-")
	if err != nil {
		return "", err
	}
	defer remove()
	root, err := os.OpenRoot(tmp)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if err := copyTo(root, "shim", files); err != nil {
		return "", err
	}
	return dir, renameInto(filepath.Join(tmp, "shim"), dir)
}

// copyTo copies files to a folder of root. Where root was removed meanwhile, as by a process that ends, it makes nothing anew.
func copyTo(root *os.Root, folder string, files fs.FS) error {
	return fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		to := filepath.Join(folder, path)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return root.MkdirAll(to, 0o777)
		}
		text, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		return root.WriteFile(to, text, 0o666)
	})
}

// librarySources is the folder of a library's sources; programs ask for it by name.
func librarySources(name string) (string, error) {
	dir, err := librariesDir()
	if err != nil {
		return "", err
	}
	if st, err := fs.Stat(shim.Libraries, "libraries/"+name); err != nil || !st.IsDir() || filepath.Base(name) != name {
		return "", fmt.Errorf("there is no library %q", name)
	}
	return filepath.Join(dir, "libraries", name), nil
}

// libraryIncludes are the folders of the headers that its sources include.
func libraryIncludes(sources string) []string { return []string{sources, filepath.Dir(sources)} }

// Library returns the host part of a library, a shared library, compiled once for each compiler
// and version of its sources.
func (tc *Toolchain) Library(ctx context.Context, name string) (string, error) {
	sources, err := librarySources(name)
	if err != nil {
		return "", err
	}
	dir, err := shimDir()
	if err != nil {
		return "", err
	}
	lib := filepath.Join(sources, cache.Key(shimHash(), tc.runtimeName())[:12]+".so")
	tell := func(done int) { tc.tell(name, done, 1) }
	return lib, once(ctx, lib, func() { tell(0) }, func() error {
		tell(0)
		defer tell(1)
		return tc.compileLibrary(ctx, dir, sources, lib)
	})
}

// compileLibrary compiles a library against the runtime in dir.
func (tc *Toolchain) compileLibrary(ctx context.Context, dir, sources, lib string) error {
	units, err := filepath.Glob(filepath.Join(sources, "*.cpp"))
	if err != nil {
		return err
	}
	tmp, remove, err := scratch.In(sources, "library-new-")
	if err != nil {
		return err
	}
	defer remove()
	out := filepath.Join(tmp, "library.so")
	args := []string{"-std=c++17", "-O1", "-fPIC", "-shared", "-w", "-D__WG_RUNTIME__", "-Wl,-Bsymbolic", "-Wl,-z,defs",
		"-I", filepath.Join(dir, "include"), "-I", filepath.Join(dir, "runtime"), "-o", out}
	for _, i := range libraryIncludes(sources) {
		args = append(args, "-I", i)
	}
	if err := tc.runtimeStep(ctx, append(append(args, units...), "-lstdc++", "-lm")); err != nil {
		return err
	}
	return install(out, lib)
}

// LibraryModule returns the PTX of a module of a library's device code for an architecture, "sm_NN"
// or "" for the default. The code is right, so that it is compiled for speed.
func (tc *Toolchain) LibraryModule(ctx context.Context, name, module, arch string) (string, error) {
	sources, err := librarySources(name)
	if err != nil {
		return "", err
	}
	if _, err := fs.Stat(shim.Libraries, "libraries/"+name+"/"+module+".cu"); err != nil || filepath.Base(module) != module {
		return "", fmt.Errorf("%s has no module %q", name, module)
	}
	work, remove, err := scratch.Dir()
	if err != nil {
		return "", err
	}
	defer remove()
	what := name + "/" + module
	tc.tell(what, 0, 1)
	defer tc.tell(what, 1, 1)
	res, err := tc.Build(ctx, Options{Sources: []string{filepath.Join(sources, module+".cu")}, Includes: libraryIncludes(sources),
		Arch: arch, Mode: Optimized, Std: "c++17", WorkDir: work, DeviceOnly: true})
	if err != nil {
		return "", err
	}
	return string(res.Devices[0].PTX), nil
}
