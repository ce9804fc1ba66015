// Package session is one use of the tool, for the command: a program that is compiled,
// run and checked (Check), kernels that are examined without running (CheckStatic), the
// barriers of a program taken away one by one (Barriers), source instrumented, compiled or
// checked while it is edited. It is the only place where the parts are wired together.
//
// A check goes this way; each step is a function of session.go unless named otherwise:
//
//	Check ── prepareSession: flags to values, rules to checkers
//	  │
//	  ├─ build: sources to an executable (toolkit.go for nvcc)
//	  ├─ run ── serve: arena, observers, device.Device, host.Server; the program runs
//	  │           │ events go from engine and host to the checkers; the filter (filter.go) leaves
//	  │           │ out launches that were not asked for
//	  └─ finish: findings, counts and messages to a report.Report with its exit code
//
// runs.go repeats this under other schedules and joins the reports.
package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/explore"
	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/interrupt"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/proofs"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/scratch"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/native/llvm"
)

// Exit codes of the command.
const (
	ExitClean       = 0 // checked, and nothing at error level found
	ExitFindings    = 1 // findings at error level
	ExitUsage       = 2 // wrong usage, or the program does not compile
	ExitProgram     = 3 // the program under test failed by itself
	ExitNothing     = 4 // nothing was checked: no kernel ran
	ExitUnsupported = 5 // an unsupported feature stopped the check
	ExitBug         = 6 // a bug in warpgrind
	ExitUnfinished  = 7 // the check did not finish, or its report could not be written; see engine.h
)

