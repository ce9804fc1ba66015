package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/interrupt"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/suite"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// suiteFlags are the flags of suite and plan: what the jobs are.
type suiteFlags struct {
	p     programFlags
	split []string
	jobs  *pflag.FlagSet // those that each job gets
}

func (s *suiteFlags) flags(f *pflag.FlagSet) {
	s.jobs = pflag.NewFlagSet("", pflag.ContinueOnError)
	anyRuleFlags(s.jobs, &s.p, registry.IDs(), "the correctness rules, or those of the recording")
	c := &s.p.cfg
	s.jobs.StringVar(&c.RacePolicy, "race-policy", "", "treatment of debatable races, as for run")
	s.jobs.BoolVar(&c.WatchAll, "watch-all", false, "also check accesses that were proved race-free before the launch")
	s.jobs.StringVar(&c.ErrorLevel, "error-level", "error", "lowest `LEVEL` that counts for the exit code: error, warning or info")
	s.jobs.StringArrayVar(&c.Suppressions, "suppressions", nil, "suppress the findings listed in `FILE`")
	s.jobs.StringVar(&c.Sample, "sample", "", "check only some `BLOCKS` of each launch: 1/N of them, or N (default: all)")
	timeVar(s.jobs, &c.Timeout, "timeout", 0, "stop each job after `TIME`, for example 30s")
	s.jobs.StringVar(&c.OnFault, "on-fault", "continue", "after an invalid access, `ACTION`: continue, stop or kernel, as for run")
	s.jobs.Uint64Var(&c.MaxSteps, "max-steps", 0, "treat a loop as infinite after `N` instructions of one warp (default 2^36)")
	end := section(f, "Jobs")
	f.StringSliceVar(&s.split, "split", nil, "divide the work beyond one job for each capsule and program: `LIST` of tool (a job for each rule), seeds=N (N more under random schedules), blocks=N (parts of a launch, for the rules memory and sync; the others have a job for the whole launch)")
	f.AddFlagSet(s.jobs)
	end()
}

// plan lists the jobs.
func (s *suiteFlags) plan(inputs []string) (*suite.Plan, error) {
	if err := checkTools(s.p.cfg.Tools); err != nil {
		return nil, err
	}
	sp := suite.Split{Tool: s.p.cfg.Tools, Rules: selected, PerBlock: registry.PerBlock}
	err := sp.ParseSplit(s.split)
	sp.Flags = s.given("tool") // which is split's
	var p *suite.Plan
	if err == nil {
		p, err = suite.NewPlan(inputs, &sp)
	}
	if err != nil {
		return nil, usage(err)
	}
	return p, nil
}

// given are the flags of the jobs as they were given, but for one.
func (s *suiteFlags) given(but string) (out []string) {
	s.jobs.VisitAll(func(f *pflag.Flag) {
		if f.Changed && f.Name != but {
			out = append(out, given(f)...)
		}
	})
	return out
}

// given is a flag as it was given.
func given(f *pflag.Flag) []string {
	values := []string{f.Value.String()}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		values = list.GetSlice()
	}
	var out []string
	for _, v := range values {
		out = append(out, "--"+f.Name+"="+v)
	}
	return out
}

func selected(tools string) ([]string, error) {
	rules, err := registry.Select(tools)
	var out []string
	for _, r := range rules {
		out = append(out, r.ID)
	}
	return out, err
}

