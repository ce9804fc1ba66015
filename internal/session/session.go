package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/executed"
	"github.com/warpgrind/warpgrind/internal/explore"
	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/nvrtc"
	"github.com/warpgrind/warpgrind/internal/proofs"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
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

// Session is one check in progress.
type Session struct {
	Cfg   Config
	Arch  *arch.Arch
	Level finding.Level
	Rules []check.Rule
	*controls
	checkers []check.Checker
	// faults are checkers of what ends launches that the chosen rules do not see.
	faults []check.Checker
	Files  *source.Files
	proofs *proofs.Cache
	Report *report.Report
	// overwritten are the bytes of device memory that were written and that copies and fills of the host replace, by the
	// place of the call.
	Overwritten map[string]uint64
	// launchSites are the places on the host that launched.
	launchSites launchSites
	trial
	// unsupported is the first feature that stopped the program, bug the
	// first sign of a defect of ours.
	Unsupported string
	Bug         error
	// since is when the session began, lesser why its run fails for what failed from then on and was replaced.
	Since  fallback.Mark
	lesser error
	// Of a replay: unexpected is set if memory is not as it was expected, inexact if the launch
	// accessed memory whose contents are not in the capsule, bad is why one could not tell.
	Unexpected, Inexact bool
	Bad                 error
	// Unwritten is set if a file that the user asked for could not be written.
	Unwritten bool
	// afterLaunch is told each launch that has ended; it may be nil.
	afterLaunch func(*device.Ran)
	// numbers has the number of the next launch.
	Numbers interface{ Launches() int }
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
	Stated bool
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

// Executable returns the program to run, which is compiled if the inputs are sources, and a
// function that removes what was made for it.
func (s *Session) Executable(ctx context.Context) (exe string, remove func(), err error) {
	return s.Cfg.Executable(ctx, s.How())
}

// How is what a build depends on besides the configuration of the compiler.
func (s *Session) How() build.How {
	return build.How{TellUnread: registry.ReadErrors(s.Rules) || registry.DependOnCalls(s.Rules), Replaced: s.Replaced, Coverage: s.Cfg.Coverage, Warnings: s.Cfg.Stderr,
		Meanwhile: s.useCompiler}
}

// Run executes the program under the server and makes the report.
func (s *Session) Run(ctx context.Context, exe string) (*report.Report, error) {
	exe, err := filepath.Abs(exe)
	if err != nil {
		return nil, err
	}
	s.saysUnread(exe)
	var env []string
	if !build.IsSource(s.Cfg.Inputs[0]) || s.Cfg.Frontend == build.FrontendNVCC {
		if env, err = build.Environment(ctx, s.Cfg.Clang); err != nil && ctx.Err() == nil {
			fallback.Took(fallback.Libraries, err)
		}
	}
	return s.serve(ctx, func(ctx context.Context, server *host.Server) (host.Exit, error) {
		return host.Run(ctx, host.Program{
			Exe: exe, Args: s.Cfg.Args, Env: env, Stdin: s.Cfg.Stdin, Stdout: s.Cfg.Stdout, Stderr: s.Cfg.Stderr,
		}, server)
	})
}

// serve makes a server, lets a program use it, and makes the report.
func (s *Session) serve(ctx context.Context, use func(context.Context, *host.Server) (host.Exit, error)) (*report.Report, error) {
	if err := settled(ctx); err != nil {
		return nil, err
	}
	if s.Cfg.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.Cfg.Timeout)
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
	ctx, endRoom := s.WatchRoom(ctx, arena)
	defer endRoom()
	arena.SetPadding(s.Cfg.Padding)
	d, end, err := s.Device(arena)
	if err != nil {
		return nil, err
	}
	defer s.Watch(d)()
	runtime := nvrtc.Options{Clang: s.Cfg.Clang, Arch: s.Cfg.Arch, CudaVersion: s.Cfg.CudaVersion, Optimized: s.Cfg.Optimized}
	server = host.New(host.Config{Arena: arena, Arch: s.Arch, Devices: s.Cfg.Devices, SoFar: s.soFar, Forgive: s.Cfg.OnFault == "kernel", Choose: s.Schedule.Work(), Patience: s.Cfg.Hang, Compile: runtime.Compile, Library: s.libraryPart, Runner: d, Observer: s.On, Hooks: s.Hooks()})
	s.Numbers = server
	exit, err := use(ctx, server)
	var start *fs.PathError
	switch {
	case errors.As(err, &start) && start.Op == "fork/exec" && !build.IsShort(err): // not a program of this machine
		return nil, &build.UsageError{Err: fmt.Errorf("%s: %w", s.Cfg.Inputs[0], start.Err)}
	case err != nil:
		return nil, err
	}
	end()
	s.Finish(ctx, d, exit)
	return s.Report, nil
}

