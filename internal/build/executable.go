package build

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"syscall"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/scratch"
)

// Config is what decides how sources become a program.
type Config struct {
	// Inputs are CUDA and host sources to compile, or one executable that was
	// built with warpgrind's runtime.
	Inputs []string
	// Clang is the compiler to use; "" means the newest that is installed.
	Clang             string
	Defines, Includes []string
	Std, Opt          string
	NVCCFlags         []string
	// CudaPath is NVIDIA's CUDA toolkit, for its header libraries; "" means the
	// one that CUDA_HOME names, if any. Frontend is FrontendNVCC to compile with
	// the toolkit's nvcc, else "" or "clang".
	// CudaVersion is the version of CUDA to imitate, "" for the toolkit's or the
	// newest one.
	CudaPath, Frontend, CudaVersion string
	Optimized                       bool // --build=optimized
	// Arch is the architecture to compile for and to emulate; "" means the default.
	Arch string
	// Building is told while the runtime library, or a replacement for one of NVIDIA's libraries, is
	// compiled, at the first use, what that is and how many of its files are done; nil for none.
	Building func(what string, done, all int)
}

// How is what a build depends on besides its configuration: what the run needs of the program.
type How struct {
	// TellUnread has the program report the errors of API calls that it does not read.
	TellUnread bool
	// Replaced are texts that are compiled instead of files.
	Replaced map[string][]byte
	// Coverage has the device code count for package coverage.
	Coverage bool
	// Meanwhile is called before the compiler runs: it may begin what takes long on a new machine.
	Meanwhile func()
	// Warnings gets what the compiler says of a program that compiles.
	Warnings io.Writer
}

// Executable returns the program to run, which is compiled if the inputs are sources, and a
// function that removes what was made for it.
func (c *Config) Executable(ctx context.Context, how How) (exe string, remove func(), err error) {
	if exe = c.Inputs[0]; !IsSource(exe) {
		return exe, func() {}, nil
	}
	dir, remove, err := scratch.Dir()
	if err != nil {
		return "", nil, err
	}
	if exe, err = c.build(ctx, dir, how); err != nil {
		remove()
		return "", nil, err
	}
	return exe, remove, nil
}

// build compiles the sources and returns the executable.
func (c *Config) build(ctx context.Context, dir string, how How) (string, error) {
	if c.Frontend == FrontendNVCC {
		return c.buildNVCC(ctx, dir, how.Warnings)
	}
	tc, err := clang.Find(c.Clang)
	if err != nil {
		return "", &UsageError{err}
	}
	tc.Building = c.Building
	how.Meanwhile()
	res, err := tc.Build(ctx, c.Options(dir, how))
	if err != nil {
		return "", Error(err)
	}
	io.WriteString(how.Warnings, res.Warnings)
	return res.Exe, nil
}

// Options returns the compiler's options for a build in a folder.
func (c *Config) Options(dir string, how How) clang.Options {
	opt := clang.Options{
		Sources: c.Inputs, Defines: c.Defines, Includes: c.Includes, Std: c.Std, Opt: c.Opt,
		NVCCFlags: c.CompilerFlags(), Arch: c.Arch, WorkDir: dir, TellUnread: how.TellUnread,
		Replaced: how.Replaced, Coverage: how.Coverage,
	}
	if c.Optimized {
		opt.Mode = clang.Optimized
	}
	return opt
}

// Error is a *UsageError if the sources are to blame for an error of the compiler's.
func Error(err error) error {
	var tool *clang.ToolError
	if errors.As(err, &tool) || IsShort(err) {
		return err
	}
	return &UsageError{err}
}

// Unfinished reports whether an error is neither the user's nor a bug: the system has refused something, or ended a tool.
func Unfinished(err error) bool {
	var system syscall.Errno
	var killed *clang.KilledError
	return errors.As(err, &system) || errors.As(err, &killed) || errors.Is(err, os.ErrNotExist) || errors.Is(err, io.ErrShortWrite)
}

// IsShort reports whether the system has refused something that it has too little of, or has ended a tool.
func IsShort(err error) bool {
	var killed *clang.KilledError
	return errors.As(err, &killed) || slices.ContainsFunc([]error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN, syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG},
		func(e error) bool { return errors.Is(err, e) })
}
