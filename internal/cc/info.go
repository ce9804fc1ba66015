package cc

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"slices"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// helpText is for --help; the options are nvcc's.
const helpText = `Usage: warpgrind cc [options of nvcc] file...

Compiles and links CUDA programs as nvcc does, for warpgrind. The objects are
ordinary ones with PTX inside. Programs run by themselves or under "warpgrind
run", on the emulated GPU, and are checked either way.

  --print-cuda-home    folder laid out as a CUDA toolkit, for CUDA_HOME
  --print-include-dir  its headers
  --print-lib-dir      its libraries, for linking with other compilers
  --build source|optimized
                       what to make of device code (default: source, which
                       keeps every access of the source)
  --instrument SCHEME  instrument the sources first, as "warpgrind instrument"
                       does; the program itself reports what it finds
  --with PROGRAM       the compiler that gets the instrumented sources, such as
                       NVIDIA's nvcc (default: warpgrind cc)
  --tell-unread        let C and C++ sources report API errors that they never
                       read, as CUDA sources do
  --cuda-version 11|12|13
                       the CUDA version to imitate, or a release such as 12.4
                       (default: the version in --cuda-path, else 13.0)
  --frontend clang|nvcc
                       the compiler that reads the sources (default: clang);
                       nvcc is NVIDIA's, from --cuda-path, CUDA_HOME or PATH
  --cuda-path DIR      a CUDA toolkit whose Thrust, CUB and libcu++ to use
                       (default: the one that CUDA_HOME names)
  --version, --dryrun, -v and the other options are those of nvcc
`

// inform answers options that only ask for something.
func (d *driver) inform(ctx context.Context) (done bool, err error) {
	switch d.cmd.Info {
	case "":
		return false, nil
	case "help":
		_, err = io.WriteString(d.Stdout, helpText)
	case "version":
		_, err = io.WriteString(d.Stdout, nvcc.VersionText(d.Version, d.cmd.CUDA.OrNewest()))
	case "list-gpu-code", "list-gpu-arch":
		prefix := map[string]string{"list-gpu-code": "sm_", "list-gpu-arch": "compute_"}[d.cmd.Info]
		for _, sm := range clang.Architectures() {
			fmt.Fprintf(d.Stdout, "%s%d\n", prefix, sm)
		}
	default:
		err = d.informHome(ctx)
	}
	return true, err
}

// hostQuestions are the options of a host compiler that only ask it for
// something. Build scripts find out what it is with nvcc .c -Xcompiler --version.
var hostQuestions = map[string]bool{"--version": true, "-dumpversion": true, "-dumpfullversion": true, "-dumpmachine": true, "--print-search-dirs": true}

// hostInform hands questions for the host compiler on to it.
func (d *driver) hostInform(ctx context.Context) (done bool, err error) {
	if !slices.ContainsFunc(d.cmd.HostCompiler, func(w string) bool { return hostQuestions[w] }) {
		return false, nil
	}
	cmd := exec.CommandContext(ctx, d.tc.Clang, d.cmd.HostCompiler...)
	cmd.Stdout, cmd.Stderr = d.Stdout, d.Stderr
	return true, cmd.Run()
}

func (d *driver) informHome(ctx context.Context) error {
	var err error
	if d.tc, err = clang.Find(""); err != nil {
		return err
	}
	home, err := d.home(ctx)
	if err != nil {
		return err
	}
	dir := map[string]string{"print-lib-dir": home.Lib(), "print-include-dir": home.Include(), "print-cuda-home": home.Dir}[d.cmd.Info]
	_, err = fmt.Fprintln(d.Stdout, dir)
	return err
}
