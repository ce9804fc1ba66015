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

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/nvcc"
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
	// Opt is the host code's optimization level, "0" to "3"; "" means 2.
	Opt string
	// NVCCFlags are further flags, in nvcc's spelling; unknown ones go to the
	// host compiler.
	NVCCFlags []string
	// Arch is the architecture to compile for, "sm_NN". If it is "", the one
	// in NVCCFlags counts, else arch.Default.
	Arch string
	Mode Mode
	// WorkDir takes the PTX and the executable; it must exist.
	WorkDir string
	// DeviceOnly leaves out host code and linking.
	DeviceOnly bool
	// Diagnose asks for clang's warnings on device code, and for code that keeps what the program assumes.
	Diagnose bool
	// Messages asks for what clang writes in the form that ParseMessages reads.
	Messages bool
	// Coverage asks for markers that count what is executed.
	Coverage bool
	// PlainAddresses keeps llc from computing addresses from each other.
	PlainAddresses bool
	// TellUnread makes host code tell the runtime of results that it does not read.
	TellUnread bool
	// Replaced are texts that are read instead of files, by absolute path.
	Replaced map[string][]byte
	// Jobs bounds the sources compiled at once, each of which keeps up to two
	// processors busy; 0 means half the processors.
	Jobs int
}

// Device is the device code of one source.
type Device struct {
	// Source is the file as named in Options; Path is where the PTX lies.
	Source, Path string
	PTX          []byte
	// Diagnostics are clang's warnings on it, if they were asked for.
	Diagnostics []Diagnostic
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
}

// build is a build under way.
type build struct {
	tc    *Toolchain
	opts  Options
	flags Flags
	rdc   bool
	sm    int
	dir   string
	// products has one entry for each source, nil for those to link.
	products []*Product
	// runtimeLib is the library with the CUDA runtime.
	runtimeLib string
}

// Build compiles and links. Errors in the user's code are *CompileError, wrong
// options *UsageError, failures of the tools *ToolError. When ctx ends, all
// that was started is killed and ctx's error returned.
func (tc *Toolchain) Build(ctx context.Context, opts Options) (*Result, error) {
	b, err := tc.newBuild(opts)
	if err != nil {
		return nil, err
	}
	if err := b.compileAll(ctx); err != nil {
		return nil, err
	}
	res := &Result{Build: opts.Mode.String(), Compiler: tc.Version, Arch: "sm_" + strconv.Itoa(b.sm)}
	if err := b.writeDevices(res); err != nil {
		return nil, err
	}
	if !opts.DeviceOnly {
		res.Exe = filepath.Join(b.dir, "program")
		if err := b.link(ctx, res.Exe); err != nil {
			return nil, err
		}
	}
	return res, nil
}

func (tc *Toolchain) newBuild(opts Options) (*build, error) {
	b := &build{tc: tc, opts: opts, dir: opts.WorkDir, products: make([]*Product, len(opts.Sources))}
	if len(opts.Sources) == 0 {
		return nil, &UsageError{"no source files"}
	}
	for _, s := range opts.Sources {
		if st, err := os.Stat(s); err != nil || st.IsDir() {
			return nil, &UsageError{fmt.Sprintf("no such file: %s", s)}
		}
	}
	if err := b.setFlags(); err != nil {
		return nil, err
	}
	name := opts.Arch
	if name == "" {
		name = b.flags.Arch
	}
	if name == "" {
		name = arch.Default
	}
	b.flags.Arch = name
	var err error
	if b.sm, err = tc.GPUArch(name); err != nil {
		return nil, err
	}
	return b, nil
}

