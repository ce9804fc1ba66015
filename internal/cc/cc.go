// Package cc is the compiler driver: it carries out a command line of nvcc
// with clang. The objects that it makes are ordinary ELF objects with PTX
// inside, and any linker of the platform can link them with the libraries of
// clang.Home.
package cc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/interrupt"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/scratch"
	"github.com/warpgrind/warpgrind/internal/userfile"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// Config is what a Driver needs. All of it is required.
type Config struct {
	// Tool is the path of the warpgrind that programs start when they run by
	// themselves, Version its name and version for --version.
	Tool, Version  string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Building is told while the runtime library, or another part that is compiled once, is compiled how far that is; nil for none.
	Building func(what string, done, all int)
}

// Exit codes.
const (
	exitOK    = 0
	exitUsage = 1 // a command line that is refused, as nvcc has it
	exitError = 2 // errors in what was compiled
)

// driver is one run.
type driver struct {
	Config
	cmd   *nvcc.Command
	tc    *clang.Toolchain
	flags clang.Flags
	sm    int
	// temp is a directory for objects on the way to a link.
	temp string
	// shares is set if one of the inputs shares memory with the device.
	shares func() bool
}

// Main carries out a command line, without the program's name, and returns
// the exit code.
func Main(ctx context.Context, cfg Config, args []string) int {
	d := &driver{Config: cfg}
	d.shares = sync.OnceValue(d.sharesMemory)
	err := d.main(ctx, args)
	var refused *nvcc.Error
	var usage *clang.UsageError
	var compile *clang.CompileError
	var program programError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &refused), errors.As(err, &usage):
		_, _ = visible.Fprintf(cfg.Stderr, "nvcc fatal   : %v\n", err)
		return exitUsage
	case errors.As(err, &compile):
		io.WriteString(cfg.Stderr, strings.TrimRight(compile.Text, "\n")+"\n")
	case errors.As(err, &program):
		return program.code
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintln(cfg.Stderr, "warpgrind cc: interrupted")
		return interrupt.ExitCode(ctx)
	default:
		_, _ = visible.Fprintf(cfg.Stderr, "warpgrind cc: %v\n", err)
	}
	return exitError
}

func (d *driver) main(ctx context.Context, args []string) error {
	var err error
	// NVIDIA's own compiler, which gets the line as it is, reads the variables itself.
	if d.cmd, err = nvcc.Parse(nvcc.Environment(args, os.Getenv)); err != nil {
		return err
	}
	if done, err := d.inform(ctx); done || err != nil {
		return err
	}
	if d.tc, err = clang.Find(""); err != nil {
		return err
	}
	d.tc.Building = d.Building
	if done, err := d.hostInform(ctx); done || err != nil {
		return err
	}
	if d.cmd.Frontend == "nvcc" {
		return d.nvccFrontend(ctx, args)
	}
	if err := d.setUp(); err != nil {
		return err
	}
	if d.cmd.Verbose || d.cmd.DryRun {
		if err := d.printSettings(ctx); err != nil {
			return err
		}
	}
	if d.cmd.Verbose && !d.cmd.DryRun {
		if err := d.printLink(ctx); err != nil {
			return err
		}
	}
	if err := d.checkInputs(); err != nil {
		return err
	}
	if d.cmd.DryRun {
		return d.dryRun(ctx)
	}
	temp, remove, err := scratch.Dir()
	if err != nil {
		return err
	}
	defer remove()
	d.temp = temp
	return d.phase(ctx)
}

// setUp translates the flags and finds the architecture.
func (d *driver) setUp() error {
	d.flags = clang.FlagsOf(d.cmd)
	if err := d.flags.UseToolkit(d.cmd.CudaPath); err != nil {
		return err
	}
	d.tc.Settle(&d.flags)
	if err := d.mpiFlags(); err != nil {
		return err
	}
	name := d.flags.Arch
	for _, t := range d.cmd.Targets() {
		if !isArch(t) {
			return &nvcc.Error{Text: "Value '" + t + "' is not defined for option 'gpu-architecture'"}
		}
	}
	if name == "" {
		name = arch.Default
	}
	sm, err := d.tc.GPUArch(name)
	if err != nil {
		return &nvcc.Error{Text: "Value '" + name + "' is not defined for option 'gpu-architecture'"}
	}
	d.flags.Arch, d.sm = name, sm
	return nil
}

