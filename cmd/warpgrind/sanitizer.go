package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/check/race/diagnose"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
)

// sanitizerCommand takes the command lines of compute-sanitizer.
func (c *command) sanitizerCommand() *cobra.Command {
	var s sanitizerFlags
	cmd := &cobra.Command{
		Use:   "compute-sanitizer [options] app [arguments]",
		Short: "Accept the command line of compute-sanitizer",
		Long: `Accepts the command line of compute-sanitizer and produces its output and exit
codes, so it can replace compute-sanitizer in scripts. The application is a CUDA
source, or an executable built by warpgrind cc.

Accepted, with nothing to do here:

` + wrapped("--"+strings.Join(names(inertOptions), " --"), "  "),
		Example:               "  warpgrind compute-sanitizer --tool racecheck --error-exitcode 1 ./app x.bin",
		DisableFlagsInUseLine: true,
		Args:                  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, app []string) error {
			if err := s.check(); err != nil {
				return err
			}
			switch {
			case s.version:
				return c.sanitizerVersion()
			case s.read != "":
				return c.sanitizerRead(&s)
			}
			args, err := s.arguments(app)
			if err != nil {
				return err
			}
			run := c.runWith(s.adjust)
			run.SilenceErrors, run.SilenceUsage = true, true
			run.SetArgs(args)
			return run.ExecuteContext(cmd.Context())
		},
	}
	s.add(cmd.Flags())
	return cmd
}

// sanitizerVersion writes what --version asks for: the version of compute-sanitizer whose
// command line this is, in the line that scripts read, and our own.
func (c *command) sanitizerVersion() error {
	_, err := fmt.Fprintf(c.stdout, "warpgrind, with the command line of Compute Sanitizer\nVersion %s (warpgrind %s)\n", sanitizerVersion, session.Version)
	return err
}

// sanitizerVersion is the release whose manual the options are from.
const sanitizerVersion = "2025.3.0"

// sanitizerRead renders a saved report.
func (c *command) sanitizerRead(s *sanitizerFlags) error {
	r, err := readReport(s.read)
	if err != nil {
		return err
	}
	out := output{color: "never", limit: s.limit}
	out.formats, err = s.formats()
	if err != nil {
		return err
	}
	s.adjust(&session.Config{}, &out)
	if err := out.resolve(); err != nil {
		return err
	}
	c.code = r.Exit
	if r.Exit == session.ExitFindings {
		c.code = s.exitCode
	}
	o := renderOptions()
	r.Unpack(o)
	return c.writeAll(r, out, o)
}

// check refuses values that an option does not take, and options that cannot be served.
func (s *sanitizerFlags) check() error {
	for _, o := range s.choices {
		if !slices.Contains(o.values, *o.value) {
			return usage(fmt.Errorf("--%s %q: want %s", o.name, *o.value, strings.Join(o.values, ", ")))
		}
	}
	for _, o := range s.refused {
		if o.given() {
			return usage(fmt.Errorf("--%s: %s", o.name, o.why))
		}
	}
	if s.threshold < 0 || s.threshold > 100 {
		return usage(fmt.Errorf("--unused-memory-threshold %v: want 0 to 100", s.threshold))
	}
	if s.xml == "yes" && s.save == "" {
		return usage(errors.New("--xml needs --save FILE, where the XML goes"))
	}
	return nil
}

// tools is the --tool of warpgrind run.
func (s *sanitizerFlags) tools() string {
	switch {
	case s.tool == "memcheck" && s.api != "no":
		return s.tool + ",api"
	case s.tool == "racecheck" && s.deadlock > 0:
		return s.tool + ",hang,sync"
	}
	return s.tool
}

// formats are the --format of warpgrind run.
func (s *sanitizerFlags) formats() ([]string, error) {
	text := "compute-sanitizer"
	if s.logFile != "" {
		name, err := namePattern("log-file", s.logFile)
		if err != nil {
			return nil, err
		}
		text += "=" + name
	}
	formats := []string{text}
	if s.xml == "yes" {
		name, err := namePattern("save", s.save)
		if err != nil {
			return nil, err
		}
		formats = append(formats, "sanitizer-xml="+name)
	}
	return formats, nil
}