// setFlags joins the options to one set of flags.
func (b *build) setFlags() error {
	c, err := nvcc.Parse(append([]string{"--forward-unknown-to-host-compiler"}, b.opts.NVCCFlags...))
	if err != nil {
		return &UsageError{err.Error()}
	}
	var pre []string
	for _, d := range b.opts.Includes {
		pre = append(pre, "-I"+d)
	}
	for _, d := range b.opts.Defines {
		pre = append(pre, "-D"+d)
	}
	c.Preprocessor = append(pre, c.Preprocessor...)
	if b.opts.Std != "" {
		c.Std = b.opts.Std
	}
	b.flags, b.rdc = FlagsOf(c), c.RDC
	if err := b.flags.UseToolkit(c.CudaPath); err != nil {
		return err
	}
	b.flags.Link = append(b.flags.Link, LinkerWords(c)...)
	if b.opts.Opt != "" {
		b.flags.Opt = strings.TrimPrefix(b.opts.Opt, "-O")
	}
	if b.flags.Opt == "" {
		b.flags.Opt = "2"
	}
	b.tc.Settle(&b.flags)
	return nil
}

// compileAll compiles every source, some at once.
func (b *build) compileAll(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	jobs := b.opts.Jobs
	if jobs <= 0 {
		jobs = max(1, runtime.NumCPU()/2)
	}
	g := &group{slots: make(chan struct{}, jobs), cancel: cancel}
	shares := b.tc.SharesMemory(b.opts.Sources, b.flags)
	for i, src := range b.opts.Sources {
		lang := nvcc.LangOf(src)
		if lang == nvcc.CUDA || lang.IsSource() && !b.opts.DeviceOnly {
			g.run(func() (err error) {
				b.products[i], err = b.tc.Compile(ctx, Unit{Source: src, Lang: lang, Flags: b.flags, SM: b.sm,
					Mode: b.opts.Mode, RDC: b.rdc, DeviceOnly: b.opts.DeviceOnly, Diagnose: b.opts.Diagnose, Messages: b.opts.Messages, Coverage: b.opts.Coverage, PlainAddresses: b.opts.PlainAddresses, SharesMemory: shares,
					TellUnread: b.opts.TellUnread, Replaced: b.opts.Replaced})
				return err
			})
		}
	}
	if !b.opts.DeviceOnly {
		g.run(func() (err error) { b.runtimeLib, err = b.tc.runtimeLibrary(ctx); return err })
	}
	return g.wait()
}

// writeDevices writes the device code, and collects it and the warnings.
func (b *build) writeDevices(res *Result) error {
	for i, p := range b.products {
		if p == nil {
			continue
		}
		res.Warnings += p.Warnings
		if nvcc.LangOf(b.opts.Sources[i]) != nvcc.CUDA {
			continue
		}
		d := Device{Source: b.opts.Sources[i], Path: b.output(i, ".ptx"), PTX: p.PTX, Diagnostics: p.Diagnostics}
		if err := os.WriteFile(d.Path, d.PTX, 0o666); err != nil {
			return err
		}
		res.Devices = append(res.Devices, d)
	}
	return nil
}

// output names a file for a source in the work directory.
func (b *build) output(i int, ext string) string {
	base := filepath.Base(b.opts.Sources[i])
	base = strings.TrimSuffix(base, filepath.Ext(base))
	return filepath.Join(b.dir, fmt.Sprintf("%s.%d%s", base, i, ext))
}

// exported are the names of NVIDIA's libraries, which programs look up by name.
var exported = []string{"-Wl,--export-dynamic-symbol=cu*", "-Wl,--export-dynamic-symbol=nvrtc*", "-Wl,--export-dynamic-symbol=nvml*"}

// link makes the executable.
func (b *build) link(ctx context.Context, exe string) error {
	l := LinkJob{Output: exe, Made: map[string][]byte{}}
	for i, src := range b.opts.Sources {
		if p := b.products[i]; p != nil {
			src = b.output(i, ".o")
			if err := os.WriteFile(src, p.Object, 0o666); err != nil {
				return err
			}
			l.Made[src] = p.Object
		}
		l.Args = append(l.Args, src)
	}
	l.Args = append(slices.Concat(l.Args, b.flags.Link, WrapArgs(), exported), b.runtimeLib, "-lstdc++", "-lpthread", "-ldl", "-lm", "-lrt")
	l.Host = b.flags.Host
	_, err := b.tc.Link(ctx, l)
	return err
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

// WriteProgram writes an executable file. Meanwhile no process is started: it
// would hold the file open, and a file that is open for writing cannot be run.
func WriteProgram(path string, data []byte) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	os.Remove(path)
	return os.WriteFile(path, data, 0o777)
}
