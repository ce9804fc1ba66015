package clang

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/scratch"
)

// Home is a folder laid out as a CUDA toolkit, which build files may look
// for: bin/nvcc, include and lib64.
type Home struct{ Dir string }

// Include and Lib are the folders of the headers and of the libraries to link.
func (h Home) Include() string { return filepath.Join(h.Dir, "include") }

// Lib is the folder of the libraries to link.
func (h Home) Lib() string { return filepath.Join(h.Dir, "lib64") }

// Runtime is the shared library with the CUDA runtime and driver API.
func (h Home) Runtime() string { return filepath.Join(h.Lib(), "libcudart.so") }

// PTXAS is the stand-in for NVIDIA's assembler.
func (h Home) PTXAS() string { return filepath.Join(h.Dir, "bin", "ptxas") }

// sharedRuntime is the file that all names of libraries lead to. Its SONAME is
// its whole path, so that programs find it without any setting, and so that
// all parts of a process use one runtime.
const sharedRuntime = "libwarpgrind.so"

// callers are the programs in bin that are commands of warpgrind.
var callers = map[string]string{"nvcc": "cc", "compute-sanitizer": "compute-sanitizer"}

// CudaHome returns the folder, made at its first use. The runtime in it
// starts the given warpgrind when a program runs by itself, and bin/nvcc calls
// it. Programs need the folder as long as they exist: nothing removes it.
func (tc *Toolchain) CudaHome(ctx context.Context, warpgrind string) (Home, error) {
	data, err := cache.DataDir()
	if err != nil {
		return Home{}, err
	}
	h := Home{filepath.Join(data, "cuda-"+cache.Key(shimHash(), pipeline(), ptxasScript, loaderHooks, fmt.Sprint(compatible, callers), tc.identity(), warpgrind, fmt.Sprint(libraryNames, staticNames, foreignNames))[:16])}
	if _, err := os.Stat(h.Dir); err == nil {
		return h, h.linkLibraries()
	}
	tmp, remove, err := scratch.In(data, "cuda-new-")
	if err != nil {
		return Home{}, err
	}
	defer remove()
	made := Home{filepath.Join(tmp, "cuda")}
	if err := tc.fillHome(ctx, made, h, warpgrind); err != nil {
		return Home{}, err
	}
	if err := renameInto(made.Dir, h.Dir); err != nil {
		return Home{}, err
	}
	return h, h.linkLibraries()
}

// ownLibraries are the header libraries of which warpgrind has a part. Since CUDA 13 they lie in include/cccl.
var ownLibraries = []string{"cuda", "nv"}

// setApart moves warpgrind's part of the header libraries into a folder of its own, own, and links it from where it was,
// so that linkLibraries can put others into its place. Its headers find the rest beside them.
func (h Home) setApart() error {
	own := filepath.Join(h.Dir, "own")
	entries, err := os.ReadDir(h.Include())
	if err == nil {
		err = os.MkdirAll(own, 0o777)
	}
	for _, e := range entries {
		if err != nil {
			break
		}
		at := filepath.Join(h.Include(), e.Name())
		if !slices.Contains(ownLibraries, e.Name()) {
			err = os.Symlink(filepath.Join("..", "include", e.Name()), filepath.Join(own, e.Name()))
			continue
		}
		err = errors.Join(os.Rename(at, filepath.Join(own, e.Name())), os.Symlink(filepath.Join("..", "own", e.Name()), at),
			os.Symlink(filepath.Join("..", "..", "own", e.Name()), filepath.Join(h.Include(), "cccl", e.Name())))
	}
	return err
}

