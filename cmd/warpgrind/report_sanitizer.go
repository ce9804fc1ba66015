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
	"github.com/spf13/pflag"

	"github.com/warpgrind/warpgrind/internal/session"
)

// sanitizerTools are compute-sanitizer's tools as sets of rules.
var sanitizerTools = map[string]string{
	"memcheck":  "memory,launch,assert,hang",
	"racecheck": "race",
	"initcheck": "init",
	"synccheck": "sync,hang",
}

// translateTools replaces compute-sanitizer's names in a --tool value. found
// marks that there was one.
func translateTools(tools string) (rules string, found bool) {
	names := strings.Split(tools, ",")
	for i, n := range names {
		if r, ok := sanitizerTools[strings.TrimSpace(n)]; ok {
			names[i], found = r, true
		}
	}
	return strings.Join(names, ","), found
}

// applySanitizer lets run stand in for compute-sanitizer: with one of its tools
// the report has its form, unless another one is asked for.
func applySanitizer(cfg *session.Config, out *outputs) {
	var found bool
	cfg.Tools, found = translateTools(cfg.Tools)
	if found && len(out.formats) == 0 {
		out.formats = []string{"compute-sanitizer"}
	}
}

// kernelPattern translates compute-sanitizer's filter of kernels: kne=NAME,
// kernel_name=NAME, kns=PART, kernel_substring=PART or regex=EXPR, to --kernel.
func kernelPattern(filter string) (string, error) {
	key, value, ok := strings.Cut(filter, "=")
	switch {
	case ok && (key == "kne" || key == "kernel_name"):
		return value, nil
	case ok && (key == "kns" || key == "kernel_substring"):
		return "*" + value + "*", nil
	case ok && (key == "regex" || key == "kernel_regex"):
		return "regex:" + value, nil
	}
	return "", usage(fmt.Errorf("--kernel-name %q: want kne=NAME, kns=SUBSTRING or regex=EXPR", filter))
}

// sanitizerFlags are those of compute-sanitizer that mean something here.
type sanitizerFlags struct {
	tool, logFile, save, kernel, exclude, leaks, api string
	exitCode, limit, skip, only                      int
	padding                                          uint64
}

// ignoredSanitizerFlags are accepted, so that scripts continue working.
var ignoredSanitizerFlags = []string{
	"check-api-memory-access", "check-bulk-copy", "check-cache-control", "check-device-heap", "check-exit-code", "check-optix-leaks",
	"check-warpgroup-mma", "demangle", "destroy-on-device-error", "force-blocking-launches", "force-synchronization-limit",
	"initcheck-address-space", "kill", "launch-timeout", "num-callers-device", "num-callers-host",
	"num-cuda-barriers", "nvtx", "prefix", "print-level", "racecheck-detect-level", "racecheck-memcpy-async", "racecheck-num-workers",
	"racecheck-report", "require-cuda-init", "show-backtrace", "strip-paths", "target-processes",
	"target-processes-filter", "track-stream-ordered-races", "track-unused-memory", "unused-memory-threshold",
}

func (s *sanitizerFlags) add(f *pflag.FlagSet) {
	f.SortFlags = false
	f.SetInterspersed(false) // what follows the application is the application's
	f.StringVar(&s.tool, "tool", "memcheck", "`TOOL` to run: memcheck, racecheck, initcheck or synccheck")
	f.IntVar(&s.exitCode, "error-exitcode", 0, "exit with code `N` if there are errors")
	f.IntVar(&s.limit, "print-limit", 100, "print at most `N` records; 0 means all")
	f.StringVar(&s.logFile, "log-file", "", "write the report to `FILE`; %p stands for the process ID, %q{NAME} for an environment variable")
	f.StringVar(&s.save, "save", "", "save the report to `FILE`, for warpgrind report")
	f.StringVar(&s.kernel, "kernel-name", "", "check only kernels that match `FILTER`: kne=NAME, kns=SUBSTRING or regex=EXPR")
	f.StringVar(&s.exclude, "kernel-name-exclude", "", "do not check kernels that match `FILTER`, as for --kernel-name")
	f.IntVar(&s.skip, "launch-skip", 0, "skip the first `N` launches")
	f.IntVar(&s.only, "launch-count", 0, "check at most `N` launches; 0 means all")
	f.StringVar(&s.leaks, "leak-check", "no", "with memcheck, report memory that is not freed when the program ends: `MODE` is full or no")
	f.StringVar(&s.api, "report-api-errors", "no", "with memcheck, report unchecked errors of API calls: `MODE` is no, explicit or all")
	f.Uint64Var(&s.padding, "padding", 0, "minimum gap between allocations, in `BYTES`")
	for _, name := range ignoredSanitizerFlags {
		f.StringArray(name, nil, "accepted but ignored")
		cobra.CheckErr(f.MarkHidden(name))
	}
}

