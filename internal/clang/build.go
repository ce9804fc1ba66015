package clang

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

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
	// Jobs bounds the sources compiled at once, each of which keeps up to two
	// processors busy; 0 means half the processors.
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
	// include is the directory of warpgrind's CUDA headers, runtimeLib the
	// library with the CUDA runtime.
	include, runtimeLib string
	dir                 string

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
	if slices.Contains(b.nvcc.compile, "-fopenmp") && !tc.hasOpenMP() {
		b.nvcc.dropOpenMP()
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
		jobs = max(1, runtime.NumCPU()/2)
	}
	g := &group{slots: make(chan struct{}, jobs), cancel: cancel}
	objects := make([]string, len(b.opts.Sources))
	devices := make([]*Device, len(b.opts.Sources))
	for i, src := range b.opts.Sources {
		switch kindOf(src) {
		case kindCUDA:
			g.run(func() error { return b.compileCUDA(ctx, i, src, objects, devices) })
		case kindHost:
			if !b.opts.DeviceOnly {
				g.run(func() error { return b.hostObject(ctx, i, src, objects) })
			}
		default:
			objects[i] = src
		}
	}
	if !b.opts.DeviceOnly {
		g.run(func() (err error) { b.runtimeLib, err = b.tc.runtimeLibrary(ctx); return err })
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

// compileCUDA compiles the two sides of a source at once. The host side
// reads the PTX, which it carries, from a named pipe at its end.
func (b *build) compileCUDA(ctx context.Context, i int, src string, objects []string, devices []*Device) error {
	overlay, err := b.overlay(i, src)
	if err != nil {
		return err
	}
	d := &Device{Source: src, Path: b.output(i, src, ".ptx")}
	devices[i] = d
	if b.opts.DeviceOnly {
		return b.deviceSide(ctx, d, overlay, nil)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ptx, host := make(chan []byte, 1), make(chan error, 1)
	go func() {
		var err error
		objects[i], err = b.cudaObject(ctx, i, src, overlay, ptx)
		host <- err
	}()
	// Both sides see the same text: an error of the device side is the one told.
	if err := b.deviceSide(ctx, d, overlay, ptx); err != nil {
		cancel()
		<-host
		return err
	}
	return <-host
}

// deviceSide compiles to PTX, writes it and hands it on.
func (b *build) deviceSide(ctx context.Context, d *Device, overlay []string, out chan<- []byte) error {
	ptx, warnings, err := b.devicePTX(ctx, d.Source, overlay)
	if out != nil {
		defer close(out)
	}
	if err != nil {
		return err
	}
	b.warn(d.Source, warnings)
	d.PTX = ptx
	if out != nil {
		out <- ptx
	}
	return os.WriteFile(d.Path, ptx, 0o666)
}

// output names a file in the work directory.
func (b *build) output(i int, src, ext string) string {
	base := strings.TrimSuffix(filepath.Base(src), filepath.Ext(src))
	return filepath.Join(b.dir, fmt.Sprintf("%s.%d%s", base, i, ext))
}

// cudaObject compiles a CUDA source's host side with the PTX from the channel
// inside.
func (b *build) cudaObject(ctx context.Context, i int, src string, overlay []string, ptx <-chan []byte) (string, error) {
	fifo, obj := b.output(i, src, ".fatbin"), b.output(i, src, ".o")
	os.Remove(fifo)
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		return "", err
	}
	defer os.Remove(fifo)
	meta := Meta{Source: src, Build: b.opts.Mode.String(), Clang: b.tc.Version, Module: fmt.Sprintf("%s#%d", filepath.Base(src), i)}
	gone := make(chan struct{})
	go feed(fifo, meta, ptx, gone)
	args := append(b.cudaArgs(), overlay...)
	args = append(args, "--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", fifo,
		b.optLevel(), "-g", "-fPIE", "-c", "-o", obj, src)
	err := b.compile(ctx, src, args)
	close(gone)
	return obj, err
}

// feed writes the wrapped module to a named pipe once there is PTX and clang
// has opened the pipe. It ends early when clang is gone.
func feed(fifo string, meta Meta, ptx <-chan []byte, gone <-chan struct{}) {
	text, ok := <-ptx
	if !ok {
		return
	}
	blob, err := EncodeFatbin(meta, text)
	if err != nil {
		return
	}
	for {
		// Without a reader, opening without blocking fails (fifo(7)).
		fd, err := syscall.Open(fifo, syscall.O_WRONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
		if err == nil {
			syscall.SetNonblock(fd, false)
			w := os.NewFile(uintptr(fd), fifo)
			w.Write(blob)
			w.Close()
			return
		}
		select {
		case <-gone:
			return
		case <-time.After(2 * time.Millisecond):
		}
	}
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
	args = append(args, b.runtimeLib, "-lstdc++", "-lpthread", "-ldl", "-lm", "-lrt")
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
