package cc

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// compileIntermediate is --cuda. What nvcc writes is host code for its own host
// compiler; here it is the CUDA source with its headers and the macros of the command
// line in one file, which holds both sides still, for a later compilation.
func (d *driver) compileIntermediate(ctx context.Context, _ int, in nvcc.Input) error {
	args, err := d.tc.PreprocessArgs(d.unit(in))
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, d.tc.Clang, append(args, "-E", "-frewrite-includes", in.Path)...)
	cmd.Stderr = d.Stderr
	text, err := cmd.Output()
	var status *exec.ExitError
	if errors.As(err, &status) {
		return &clang.CompileError{Source: in.Path, Stage: "preprocess", Text: "preprocessing of " + in.Path + " failed"}
	} else if err != nil {
		return err
	}
	return os.WriteFile(d.output(in, nvcc.Intermediate), append([]byte(d.macros()), text...), 0o666)
}

// macros are the directives for the -D and -U options.
func (d *driver) macros() string {
	var b strings.Builder
	for _, o := range d.cmd.Preprocessor {
		if name, ok := strings.CutPrefix(o, "-U"); ok {
			b.WriteString("#undef " + name + "\n")
		}
		name, ok := strings.CutPrefix(o, "-D")
		if !ok {
			continue
		}
		name, value, given := strings.Cut(name, "=")
		if !given {
			value = "1"
		}
		b.WriteString("#define " + name + " " + value + "\n")
	}
	return b.String()
}