// linkLibraries makes the header libraries of this machine a part of the folder, where toolkits have them, since
// build files look for them there, and host compilers read them there. Those that are linked stay as long as they exist.
func (h Home) linkLibraries() error {
	cccl := filepath.Join(h.Include(), "cccl")
	if exists(filepath.Join(cccl, "thrust")) || !writable(cccl) {
		return nil
	}
	t := FindCCCL()
	if t == nil {
		return nil
	}
	// A host compiler that looks into both folders has to find one library in both. Thrust, by which the others are
	// known to be there, comes last.
	for _, lib := range append(slices.Clone(ownLibraries), "cub", "thrust") {
		target := libraryIn(t.include(), lib)
		if !exists(target) {
			continue
		}
		err := h.replaceLink(target, filepath.Join(cccl, lib))
		if err == nil && slices.Contains(ownLibraries, lib) {
			err = h.replaceLink(target, filepath.Join(h.Include(), lib))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// replaceLink makes a symbolic link, at once, since another process may read where it leads.
func (h Home) replaceLink(target, link string) error {
	tmp, remove, err := scratch.In(h.Dir, "link-")
	if err != nil {
		return err
	}
	defer remove()
	made := filepath.Join(tmp, "link")
	if err := os.Symlink(target, made); err != nil {
		return err
	}
	return os.Rename(made, link)
}

// writable reports whether files can be made in a folder: the one of all users is root's.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK) == nil }

// fillHome makes the folder's content in one place for another.
func (tc *Toolchain) fillHome(ctx context.Context, at, final Home, warpgrind string) error {
	include, err := Headers()
	if err != nil {
		return err
	}
	for _, dir := range []string{"bin", "nvvm/libdevice", "lib64/stubs", "extras/CUPTI/include", "include/cccl"} {
		if err := os.MkdirAll(filepath.Join(at.Dir, dir), 0o777); err != nil {
			return err
		}
	}
	if err := os.CopyFS(at.Include(), os.DirFS(include)); err != nil {
		return err
	}
	if err := at.setApart(); err != nil {
		return err
	}
	version := nvcc.Newest.String()
	files := map[string]string{
		"bin/ptxas":    fmt.Sprintf(ptxasScript, version, version, newestPTX, newestPTX),
		"version.json": fmt.Sprintf("{\"cuda\": {\"name\": \"CUDA SDK (warpgrind)\", \"version\": \"%s.0\"}}\n", version),
		"version.txt":  "CUDA Version " + version + ".0\n",
	}
	for name, command := range callers {
		files["bin/"+name] = "#!/bin/sh\nexec " + shellQuote(warpgrind) + " " + command + " \"$@\"\n"
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(at.Dir, name), []byte(text), 0o777); err != nil {
			return err
		}
	}
	if err := os.Symlink("lib64", filepath.Join(at.Dir, "lib")); err != nil {
		return err
	}
	if err := tc.linkRuntime(ctx, at, final, warpgrind); err != nil {
		return err
	}
	if err := tc.linkCompatible(ctx, at, final); err != nil {
		return err
	}
	return fillLib(at.Lib(), final.Lib())
}

// loaderHooks is code of the shared library alone, which comes before the C library in
// processes that load it first: it takes the place of NVIDIA's runtime library in the
// program and in what the program opens (shim/runtime/static_runtime.cpp), and of NVIDIA's
// assembler in what it starts (assembler.cpp).
const loaderHooks = `
void __warpgrindServeStatic(void);
void __warpgrindAssemble(char **, char **);
void *__warpgrindOpen(const char *, int);
__attribute__((constructor)) static void start(int argc, char **argv, char **environment) {
  __warpgrindAssemble(argv, environment);
  __warpgrindServeStatic();
}
void *dlopen(const char *file, int mode) { __attribute__((musttail)) return __warpgrindOpen(file, mode); }
`

// linkRuntime makes the shared library.
func (tc *Toolchain) linkRuntime(ctx context.Context, at, final Home, warpgrind string) error {
	object, err := tc.runtimeLibrary(ctx)
	if err != nil {
		return err
	}
	out := filepath.Join(at.Lib(), sharedRuntime)
	source := "const char warpgrind_tool[] = " + cQuote(warpgrind) + ";\n" + loaderHooks
	code := filepath.Join(at.Dir, "tool.c")
	if err := os.WriteFile(code, []byte(source), 0o666); err != nil {
		return err
	}
	defer os.Remove(code)
	return tc.runtimeStep(ctx, append(WrapArgs(), "-shared", "-fPIC", "-Wl,-Bsymbolic-functions", "-o", out,
		"-Wl,-soname,"+filepath.Join(final.Lib(), sharedRuntime), object, code, "-lstdc++", "-lpthread", "-ldl", "-lm", "-lrt"))
}

// libraryNames are the libraries of CUDA that are one here. Those that NVIDIA
// alone has are in it by name: calling them is not supported.
var libraryNames = []string{"libcudart.so", "libcuda.so", "libcuda.so.1", "libnvToolsExt.so", "libnvrtc.so", "libnvJitLink.so", "libcurand.so",
	"libcublas.so", "libcublasLt.so", "libcufft.so", "libcufftw.so", "libcusparse.so", "libcusolver.so", "libnvidia-ml.so", "libnvidia-ml.so.1", "libnccl.so"}

// staticNames are the static forms of these libraries.
var staticNames = []string{"libcudart_static.a", "libcublas_static.a", "libcublasLt_static.a", "libcufft_static.a", "libcufft_static_nocallback.a",
	"libcufftw_static.a", "libcurand_static.a", "libcusparse_static.a", "libcusolver_static.a", "libnvrtc_static.a", "libnvJitLink_static.a",
	"libnvptxcompiler_static.a"}

// foreignNames are libraries of a toolkit that are not there. CMake has no target for a library
// without a file, and refuses a whole project where a part of it names one, so they have files:
// the project is configured, and the parts that call them do not link.
var foreignNames = []string{"libnppc", "libnppial", "libnppicc", "libnppidei", "libnppif", "libnppig", "libnppim", "libnppist", "libnppisu", "libnppitc",
	"libnpps", "libnvjpeg"}

// fillLib makes the names under which programs link CUDA's libraries. Static
// ones are scripts for the linker that name the shared one.
func fillLib(at, final string) error {
	shared, static := slices.Clone(libraryNames), slices.Clone(staticNames)
	for _, name := range foreignNames {
		shared, static = append(shared, name+".so"), append(static, name+"_static.a")
	}
	for _, name := range shared {
		if err := os.Symlink(sharedRuntime, filepath.Join(at, name)); err != nil {
			return err
		}
	}
	if err := os.Symlink(filepath.Join("..", sharedRuntime), filepath.Join(at, "stubs", "libcuda.so")); err != nil {
		return err
	}
	script := "/* GNU ld script */\nINPUT(" + filepath.Join(final, sharedRuntime) + ")\n"
	for _, name := range static {
		if err := os.WriteFile(filepath.Join(at, name), []byte(script), 0o666); err != nil {
			return err
		}
	}
	// The device runtime needs nothing: an empty archive. So do the parts of static libraries.
	for _, name := range []string{"libcudadevrt.a", "libculibos.a", "libnvrtc-builtins_static.a", "libcusolver_lapack_static.a", "libcusolver_metis_static.a", "libmetis_static.a"} {
		if err := os.WriteFile(filepath.Join(at, name), []byte("!<arch>\n"), 0o666); err != nil {
			return err
		}
	}
	return nil
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// cQuote writes a string as C has it.
func cQuote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, "\\%03o", c)
	}
	b.WriteByte('"')
	return b.String()
}
