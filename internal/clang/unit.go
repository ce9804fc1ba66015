package clang

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/clang/passes"
	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/scratch"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// Unit is one source to compile.
type Unit struct {
	// Source is the file, Lang its language: CUDA, CXX or C.
	Source string
	Lang   nvcc.Lang
	Flags  Flags
	// SM is what Flags.Arch is compiled for, as GPUArch returns it.
	SM int
	// Others names further architectures whose device code the object has.
	Others []string
	Mode   Mode
	// RDC makes relocatable device code: the object's device variables are
	// visible to other objects, and its module is linked with theirs.
	RDC bool
	// DeviceOnly leaves out the host side.
	DeviceOnly bool
	// Diagnose asks for clang's warnings on device code as Diagnostics, and for code that keeps what the program
	// assumes.
	Diagnose bool
	// Messages asks for what clang writes in the form that ParseMessages reads.
	Messages bool
	// Coverage puts markers that count executions into device code, with the mapping to source regions (coverage.Unit).
	Coverage bool
	// PlainAddresses computes the address of each access from its index, and not from
	// another access's.
	PlainAddresses bool
	// SharesMemory is set if another unit of the program has memory that the host
	// and the device access, so that this one's accesses are told as well.
	SharesMemory bool
	// TellUnread makes host code tell the runtime of results that it does not read.
	TellUnread bool
	// Replaced are texts that are read instead of files, by absolute path.
	Replaced map[string][]byte
}

// Product is what a unit is compiled to.
type Product struct {
	// PTX is the device code, nil for host languages; Object the host object
	// with the device code inside, nil if DeviceOnly.
	PTX, Object []byte
	// Warnings is what the compiler wrote to its standard error.
	Warnings string
	// Diagnostics are clang's warnings on device code, if they were asked for; Warnings
	// is without them.
	Diagnostics []Diagnostic
	// Files are the files that were read, the source among them.
	Files []string
	// Cached is set if no compiler ran.
	Cached bool
}

// job is a unit being compiled.
type job struct {
	tc *Toolchain
	Unit
	// include is the directory of warpgrind's CUDA headers, dir a directory
	// for files that are needed meanwhile.
	include, dir string

	// targets says what the object's PTX consists of, nil for one target; read are
	// files that only some targets read.
	targets []Target
	read    []string

	// repairs are what clang rejected and is spelled another way, by file, as each
	// compilation found it.
	repairs []map[string]rejects

	diagnostics []Diagnostic

	// fed is set once clang has read the device code for the host side from its pipe.
	fed atomic.Bool
	// wrapped is the wrapped module, once there is PTX.
	wrapped atomic.Pointer[[]byte]

	mu       sync.Mutex
	warnings string
}

// Compile compiles a unit, or finds what an earlier run made of the same
// input. Errors in the user's code are *CompileError, failures of the tools
// *ToolError. When ctx ends, all that was started is killed and ctx's error
// returned. Where a header of Thrust, CUB or libcu++ is missing, and they are on this machine, it
// is compiled again with them.
func (tc *Toolchain) Compile(ctx context.Context, u Unit) (*Product, error) {
	if p, err := tc.cached(u); p != nil || err != nil {
		return p, err
	}
	with, have := u.withLibraries() // not before: to look for them takes reading folders
	if have {
		if p, err := tc.cached(with); p != nil || err != nil {
			return p, err
		}
	}
	p, err := tc.compileAndKeep(ctx, u)
	var rejected *CompileError
	if have && errors.As(err, &rejected) && isLibraryHeader(rejected.Missing) {
		u = with
		p, err = tc.compileAndKeep(ctx, u)
	}
	if errors.As(err, &rejected) {
		return nil, rejected.explained(u.Flags.libraries)
	}
	return p, err
}

// cached is what an earlier run made of the same input, nil for nothing.
func (tc *Toolchain) cached(u Unit) (*Product, error) {
	key, err := tc.unitKey(u)
	if err != nil {
		return nil, err
	}
	if r, ok := cache.Open().Get(key); ok {
		if p := productOf(u, r); !bad(p.check(u)) {
			return p, nil
		}
	}
	return nil, nil
}

