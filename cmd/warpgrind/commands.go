package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/trial"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// command is one invocation.
type command struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	code           int
	invocation     *report.Run // of the run that a report is about
}

// longFlags lets -std=c++17 be written as compilers have it.
func longFlags(args []string) []string {
	out := append([]string(nil), args...)
	for i, a := range out {
		if a == "--" {
			break
		}
		if strings.HasPrefix(a, "-std") {
			out[i] = "-" + a
		}
	}
	return out
}

func usage(err error) error { return &build.UsageError{Err: err} }

// oneArgument refuses another number of arguments than one.
func oneArgument(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return usage(fmt.Errorf("%s takes one argument, not %d; see %[1]s --help", cmd.CommandPath(), len(args)))
}

// noArguments refuses arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if err := cobra.NoArgs(cmd, args); err != nil {
		return usage(fmt.Errorf("%w; see %s --help", err, cmd.CommandPath()))
	}
	return nil
}

func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "warpgrind",
		Short: "Check CUDA programs on machines without a GPU",
		Long: `warpgrind runs CUDA programs on an emulated GPU that observes every memory
access, and reports defects: data races, invalid memory accesses, reads of
uninitialized memory, misused barriers, hangs; on request also performance
problems. It needs neither a GPU nor a CUDA toolkit.`,
		Example: `  warpgrind run app.cu                      check a program
  warpgrind run app.cu -- input.bin         with program arguments
  warpgrind run --tool all -o report.html app.cu
  warpgrind explain race                    what a finding means`,
		Version:       session.Build(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
		Args: cobra.ArbitraryArgs,
	}
	root.SetIn(c.stdin)
	root.SetOut(c.stdout)
	root.SetErr(c.stderr)
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(func(cmd *cobra.Command) error { writeUsage(cmd.OutOrStdout(), cmd); return nil })
	root.AddCommand(c.runCommand(), c.replayCommand(), c.exploreCommand(), c.capsuleCommand(), c.suiteCommand(), c.planCommand(), c.checkCommand(), c.barriersCommand(), c.fixCommand(), c.tidyCommand(), c.controlCommand(), c.instrumentCommand(), c.diffCommand(), c.ccCommand(), c.explainCommand(), c.reportCommand(), c.configCommand(), c.setupCommand(), c.sanitizerCommand(), c.lspCommand(), c.manCommand())
	root.AddCommand(c.judgeCommand(), c.serveCommand(), c.mcpCommand())
	root.AddCommand(topics()...)
	root.InitDefaultCompletionCmd()
	arrange(root)
	completions(root)
	return root
}

// output says where and how the report is written.
type output struct {
	outputs
	failOn
	color          string
	limit          int
	quiet          bool
	errorCode      int
	errorCodeGiven bool
	attach         bool // for a program that runs already
	// style shapes the lines of compute-sanitizer. idle is set if a program without a kernel
	// is fine.
	style report.SanitizerOptions
	idle  bool
	// listing is set if standard output is for the list of launches.
	listing bool
}

func (c *command) runCommand() *cobra.Command { return c.runWith(nil) }