// Config is one check.
type Config struct {
	// Inputs are CUDA and host sources to compile, or one executable that was
	// built with warpgrind's runtime. Args go to the program.
	Inputs, Args []string

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
	Arch, Tools, RaceModel          string
	// RacePolicy is what --race-policy takes; "" means the standard.
	RacePolicy string
	// WatchAll lets rules watch accesses too that are proved safe.
	WatchAll bool
	// LeakCheck is "full" for findings of memory that the program does not free, ""
	// or "no" for none. Padding is the least distance in bytes between
	// allocations; less than mem.RedZone means that.
	LeakCheck string
	Padding   uint64
	// APIErrors is "all" for the rule api to report every call that fails, "" or "unread" for
	// those whose error the program never reads.
	APIErrors string
	// UnusedMemory lets the rule init report allocations of which at least as many percent
	// are never written; nil for none.
	UnusedMemory *float64
	// LeaveOut reports which findings are not wanted; nil for none.
	LeaveOut func(*finding.Finding) bool
	// Workers is how many blocks run at once; 0 means one per core.
	Workers int
	// DeviceMemory is the memory of each GPU, such as "500M" or "80G"; "" means that of a product of the architecture.
	DeviceMemory string
	// Devices is how many GPUs the program sees, 1 to host.MaxDevices; 0 means 1.
	Devices int
	// TrialTime is how long Fix tries patches; 0 means DefaultTrialTime.
	TrialTime time.Duration
	// Timeout ends the run; 0 means none.
	Timeout time.Duration
	// Hang is after which time device code counts as stuck that only a thread of the host can
	// release; 0 means host.DefaultPatience.
	Hang time.Duration
	// MaxSteps bounds the instructions of one warp; 0 means the default.
	MaxSteps uint64
	// OnFault is "continue" (the default), where a launch continues after invalid accesses,
	// which then read zeros and write nothing; "stop", which ends the block there; or
	// "kernel", which ends it as well and lets later launches run.
	OnFault string
	// Progress is told a few times a second how far the running launch has come,
	// and nil once none runs; nil for none. Warn is told in a line of blocks
	// that take long. Both are called from other goroutines.
	Progress func(*Status)
	Warn     func(string)
	// Listing puts the PTX of the kernels that run into the report, with executions.
	Listing bool
	// Coverage puts into the report which lines, functions and branches of device code were executed.
	Coverage bool
	// Explore executes launches in all orders; nil for the order of the run alone.
	Explore *Exploration
	// Fidelity puts into the report which executed instructions the engine computes exactly.
	Fidelity bool
	// Building is told while the runtime library, or a replacement for one of NVIDIA's libraries, is
	// compiled, at the first use, what that is and how many of its files are done; nil for none.
	Building func(what string, done, all int)
	// ErrorLevel is the mildest level that makes the exit code ExitFindings.
	ErrorLevel string
	Controls

	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// UsageError is a wrong use of the tool or a program that does not compile:
// one line, or the compiler's own text.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// sourceExts are the inputs that are compiled.
var sourceExts = []string{".cu", ".cpp", ".cc", ".cxx", ".c", ".o", ".a", ".so"}

// Check compiles and runs the program and returns the report. The error is a
// *UsageError, or a bug.
func Check(ctx context.Context, cfg Config) (*report.Report, error) {
	if len(cfg.Inputs) == 1 {
		cfg.Inputs = []string{findProgram(cfg.Inputs[0])}
		if cfg.Arch == "" && !isSource(cfg.Inputs[0]) {
			cfg.Arch = builtFor(cfg.Inputs[0])
		}
	}
	s, err := newSession(cfg)
	if err != nil {
		return nil, &UsageError{err}
	}
	if err := checkInputs(cfg.Inputs); err != nil {
		return nil, &UsageError{err}
	}
	exe, remove, err := s.executable(ctx)
	if err != nil {
		return nil, err
	}
	defer remove()
	if cfg.Runs > 1 {
		return s.runAll(ctx, exe)
	}
	return s.run(ctx, exe)
}

func isSource(file string) bool { return slices.Contains(sourceExts, filepath.Ext(file)) }

// ArgumentsAt is where in a list of inputs, given without --, arguments of the program begin:
// behind an executable, or behind sources with what is neither a source nor a file that one
// could have meant. It is 0 where there are none.
func ArgumentsAt(inputs []string) int {
	if len(inputs) < 2 {
		return 0
	}
	if !isSource(inputs[0]) {
		if st, err := os.Stat(findProgram(inputs[0])); err == nil && !st.IsDir() && st.Mode()&0o111 != 0 {
			return 1
		}
		return 0
	}
	return max(0, slices.IndexFunc(inputs, func(in string) bool { return !isSource(in) }))
}

// isFile returns what the system says of a file, or why it cannot be an input: to open a pipe may block.
func isFile(name string) (os.FileInfo, error) {
	st, err := os.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file", name)
	case err != nil:
		return nil, err
	case st.IsDir():
		return nil, fmt.Errorf("%s: is a directory", name)
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s: is a pipe, socket or device", name)
	}
	return st, nil
}

func checkInputs(inputs []string) error {
	if len(inputs) == 0 {
		return errors.New("no input: name a CUDA source or an executable")
	}
	for _, in := range inputs {
		st, err := isFile(in)
		switch {
		case err != nil:
			return err
		case len(inputs) > 1 && !isSource(in):
			return fmt.Errorf("%s: not a source or object file", in)
		case !isSource(in) && st.Mode()&0o111 == 0:
			return fmt.Errorf("%s: neither a source (%s) nor an executable", in, strings.Join(sourceExts, " "))
		}
	}
	return nil
}