// compileAndKeep compiles a unit and keeps the product in the cache.
func (tc *Toolchain) compileAndKeep(ctx context.Context, u Unit) (*Product, error) {
	key, err := tc.unitKey(u)
	if err != nil {
		return nil, err
	}
	p, err := tc.compile(ctx, u)
	if err != nil {
		return nil, err
	}
	if err := p.check(u); err != nil {
		return nil, &ToolError{Tool: filepath.Base(tc.Clang), Source: u.Source, Err: err}
	}
	include, err := Headers()
	if err != nil {
		return nil, err
	}
	// What lies in those directories is part of the key.
	files := without(p.Files, include+"/", filepath.Join(tc.ResourceDir, "include")+"/")
	cache.Open().Put(key, files, p.result())
	return p, nil
}

func without(files []string, prefixes ...string) []string {
	var out []string
	for _, f := range files {
		if !hasAnyPrefix(f, prefixes) {
			out = append(out, f)
		}
	}
	return out
}

func (tc *Toolchain) compile(ctx context.Context, u Unit) (*Product, error) {
	include, err := Headers()
	if err != nil {
		return nil, err
	}
	dir, remove, err := scratch.Dir()
	if err != nil {
		return nil, err
	}
	defer remove()
	j := &job{tc: tc, Unit: u, include: include, dir: dir}
	p := &Product{}
	if u.Lang == nvcc.CUDA {
		err = j.compileCUDA(ctx, p)
		for err != nil && ctx.Err() == nil && j.repair(err) {
			err = j.compileCUDA(ctx, p)
		}
	} else {
		err = j.hostObject(ctx)
	}
	if err == nil && !u.DeviceOnly {
		p.Object, err = j.finishedObject(p.PTX)
	}
	if err != nil {
		return nil, err
	}
	p.Warnings, p.Diagnostics = j.warnings, j.diagnostics
	p.Files = slices.Concat(j.dependencies("device.d"), j.dependencies("host.d"), j.read)
	p.Files = unique(append([]string{u.Source}, p.Files...))
	return p, nil
}

func (j *job) file(name string) string { return filepath.Join(j.dir, name) }

// compileCUDA compiles the two sides of a source at once. The host side
// reads the PTX, which it carries, from a named pipe at its end.
func (j *job) compileCUDA(ctx context.Context, p *Product) error {
	overlay, err := j.overlay()
	if err != nil {
		return err
	}
	if j.DeviceOnly {
		p.PTX, err = j.deviceSide(ctx, overlay.device, nil)
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ptx, host := make(chan []byte, 1), make(chan error, 1)
	go func() { host <- j.cudaObject(ctx, overlay.host, ptx) }()
	// Both sides see the same text: an error of the device side is the one told.
	if p.PTX, err = j.deviceSide(ctx, overlay.device, ptx); err != nil {
		cancel()
		<-host
		return err
	}
	return <-host
}

// deviceSide compiles to PTX and hands it on.
func (j *job) deviceSide(ctx context.Context, overlay []string, out chan<- []byte) ([]byte, error) {
	ptx, warnings, err := j.devicePTX(ctx, overlay)
	if out != nil {
		defer close(out)
	}
	if err != nil {
		return nil, err
	}
	j.warn(warnings)
	if out == nil {
		return ptx, nil
	}
	all, targets, err := j.withOthers(ctx, overlay, ptx)
	if err != nil {
		return nil, err
	}
	j.targets = targets
	out <- all
	return ptx, nil
}

// cudaObject compiles a CUDA source's host side with the PTX from the channel
// inside.
func (j *job) cudaObject(ctx context.Context, overlay []string, ptx <-chan []byte) error {
	fifo := j.file("device.fatbin")
	os.Remove(fifo) // of an earlier try
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		return err
	}
	meta := Meta{Source: j.Source, Build: j.Mode.String(), Clang: j.tc.Version, Module: filepath.Base(j.Source), RDC: j.RDC}
	gone := make(chan struct{})
	go j.feed(fifo, meta, ptx, gone)
	args := append(j.cudaArgs(), overlay...)
	args = append(args, hostSide)
	if j.RDC {
		args = append(args, "-fgpu-rdc")
	}
	j.fed.Store(false)
	err := j.compileHost(ctx, args, "-Xclang", "-fcuda-include-gpubinary", "-Xclang", fifo)
	close(gone)
	return err
}

