//go:build toolchains

package toolchain

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// frontend compiles testdata/toolchains/frontends/blur.* to PTX. Its commands run in a folder of their own, with the tree's
// sources by their whole paths.
type frontend struct {
	// needs are programs and files, and install what brings them in Debian.
	needs   []string
	install string
	source  string
	env     []string
	compile func(source, ptx string) [][]string
	// from, to is a change of the source that is a mistake, and found what the report says of it.
	from, to string
	found    []string
}

const (
	libclc   = "/usr/lib/clc/nvptx64--nvidiacl.bc"
	rustcore = "/usr/src/rustc-1.63.0/library/core/src/lib.rs"
)

func rustc(args ...string) []string {
	return append([]string{"/usr/bin/rustc", "--edition", "2021", "--crate-type", "rlib", "-O", "--target", "nvptx64-nvidia-cuda",
		"-C", "panic=abort", "-C", "target-cpu=sm_70", "-L", "."}, args...)
}

var frontends = map[string]frontend{
	"OpenCL C": {
		needs: []string{"clang-19", libclc}, install: "libclc-19", source: "blur.cl",
		compile: func(source, ptx string) [][]string {
			return [][]string{{"clang-19", "-x", "cl", "-cl-std=CL2.0", "-target", "nvptx64-nvidia-nvidiacl", "-Xclang", "-finclude-default-header", "-O2",
				"-gline-tables-only", "-fno-dwarf-directory-asm", "-w", "-Xclang", "-mlink-builtin-bitcode", "-Xclang", libclc, "-S", "-o", ptx, source}}
		},
		from: "barrier(CLK_LOCAL_MEM_FENCE);", to: ";",
		found: []string{"error[race]: data race: read and write of shared memory", "blur.cl:6:24", "blur.cl:4:11"},
	},
	"Rust": {
		needs: []string{"/usr/bin/rustc", rustcore}, install: "rustc rust-src", source: "blur.rs", env: []string{"RUSTC_BOOTSTRAP=1"},
		compile: func(source, ptx string) [][]string {
			return [][]string{
				rustc("--crate-name", "core", rustcore),
				rustc("--crate-name", "compiler_builtins", sourceFile("frontends/builtins.rs")),
				rustc("--emit=asm", "-o", ptx, source),
			}
		},
		from: "&& i + 1 < n", to: "",
		found: []string{"error[memory]: global read of 4 bytes", "read by thread (39,0,0) of block (15,0,0)", "0 bytes after the end of the nearest allocation"},
	},
}

// TestToolchainFrontends runs PTX that compilers of other languages made, as it should be and with a mistake.
func TestToolchainFrontends(t *testing.T) {
	bin := tooltest.Tool(t)
	for name, f := range frontends {
		t.Run(name, func(t *testing.T) {
			for _, need := range f.needs {
				if _, err := exec.LookPath(need); err != nil {
					if _, err := os.Stat(need); err != nil {
						t.Skipf("%s is not installed: apt-get install %s", need, f.install)
					}
				}
			}
			text, err := os.ReadFile(sourceFile("frontends/" + f.source))
			if err != nil {
				t.Fatal(err)
			}
			run := func(text []byte) ran {
				dir := t.TempDir()
				source, ptx := filepath.Join(dir, f.source), filepath.Join(dir, "blur.ptx")
				if err := os.WriteFile(source, text, 0o666); err != nil {
					t.Fatal(err)
				}
				for _, args := range f.compile(source, ptx) {
					command(t, dir, f.env, args[0], args[1:]...).expect(t, 0)
				}
				return command(t, dir, nil, bin, "run", "-q", sourceFile("frontends/host.cu"), "--", ptx)
			}
			run(text).expect(t, 0, "right", "1 launch", ": 0 findings")
			wrong := bytes.Replace(text, []byte(f.from), []byte(f.to), 1)
			if bytes.Equal(wrong, text) {
				t.Fatalf("%s has no %q", f.source, f.from)
			}
			if got := run(wrong); got.code != 1 {
				t.Errorf("exit code %d:\n%s", got.code, got.text)
			} else {
				got.expect(t, 1, f.found...)
			}
		})
	}
}
