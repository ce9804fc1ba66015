package clang

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/arch"
)

// Options say what to build.
type Options struct {
	// Sources are .cu files, .cpp, .cc, .cxx, .c host files, and .o, .a, .so
	// files to link.
	Sources []string
	// Defines are NAME or NAME=VALUE, Includes directories.
	Defines, Includes []string
	// Std is a language standard such as "c++14"; "" is clang's default.
	Std string
	// Opt is the host code's optimisation level, "0" to "3"; "" means 2.
	Opt string
	// NVCCFlags are further flags, in nvcc's spelling.
	NVCCFlags []string
	// Arch is the architecture to compile for, "sm_NN". If it is "", the one
	// in NVCCFlags counts, else arch.Default.
	Arch string
	Mode Mode
	// WorkDir takes the objects and the executable; it must exist. If it is
	// "", Build makes a temporary directory, which the caller removes.
	WorkDir string
	// DeviceOnly leaves out host code and linking.
	DeviceOnly bool
	// Jobs bounds the compilations at once; 0 means 2.
	Jobs int
}

// Device is the device code of one source.
type Device struct {
	// Source is the file as named in Options; Path is where the PTX lies.
	Source, Path string
	PTX          []byte
}

// Result is what Build made.
type Result struct {
	// Exe is the executable's path, "" if DeviceOnly.
	Exe string
	// Devices has one entry for each .cu source, in order.
	Devices []Device
	// Build is the text of the mode, Compiler the compiler's version line,
	// Arch the architecture that was compiled for ("sm_80").
	Build, Compiler, Arch string
	// Warnings is what the compiler wrote to its standard error.
	Warnings string
	// WorkDir holds the files.
	WorkDir string
}

// build is a build under way.
type build struct {
	tc   *Toolchain
	opts Options
	nvcc nvccFlags
	sm   int
	// include is the directory of warpgrind's CUDA headers, runtime the
	// library with the CUDA runtime.
	include, runtime string
	dir              string

	mu       sync.Mutex
	warnings map[string]string
}

// Build compiles and links. Errors in the user's code are *CompileError, wrong
// options *UsageError, failures of the tools *ToolError. When ctx ends, all
// that was started is killed and ctx's error returned.
func (tc *Toolchain) Build(ctx context.Context, opts Options) (*Result, error) {
	b, err := tc.newBuild(opts)
	if err != nil {
		return nil, err
	}
	res := &Result{Build: opts.Mode.String(), Compiler: tc.Version, Arch: "sm_" + strconv.Itoa(b.sm), WorkDir: b.dir}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	objects, err := b.compileAll(ctx, res)
	if err != nil {
		return nil, err
	}
	if !opts.DeviceOnly {
		res.Exe = filepath.Join(b.dir, "program")
		if err := b.link(ctx, objects, res.Exe); err != nil {
			return nil, err
		}
	}
	res.Warnings = b.allWarnings()
	return res, nil
}

func (tc *Toolchain) newBuild(opts Options) (*build, error) {
	b := &build{tc: tc, opts: opts, dir: opts.WorkDir, warnings: map[string]string{}}
	if len(opts.Sources) == 0 {
		return nil, &UsageError{"no source files"}
	}
	for _, s := range opts.Sources {
		if st, err := os.Stat(s); err != nil || st.IsDir() {
			return nil, &UsageError{fmt.Sprintf("no such file: %s", s)}
		}
	}
	var err error
	if b.nvcc, err = parseNVCC(opts.NVCCFlags); err != nil {
		return nil, err
	}
	name := opts.Arch
	if name == "" {
		name = b.nvcc.arch
	}
	if name == "" {
		name = arch.Default
	}
	if b.sm, err = tc.gpuArch(name); err != nil {
		return nil, err
	}
	if b.include, err = headers(); err != nil {
		return nil, err
	}
	if b.dir == "" {
		b.dir, err = os.MkdirTemp("", "warpgrind-build-")
	}
	return b, err
}

// compileAll compiles every source, some at once, and returns the objects to
// link in order.
func (b *build) compileAll(ctx context.Context, res *Result) ([]string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	jobs := b.opts.Jobs
	if jobs <= 0 {
		jobs = 2
	}
	g := &group{slots: make(chan struct{}, jobs), cancel: cancel}
	objects := make([]string, len(b.opts.Sources))
	devices := make([]*Device, len(b.opts.Sources))
	for i, src := range b.opts.Sources {
		switch kindOf(src) {
		case kindCUDA:
			b.compileCUDA(ctx, g, i, src, objects, devices)
		case kindHost:
			if !b.opts.DeviceOnly {
				g.run(func() error { return b.hostObject(ctx, i, src, objects) })
			}
		default:
			objects[i] = src
		}
	}
	if !b.opts.DeviceOnly {
		g.run(func() (err error) { b.runtime, err = b.tc.runtimeLibrary(ctx); return err })
	}
	if err := g.wait(); err != nil {
		return nil, err
	}
	for _, d := range devices {
		if d != nil {
			res.Devices = append(res.Devices, *d)
		}
	}
	return objects, nil
}

