package examine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/interrupt"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/scratch"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/static"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// StaticConfig is a check without running the program. Of Config, Inputs (CUDA
// sources or PTX), the compiler's flags, Arch, Tools, RaceModel, Kernel,
// Suppressions, ErrorLevel and Stderr count.
type StaticConfig struct {
	session.Config
	// Block and Grid are the extents to check for; zeros mean those that the
	// host code has, or any.
	Block, Grid [3]uint32
	// Params are "name=value" or "index=value" of scalar parameters, the index
	// from 1.
	Params []string
	// AssumeDistinct is set if different pointer parameters of a kernel point to
	// different arrays.
	AssumeDistinct bool
	// Analysis of coalescing: "" or "symbolic", or "gpudrano" for the published
	// one.
	Analysis string
	// Confirm runs an example of each race and each access out of bounds.
	Confirm bool
	// Solver is the program z3; "" means the one on PATH.
	Solver string
	// Say is told of kernels that take long; nil for none.
	Say func(string)

	// look is called for each kernel instead of the rules, if it is not nil.
	Look func(*ssa.Func, []static.Launch, *solve.Solver)
}

// maxLaunches is how many launches of one kernel are checked.
const maxLaunches = 8

// CheckStatic reports what the rules find in kernels without running them. The error
// is a *UsageError, or a bug.
func CheckStatic(ctx context.Context, cfg StaticConfig) (*report.Report, error) {
	st, err := Examine(ctx, cfg, nil)
	if err != nil {
		return nil, err
	}
	return st.finish(ctx)
}

// checkStatic applies the rules.
func Examine(ctx context.Context, cfg StaticConfig, replaced map[string][]byte) (*staticSession, error) {
	if cfg.Analysis != "" && cfg.Analysis != "symbolic" && cfg.Analysis != "gpudrano" {
		return nil, &build.UsageError{Err: fmt.Errorf("--analysis %q: want symbolic or gpudrano", cfg.Analysis)}
	}
	tools, err := staticTools(cfg.Tools)
	if err != nil {
		return nil, &build.UsageError{Err: err}
	}
	cfg.Tools = tools
	s, err := session.PrepareSession(cfg.Config)
	if err == nil {
		err = checkStaticInputs(cfg.Inputs)
	}
	if err != nil {
		return nil, &build.UsageError{Err: err}
	}
	st := &staticSession{Session: s, cfg: cfg, host: &static.HostCode{}, used: map[string]bool{}, texts: map[*ptx.Module][]byte{}, rule: check.Config{Arch: s.Arch, Files: s.Files},
		solver: solve.New(solve.Options{Path: cfg.Solver})}
	defer st.solver.Close()
	st.Replaced = replaced
	if st.rule.RaceModel, err = check.ParseRaceModel(s.Report.RaceModel); err != nil {
		return nil, err
	}
	modules, err := st.modules(ctx)
	if err != nil {
		return nil, err
	}
	for _, m := range modules {
		if ctx.Err() != nil {
			break
		}
		if err := st.module(ctx, m); err != nil {
			return nil, err
		}
	}
	return st, nil
}

func checkStaticInputs(inputs []string) error {
	if len(inputs) == 0 {
		return errors.New("no input: name a CUDA source or a PTX file")
	}
	for _, in := range inputs {
		if ext := filepath.Ext(in); ext != ".cu" && ext != ".ptx" {
			return fmt.Errorf("%s: want a CUDA source (.cu) or PTX (.ptx)", in)
		}
	}
	for _, in := range inputs {
		if _, err := build.IsFile(in); err != nil {
			return err
		}
	}
	return nil
}

// staticTools are the rules that a list of them names, "" and all for those that
// say something without running a program; one that does not is refused.
func staticTools(tools string) (string, error) {
	var ids []string
	for _, t := range strings.Split(cmp.Or(tools, "all"), ",") {
		t = strings.TrimSpace(t)
		if r, ok := registry.Find(t); ok && !r.Looks() {
			return "", fmt.Errorf("--tool %s: the rule needs a run of the program: want %s or all", t, strings.Join(registry.StaticIDs(), ", "))
		}
		if t == "all" || t == "default" {
			t = strings.Join(registry.StaticIDs(), ",")
		}
		ids = append(ids, t)
	}
	return strings.Join(ids, ","), nil
}