// Device makes the emulated GPU of a run with all that observes it. The function that it
// returns ends what the controls asked for.
func (s *Session) Device(arena *mem.Arena) (d *device.Device, end func(), err error) {
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
	observers = append(append(observers, s.Observers...), s.launchSites.observer())
	observers = append(observers, s.unreadObservers()...)
	edit, endListing := s.Edit, func() {}
	if s.Cfg.Listing || s.Cfg.Fidelity {
		l := executed.NewListing()
		observers = append(observers, l.Observer())
		edit, endListing = l.Noting(s.Edit), func() { s.listed(l) }
	}
	s.On = trace.JoinRuns(observers)
	observers = append(s.Filter.wrap(observers), s.faultObservers()...)
	endCoverage := func() {}
	if s.Cfg.Coverage { // of all that runs, also what is not checked
		l := executed.NewListing()
		observers = append(observers, l.Observer())
		edit, endCoverage = l.Noting(edit), func() { s.covered(l) }
	}
	s.proofs.Clear()
	s.useCompiler()
	d = &device.Device{Arena: arena, Proofs: s.proofs, Observers: s.LaunchObservers, Text: s.moduleText, Edit: edit, Choose: s.choose, Ran: s.ran}
	d.Engine = engine.New(engine.Config{Arena: arena, Arch: s.Arch, Workers: s.Cfg.Workers, MaxSteps: s.Cfg.MaxSteps, GoOn: s.Cfg.OnFault == "" || s.Cfg.OnFault == "continue", Observers: observers, Slow: s.slow, Schedule: s.Schedule, Sample: s.sample, Meet: s.proofs.BlocksMeet, Keeps: s.explorer != nil, Steer: s.steer()})
	return d, func() { endLaunches(); endWatch(); endRecord(); endListing(); endCoverage() }, nil
}

// moduleText is the device code that is used for a module of the program.
func (s *Session) moduleText(text []byte, meta host.Meta) []byte {
	if file, source := nvrtc.EmbeddedSource(text); file != "" {
		s.Files.Add(file, source)
		if abs, err := filepath.Abs(file); err == nil { // as the report asks for it
			s.Files.Add(abs, source)
		}
	}
	if s.Modules == nil || meta.Build == host.GivenPTX {
		return text
	}
	own, ok := s.Modules[meta.Source]
	if !ok {
		s.Foreign = true
		return text
	}
	return own
}

// listed puts what was executed into the report.
func (s *Session) listed(l *executed.Listing) {
	if s.Cfg.Listing {
		s.Report.Code = l.Code()
	}
	if s.Cfg.Fidelity {
		s.Report.Fidelity = l.Fidelity()
	}
}

// covered puts into the report what was executed of all modules that were loaded.
func (s *Session) covered(l *executed.Listing) {
	var failed []error
	s.Report.Coverage, failed = l.Coverage(s.Files.Text)
	for _, err := range failed {
		s.Say("no coverage of a module: %v", err)
	}
}

// useCompiler lets programs be translated by way of LLVM.
func (s *Session) useCompiler() {
	usesCompiler.Do(func() {
		warp.UseCompiler(func(processor string) warp.Backend {
			return clang.Codegen{Compiler: s.Cfg.Clang, Processor: processor}
		})
	})
}

// usesCompiler is for the process: sessions that run at the same time share the executor.
var usesCompiler sync.Once

// Hooks pass on what the host server sees.
func (s *Session) Hooks() host.Hooks {
	return host.Hooks{
		APIError: s.refused,
		Launched: s.Launched,
		Leaks:    s.leaked,
		NotRun:   s.notRun,
		InOrder:  func(string) { s.inOrder++ },
		Operator: func(o *host.Operator) {
			if !o.Library {
				s.operators++
			}
		},
		Unsupported: func(call string) {
			if s.Unsupported == "" {
				s.Unsupported = call
			}
		},
		Internal: func(err error) {
			if s.Bug == nil {
				s.Bug = err
			}
		},
		HostAccess: s.hostAccess,
		Filling:    func(f *host.Fill) { s.overwrites(f.Where, f.Overwrites()) },
		Copying:    func(c *host.Copy) { s.overwrites(c.Where, c.Overwrites()) },
	}
}

// overwrites notes that a call of the host replaces bytes that were written.
func (s *Session) overwrites(where string, bytes uint64) {
	if bytes > 0 {
		s.Overwritten[where] += bytes
	}
}
