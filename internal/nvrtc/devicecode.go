package nvrtc

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/scratch"
)

// Code is source to compile without a program around it: CUDA for CompileKernels, C++ for
// CompileReference.
type Code struct {
	// Name is what messages call the file, Text its contents, Headers files that it may
	// include, by the names that it uses.
	Name, Text string
	Headers    map[string]string
	// Defines are NAME or NAME=VALUE; Std is a standard such as "c++17", "" for the default.
	Defines []string
	// Includes are directories where headers in angle brackets are.
	Includes  []string
	Std, Arch string
	Optimized bool
	// Names are kernels to make, as expressions: instances of templates.
	Names []string
}

// Compiled is what came of it: PTX, or an executable. Both are nil where the compiler
// rejected the source; Errors says why, and Log is all that it wrote.
type Compiled struct {
	PTX, Exe []byte
	// Lowered are the names in PTX of Code.Names.
	Lowered []string
	Errors  []report.Diagnostic
	// Missing is the header that was not found, as the source names it; "" for none.
	Missing string
	Log     string
}

// Compiler compiles code without programs around it.
type Compiler struct{ tc *clang.Toolchain }

// NewCompiler finds the compiler: the named one, or the newest that is installed.
func NewCompiler(name string) (*Compiler, error) {
	tc, err := clang.Find(name)
	if err != nil {
		return nil, &build.UsageError{Err: err}
	}
	return &Compiler{tc}, nil
}

// MarshalJSON writes all that is known of the compiler, so that another process need not find it.
func (c *Compiler) MarshalJSON() ([]byte, error) { return json.Marshal(c.tc) }

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Compiler) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &c.tc) }

// Needs lists the files and directories that compiling reads, besides the source and what
// the system's own directories hold.
func (c *Compiler) Needs() ([]string, error) {
	headers, err := clang.Headers()
	if err != nil {
		return nil, err
	}
	list := []string{headers}
	for _, p := range []string{c.tc.Clang, c.tc.Opt, c.tc.LLC, c.tc.ResourceDir} {
		real, err := filepath.EvalSymlinks(p)
		if err != nil {
			return nil, err
		}
		list = append(list, p, real)
	}
	return list, nil
}

// Kernels compiles device code to PTX. The error is a failure of the tools.
func (c *Compiler) Kernels(ctx context.Context, src Code) (*Compiled, error) {
	dir, remove, err := scratch.Dir()
	if err != nil {
		return nil, err
	}
	defer remove()
	written, err := writeRuntimeSource(dir, host.Source{Name: src.Name, Text: src.Text, Headers: src.Headers, Names: src.Names})
	if err != nil {
		return nil, err
	}
	file := written.file
	opt := clang.Options{Sources: []string{file}, Defines: src.Defines, Std: src.Std, Arch: src.Arch,
		WorkDir: dir, DeviceOnly: true}
	if src.Optimized {
		opt.Mode = clang.Optimized
	}
	res, err := c.tc.Build(ctx, opt)
	if err != nil {
		return c.rejected(err, filepath.Dir(file)+"/")
	}
	text, names := loweredNames(strings.ReplaceAll(string(res.Devices[0].PTX), filepath.Dir(file)+"/", ""), len(src.Names))
	return &Compiled{PTX: []byte(text), Lowered: names, Log: res.Warnings}, nil
}

// Program compiles CUDA source with a main to an executable that has this package's HostProgram at its other end,
// and to PTX. The runtime library must be there (Library).
func (c *Compiler) Program(ctx context.Context, src Code) (*Compiled, error) {
	dir, remove, err := scratch.Dir()
	if err != nil {
		return nil, err
	}
	defer remove()
	written, err := writeRuntimeSource(dir, host.Source{Name: src.Name, Text: src.Text, Headers: src.Headers})
	if err != nil {
		return nil, err
	}
	file := written.file
	root := filepath.Dir(file)
	opt := clang.Options{Sources: []string{file}, Defines: src.Defines, Includes: src.Includes, Std: src.Std, Arch: src.Arch, Opt: "0", WorkDir: dir}
	if src.Optimized {
		opt.Mode = clang.Optimized
	}
	res, err := c.tc.Build(ctx, opt)
	if err != nil {
		return c.rejected(err, root+"/")
	}
	exe, err := os.ReadFile(res.Exe)
	return &Compiled{Exe: exe, PTX: []byte(strings.ReplaceAll(string(res.Devices[0].PTX), root+"/", "")), Log: res.Warnings}, err
}

// Library builds the runtime library where it is missing, and returns its path.
func (c *Compiler) Library(ctx context.Context) (string, error) { return c.tc.Setup(ctx, false) }

// rejected is the result for an error, if the source is to blame. Paths below dir lose it.
func (c *Compiler) rejected(err error, dir string) (*Compiled, error) {
	var ce *clang.CompileError
	var ue *clang.UsageError
	var te *clang.ToolError
	switch {
	case errors.As(err, &ce):
		text := strings.ReplaceAll(ce.Text, dir, "")
		list := build.Diagnostics(text)
		if list[0].File == "" { // no error of the source: what the compiler says of itself is for its makers
			list = []report.Diagnostic{{Message: "the compiler failed on the source"}}
		}
		return &Compiled{Errors: list, Missing: ce.Missing, Log: text}, nil
	case errors.As(err, &ue):
		return &Compiled{Errors: []report.Diagnostic{{Message: ue.Text}}, Log: ue.Text}, nil
	case errors.As(err, &te): // opt or llc: inline assembly that is none, code that a GPU cannot have
		text := strings.ReplaceAll(te.Text, dir, "")
		first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		return &Compiled{Errors: []report.Diagnostic{{Message: first}}, Log: text}, nil
	}
	return nil, err
}

// Reference compiles a C++ program, optimized.
func (c *Compiler) Reference(ctx context.Context, src Code) (*Compiled, error) {
	dir, remove, err := scratch.Dir()
	if err != nil {
		return nil, err
	}
	defer remove()
	file := filepath.Join(dir, src.Name)
	if nvcc.LangOf(file) == nvcc.CUDA {
		return nil, errors.New("a reference is C or C++")
	}
	if err := os.WriteFile(file, []byte(src.Text), 0o600); err != nil {
		return nil, err
	}
	exe := filepath.Join(dir, "reference")
	if err := c.tc.HostProgram(ctx, file, exe, src.Std); err != nil {
		return c.rejected(err, dir+"/")
	}
	data, err := os.ReadFile(exe)
	return &Compiled{Exe: data}, err
}