func (c *command) suiteCommand() *cobra.Command {
	var s suiteFlags
	r := runner{c: c, parts: map[int]*report.Report{}}
	var out output
	cmd := &cobra.Command{
		Use:   "suite [flags] capsules, directories or programs...",
		Short: "Check many launches and programs, in shards",
		Long: `Replays capsules and runs programs, each as a process of its own, and writes one
report of all. With --shard, or where Bazel, GoogleTest, Slurm or Kubernetes
name a shard in the environment, it does that part of the work; its report, kept
with --save, is then merged with those of the others by warpgrind report
--merge, which gives the same as one machine does.`,
		Example: `  warpgrind suite -j 8 -o suite.html capsules/
  warpgrind suite --shard 2/4 --save shard-2.json capsules/ tests/*.cu
  warpgrind suite --split tool,blocks=8 --tool all capsules/`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if out.shard, err = suite.ShardOf(out.shardFlag); err != nil {
				return usage(err)
			}
			if err := errors.Join(out.resolve(), out.failOn.parse("all")); err != nil {
				return err
			}
			out.toEngine()
			plan, err := s.plan(args)
			if err != nil {
				return err
			}
			return r.run(cmd.Context(), plan, out)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	s.flags(f)
	end := section(f, "Where")
	f.StringVar(&out.shardFlag, "shard", "", "do part `I/N` of the jobs, or /N with the index that the environment has (default: the shard of the environment, or all)")
	f.IntVarP(&r.workers, "jobs", "j", 0, "run `N` jobs at the same time (default: one per core)")
	f.StringVar(&r.results, "results", "", "keep the result of each job in `DIR`, and take those of capsules that are there already")
	end()
	end = section(f, "Report")
	out.flags(f)
	f.StringVar(&out.color, "color", "auto", "use colors: `WHEN` is auto, always or never")
	f.IntVar(&out.limit, "print-limit", 100, "print at most `N` findings; 0 means all")
	out.failOn.flag(f)
	f.BoolVarP(&out.quiet, "quiet", "q", false, "no progress on standard error")
	end()
	return cmd
}

// runner runs the jobs of a shard.
type runner struct {
	c       *command
	workers int
	results string
	// self is warpgrind's executable, version the hash of it.
	self, version string
	quiet         bool

	mu    sync.Mutex
	parts map[int]*report.Report
}

// run runs the jobs of the shard and writes the report.
func (r *runner) run(ctx context.Context, plan *suite.Plan, out output) error {
	if err := errors.Join(out.shard.Tell(), r.prepare()); err != nil {
		return usage(err)
	}
	var mine []int
	for i := range plan.Jobs {
		if out.shard.Has(i) {
			mine = append(mine, i)
		}
	}
	r.quiet = out.quiet
	r.work(ctx, plan, mine)
	merged := r.merged(plan, mine, nil)
	o := renderOptions()
	out.failOn.apply(merged)
	if !out.shard.Whole() {
		merged.Messages = append(merged.Messages, fmt.Sprintf("shard %v (%s): %d of %d jobs of suite %s", out.shard, out.shard.From, len(mine), len(plan.Jobs), plan.Suite))
	}
	// What is kept names the shards, so that a merged report knows which are missing.
	kept := r.merged(plan, mine, []report.Suite{{ID: plan.Suite, Jobs: len(plan.Jobs), Count: out.shard.Count, Have: []int{out.shard.Index}}})
	var failed []error
	for _, file := range out.saves {
		failed = append(failed, saveReport(file, kept, o.Dir))
	}
	out.saves = nil
	merged.Unpack(o)
	failed = append(failed, r.c.writeAll(merged, out, o))
	if r.c.code = merged.Exit; ctx.Err() != nil && merged.Exit != session.ExitFindings {
		r.c.code = interrupt.ExitCode(ctx)
	}
	return errors.Join(failed...)
}

func (r *runner) prepare() (err error) {
	if r.workers <= 0 {
		r.workers = runtime.NumCPU()
	}
	if r.self, err = os.Executable(); err != nil {
		return err
	}
	if r.results == "" {
		return nil
	}
	if r.version, err = userfile.Hash(r.self); err != nil {
		return err
	}
	return os.MkdirAll(r.results, 0o777)
}

// work runs jobs, as many at a time as there are workers.
func (r *runner) work(ctx context.Context, plan *suite.Plan, jobs []int) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(r.workers, len(jobs)) {
		wg.Go(func() {
			for i := range next {
				r.add(i, r.job(ctx, &plan.Jobs[i]), len(jobs))
			}
		})
	}
	for _, i := range jobs {
		next <- i
	}
	close(next)
	wg.Wait()
	if r.shows() {
		fmt.Fprint(r.c.stderr, "\r\x1b[K")
	}
}

