package driver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/instrument"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/scratch"
	"github.com/warpgrind/warpgrind/internal/userfile"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// instrumentedBuild is a command line of nvcc whose CUDA sources are
// instrumented first, out of sight of the build system.
type instrumentedBuild struct {
	// scheme instruments, with is the compiler that gets the result: a program,
	// or "" for warpgrind cc.
	scheme, with string
	args         []string
	command      *nvcc.Command
	// originals are the sources and headers by the paths of their copies.
	originals map[string]string
	stderr    io.Writer
}

// instrumented takes --instrument SCHEME and --with PROGRAM out of a command
// line; nil if it has none. What follows --with is the other compiler's, so
// that both stand before its name, as CMake's compiler launchers do.
func instrumented(args []string) (*instrumentedBuild, error) {
	b := &instrumentedBuild{originals: map[string]string{}}
	options := map[string]*string{"instrument": &b.scheme, "with": &b.with}
	for i := 0; i < len(args); i++ {
		name, value, has := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		to := options[name]
		switch {
		case !strings.HasPrefix(args[i], "--") || to == nil:
			b.args = append(b.args, args[i])
			continue
		case !has && i+1 == len(args):
			return nil, fmt.Errorf("option '--%s' needs a value", name)
		case !has:
			i++
			value = args[i]
		}
		*to = value
	}
	switch {
	case b.scheme == "" && b.with == "":
		return nil, nil
	case b.scheme == "":
		return nil, errors.New("--with needs --instrument")
	case !slices.Contains(instrument.SchemeNames(), b.scheme):
		return nil, fmt.Errorf("unknown scheme %q: want one of %s", b.scheme, strings.Join(instrument.SchemeNames(), ", "))
	}
	return b, nil
}

// compiles reports whether the command line compiles CUDA sources. What nvcc
// does not know here is left to the compiler.
func (b *instrumentedBuild) compiles() bool {
	var err error
	if b.args, err = nvcc.Expand(b.args); err != nil {
		return false
	}
	b.command, err = nvcc.Parse(append([]string{"--forward-unknown-to-host-compiler"}, b.args...))
	if err != nil || b.command.Info != "" || b.command.DryRun {
		return false
	}
	switch b.command.Phase {
	case nvcc.Preprocess, nvcc.Depend, nvcc.DeviceLink:
		return false
	}
	return slices.ContainsFunc(b.command.Inputs, func(in nvcc.Input) bool { return in.Lang == nvcc.CUDA })
}

// run instruments and hands the command line to compile, which returns an exit
// code.
func (b *instrumentedBuild) run(ctx context.Context, compile func(args []string) int) int {
	if !b.compiles() {
		return compile(b.args)
	}
	dir, remove, err := scratch.Dir()
	if err != nil {
		return b.fail(err)
	}
	defer remove()
	args := b.args
	for i, in := range b.command.Inputs {
		if in.Lang != nvcc.CUDA {
			continue
		}
		copied, err := b.source(ctx, in, filepath.Join(dir, fmt.Sprint(i)))
		if err != nil {
			return b.fail(err)
		}
		args = append(replaceWord(args, in.Path, copied), "-I"+filepath.Dir(in.Path))
	}
	code := compile(args)
	if code == 0 && b.command.Depend.Write {
		if err := b.depend(); err != nil {
			return b.fail(err)
		}
	}
	return code
}

func (b *instrumentedBuild) fail(err error) int {
	var compile *clang.CompileError
	if errors.As(err, &compile) {
		fmt.Fprintln(b.stderr, strings.TrimRight(compile.Text, "\n"))
	} else {
		_, _ = visible.Fprintf(b.stderr, "warpgrind cc: %v\n", err)
	}
	return 2
}

// replaceWord replaces the first word that is a path.
func replaceWord(args []string, path, by string) []string {
	args = slices.Clone(args)
	if i := slices.Index(args, path); i >= 0 {
		args[i] = by
	}
	return args
}

// source instruments one input and returns the path of the result.
func (b *instrumentedBuild) source(ctx context.Context, in nvcc.Input, dir string) (string, error) {
	base := filepath.Base(in.Path)
	out := filepath.Join(dir, strings.TrimSuffix(base, filepath.Ext(base))+".cu")
	cfg := InstrumentConfig{Config: build.Config{Inputs: []string{in.Path}, NVCCFlags: b.flags()}, Output: out, Scheme: b.scheme}
	if err := cfg.checkOutput(); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	res, err := cfg.instrument(ctx, dir)
	if err != nil {
		return "", build.Error(err)
	}
	for _, m := range res.Messages {
		fmt.Fprintf(b.stderr, "warpgrind: %s: %s\n", in.Path, m)
	}
	for _, f := range res.Files {
		b.originals[f.Path] = f.Of
	}
	return out, cfg.writeInstrumented(res)
}

// flags are those that matter for reading a source.
func (b *instrumentedBuild) flags() []string {
	c := b.command
	out := slices.Clone(c.Preprocessor)
	if c.Std != "" {
		out = append(out, "-std="+c.Std)
	}
	if c.Arch != "" {
		out = append(out, "-arch="+c.Arch)
	}
	for _, g := range c.Gencodes {
		out = append(out, "-gencode=arch="+g.Arch+",code=["+strings.Join(g.Codes, ",")+"]")
	}
	if c.RDC {
		out = append(out, "-rdc=true")
	}
	for _, w := range c.HostCompiler {
		out = append(out, "-Xcompiler="+w)
	}
	return out
}

// depend names the originals in the files of dependencies that were written.
func (b *instrumentedBuild) depend() error {
	c := b.command
	for _, in := range c.Inputs {
		file := c.Depend.File
		if file == "" {
			out := c.Output
			if out == "" {
				out = c.OutputFor(in, ".o")
			}
			file = strings.TrimSuffix(out, filepath.Ext(out)) + ".d"
		}
		text, err := userfile.Read(file)
		if err != nil {
			continue // it is the compiler's matter which there are
		}
		if err := os.WriteFile(file, []byte(b.rewrite(string(text))), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// rewrite replaces the copies' paths in a rule by the originals'; files of our
// own are left out.
func (b *instrumentedBuild) rewrite(text string) string {
	for path, of := range b.originals {
		if of == "" {
			word := regexp.QuoteMeta(path)
			gone := regexp.MustCompile(`(?m)[ \t]*` + word + `[ \t]*\\\n|([ \t]*\\\n)?[ \t]*` + word + `:?[ \t]*$`)
			text = gone.ReplaceAllString(text, "")
			continue
		}
		for _, end := range []string{" ", "\n", ":"} {
			text = strings.ReplaceAll(text, path+end, of+end)
		}
	}
	return text
}

// other runs another compiler with the arguments.
func (b *instrumentedBuild) other(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	cmd := exec.CommandContext(ctx, b.with, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	err := cmd.Run()
	var status *exec.ExitError
	switch {
	case errors.As(err, &status) && status.ExitCode() >= 0:
		return status.ExitCode()
	case err != nil:
		return b.fail(err)
	}
	return 0
}