// staticSession is a static check in progress.
type staticSession struct {
	*session.Session
	cfg     StaticConfig
	rule    check.Config
	host    *static.HostCode
	solver  *solve.Solver
	set     finding.Set
	summary report.StaticSummary
	kernels []static.KernelSummary
	// diagnostics are the compiler's warnings that a rule reports.
	diagnostics []check.Diagnostic
	// seen are the kernels that the names and patterns were tried on.
	seen int
	// used are the Params that a kernel has.
	used map[string]bool
	// unsized counts the accesses whose bounds are not known.
	unsized int
	// recorded counts the examples that were recorded.
	recorded int
	// texts are the texts of the modules.
	texts map[*ptx.Module][]byte
}

// modules are the device code of all inputs.
func (s *staticSession) modules(ctx context.Context) ([]*ptx.Module, error) {
	var out []*ptx.Module
	var sources []string
	for _, in := range s.cfg.Inputs {
		if filepath.Ext(in) == ".cu" {
			sources = append(sources, in)
			continue
		}
		text, err := userfile.Read(in)
		if err != nil {
			return nil, &build.UsageError{Err: err}
		}
		m, err := ptx.Parse(in, text)
		if err != nil {
			return nil, &build.UsageError{Err: err}
		}
		s.texts[m] = text
		out = append(out, m)
	}
	if len(sources) == 0 {
		return out, nil
	}
	compiled, err := s.compile(ctx, sources)
	return append(out, compiled...), err
}

// compile compiles the device side of sources and reads what the host side says
// of launches.
func (s *staticSession) compile(ctx context.Context, sources []string) ([]*ptx.Module, error) {
	tc, err := clang.Find(s.cfg.Clang)
	if err != nil {
		return nil, &build.UsageError{Err: err}
	}
	dir, remove, err := scratch.Dir()
	if err != nil {
		return nil, err
	}
	defer remove()
	opt := clang.Options{
		Sources: sources, Defines: s.cfg.Defines, Includes: s.cfg.Includes, Std: s.cfg.Std, Opt: s.cfg.Opt,
		NVCCFlags: s.cfg.CompilerFlags(), Arch: s.cfg.Arch, WorkDir: dir, DeviceOnly: true, Diagnose: true,
		PlainAddresses: s.cfg.Analysis == "gpudrano", Replaced: s.Replaced,
	}
	if s.cfg.Optimized {
		opt.Mode = clang.Optimized
	}
	res, err := tc.Build(ctx, opt)
	if err != nil {
		return nil, build.Error(err)
	}
	s.Report.Build = res.Build
	io.WriteString(s.cfg.Stderr, res.Warnings)
	s.readHost(ctx, tc, opt)
	var out []*ptx.Module
	for _, d := range res.Devices {
		m, err := ptx.Parse(d.Source, d.PTX)
		if err != nil {
			return nil, fmt.Errorf("%s: the compiler's PTX: %w", d.Source, err)
		}
		io.WriteString(s.cfg.Stderr, s.diagnose(m, d.Diagnostics))
		s.texts[m] = []byte(d.PTX)
		out = append(out, m)
	}
	return out, nil
}

// readHost reads launches; without them kernels are checked for any launch.
func (s *staticSession) readHost(ctx context.Context, tc *clang.Toolchain, opt clang.Options) {
	irs, err := tc.HostIR(ctx, opt)
	if err != nil {
		s.Say("launches in the host code were not checked: it does not compile")
		return
	}
	for _, ir := range irs {
		s.host.Read(ir)
	}
}