// runWith makes the command run; adjust, if it is not nil, has the last word on what its
// flags ask for.
func (c *command) runWith(adjust func(*session.Config, *output)) *cobra.Command {
	var p programFlags
	var out output
	cmd := &cobra.Command{
		Use:   "run [flags] app.cu... | executable [-- args] | -- command",
		Short: "Check a program while it runs",
		Long: `Compiles CUDA sources with clang, or takes an executable built by warpgrind cc
or nvcc, runs it on an emulated GPU, and reports defects in its kernels.
Arguments after -- are passed to the program; if nothing stands before it, they
are a whole command, such as a Python script.`,
		Example: `  warpgrind run app.cu
  warpgrind run -- python3 script.py
  warpgrind run --tool race,memory app.cu helper.cpp -- --size 64
  warpgrind run --format text --format sarif=out.sarif ./app
  warpgrind run --kernel 'scan*' --runs 5 app.cu`,
		Args:    cobra.ArbitraryArgs,
		PreRunE: c.configured,
		RunE: func(cmd *cobra.Command, args []string) error {
			out.errorCodeGiven = cmd.Flags().Changed("error-exitcode")
			cfg, err := p.config(cmd, args)
			if err != nil {
				return err
			}
			if adjust != nil {
				adjust(&cfg, &out)
			}
			if out.listing = p.list == "-"; out.listing {
				cfg.ListLaunches = c.stdout
			}
			return c.run(cmd, cfg, out)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	ruleFlags(f, &p)
	reportFlags(f, &p, &out)
	controlFlags(f, &p)
	f.StringVar(&out.shardFlag, "shard", "", "let a program that divides its tests as GoogleTest does run part `I/N` of them")
	machineFlags(f, &p, false)
	f.BoolVar(&out.attach, "attach", false, "")
	cobra.CheckErr(f.MarkHidden("attach"))
	compilerFlags(f, &p)
	return cmd
}

// reportFlags adds the flags that say what comes of the findings.
func reportFlags(f *pflag.FlagSet, p *programFlags, out *output) {
	defer section(f, "Report")()
	out.flags(f)
	f.BoolVar(&p.cfg.Coverage, "coverage", false, "also report which lines, functions and branches of device code were executed")
	f.BoolVar(&p.cfg.Fidelity, "fidelity", false, "also report which executed instructions are computed exactly, approximately or not at all")
	f.StringVar(&out.jobFlag, "job", "", "")
	cobra.CheckErr(f.MarkHidden("job")) // for warpgrind plan
	f.StringVar(&out.test, "test", "", "`NAME` of the test in merged reports (default: the name Bazel or pytest gives, or the program with its arguments)")
	f.StringVar(&out.color, "color", "auto", "use colors: `WHEN` is auto, always or never")
	f.IntVar(&out.limit, "print-limit", 100, "print at most `N` findings; 0 means all")
	out.failOn.flag(f)
	f.IntVar(&out.errorCode, "error-exitcode", session.ExitFindings, "exit with code `N` if there are findings at error level")
	f.StringVar(&p.cfg.ErrorLevel, "error-level", "error", "lowest `LEVEL` that counts for the exit code: error, warning or info")
	f.BoolVarP(&out.quiet, "quiet", "q", false, "no progress and no warnings on standard error while the program runs")
}

func (c *command) run(cmd *cobra.Command, cfg session.Config, out output) error {
	if err := c.prepare(&cfg, &out); err != nil {
		return err
	}
	if out.attach {
		return c.runAttached(cmd.Context(), cfg, out)
	}
	r, err := trial.Check(cmd.Context(), cfg)
	if failed := session.NotCompiled(err, cfg); failed != nil {
		return errors.Join(err, c.writeFailed(failed, out))
	}
	if err != nil {
		return err
	}
	return c.conclude(r, out)
}

// maxDevices bounds --devices. devicesNamed is its value where it is not given.
const (
	maxDevices   = 64
	devicesNamed = math.MinInt
)

// devicesFor is how many devices there must be for a program to find those that
// CUDA_VISIBLE_DEVICES names by numbers: scripts name a device of the machine that they were
// written for.
func devicesFor(visible string) int {
	n := 1
	for word := range strings.SplitSeq(visible, ",") {
		d, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || d < 0 || d >= maxDevices {
			break
		}
		n = max(n, d+1)
	}
	return n
}

// prepare checks what the flags ask for and connects a check with the terminal.
func (c *command) prepare(cfg *session.Config, out *output) error {
	applySanitizer(cfg, &out.outputs)
	c.invocation = invocation(*cfg)
	if words := session.AttachedProgram(); out.attach && len(words) > 0 {
		c.invocation.Program, c.invocation.Args = words[:1], words[1:]
	}
	if err := out.about(c.invocation); err != nil {
		return err
	}
	if err := errors.Join(out.resolve(), out.failOn.parse(cfg.Tools)); err != nil {
		return err
	}
	for option, name := range map[string]*string{"record": &cfg.Record, "dump-buffers": &cfg.DumpBuffers, "gen-suppressions": &cfg.GenSuppressions} {
		var err error
		if *name, err = out.file(option, *name); err != nil {
			return err
		}
	}
	if !out.attach { // of a program that runs by itself others may have the same names
		out.toEngine()
	}
	if out.errorCode < 0 || out.errorCode > 255 {
		return usage(fmt.Errorf("--error-exitcode %d: want 0 to 255", out.errorCode))
	}
	if cfg.Frontend != "" && cfg.Frontend != "clang" && cfg.Frontend != build.FrontendNVCC {
		return usage(fmt.Errorf("--frontend %q: want clang or nvcc", cfg.Frontend))
	}
	if cfg.Devices == devicesNamed {
		cfg.Devices = devicesFor(os.Getenv("CUDA_VISIBLE_DEVICES"))
	}
	if cfg.Devices < 1 || cfg.Devices > maxDevices {
		return usage(fmt.Errorf("--devices %d: want 1 to %d", cfg.Devices, maxDevices))
	}
	cfg.Stdin, cfg.Stdout, cfg.Stderr = c.stdin, c.stdout, c.stderr
	cfg.Listing = out.withCode()
	cfg.Coverage = cfg.Coverage || out.withCoverage()
	if !out.quiet {
		p := newProgress(c.stderr)
		cfg.Warn = c.warner(p)
		if p != nil {
			cfg.Progress, cfg.Building = p.update, c.building()
		}
	}
	if out.listing {
		out.targets = slices.DeleteFunc(out.targets, func(t target) bool { return t.file == "" })
	}
	if out.forProgram() || out.listing {
		cfg.Stdout = c.stderr // standard output is the report's alone
	}
	return nil
}

// conclude writes the report and decides the exit code.
func (c *command) conclude(r *report.Report, out output) error {
	err := c.write(r, out)
	c.code = r.Exit
	switch {
	case r.Exit == session.ExitFindings && out.errorCode == 0 && r.ProgramFailed:
		c.code = session.ExitProgram
	case r.Exit == session.ExitFindings:
		c.code = out.errorCode
	case r.Exit == session.ExitNothing && out.idle:
		c.code = session.ExitClean
	}
	return err
}

// writeFailed writes the report of a program that does not compile to the targets that
// programs read. People have the compiler's own text.
func (c *command) writeFailed(r *report.Report, out output) error {
	r.Run, r.Job, r.Suites = c.invocation, out.job(), out.suites()
	out.targets = slices.DeleteFunc(slices.Clone(out.targets), func(t target) bool { return t.format == "text" || t.format == "compute-sanitizer" })
	return c.writeAll(r, out, renderOptions())
}

// write renders the report to its targets. Where a terminal sees none of it, it
// gets the last line, unless the terminal is that of a program by itself.
func (c *command) write(r *report.Report, out output) error {
	r.Run, r.Job, r.Suites = c.invocation, out.job(), out.suites()
	out.failOn.apply(r)
	o := renderOptions()
	if r.Files != nil {
		o.Dir, o.Files = cmp.Or(r.Dir, o.Dir), r.Files
	}
	if err := c.writeAll(r, out, o); err != nil {
		return err
	}
	if out.toFile() && !out.quiet && !out.attach && !out.listing {
		var files []string
		for _, t := range out.targets {
			files = append(files, t.file)
		}
		_, _ = visible.Fprintf(c.stderr, "%s: %s\n", report.SummaryLine(r), strings.Join(files, ", "))
	}
	return nil
}

// useColor decides by the flag, NO_COLOR and whether w is a terminal.
func useColor(flag string, w io.Writer) bool {
	if flag != "auto" {
		return flag == "always"
	}
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

func (c *command) explainCommand() *cobra.Command {
	var all bool
	var format string
	cmd := &cobra.Command{
		Use:       "explain [rule | name in a report]",
		Short:     "Explain a rule: what it finds, an example and its repair",
		Long:      "Explains what the findings of a rule mean, with an example and its repair. Names\nthat reports print beside the rule, such as RAW or out-of-bounds, lead to it.\nWithout a name it lists all rules. --format json prints their documentation for\nprograms.",
		Example:   "  warpgrind explain race\n  warpgrind explain RAW\n  warpgrind explain --format json",
		Args:      cobra.ArbitraryArgs,
		ValidArgs: ruleCompletions(),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage(errors.New("explain takes one rule"))
			}
			switch {
			case format == "json":
				return c.rulesAsJSON(args)
			case format != "text":
				return usage(fmt.Errorf("unknown format %q; the formats are text and json", format))
			case len(args) == 0:
				c.listRules()
				return nil
			}
			return c.explain(args[0], all)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "print the rule's details too")
	cmd.Flags().StringVar(&format, "format", "text", "print text or json")
	return cmd
}

// rulesAsJSON writes the documentation of one rule, or of all.
func (c *command) rulesAsJSON(names []string) error {
	rules := documentation()
	if len(names) == 1 {
		r, ok := registry.Find(names[0])
		if !ok {
			return unknownRule(names[0])
		}
		rules = []finding.Rule{r.Rule}
	}
	e := json.NewEncoder(c.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(rules)
}

// explain writes what a rule finds; of another name that reports have, what it is, and the
// rule that it belongs to.
func (c *command) explain(name string, all bool) error {
	r, ok := registry.Find(name)
	if !ok {
		n, known := registry.FindName(name)
		if !known {
			return unknownRule(name, registry.Words()...)
		}
		r, _ = registry.Find(n.Rules[0])
		if n.Text != "" {
			io.WriteString(c.stdout, wrapped(name+" is "+n.Text+".", ""))
		}
		fmt.Fprintf(c.stdout, "The rule is %s:\n\n", strings.Join(n.Rules, ", "))
	}
	_, err := io.WriteString(c.stdout, report.Explain(r.Rule, all))
	return err
}

// listRules names each rule in a line.
func (c *command) listRules() {
	for _, r := range registry.All() {
		star := ""
		if r.Default {
			star = " *"
		}
		fmt.Fprintf(c.stdout, "%-12s %s%s\n", r.ID, r.Title, star)
	}
	fmt.Fprintf(c.stdout, "\nRules with a star run by default (without --tool).\n")
}

// unknownRule says which rules there are. Others are names that may be meant as well.
func unknownRule(name string, others ...string) error {
	ids := registry.AllIDs()
	candidates := append(slices.Clone(ids), others...)
	return usage(fmt.Errorf("unknown rule %q%s; the rules are %s", name, didYouMean(name, candidates), strings.Join(ids, ", ")))
}

// checkTools refuses a --tool value that names neither a rule nor one of
// compute-sanitizer's tools.
func checkTools(tools string) error {
	tools, _ = translateTools(tools)
	for _, t := range strings.Split(tools, ",") {
		if _, err := registry.Select(t); err != nil {
			return unknownRule(strings.TrimSpace(t))
		}
	}
	return nil
}
