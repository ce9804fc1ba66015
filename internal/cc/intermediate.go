package cc

import (
	"context"
	"strings"

	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// compileIntermediate is --cuda. What nvcc writes is host code for its own host
// compiler; here it is the CUDA source with its headers and the macros of the command
// line in one file, which holds both sides still, for a later compilation.
func (d *driver) compileIntermediate(ctx context.Context, _ int, in nvcc.Input) error {
	text, diag, err := d.tc.Preprocess(ctx, d.unit(in), "-E", "-frewrite-includes")
	if err != nil {
		return err
	}
	d.Stderr.Write(diag)
	return userfile.Write(d.output(in, nvcc.Intermediate), append([]byte(d.macros()), text...))
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