// arguments are those of warpgrind run.
func (s *sanitizerFlags) arguments(app []string) ([]string, error) {
	if len(app) == 0 {
		return nil, usage(errors.New("compute-sanitizer: no application"))
	}
	formats, err := s.formats()
	if err != nil {
		return nil, err
	}
	args := []string{"--quiet", "--tool", s.tools(), "--api-errors", "all", "--color", "never", "--error-exitcode", strconv.Itoa(s.exitCode),
		"--print-limit", strconv.Itoa(s.limit), "--launch-skip", strconv.Itoa(s.skip), "--launch-count", strconv.Itoa(s.only),
		"--leak-check", s.leaks, "--padding", strconv.FormatUint(s.padding, 10), "--jobs", strconv.Itoa(s.workers)}
	for _, f := range formats {
		args = append(args, "--format", f)
	}
	if s.save != "" && s.xml != "yes" {
		name, err := namePattern("save", s.save)
		if err != nil {
			return nil, err
		}
		args = append(args, "--save", name)
	}
	for _, f := range s.suppressions {
		args = append(args, "--suppressions", f)
	}
	for _, f := range []struct {
		flag    string
		filters []string
	}{{"--kernel", s.kernels}, {"--kernel-exclude", s.excluded}} {
		k, err := kernelPattern(f.filters)
		if err != nil {
			return nil, err
		}
		if k != "" {
			args = append(args, f.flag, k)
		}
	}
	if s.launches == "yes" {
		args = append(args, "--log-launches")
	}
	if s.onError == "kernel" {
		args = append(args, "--on-fault", "kernel")
	}
	if s.unused == "yes" && s.tool == "initcheck" {
		args = append(args, "--unused-memory", strconv.FormatFloat(s.threshold, 'g', -1, 64))
	}
	return slices.Concat(args, app[:1], []string{"--"}, app[1:]), nil
}

// adjust does what warpgrind run has no flags for.
func (s *sanitizerFlags) adjust(cfg *session.Config, out *output) {
	cfg.LeaveOut = s.leavesOut
	out.idle = s.needsCUDA == "no"
	out.style = report.SanitizerOptions{
		Prefix: s.prefix, Level: sanitizerLevel(s.level), RaceLevel: sanitizerLevel(s.raceLevel), Names: s.demangle,
		Paths: map[string]string{"yes": "name", "no": "full"}[s.stripPaths], Quiet: s.quiet == "yes", Hazards: s.races == "hazard",
		Both: s.races == "all", OneBased: s.language == "fortran", NoFrames: s.backtrace == "no" || s.backtrace == "host",
	}
	if s.details == "yes" {
		out.style.Session = []string{
			"Session details", "    Process ID: " + strconv.Itoa(os.Getpid()),
			"    Command line: " + strings.Join(slices.Concat(cfg.Inputs, cfg.Args), " "),
			"    Tool: " + s.tool,
		}
	}
}

// sanitizerLevel is the level of a --print-level.
func sanitizerLevel(name string) finding.Level {
	switch name {
	case "info":
		return finding.Info
	case "error", "fatal":
		return finding.Error
	}
	return finding.Warning
}

// leavesOut reports whether a finding is one that an option leaves out.
func (s *sanitizerFlags) leavesOut(f *finding.Finding) bool {
	object := finding.Object{}
	if f.Object != nil {
		object = *f.Object
	}
	switch f.Rule {
	case "race":
		return s.asyncCopies == "no" && f.Cause == diagnose.InFlight
	case "init":
		return f.Kind == "copied" && s.transfers == "no" || f.Object != nil && s.space != "all" && s.space != "" && object.Space != s.space
	case "memory":
		return s.heap == "no" && object.Kind == finding.Heap || s.transfers == "no" && f.Kind == "bad-copy"
	}
	return false
}

// filterKeys are the keys of a kernel filter, and whether the value is a name, a part of
// one or an expression.
var filterKeys = map[string]string{
	"kernel_name": "name", "kne": "name", "kernel_substring": "part", "kns": "part", "regex": "regex", "kernel_regex": "regex",
}

var filterComma = regexp.MustCompile(`,(kernel_name|kne|kernel_substring|kns)=`)

// kernelPattern translates compute-sanitizer's filters of kernels (Compute Sanitizer User
// Manual, "Specifying Filters") to --kernel. A kernel is to match any of them.
func kernelPattern(filters []string) (string, error) {
	var all []string
	for _, filter := range filters {
		for _, part := range strings.Split(filterComma.ReplaceAllString(filter, "\x00$1="), "\x00") {
			key, value, ok := strings.Cut(part, "=")
			kind := filterKeys[key]
			if !ok || kind == "" || value == "" {
				return "", usage(fmt.Errorf("--kernel-name %q: want kne=NAME, kns=SUBSTRING or regex=EXPR", filter))
			}
			switch kind {
			case "name":
				value = "^" + regexp.QuoteMeta(value) + "$"
			case "part":
				value = regexp.QuoteMeta(value)
			}
			all = append(all, "(?:"+value+")")
		}
	}
	if len(all) == 0 {
		return "", nil
	}
	return "regex:" + strings.Join(all, "|"), nil
}
