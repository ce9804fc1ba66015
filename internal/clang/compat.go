package clang

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// compatible are the libraries that programs built by NVIDIA's compilers ask
// for by name, which is also the version of the symbols that they want. Each
// holds what is different in that version of CUDA, and needs our runtime for
// the rest: a library without versions serves all of them (ld.so(8) compares
// only the versions of a library that has any).
var compatible = []struct {
	name  string
	major int // of CUDA's runtime; 0 where nothing is different
}{
	{"libcudart.so.11.0", 11}, {"libcudart.so.12", 12}, {"libcudart.so.13", 13},
	{"libnvrtc.so.11.2", 0}, {"libnvrtc.so.12", 0}, {"libnvrtc.so.13", 0},
	{"libnvJitLink.so.12", 0}, {"libnvJitLink.so.13", 0},
	{"libcublas.so.11", 0}, {"libcublas.so.12", 0}, {"libcublas.so.13", 0},
	{"libcublasLt.so.11", 0}, {"libcublasLt.so.12", 0}, {"libcublasLt.so.13", 0},
	{"libcufft.so.10", 0}, {"libcufft.so.11", 0}, {"libcufft.so.12", 0},
	{"libcusparse.so.11", 0}, {"libcusparse.so.12", 0}, {"libcusolver.so.11", 0}, {"libcusolver.so.12", 0}, {"libcurand.so.10", 0},
}

// Preload are the libraries that stand in the place of those of a Python package: its modules find their own
// by a path in them, which comes before LD_LIBRARY_PATH, but not where a library of that name is loaded. The
// runtime itself is one of them, so that its dlopen comes before the C library's. It is the last: what differs in
// a version of CUDA comes before what the runtime has under the same name without a version.
func (h Home) Preload() []string {
	var files []string
	for _, c := range compatible {
		files = append(files, filepath.Join(h.Lib(), c.name))
	}
	return append(files, h.runtimePath())
}

// linkCompatible makes them.
func (tc *Toolchain) linkCompatible(ctx context.Context, at, final Home) error {
	dir, err := shimDir()
	if err != nil {
		return err
	}
	script := filepath.Join(at.Dir, "version")
	defer os.Remove(script)
	for _, c := range compatible {
		if err := os.WriteFile(script, []byte(c.name+" { global: *; };\n"), 0o666); err != nil {
			return err
		}
		args := []string{"-shared", "-fPIC", "-O2", "-w", "-D__WG_RUNTIME__", "-nostdlib", "-I", filepath.Join(dir, "include"), "-o", filepath.Join(at.Lib(), c.name),
			"-Wl,-soname," + c.name, "-Wl,--version-script," + script, "-Wl,--no-as-needed", filepath.Join(at.Lib(), sharedRuntime)}
		if c.major > 0 {
			args = append(args, "-DMAJOR="+strconv.Itoa(c.major), filepath.Join(dir, "compat", "cudart.cpp"))
		}
		if err := tc.runtimeStep(ctx, args); err != nil {
			return err
		}
		if err := linkFolder(at, final, c.major, c.name); err != nil {
			return err
		}
	}
	return nil
}

// linkFolder makes the folder from which NVIDIA's compiler of a version links
// our libraries. -lcudart is a script for the linker, since that wants to be
// told of both files.
func linkFolder(at, final Home, major int, name string) error {
	if major == 0 {
		return nil
	}
	if err := os.MkdirAll(at.LinkDir(major), 0o777); err != nil {
		return err
	}
	for _, lib := range []string{"libcuda.so", "libnvrtc.so"} {
		if err := os.Symlink(filepath.Join("..", lib), filepath.Join(at.LinkDir(major), lib)); err != nil {
			return err
		}
	}
	script := fmt.Sprintf("/* GNU ld script */\nINPUT(%s %s)\n", filepath.Join(final.Lib(), name), final.runtimePath())
	return os.WriteFile(filepath.Join(at.LinkDir(major), "libcudart.so"), []byte(script), 0o666)
}

// LinkDir is the folder for linking objects that NVIDIA's compiler of a major
// version made.
func (h Home) LinkDir(major int) string { return filepath.Join(h.Lib(), "cuda"+strconv.Itoa(major)) }

func (h Home) runtimePath() string { return filepath.Join(h.Lib(), sharedRuntime) }

// ptxasScript stands for NVIDIA's assembler, which compilers such as Triton
// call: machine code is never made, so that its output is the PTX itself,
// which the driver API takes as well. It ends in a zero byte, as the driver wants of a text:
// who takes it for machine code adds none.
const ptxasScript = `#!/bin/sh
out=elf.o in=
while [ $# -gt 0 ]; do
  case $1 in
  --version | -V)
    printf 'ptxas: NVIDIA (R) Ptx optimizing assembler\n'
    printf 'Cuda compilation tools, release %s, V%s.0\n'
    exit 0 ;;
  -o | --output-file) out=$2; shift ;;
  --output-file=*) out=${1#*=} ;;
  -arch | --gpu-name | -O | --opt-level | -maxrregcount | --maxrregcount | -m | --machine) shift ;;
  -*) ;;
  *) in=$1 ;;
  esac
  shift
done
if [ -z "$in" ]; then
  echo 'ptxas fatal   : No input file specified' >&2
  exit 1
fi
asked=$(sed -n 's/^[[:space:]]*\.version[[:space:]]*\([0-9]*\)\..*/\1/p' "$in" | head -n 1)
if [ "${asked:-0}" -gt %d ]; then
  echo "ptxas $in, line 1; fatal   : Unsupported .version $asked.0; current version is '%d.0'" >&2
  exit 255
fi
{ cat -- "$in" && printf '\0'; } >"$out"
`

// newestPTX is the newest major version of PTX: XLA asks ptxas for it, by a program of a version that will not be.
const newestPTX = 9