// add keeps the result of job i of n.
func (r *runner) add(i int, result *report.Report, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.parts[i] = result
	if r.shows() {
		fmt.Fprintf(r.c.stderr, "\r\x1b[K%d of %d jobs", len(r.parts), n)
	}
}

// merged joins the results of jobs.
func (r *runner) merged(plan *suite.Plan, jobs []int, suites []report.Suite) *report.Report {
	all := &report.Report{Merged: true, Suites: suites}
	for _, i := range jobs {
		part := *r.parts[i]
		part.Job = &report.Job{ID: plan.Jobs[i].ID, Name: plan.Jobs[i].Name, Suite: plan.Suite}
		part.Code = nil // of many runs too much
		all.Sources = append(all.Sources, part.Sources...)
		all.Parts = append(all.Parts, &part)
	}
	return report.Merge([]*report.Report{all}, []string{""}, registry.Rules())
}

// job returns the result of a job: that of an earlier run of a capsule, which always gives the
// same, or of a process.
func (r *runner) job(ctx context.Context, j *suite.Job) *report.Report {
	if ctx.Err() != nil {
		return notFinished("not run: interrupted")
	}
	dir, err := os.MkdirTemp("", "warpgrind-suite-")
	if err != nil {
		return notFinished(err.Error())
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "result.json")
	if r.results != "" {
		file = filepath.Join(r.results, asFileName(j.Name)+"-"+digest(j.ID, r.version)+".json")
		if old, err := readReport(file); err == nil && j.Args[0] == "replay" {
			return old
		}
		_ = os.Remove(file)
	}
	return r.process(ctx, j, file)
}

// endTime is how long a job has to end once it was asked to.
const endTime = 10 * time.Second

// process runs a job as a process that writes its result to a file.
func (r *runner) process(ctx context.Context, j *suite.Job, file string) *report.Report {
	each := max(1, runtime.NumCPU()/r.workers)
	cmd := exec.CommandContext(ctx, r.self, slices.Concat(j.Args[:1], []string{"--quiet", "--jobs", strconv.Itoa(each), "--save", strings.ReplaceAll(file, "%", "%%")}, j.Args[1:])...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = endTime
	cmd.Env = slices.DeleteFunc(os.Environ(), forEngine)
	var said tail
	cmd.Stderr = &said
	err := cmd.Run()
	result, readErr := readReport(file)
	if readErr == nil {
		return result
	}
	if cmd.ProcessState == nil {
		return notFinished(err.Error())
	}
	failed := notFinished(cmp.Or(said.last(), cmd.ProcessState.String()))
	if cmd.ProcessState.ExitCode() == session.ExitUsage {
		failed.Exit = session.ExitUsage
	}
	return failed
}

// notFinished is the result of a job that has none.
func notFinished(why string) *report.Report {
	return &report.Report{Schema: report.Schema, Version: session.Version, Exit: session.ExitUnfinished, Messages: []string{why}}
}

// forEngine reports whether a variable of the environment tells a test what to do for its engine,
// which is the suite's and not its jobs'.
func forEngine(v string) bool {
	name, _, _ := strings.Cut(v, "=")
	return slices.Contains([]string{"XML_OUTPUT_FILE", "TEST_UNDECLARED_OUTPUTS_DIR", "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", "TEST_SHARD_STATUS_FILE",
		"GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", "GTEST_SHARD_STATUS_FILE", "GITHUB_STEP_SUMMARY"}, name)
}

// tail keeps the end of what a process says.
type tail struct{ b bytes.Buffer }

// maxTail bounds what is kept, in bytes.
const maxTail = 8 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.b.Write(p)
	if n := t.b.Len() - maxTail; n > 0 {
		t.b.Next(n)
	}
	return len(p), nil
}

// last is the last line, without warpgrind's name.
func (t *tail) last() string {
	lines := strings.Split(strings.TrimSpace(t.b.String()), "\n")
	return strings.TrimPrefix(lines[len(lines)-1], "warpgrind: ")
}

// shows reports whether there is a terminal that wants to see the progress.
func (r *runner) shows() bool {
	_, ok := columns(r.c.stderr)
	return ok && !r.quiet
}