// module checks the kernels of a module.
func (s *staticSession) module(ctx context.Context, m *ptx.Module) error {
	session.AddLimits(s.Report, device.LimitsOf(m))
	for _, it := range m.Items {
		f, ok := it.(*ptx.Func)
		if !ok || !f.Entry || f.Body == nil {
			continue
		}
		if s.seen++; ctx.Err() != nil {
			break
		}
		if g := s.Filter; g.Kernels != nil && !g.Kernels.MatchKernel(f.Name) {
			continue
		}
		g, err := ssa.Build(m, f, ssa.Options{NeverAbort: true})
		if err != nil {
			return &build.UsageError{Err: err}
		}
		if err := s.kernel(ctx, g, s.texts[m]); err != nil {
			return err
		}
	}
	return nil
}

// kernel applies the rules to each launch of a kernel.
func (s *staticSession) kernel(ctx context.Context, f *ssa.Func, text []byte) error {
	launches, err := s.launches(f)
	if err != nil {
		return err
	}
	if s.cfg.Look != nil {
		s.cfg.Look(f, launches, s.solver)
		return nil
	}
	if len(launches) > maxLaunches {
		s.Say("%s: the first %d of %d launches in the host code are checked", finding.DemangleName(f.Name), maxLaunches, len(launches))
		launches = launches[:maxLaunches]
	}
	for _, l := range launches {
		u := static.NewUnit(f, l, s.host.Names(f.PTX), s.solver)
		u.Drano = s.cfg.Analysis == "gpudrano"
		u.Smallest = s.cfg.Confirm
		u.Progress = s.progress(f)
		for _, r := range s.Rules {
			if r.Static != nil {
				found := r.Static(ctx, s.rule, u)
				if err := s.confirm(ctx, text, u, found); err != nil {
					return err
				}
				s.set.AddAll(found)
			}
		}
		s.note(u)
	}
	s.summary.Kernels++
	return nil
}

// launches are those to check a kernel for: the one of the flags, those of the
// host code, or any.
func (s *staticSession) launches(f *ssa.Func) ([]static.Launch, error) {
	params, err := s.params(f)
	if err != nil {
		return nil, err
	}
	var out []static.Launch
	for _, l := range s.host.Launches(f.PTX) {
		if s.cfg.Block[0] != 0 || s.cfg.Grid[0] != 0 {
			l = l.Forget()
		}
		l.AssumeDistinct = s.cfg.AssumeDistinct
		l.Params = maps.Clone(l.Params)
		if l.Params == nil {
			l.Params = map[static.Part]uint64{}
		}
		maps.Copy(l.Params, params)
		if s.cfg.Block[0] != 0 {
			l.Block = s.cfg.Block
		}
		if s.cfg.Grid[0] != 0 {
			l.Grid = s.cfg.Grid
		}
		if !slices.ContainsFunc(out, l.Equal) {
			out = append(out, l)
		}
	}
	return out, nil
}

// params are the given values of a kernel's parameters. A name that the kernel
// does not have is another kernel's.
func (s *staticSession) params(f *ssa.Func) (map[static.Part]uint64, error) {
	out := map[static.Part]uint64{}
	names := s.host.Names(f.PTX)
	for _, given := range s.cfg.Params {
		name, text, ok := strings.Cut(given, "=")
		v, err := parseScalar(text)
		name, offset, member := strings.Cut(name, "+")
		var p static.Part
		if member && err == nil {
			p.Offset, err = strconv.Atoi(offset)
		}
		if !ok || err != nil || p.Offset < 0 {
			return nil, &build.UsageError{Err: fmt.Errorf("--param %q: want NAME=VALUE, or NAME+OFFSET=VALUE for a structure's member", given)}
		}
		p.Param = slices.Index(names, name)
		if n, err := strconv.Atoi(name); err == nil {
			p.Param = n - 1
		}
		if p.Param < 0 || p.Param >= len(f.PTX.Params) {
			continue
		}
		if v := f.PTX.Params[p.Param]; member != (len(v.Dims) > 0) || int64(p.Offset) >= v.Size() {
			return nil, &build.UsageError{Err: fmt.Errorf("--param %q: in %s it has %d bytes: want %s", given, finding.DemangleName(f.Name), v.Size(), wantParam(name, v))}
		}
		out[p], s.used[given] = v, true
	}
	return out, nil
}