// session is one check in progress.
type session struct {
	cfg   Config
	arch  *arch.Arch
	level finding.Level
	rules []check.Rule
	*controls
	checkers []check.Checker
	// faults are checkers of what ends launches that the chosen rules do not see.
	faults []check.Checker
	files  *source.Files
	proofs *proofs.Cache
	report *report.Report
	// overwritten are the bytes of device memory that were written and that copies and fills of the host replace, by the
	// place of the call.
	overwritten map[string]uint64
	// launchSites are the places on the host that launched.
	launchSites launchSites
	trial
	// unsupported is the first feature that stopped the program, bug the
	// first sign of a defect of ours.
	unsupported string
	bug         error
	// since is when the session began, lesser why its run fails for what failed from then on and was replaced.
	since  fallback.Mark
	lesser error
	// Of a replay: unexpected is set if memory is not as it was expected, inexact if the launch
	// accessed memory whose contents are not in the capsule, bad is why one could not tell.
	unexpected, inexact bool
	// unwritten is set if a file that the user asked for could not be written.
	unwritten bool
	bad       error
	// afterLaunch is told each launch that has ended; it may be nil.
	afterLaunch func(*device.Ran)
	// numbers has the number of the next launch.
	numbers interface{ Launches() int }
	// explorer executes launches in all orders, nil for none.
	explorer *explore.Explorer
	// soFar is host.Config.SoFar.
	soFar func() int
	// skipped counts the launches that did not run as a kernel before them failed.
	skipped uint64
	// inOrder counts the programmatic launches that ran in stream order, since the
	// architecture has none.
	inOrder uint64
	// memory is that of each GPU in bytes, 0 for that of a product.
	memory uint64
	// skips is how many blocks --only-blocks left out so far; stated is set if the report has the blocks of the capsule that ran,
	// cut is the ID of the first launch with skipped blocks, nil for none.
	stated bool
	cut    *int
	skips  uint64
	// overfull is set when the contents of device memory outgrew what the machine can check.
	overfull atomic.Bool
	// onlyFailed is why --only-blocks could not be followed in a launch, nil where it could.
	onlyFailed error
	// operators counts those that the program executed by itself.
	operators uint64
	// faulted is set when a kernel has failed; leaks are what the program held then, or when it ended
	// with --only-blocks.
	faulted bool
	leaks   []trace.Memory
}