// isArch accepts the names of architectures and of groups of them.
func isArch(name string) bool {
	switch name {
	case "native", "all", "all-major":
		return true
	}
	for _, prefix := range []string{"sm_", "compute_", "lto_"} {
		if num, ok := strings.CutPrefix(name, prefix); ok {
			n, err := strconv.Atoi(strings.TrimRight(num, "af"))
			return err == nil && n >= 10 && n < 1000
		}
	}
	return false
}

func (d *driver) checkInputs() error {
	if len(d.cmd.Inputs) == 0 {
		return &nvcc.Error{Text: "No input files specified; use option --help for more information"}
	}
	for _, in := range d.cmd.Inputs {
		st, err := os.Stat(in.Path)
		switch {
		case in.Lang == nvcc.NoLang && filepath.Ext(in.Path) == "" && err != nil:
			return &nvcc.Error{Text: "Don't know what to do with '" + in.Path + "'"}
		case err != nil && d.cmd.DryRun:
		case err != nil:
			return &nvcc.Error{Text: "Could not open input file '" + in.Path + "'"}
		case st.IsDir():
			return &nvcc.Error{Text: "'" + in.Path + "' is a directory"}
		}
		if err := userfile.Check(in.Path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return &nvcc.Error{Text: err.Error()}
		}
	}
	return nil
}

// phase does what the command line asks for.
func (d *driver) phase(ctx context.Context) error {
	switch d.cmd.Phase {
	case nvcc.Link:
		return d.linkProgram(ctx)
	case nvcc.DeviceLink:
		return d.deviceLink(ctx)
	case nvcc.Library:
		return d.library(ctx)
	case nvcc.Compile:
		return d.each(ctx, d.compileObject)
	case nvcc.PTX:
		return d.each(ctx, d.compilePTX)
	case nvcc.Cubin, nvcc.Fatbin:
		if d.cmd.LinksDevice {
			return d.linkBlob(ctx)
		}
		return d.each(ctx, d.compileBlob)
	case nvcc.Cuda:
		return d.each(ctx, d.compileIntermediate)
	case nvcc.Preprocess, nvcc.Depend:
		return d.preprocess(ctx)
	}
	return &nvcc.Error{Text: "This compilation phase is not supported by warpgrind"}
}

// mpiFlags asks an MPI compiler that was given as the host compiler for the
// flags that it would add.
func (d *driver) mpiFlags() error {
	bin := filepath.Base(d.cmd.CCBin)
	if !strings.HasPrefix(bin, "mpi") {
		return nil
	}
	for _, q := range []struct{ compile, link string }{{"--showme:compile", "--showme:link"}, {"-compile_info", "-link_info"}} {
		compile, err := exec.Command(d.cmd.CCBin, q.compile).Output()
		if err != nil {
			continue
		}
		link, err := exec.Command(d.cmd.CCBin, q.link).Output()
		if err != nil {
			continue
		}
		for _, w := range nvcc.Fields(string(compile)) {
			if strings.HasPrefix(w, "-I") || strings.HasPrefix(w, "-D") {
				d.flags.Both = append(d.flags.Both, w)
			}
		}
		for _, w := range nvcc.Fields(string(link)) {
			if strings.HasPrefix(w, "-L") || strings.HasPrefix(w, "-l") || strings.HasPrefix(w, "-Wl,") || w == "-pthread" {
				d.cmd.LinkLine = append(d.cmd.LinkLine, nvcc.LinkWord{Input: -1, Word: w})
			}
		}
		return nil
	}
	return fmt.Errorf("%s reports the flags that it adds neither with --showme nor with -compile_info", d.cmd.CCBin)
}