// wantParam is how a parameter's value is given.
func wantParam(name string, v *ptx.Variable) string {
	if len(v.Dims) > 0 {
		return name + "+OFFSET=VALUE for each of its members, the offset in bytes"
	}
	return name + "=VALUE"
}

// parseScalar reads an integer, with a sign or in hexadecimal.
func parseScalar(text string) (uint64, error) {
	if v, err := strconv.ParseInt(text, 0, 64); err == nil {
		return uint64(v), nil
	}
	return strconv.ParseUint(text, 0, 64)
}

// progress tells how far a kernel's pairs have come.
func (s *staticSession) progress(f *ssa.Func) func(string, int, int) {
	if s.cfg.Say == nil {
		return nil
	}
	name := finding.DemangleName(f.Name)
	return func(what string, done, all int) { s.cfg.Say(fmt.Sprintf("%s: %s, %d of %d", name, what, done, all)) }
}

// note adds the facts about a launch's pairs to the summary.
func (s *staticSession) note(u *static.Unit) {
	for _, o := range u.Open() {
		s.Say("%s: %v to be checked at run time: %s", finding.DemangleName(u.F.Name), o, o.Why)
	}
	s.unsized += u.Unsized()
	k, ok := u.Summary()
	if !ok {
		return
	}
	s.kernels = append(s.kernels, k)
	s.summary.Accesses += k.Accesses
	s.summary.Pairs += k.Pairs
	s.summary.Safe += k.Safe
	s.summary.Watched += k.Watched
	for _, w := range k.Reasons {
		what := "the other pairs of accesses are"
		if w.Pairs > 0 {
			what = pairs(w.Pairs)
		}
		s.Say("%s: %s to be checked at run time: %s", finding.DemangleName(u.F.Name), what, w.Why)
	}
}

// sayUnused reports parameters that no kernel has.
func (s *staticSession) sayUnused() {
	for _, p := range s.cfg.Params {
		if !s.used[p] {
			s.Say("--param %s: no kernel that was checked has this parameter", p)
		}
	}
}

func pairs(n int) string {
	if n == 1 {
		return "1 pair of accesses is"
	}
	return fmt.Sprintf("%d pairs of accesses are", n)
}

// finish makes the report.
func (s *staticSession) finish(ctx context.Context) (*report.Report, error) {
	r := s.Report
	s.addDiagnosed()
	s.Found = s.set.Sorted()
	r.Summary.Static = &s.summary
	if len(s.kernels) > 0 {
		r.Stats = map[string]any{"static": s.kernels}
	}
	r.Prepare(s.Suppress(s.Found), registry.Rules(), s.Files)
	r.CountLevels()
	r.Exit = session.ExitClean
	switch {
	case ctx.Err() != nil:
		s.Say("interrupted: the rest was not checked")
		r.Exit = interrupt.ExitCode(ctx)
	case s.summary.Kernels == 0 && s.seen > 0:
		s.Say("nothing was checked: no kernel matches --kernel")
		r.Exit = session.ExitNothing
	case s.summary.Kernels == 0:
		s.Say("nothing was checked: no kernel found")
		r.Exit = session.ExitNothing
	default:
		s.sayUnused()
		if s.unsized > 0 {
			s.Say("not checked for bounds: %s through pointers to allocations whose sizes the host code does not show", check.Plural(uint64(s.unsized), "access"))
		}
	}
	if r.Exit == session.ExitClean && s.Unwritten {
		r.Exit = session.ExitUnfinished
	}
	for _, f := range r.Findings {
		if f.Level >= s.Level {
			r.Exit = session.ExitFindings
		}
	}
	r.Environment = session.TellExit(&r.Messages, &r.Exit, s.Since)
	return r, nil
}