// feed writes the wrapped module to a named pipe once there is PTX and clang
// has opened the pipe. It ends early when clang is gone.
func (j *job) feed(fifo string, meta Meta, ptx <-chan []byte, gone <-chan struct{}) {
	text, ok := <-ptx
	if !ok {
		return
	}
	meta.Targets = j.targets
	blob, err := EncodeFatbin(meta, text)
	if err != nil {
		return
	}
	j.wrapped.Store(&blob)
	for {
		// Without a reader, opening without blocking fails (fifo(7)).
		fd, err := syscall.Open(fifo, syscall.O_WRONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
		if err == nil {
			j.fed.Store(true)
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

// feedAgain puts the wrapped module into a file in place of the pipe, which has been read: another clang would wait there forever.
func (j *job) feedAgain() error {
	blob := j.wrapped.Load()
	if blob == nil {
		return nil
	}
	name := j.file("device.fatbin.again")
	if err := os.WriteFile(name, *blob, 0o600); err != nil {
		return err
	}
	return os.Rename(name, j.file("device.fatbin"))
}

// hostObject compiles a C or C++ source.
func (j *job) hostObject(ctx context.Context) error {
	return j.compileHost(ctx, j.hostArgs())
}

// hostArgs are those of all host code. A call in a tail's place keeps its frame,
// so that it is known where the runtime is called from.
var hostArgs = []string{"-g", "-fPIE", "-fno-optimize-sibling-calls"}

// compileHost runs clang for a host object; own are options that its headers do not depend on.
// Options of other compilers that the user passed on and clang does not know are left out.
func (j *job) compileHost(ctx context.Context, args []string, own ...string) error {
	host := j.Flags.Host
	watch, err := j.watch()
	if err != nil {
		return err
	}
	for {
		all := append(slices.Clone(args), j.optLevel())
		all = append(append(all, watch...), hostArgs...) // what they switch off stays off
		all = append(all, host...)
		diag, err := j.hostStage(ctx, all, own)
		if err == nil {
			j.warn(string(diag))
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		known := knownOptions(host, string(diag))
		if len(known) == len(host) {
			return refused(j.Source, "host", err, string(diag))
		}
		host = known
	}
}

// hostStage compiles with options, and returns the compiler's warnings.
func (j *job) hostStage(ctx context.Context, args, own []string) (diag []byte, err error) {
	object := []string{"-c", "-o", j.file("host.o")}
	read := append(depFlags(j.file("host.d")), own...)
	if !j.TellUnread {
		_, diag, err = j.clang(ctx, args, append(read, object...))
		return diag, err
	}
	ir := []string{"-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", "-"}
	text, diag, err := j.clang(ctx, args, append(read, ir...))
	if err != nil {
		return diag, err
	}
	m := irtext.Parse(text)
	passes.Run(passes.Host, m, j.passState())
	_, more, err := runTool(ctx, m.Bytes(), j.tc.Clang, slices.Concat(args, own, []string{"-Qunused-arguments", "-x", "ir"}, object, []string{"-"})...)
	if err != nil && ctx.Err() == nil { // the compiler takes the source, but not what the passes made of it
		fallback.Took(fallback.UnreadErrors, fmt.Errorf("%w: %s", err, more))
		if err := j.feedAgain(); err != nil {
			return nil, err
		}
		_, diag, err = j.clang(ctx, args, append(read, object...))
		return diag, err
	}
	return append(diag, more...), err
}

// knownOptions drops the options that clang's diagnostics name as unknown.
func knownOptions(options []string, diag string) []string {
	var out []string
	for _, o := range options {
		if !strings.Contains(diag, "unknown argument: '"+o+"'") && !strings.Contains(diag, "unknown argument '"+o+"'") &&
			!strings.Contains(diag, "unsupported option '"+o+"'") {
			out = append(out, o)
		}
	}
	return out
}

// finishedObject reads the host object and makes relocatable device code
// known to the runtime.
func (j *job) finishedObject(ptx []byte) ([]byte, error) {
	obj, err := os.ReadFile(j.file("host.o"))
	if err != nil || !j.RDC || j.Lang != nvcc.CUDA {
		return obj, err
	}
	abs, err := filepath.Abs(j.Source)
	if err != nil {
		return nil, err
	}
	id := cache.Key(append([]string{abs, string(ptx)}, j.Flags.Both...)...)
	return obj, nameModule(obj, id)
}

// warn keeps a compiler's output; the host side's repeats of the device
// side's lines are left out.
func (j *job) warn(text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.warnings == "" {
		j.warnings = text
	}
}

// optLevel returns the host's -O flag.
func (j *job) optLevel() string {
	if j.Flags.Opt == "" {
		return "-O0"
	}
	return "-O" + j.Flags.Opt
}

// result is a product as it is cached.
func (p *Product) result() cache.Result {
	r := cache.Result{"warnings": []byte(p.Warnings), "files": []byte(strings.Join(p.Files, "\n"))}
	if p.Diagnostics != nil {
		r["diagnostics"], _ = json.Marshal(p.Diagnostics)
	}
	if p.PTX != nil {
		r["ptx"] = p.PTX
	}
	if p.Object != nil {
		r["object"] = p.Object
	}
	return r
}

func productOf(u Unit, r cache.Result) *Product {
	p := &Product{PTX: r["ptx"], Object: r["object"], Warnings: string(r["warnings"]),
		Files: strings.Split(string(r["files"]), "\n"), Cached: true}
	json.Unmarshal(r["diagnostics"], &p.Diagnostics)
	return p
}

// unitKey names all that a product depends on, but for the files that the
// source includes.
func (tc *Toolchain) unitKey(u Unit) (string, error) {
	text, err := userfile.Read(u.Source)
	if errors.Is(err, os.ErrNotExist) {
		return "", &UsageError{fmt.Sprintf("no such file: %s", u.Source)}
	}
	if err != nil {
		return "", &UsageError{err.Error()}
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	f := u.Flags
	return cache.Key("unit", tc.identity(), pipeline(), shimHash(), dir, u.Source, string(text), strconv.Itoa(int(u.Lang)),
		cache.Key(f.Both...), cache.Key(f.Host...), cache.Key(f.LLC...), f.Opt, strconv.Itoa(u.SM), u.Mode.String(),
		fmt.Sprint(u.RDC, u.DeviceOnly, u.Diagnose, u.Messages, u.Coverage, u.PlainAddresses, u.SharesMemory, u.TellUnread, u.Others, u.number(), archMacros(f.Arch, u.SM)), strings.Join(slices.Concat(watchArgs, hostArgs), " "), environment(), textsKey(u.Replaced)), nil
}

// textsKey names texts that replace files.
func textsKey(texts map[string][]byte) string {
	var parts []string
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		parts = append(parts, file, string(texts[file]))
	}
	return cache.Key(parts...)
}

// environment is what clang takes from environment variables ("clang - the
// Clang C, C++, and Objective-C compiler", "Environment").
func environment() string {
	var parts []string
	for _, name := range []string{"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS", "SOURCE_DATE_EPOCH"} {
		parts = append(parts, name+"="+os.Getenv(name))
	}
	return strings.Join(parts, "\n")
}

func unique(files []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, f := range files {
		if !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	return out
}
