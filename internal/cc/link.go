package cc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// objects compiles the sources among the inputs to temporary objects and
// returns a file to link for each input, with the contents of those made.
func (d *driver) objects(ctx context.Context) (files []string, made map[string][]byte, err error) {
	files, made = make([]string, len(d.cmd.Inputs)), map[string][]byte{}
	var mu sync.Mutex
	err = d.each(ctx, func(ctx context.Context, i int, in nvcc.Input) error {
		switch {
		case in.Lang == nvcc.NoLang:
			files[i] = in.Path
			return nil
		}
		p, err := d.product(ctx, in)
		if err != nil {
			return err
		}
		base := filepath.Base(in.Path)
		files[i] = filepath.Join(d.temp, fmt.Sprintf("%s.%d.o", strings.TrimSuffix(base, filepath.Ext(base)), i))
		mu.Lock()
		made[files[i]] = p.Object
		mu.Unlock()
		if err := d.keep(in, p); err != nil {
			return err
		}
		return os.WriteFile(files[i], p.Object, 0o666)
	})
	return files, made, err
}

// product is an input's object: of device code alone too, as nvcc's device link
// takes it.
func (d *driver) product(ctx context.Context, in nvcc.Input) (*clang.Product, error) {
	if in.Lang.IsSource() {
		return d.compile(ctx, d.unit(in))
	}
	ptx, err := userfile.Read(in.Path)
	if err == nil && in.Lang == nvcc.Blob {
		_, ptx, err = clang.DecodeFatbin(ptx)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Path, err)
	}
	obj, err := d.tc.Embed(ctx, d.unit(in), ptx)
	return &clang.Product{PTX: ptx, Object: obj}, err
}

// linkProgram is the default phase: an executable, or a shared library with
// --shared.
func (d *driver) linkProgram(ctx context.Context) error {
	out := d.cmd.Output
	if out == "" {
		out = filepath.Join(d.cmd.OutputDir, "a.out")
	}
	// A linker waits for a reader of a pipe, and stays behind if this process is killed.
	if st, err := os.Stat(out); err == nil && st.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 {
		return fmt.Errorf("%s: is a named pipe or a socket", out)
	}
	files, made, err := d.objects(ctx)
	if err == nil {
		err = d.link(ctx, out, files, made)
	}
	if err != nil {
		removeOutput(out)
		return err
	}
	if d.cmd.Run {
		return d.runProgram(ctx, out)
	}
	return nil
}

func (d *driver) link(ctx context.Context, out string, files []string, made map[string][]byte) error {
	needed, err := d.neededModules(files)
	if err != nil {
		return err
	}
	args, err := d.linkArgs(ctx, files)
	if err != nil {
		return err
	}
	for _, symbol := range needed {
		args = append([]string{"-Wl,-u," + symbol}, args...)
	}
	if d.cmd.Verbose {
		d.step(append([]string{d.launcher()}, args...))
	}
	said, err := d.tc.Link(ctx, clang.LinkJob{Output: out, Args: args, Host: d.flags.Host, Made: made})
	fmt.Fprint(d.Stderr, said)
	return err
}

// linkArgs are the linker's words: inputs and options in the order of the
// command line, then the libraries that are always there.
func (d *driver) linkArgs(ctx context.Context, files []string) ([]string, error) {
	var args []string
	if d.cmd.Shared {
		args = append(args, "-shared")
	}
	if d.cmd.Profile {
		args = append(args, "-pg")
	}
	args = append(args, d.flags.Link...)
	for _, w := range d.cmd.LinkLine {
		switch {
		case w.Input >= 0:
			args = append(args, files[w.Input])
		case !clang.IsCudaLibrary(w.Word):
			args = append(args, d.tc.LinkerWord(w.Word))
		}
	}
	if d.cmd.Cudart != "none" || d.namesCudart() {
		home, err := d.home(ctx)
		if err != nil {
			return nil, err
		}
		args = append(append(args, clang.WrapArgs()...), "-L"+home.Lib(), home.Runtime())
	}
	return append(args, "-lstdc++", "-lpthread", "-ldl", "-lm", "-lrt"), nil
}

// namesCudart reports whether the command line asks for a CUDA library.
func (d *driver) namesCudart() bool {
	return slices.ContainsFunc(d.cmd.LinkLine, func(w nvcc.LinkWord) bool { return w.Input < 0 && clang.IsCudaLibrary(w.Word) })
}

func (d *driver) home(ctx context.Context) (clang.Home, error) { return d.tc.CudaHome(ctx, d.Tool) }

// runProgram is --run.
func (d *driver) runProgram(ctx context.Context, path string) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, abs, d.cmd.RunArgs...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = d.Stdin, d.Stdout, d.Stderr
	err = cmd.Run()
	var status *exec.ExitError
	if errors.As(err, &status) {
		return programError{status.ExitCode()}
	}
	return err
}

// programError is the exit code of the program that --run ran.
type programError struct{ code int }

func (e programError) Error() string {
	return fmt.Sprintf("the program ended with exit code %d", e.code)
}

// library is --lib.
func (d *driver) library(ctx context.Context) error {
	out := d.cmd.Output
	if out == "" {
		out = filepath.Join(d.cmd.OutputDir, "a.a")
	}
	files, _, err := d.objects(ctx)
	if err != nil {
		return err
	}
	ar, err := exec.LookPath("ar")
	if err != nil {
		if ar, err = exec.LookPath(filepath.Join(filepath.Dir(d.tc.Opt), "llvm-ar")); err != nil {
			return errors.New("ar is needed to make a library, and was not found")
		}
	}
	text, err := exec.CommandContext(ctx, ar, append([]string{"rcs", out}, files...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ar failed: %w: %s", err, text)
	}
	return nil
}