// tools is the --tool of warpgrind run.
func (s *sanitizerFlags) tools() (string, error) {
	switch s.api {
	case "", "no":
		return s.tool, nil
	case "explicit", "all":
		if s.tool == "memcheck" {
			return s.tool + ",api", nil
		}
		return s.tool, nil
	}
	return "", usage(fmt.Errorf("--report-api-errors %q: want no, explicit or all", s.api))
}

// arguments are those of warpgrind run.
func (s *sanitizerFlags) arguments(app []string) ([]string, error) {
	if _, ok := sanitizerTools[s.tool]; !ok {
		return nil, usage(fmt.Errorf("--tool %q: want memcheck, racecheck, initcheck or synccheck", s.tool))
	}
	if len(app) == 0 {
		return nil, usage(errors.New("compute-sanitizer: no application"))
	}
	tools, err := s.tools()
	if err != nil {
		return nil, err
	}
	format := "compute-sanitizer"
	if s.logFile != "" {
		format += "=" + logName(s.logFile)
	}
	args := []string{"--quiet", "--tool", tools, "--format", format, "--color", "never", "--error-exitcode", strconv.Itoa(s.exitCode),
		"--print-limit", strconv.Itoa(s.limit), "--launch-skip", strconv.Itoa(s.skip), "--launch-count", strconv.Itoa(s.only),
		"--leak-check", s.leaks, "--padding", strconv.FormatUint(s.padding, 10)}
	if s.save != "" {
		args = append(args, "--save", s.save)
	}
	for _, f := range [][2]string{{"--kernel", s.kernel}, {"--kernel-exclude", s.exclude}} {
		if f[1] == "" {
			continue
		}
		k, err := kernelPattern(f[1])
		if err != nil {
			return nil, err
		}
		args = append(args, f[0], k)
	}
	return slices.Concat(args, app[:1], []string{"--"}, app[1:]), nil
}

var environment = regexp.MustCompile(`%q\{(\w+)\}`)

// logName fills in the process for %p and a variable of the environment for
// %q{NAME}.
func logName(s string) string {
	s = environment.ReplaceAllStringFunc(s, func(m string) string { return os.Getenv(m[3 : len(m)-1]) })
	return strings.ReplaceAll(s, "%p", strconv.Itoa(os.Getpid()))
}

// sanitizerCommand takes the command lines of compute-sanitizer.
func (c *command) sanitizerCommand() *cobra.Command {
	var s sanitizerFlags
	cmd := &cobra.Command{
		Use:   "compute-sanitizer [options] app [arguments]",
		Short: "Accept the command line of compute-sanitizer",
		Long: `Accepts the command line of compute-sanitizer and produces its output and exit
codes, so it can replace compute-sanitizer in scripts. The application is a CUDA
source, or an executable built by warpgrind cc.

Accepted but ignored:

` + wrapped("--"+strings.Join(ignoredSanitizerFlags, " --"), "  "),
		Example:               "  warpgrind compute-sanitizer --tool racecheck --error-exitcode 1 ./app x.bin",
		DisableFlagsInUseLine: true,
		Args:                  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, app []string) error {
			args, err := s.arguments(app)
			if err != nil {
				return err
			}
			run := c.runCommand()
			run.SilenceErrors, run.SilenceUsage = true, true
			run.SetArgs(args)
			return run.ExecuteContext(cmd.Context())
		},
	}
	s.add(cmd.Flags())
	return cmd
}