// newSession prepares a run; a rule that needs none is refused.
func newSession(cfg Config) (*session, error) {
	s, err := prepareSession(cfg)
	if err != nil {
		return nil, err
	}
	for _, r := range s.rules {
		if !r.Runs() {
			return nil, fmt.Errorf("--tool %s: only warpgrind check has this rule", r.ID)
		}
	}
	dirs := []string{cfg.DumpBuffers}
	if cfg.Explore != nil {
		dirs = append(dirs, cfg.Explore.Dir)
	}
	for _, dir := range dirs {
		if err := makeWritable(dir); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// makeWritable makes a directory of results, "" for none: that nothing can be written there is known before the program runs.
func makeWritable(dir string) error {
	if dir == "" {
		return nil
	}
	err := os.MkdirAll(dir, 0o777)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".warpgrind-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// prepareSession reads what holds whether anything runs or not.
func prepareSession(cfg Config) (*session, error) {
	s := &session{since: fallback.Now(), cfg: cfg, files: &source.Files{}, proofs: &proofs.Cache{From: proofs.Worthwhile}, overwritten: map[string]uint64{}}
	var err error
	if s.arch, err = arch.Parse(or(cfg.Arch, arch.Default)); err != nil {
		return nil, err
	}
	if s.level, err = finding.ParseLevel(or(cfg.ErrorLevel, "error")); err != nil {
		return nil, err
	}
	model, err := check.ParseRaceModel(or(cfg.RaceModel, check.RaceModelOf(s.arch).String()))
	if err != nil {
		return nil, err
	}
	policy, err := check.ParseRacePolicy(cfg.RacePolicy)
	if err != nil {
		return nil, err
	}
	if s.controls, err = cfg.prepare(); err != nil {
		return nil, err
	}
	if cfg.DeviceMemory != "" {
		n, ok := cache.ParseSize(cfg.DeviceMemory)
		if !ok {
			return nil, fmt.Errorf("--device-memory %q: want a size such as 500M or 80G", cfg.DeviceMemory)
		}
		s.memory = uint64(n)
	}
	if err = checkLeaks(cfg.LeakCheck); err != nil {
		return nil, err
	}
	if err = checkOnFault(cfg.OnFault); err != nil {
		return nil, err
	}
	if err = checkAPIErrors(cfg.APIErrors); err != nil {
		return nil, err
	}
	if s.rules, err = registry.Select(cfg.Tools); err != nil {
		return nil, err
	}
	if s.rules, err = withSchedule(s.rules, cfg.Runs); err != nil {
		return nil, err
	}
	if len(s.holds.List) > 0 && !slices.ContainsFunc(s.rules, func(r check.Rule) bool { return r.ID == "race" }) {
		return nil, errors.New("--schedule " + check.HoldPrefix + "... needs the rule race")
	}
	s.report = &report.Report{
		Files:  s.files,
		Schema: report.Schema, Version: Version, Arch: s.arch.String(), RaceModel: model.String(),
	}
	c := check.Config{Arch: s.arch, RaceModel: model, RacePolicy: policy, Predict: s.predict, Holds: s.holds, AllErrors: cfg.APIErrors == "all", Unused: cfg.UnusedMemory, Files: s.files, Text: s.proofs.Form}
	if !cfg.WatchAll {
		c.Private, c.Equivalent = s.proofs.Private, s.proofs.Equivalent
	}
	for _, r := range s.rules {
		s.report.Tools = append(s.report.Tools, r.ID)
		if r.Runs() {
			s.checkers = append(s.checkers, r.New(c))
		}
	}
	s.explores(c)
	return s, nil
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// executable returns the program to run, which is compiled if the inputs are sources, and a
// function that removes what was made for it.
func (s *session) executable(ctx context.Context) (exe string, remove func(), err error) {
	if exe = s.cfg.Inputs[0]; !isSource(exe) {
		return exe, func() {}, nil
	}
	dir, remove, err := scratch.Dir()
	if err != nil {
		return "", nil, err
	}
	if exe, err = s.build(ctx, dir); err != nil {
		remove()
		return "", nil, err
	}
	return exe, remove, nil
}

// build compiles the sources and returns the executable.
func (s *session) build(ctx context.Context, dir string) (string, error) {
	if s.cfg.Frontend == FrontendNVCC {
		return s.buildNVCC(ctx, dir)
	}
	tc, err := clang.Find(s.cfg.Clang)
	if err != nil {
		return "", &UsageError{err}
	}
	tc.Building = s.cfg.Building
	s.useCompiler() // has something to compile meanwhile on a new machine
	res, err := tc.Build(ctx, s.buildOptions(dir))
	if err != nil {
		return "", buildError(err)
	}
	io.WriteString(s.cfg.Stderr, res.Warnings)
	return res.Exe, nil
}

// buildOptions are those of a build in a folder.
func (s *session) buildOptions(dir string) clang.Options {
	opt := clang.Options{
		Sources: s.cfg.Inputs, Defines: s.cfg.Defines, Includes: s.cfg.Includes, Std: s.cfg.Std, Opt: s.cfg.Opt,
		NVCCFlags: s.cfg.compilerFlags(), Arch: s.cfg.Arch, WorkDir: dir, TellUnread: s.readsErrors() || s.dependsOnCalls(),
		Replaced: s.replaced, Coverage: s.cfg.Coverage,
	}
	if s.cfg.Optimized {
		opt.Mode = clang.Optimized
	}
	return opt
}

// buildError is a *UsageError if the sources are to blame for an error of the compiler's.
func buildError(err error) error {
	var tool *clang.ToolError
	if errors.As(err, &tool) || isShort(err) {
		return err
	}
	return &UsageError{err}
}

// run executes the program under the server and makes the report.
func (s *session) run(ctx context.Context, exe string) (*report.Report, error) {
	exe, err := filepath.Abs(exe)
	if err != nil {
		return nil, err
	}
	s.saysUnread(exe)
	var env []string
	if !isSource(s.cfg.Inputs[0]) || s.cfg.Frontend == FrontendNVCC {
		if env, err = environment(ctx, s.cfg.Clang); err != nil && ctx.Err() == nil {
			fallback.Took(fallback.Libraries, err)
		}
	}
	return s.serve(ctx, func(ctx context.Context, server *host.Server) (host.Exit, error) {
		return host.Run(ctx, host.Program{
			Exe: exe, Args: s.cfg.Args, Env: env, Stdin: s.cfg.Stdin, Stdout: s.cfg.Stdout, Stderr: s.cfg.Stderr,
		}, server)
	})
}

// serve makes a server, lets a program use it, and makes the report.
func (s *session) serve(ctx context.Context, use func(context.Context, *host.Server) (host.Exit, error)) (*report.Report, error) {
	if err := settled(ctx); err != nil {
		return nil, err
	}
	if s.cfg.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.cfg.Timeout)
		defer cancel()
	}
	arena, err := s.newArena()
	if err != nil {
		return nil, err
	}
	var server *host.Server
	defer func() {
		if server == nil || !server.Abandoned() {
			arena.Close()
			return
		}
		closeLater(server, arena)
	}()
	ctx, endRoom := s.watchRoom(ctx, arena)
	defer endRoom()
	arena.SetPadding(s.cfg.Padding)
	d, end, err := s.device(arena)
	if err != nil {
		return nil, err
	}
	defer s.watch(d)()
	server = host.New(host.Config{Arena: arena, Arch: s.arch, Devices: s.cfg.Devices, SoFar: s.soFar, Forgive: s.cfg.OnFault == "kernel", Choose: s.schedule.Work(), Patience: s.cfg.Hang, Compile: s.compileRuntime, Library: s.libraryPart, Runner: d, Observer: s.on, Hooks: s.hooks()})
	s.numbers = server
	exit, err := use(ctx, server)
	var start *fs.PathError
	switch {
	case errors.As(err, &start) && start.Op == "fork/exec" && !isShort(err): // not a program of this machine
		return nil, &UsageError{fmt.Errorf("%s: %w", s.cfg.Inputs[0], start.Err)}
	case err != nil:
		return nil, err
	}
	end()
	s.finish(ctx, d, exit)
	return s.report, nil
}

// device makes the emulated GPU of a run with all that observes it. The function that it
// returns ends what the controls asked for.
func (s *session) device(arena *mem.Arena) (d *device.Device, end func(), err error) {
	endLaunches, endWatch := s.watchLaunches(), s.watchPlaces(arena)
	endRecord, err := s.record()
	if err != nil {
		return nil, nil, err
	}
	var observers []*trace.Observer
	for _, c := range s.checkers {
		observers = append(observers, c.Observer())
	}
	s.watchSkipped()
	observers = append(append(observers, s.observers...), s.launchSites.observer())
	observers = append(observers, s.unreadObservers()...)
	edit, endListing := s.edit, func() {}
	if s.cfg.Listing || s.cfg.Fidelity {
		l := newListing()
		observers = append(observers, l.observer())
		edit, endListing = l.noting(s.edit), func() { s.listed(l) }
	}
	s.on = trace.JoinRuns(observers)
	observers = append(s.filter.wrap(observers), s.faultObservers()...)
	endCoverage := func() {}
	if s.cfg.Coverage { // of all that runs, also what is not checked
		l := newListing()
		observers = append(observers, l.observer())
		edit, endCoverage = l.noting(edit), func() { s.covered(l) }
	}
	s.proofs.Clear()
	s.useCompiler()
	d = &device.Device{Arena: arena, Proofs: s.proofs, Observers: s.launchObservers, Text: s.moduleText, Edit: edit, Choose: s.choose, Ran: s.ran}
	d.Engine = engine.New(engine.Config{Arena: arena, Arch: s.arch, Workers: s.cfg.Workers, MaxSteps: s.cfg.MaxSteps, GoOn: s.cfg.OnFault == "" || s.cfg.OnFault == "continue", Observers: observers, Slow: s.slow, Schedule: s.schedule, Sample: s.sample, Meet: s.proofs.BlocksMeet, Keeps: s.explorer != nil, Steer: s.steer()})
	return d, func() { endLaunches(); endWatch(); endRecord(); endListing(); endCoverage() }, nil
}

// moduleText is the device code that is used for a module of the program.
func (s *session) moduleText(text []byte, meta host.Meta) []byte {
	if file, source := embeddedSource(text); file != "" {
		s.files.Add(file, source)
		if abs, err := filepath.Abs(file); err == nil { // as the report asks for it
			s.files.Add(abs, source)
		}
	}
	if s.modules == nil || meta.Build == host.GivenPTX {
		return text
	}
	own, ok := s.modules[meta.Source]
	if !ok {
		s.foreign = true
		return text
	}
	return own
}

// listed puts what was executed into the report.
func (s *session) listed(l *listing) {
	if s.cfg.Listing {
		s.report.Code = l.code()
	}
	if s.cfg.Fidelity {
		s.report.Fidelity = l.fidelity()
	}
}

// useCompiler lets programs be translated by way of LLVM.
func (s *session) useCompiler() {
	usesCompiler.Do(func() {
		warp.UseCompiler(func(processor string) llvm.Backend {
			return clang.Codegen{Compiler: s.cfg.Clang, Processor: processor}
		})
	})
}

// usesCompiler is for the process: sessions that run at the same time share the executor.
var usesCompiler sync.Once

// Unfinished reports whether an error is neither the user's nor a bug: the system has refused something, or ended a tool.
func Unfinished(err error) bool {
	var system syscall.Errno
	var killed *clang.KilledError
	return errors.As(err, &system) || errors.As(err, &killed) || errors.Is(err, os.ErrNotExist) || errors.Is(err, io.ErrShortWrite)
}

// isShort reports whether the system has refused something that it has too little of, or has ended a tool.
func isShort(err error) bool {
	var killed *clang.KilledError
	return errors.As(err, &killed) || slices.ContainsFunc([]error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN, syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG},
		func(e error) bool { return errors.Is(err, e) })
}

// hooks pass on what the host server sees.
func (s *session) hooks() host.Hooks {
	return host.Hooks{
		APIError: s.refused,
		Launched: s.launched,
		Leaks:    s.leaked,
		NotRun:   s.notRun,
		InOrder:  func(string) { s.inOrder++ },
		Operator: func(o *host.Operator) {
			if !o.Library {
				s.operators++
			}
		},
		Unsupported: func(call string) {
			if s.unsupported == "" {
				s.unsupported = call
			}
		},
		Internal: func(err error) {
			if s.bug == nil {
				s.bug = err
			}
		},
		HostAccess: s.hostAccess,
		Filling:    func(f *host.Fill) { s.overwrites(f.Where, f.Overwrites()) },
		Copying:    func(c *host.Copy) { s.overwrites(c.Where, c.Overwrites()) },
	}
}

// overwrites notes that a call of the host replaces bytes that were written.
func (s *session) overwrites(where string, bytes uint64) {
	if bytes > 0 {
		s.overwritten[where] += bytes
	}
}

// finish collects findings, counts and messages, and decides the exit code.
func (s *session) finish(ctx context.Context, d *device.Device, exit host.Exit) {
	r := s.report
	s.leakedAfter(exit, d.Engine.Totals.Skipped)
	var set finding.Set
	for _, c := range s.faults {
		set.AddAll(c.Findings())
	}
	for i, c := range s.checkers {
		set.AddAll(c.Findings())
		if st, ok := c.(check.Statistician); ok {
			if v := st.Statistics(); v != nil {
				if r.Stats == nil {
					r.Stats = map[string]any{}
				}
				r.Stats[s.rules[i].ID] = v
			}
		}
	}
	s.explored(&set)
	t := d.Engine.Totals
	r.Summary = report.Summary{Launches: uint64(t.Launches), Instructions: t.ThreadInstrs, Accesses: t.Accesses}
	r.Summary.NotRun, r.Summary.InOrder, r.Summary.Operators = s.skipped, s.inOrder, s.operators
	s.stateControls(t)
	for _, b := range []string{"source", "optimized", host.FatbinPTX} {
		if d.Builds[b] {
			r.Build = strings.TrimPrefix(r.Build+", "+b, ", ")
		}
	}
	for _, err := range d.Failed {
		r.Messages = append(r.Messages, err.Error())
	}
	addLimits(r, d.Limits)
	s.lesser = tellFallbacks(r, s.since)
	found := withoutTwins(s.rules, set.Sorted())
	s.noteSkipped(found)
	r.Messages = append(r.Messages, withoutLines(found)...)
	s.failed = d.Failed
	s.found, s.exit = s.launchSites.fromLibraries(found), exit
	s.conclude = func() {
		r.Prepare(s.suppress(s.found), registry.Rules(), s.files)
		r.CountLevels()
		r.Exit = s.exitCode(ctx, d, exit)
	}
	if !s.partial {
		s.conclude()
	}
}

func (s *session) exitCode(ctx context.Context, d *device.Device, exit host.Exit) int {
	r := s.report
	say := func(format string, args ...any) { r.Messages = append(r.Messages, fmt.Sprintf(format, args...)) }
	code := ExitClean
	r.ProgramFailed = !exit.Canceled && (exit.Signal != 0 || exit.Code != 0)
	if where := d.Stopped(); len(where) > 0 && ctx.Err() == nil && !exit.Canceled && exit.Signal == 0 {
		say("the program ended, and so did a kernel that it did not wait for: %s", strings.Join(where, ": "))
	}
	switch {
	case s.bug != nil:
		say("bug in warpgrind: %v", s.bug)
		return ExitBug
	case s.lesser != nil:
		say("%v", s.lesser)
		return ExitUnfinished
	case s.unsupported != "":
		say("not supported: %s", s.unsupported)
		code = ExitUnsupported
	case len(d.Failed) > 0:
		code = ExitUsage
	case s.overfull.Load():
		say("stopped: the program has filled more than %s of device memory, for which this machine has no memory to check it: give it smaller inputs", gib(mem.Room()))
		code = ExitUnfinished
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		say("stopped: the time limit of %v was exceeded", s.cfg.Timeout)
		code = ExitProgram
	case exit.Canceled || exit.Signal == syscall.SIGINT:
		say("%s", strings.Join(append([]string{"interrupted"}, d.Stopped()...), ": "))
		code = interrupt.ExitCode(ctx)
	case exit.Signal != 0:
		say("the program was terminated by a signal: %v", exit.Signal)
		code = ExitProgram
	case exit.Code != 0 && s.skips > 0: // whose results are wrong
		say("the program ended with exit code %d, which blocks that were not executed may explain", exit.Code)
	case exit.Code != 0:
		say("the program ended with exit code %d", exit.Code)
		code = ExitProgram
	case r.Summary.Launches > 0 && s.filter.active() && s.filter.checked == 0:
		say("nothing was checked: no launch matches --kernel, --launch-skip and --launch-count")
		code = ExitNothing
	case r.Summary.Launches == 0 && s.operators == 0 && !s.checksCallsOnly():
		say("nothing was checked: the program launched no kernel")
		code = ExitNothing
	}
	for _, f := range r.Findings {
		if f.Level >= s.level {
			return ExitFindings
		}
	}
	switch {
	case code == ExitClean && s.unexpected:
		return ExitFindings
	case code == ExitClean && (s.inexact || s.unwritten):
		return ExitUnfinished
	}
	return code
}