// group runs functions, a bounded number at once, and keeps the first error.
type group struct {
	wg     sync.WaitGroup
	slots  chan struct{}
	once   sync.Once
	err    error
	cancel func()
}

func (g *group) run(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		g.slots <- struct{}{}
		defer func() { <-g.slots }()
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err; g.cancel() })
		}
	}()
}

func (g *group) wait() error {
	g.wg.Wait()
	return g.err
}

// sourceKind says what to do with a file.
type sourceKind int

const (
	kindLink sourceKind = iota
	kindCUDA
	kindHost
)

func kindOf(path string) sourceKind {
	switch filepath.Ext(path) {
	case ".cu", ".cuh":
		return kindCUDA
	case ".cpp", ".cc", ".cxx", ".c", ".C", ".c++":
		return kindHost
	}
	return kindLink
}

// compileCUDA compiles the device side of a source and then its host side,
// which carries the PTX.
func (b *build) compileCUDA(ctx context.Context, g *group, i int, src string, objects []string, devices []*Device) {
	g.run(func() error {
		ptx, warnings, err := b.devicePTX(ctx, src)
		if err != nil {
			return err
		}
		b.warn(src, warnings)
		d := &Device{Source: src, Path: b.output(i, src, ".ptx"), PTX: ptx}
		if err := os.WriteFile(d.Path, ptx, 0o666); err != nil {
			return err
		}
		devices[i] = d
		if b.opts.DeviceOnly {
			return nil
		}
		objects[i], err = b.cudaObject(ctx, i, src, ptx)
		return err
	})
}

// output names a file in the work directory.
func (b *build) output(i int, src, ext string) string {
	base := strings.TrimSuffix(filepath.Base(src), filepath.Ext(src))
	return filepath.Join(b.dir, fmt.Sprintf("%s.%d%s", base, i, ext))
}

// cudaObject compiles a CUDA source's host side with its PTX inside.
func (b *build) cudaObject(ctx context.Context, i int, src string, ptx []byte) (string, error) {
	meta := Meta{Source: src, Build: b.opts.Mode.String(), Clang: b.tc.Version, Module: fmt.Sprintf("%s#%d", filepath.Base(src), i)}
	blob, err := EncodeFatbin(meta, ptx)
	if err != nil {
		return "", err
	}
	fatbin, obj := b.output(i, src, ".fatbin"), b.output(i, src, ".o")
	if err := os.WriteFile(fatbin, blob, 0o666); err != nil {
		return "", err
	}
	args := b.cudaArgs(src)
	args = append(args, "--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", fatbin,
		b.optLevel(), "-g", "-fPIE", "-c", "-o", obj, src)
	return obj, b.compile(ctx, src, args)
}

// hostObject compiles a C or C++ source.
func (b *build) hostObject(ctx context.Context, i int, src string, objects []string) error {
	obj := b.output(i, src, ".o")
	args := append([]string{"-isystem", b.include, b.optLevel(), "-g", "-fPIE"}, quietFlags[:len(quietFlags)-2]...)
	for _, a := range b.userArgs() {
		if filepath.Ext(src) == ".c" && strings.HasPrefix(a, "-std=") && strings.Contains(a, "++") {
			continue
		}
		args = append(args, a)
	}
	objects[i] = obj
	return b.compile(ctx, src, append(args, "-c", "-o", obj, src))
}

// compile runs clang for a host object.
func (b *build) compile(ctx context.Context, src string, args []string) error {
	_, diag, err := runTool(ctx, nil, b.tc.Clang, args...)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &CompileError{Source: src, Stage: "host", Text: string(diag)}
	}
	b.warn(src, string(diag))
	return nil
}

// link makes the executable.
func (b *build) link(ctx context.Context, objects []string, exe string) error {
	args := append([]string{"-o", exe}, objects...)
	args = append(args, b.nvcc.link...)
	args = append(args, b.runtime, "-lstdc++", "-lpthread", "-ldl", "-lm", "-lrt")
	_, diag, err := runTool(ctx, nil, b.tc.Clang, args...)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &CompileError{Stage: "link", Text: string(diag)}
	}
	return nil
}

// warn keeps a compiler's output; the host side's repeats of the device
// side's lines are left out.
func (b *build) warn(src, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if text != "" && b.warnings[src] == "" {
		b.warnings[src] = text
	}
}

func (b *build) allWarnings() string {
	var s strings.Builder
	for _, src := range b.opts.Sources {
		s.WriteString(b.warnings[src])
	}
	return s.String()
}
