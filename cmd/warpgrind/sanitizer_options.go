package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// sanitizerFlags are the options of compute-sanitizer that have an effect.
type sanitizerFlags struct {
	tool, logFile, save, read, leaks, api, prefix, xml                 string
	level, raceLevel, races, demangle, stripPaths, backtrace, language string
	quiet, details, launches, onError, needsCUDA                       string
	heap, transfers, space, asyncCopies, unused                        string
	kernels, excluded, suppressions                                    []string
	exitCode, limit, skip, only, workers, deadlock                     int
	padding                                                            uint64
	threshold                                                          float64
	version                                                            bool

	choices []choice
	refused []refusal
}

// choice is an option that takes one of a few values.
type choice struct {
	name   string
	values []string
	value  *string
}

// refusal is an option that cannot be served.
type refusal struct {
	name, why string
	given     func() bool
}

// sanitizerOption is an option without an effect of its own, and the reason.
type sanitizerOption struct{ name, why string }

func names(options []sanitizerOption) (out []string) {
	for _, o := range options {
		out = append(out, o.name)
	}
	return out
}

// inertOptions are accepted, since what they ask for is always so here, or is about a
// connection or a GPU that does not exist.
var inertOptions = []sanitizerOption{
	{"backtrace-short", "host frames are not printed"},
	{"binary-patching", "nothing is patched"},
	{"check-bulk-copy", "always checked"},
	{"check-cache-control", "always checked"},
	{"check-exit-code", "the program's exit code is always reported"},
	{"check-warpgroup-mma", "always checked"},
	{"force-blocking-launches", "reports do not depend on it"},
	{"force-synchronization-limit", "there is no tracking memory on a GPU to save"},
	{"ignore-getprocaddress-notfound", "queries that find nothing are not errors here"},
	{"kill", "there is no connection that can fail"},
	{"launch-timeout", "there is no connection to wait for"},
	{"max-connections", "there are no ports"},
	{"missing-barrier-init-is-fatal", "the report has it either way"},
	{"num-callers-device", "all frames are printed"},
	{"num-callers-host", "host frames are not printed"},
	{"num-cuda-barriers", "barriers are counted as they are used"},
	{"nvtx", "names given by NVTX are always used"},
	{"port", "there are no ports"},
	{"racecheck-continue-on-deadlock", "a deadlock ends the kernel and is reported"},
	{"racecheck-indirect-barrier-dependency", "always tracked"},
	{"report-device-side-allocation-failure", "a failed malloc in a kernel is not reported by itself"},
	{"save-session-details", "a saved report has them"},
	{"target-processes", "the processes of the program are always checked"},
	{"target-processes-filter", "the processes of the program are always checked"},
	{"track-stream-ordered-races", "always tracked, by racecheck"},
	{"unused-shared-memory-report-limit", "unused shared memory is not reported"},
}

// refusedOptions are those that cannot be served.
var refusedOptions = []sanitizerOption{
	{"check-optix", "OptiX is not supported"},
	{"check-optix-leaks", "OptiX is not supported"},
	{"coredump-behavior", "there is no GPU whose state could be dumped"},
	{"coredump-name", "there is no GPU whose state could be dumped"},
	{"detect-missing-module-unload", "modules that are not unloaded are not tracked"},
	{"generate-coredump", "there is no GPU whose state could be dumped; --save keeps the report"},
	{"injection-path", "nothing is injected into the program"},
	{"injection-path32", "nothing is injected into the program"},
	{"preload-library", "set LD_PRELOAD for the program instead"},
	{"racecheck-filter-cluster-id", "races are not filtered by cluster; use --kernel-name"},
	{"support-32bit", "32-bit programs are not supported"},
}

// toggles are the options that may stand without a value, and then mean yes.
var toggles = []string{"backtrace-short", "binary-patching", "check-api-memory-access", "check-bulk-copy", "check-cache-control", "check-device-heap",
	"check-exit-code", "check-optix", "check-optix-leaks", "check-warpgroup-mma", "detect-missing-module-unload", "dump-kernel-launches",
	"force-blocking-launches", "generate-coredump", "ignore-getprocaddress-notfound", "kill", "missing-barrier-init-is-fatal", "nvtx",
	"print-session-details", "quiet", "racecheck-continue-on-deadlock", "racecheck-indirect-barrier-dependency", "racecheck-memcpy-async",
	"racecheck-trace-sync", "report-device-side-allocation-failure", "require-cuda-init", "save-session-details", "show-backtrace",
	"strip-paths", "support-32bit", "track-unused-memory", "xml"}

// choose adds an option that takes one of a few values.
func (s *sanitizerFlags) choose(f *pflag.FlagSet, to *string, name, value, help string, values ...string) {
	f.StringVar(to, name, value, help)
	s.choices = append(s.choices, choice{name, append(values, value), to})
}

func (s *sanitizerFlags) add(f *pflag.FlagSet) {
	f.SortFlags = false
	f.SetInterspersed(false) // what follows the application is the application's
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(strings.Replace(name, "kernel-regex", "kernel-name", 1)) // until 2023
	})
	s.choose(f, &s.tool, "tool", "memcheck", "`TOOL` to run: memcheck, racecheck, initcheck or synccheck", "racecheck", "initcheck", "synccheck")
	f.IntVar(&s.exitCode, "error-exitcode", 0, "exit with code `N` if there are errors")
	f.BoolVarP(&s.version, "version", "v", false, "print the version")
	s.addOutput(f)
	s.addFilters(f)
	s.addTools(f)
	for _, o := range inertOptions {
		f.StringArray(o.name, nil, o.why)
		cobra.CheckErr(f.MarkHidden(o.name))
	}
	for _, o := range refusedOptions {
		f.String(o.name, "", o.why)
		cobra.CheckErr(f.MarkHidden(o.name))
		s.refused = append(s.refused, refusal{o.name, o.why, func() bool { return f.Changed(o.name) }})
	}
	s.refuseValues(f)
	for _, name := range toggles {
		f.Lookup(name).NoOptDefVal = "yes"
	}
}

// refuseValues refuses what some options may not be set to.
func (s *sanitizerFlags) refuseValues(f *pflag.FlagSet) {
	mode := f.String("mode", "launch-and-attach", "")
	trace := f.String("racecheck-trace-sync", "no", "")
	for _, name := range []string{"mode", "racecheck-trace-sync"} {
		cobra.CheckErr(f.MarkHidden(name))
	}
	s.refused = append(s.refused,
		refusal{"mode", "a running program cannot be attached to; start it here", func() bool { return *mode == "attach" }},
		refusal{"racecheck-trace-sync", "synchronization is not traced; --log-launches of warpgrind run logs launches", func() bool { return *trace == "yes" }},
		refusal{"track-unused-memory", "unused memory is tracked in global memory only", func() bool { return s.unused == "yes" && s.space == "shared" }})
}

// addOutput adds the options of the output.
func (s *sanitizerFlags) addOutput(f *pflag.FlagSet) {
	defer section(f, "Output")()
	f.IntVar(&s.limit, "print-limit", 100, "print at most `N` records; 0 means all")
	s.choose(f, &s.level, "print-level", "auto", "print records from `LEVEL` on: info, warn, error or fatal", "info", "warn", "error", "fatal")
	f.StringVar(&s.logFile, "log-file", "", "write the report to `FILE`; %p stands for the process ID, %q{NAME} for an environment variable")
	f.StringVar(&s.save, "save", "", "save the report to `FILE`, for --read and warpgrind report; with --xml as XML")
	f.StringVar(&s.read, "read", "", "print a saved report `FILE` instead of running an application")
	s.choose(f, &s.xml, "xml", "no", "write XML to the file of --save", "yes")
	f.StringArrayVar(&s.suppressions, "suppressions", nil, "leave out the records listed in `FILE`: XML of --xml, or as warpgrind run takes it")
	f.StringVar(&s.prefix, "prefix", "", "begin each line with `TEXT` (default \"=========\")")
	s.choose(f, &s.demangle, "demangle", "full", "names of kernels: `MODE` is full, simple or no", "simple", "no")
	s.choose(f, &s.stripPaths, "strip-paths", "", "print names of files without their directories (`yes`) or absolute paths (no); default: relative paths", "yes", "no")
	s.choose(f, &s.backtrace, "show-backtrace", "yes", "print the calls around a place in device code: `MODE` is yes, device, host or no", "device", "host", "no")
	s.choose(f, &s.language, "language", "c", "count threads from 0 (c) or from 1 (fortran): `LANGUAGE`", "fortran")
	f.StringVarP(&s.quiet, "quiet", "q", "no", "print records only")
	s.choices = append(s.choices, choice{"quiet", []string{"yes", "no"}, &s.quiet})
	s.choose(f, &s.details, "print-session-details", "no", "print the process, the command line and the tool", "yes")
	s.choose(f, &s.launches, "dump-kernel-launches", "no", "log each launch on standard error", "yes")
}

// addFilters adds the options that choose launches.
func (s *sanitizerFlags) addFilters(f *pflag.FlagSet) {
	defer section(f, "Which launches")()
	f.StringArrayVar(&s.kernels, "kernel-name", nil, "check only kernels that match `FILTER`: kne=NAME, kns=SUBSTRING or regex=EXPR")
	f.StringArrayVar(&s.excluded, "kernel-name-exclude", nil, "do not check kernels that match `FILTER`, as for --kernel-name")
	f.IntVarP(&s.skip, "launch-skip", "s", 0, "skip the first `N` launches")
	f.IntVarP(&s.only, "launch-count", "c", 0, "check at most `N` launches; 0 means all")
}

// addTools adds the options of single tools.
func (s *sanitizerFlags) addTools(f *pflag.FlagSet) {
	defer section(f, "Tools")()
	s.choose(f, &s.leaks, "leak-check", "no", "memcheck: report memory that is not freed when the program ends: `MODE` is full or no", "full")
	s.choose(f, &s.api, "report-api-errors", "extended", "memcheck: report calls that return an error: `MODE` is all, extended, explicit (one and the same here) or no", "all", "explicit", "no")
	s.choose(f, &s.heap, "check-device-heap", "yes", "memcheck: check allocations of device code: `yes` or no", "no")
	f.Uint64Var(&s.padding, "padding", 0, "memcheck: minimum gap between allocations, in `BYTES`")
	s.choose(f, &s.onError, "destroy-on-device-error", "context", "after an invalid access, later calls fail (context) or later launches run (kernel): `WHAT`", "kernel")
	s.choose(f, &s.needsCUDA, "require-cuda-init", "yes", "fail if the program launches no kernel: `yes` or no", "no")
	s.choose(f, &s.races, "racecheck-report", "analysis", "racecheck: pairs of places (analysis), of threads (hazard) or both (all): `FORM`", "hazard", "all")
	s.choose(f, &s.raceLevel, "racecheck-detect-level", "auto", "racecheck: detect races from `LEVEL` on: info, warn or error", "info", "warn", "error")
	s.choose(f, &s.asyncCopies, "racecheck-memcpy-async", "yes", "racecheck: check asynchronous copies: `yes` or no", "no")
	f.IntVar(&s.workers, "racecheck-num-workers", 0, "run `N` blocks in parallel")
	f.IntVar(&s.deadlock, "racecheck-deadlock-timeout", 0, "racecheck: with `N` other than 0, report deadlocks")
	s.choose(f, &s.space, "initcheck-address-space", "", "initcheck: check one `SPACE`: global or shared (default: all)", "global", "shared", "all")
	s.choose(f, &s.transfers, "check-api-memory-access", "yes", "check copies and fills by the host: `yes` or no", "no")
	s.choose(f, &s.unused, "track-unused-memory", "no", "initcheck: report allocations that are not written", "yes")
	f.Float64Var(&s.threshold, "unused-memory-threshold", 0, "initcheck: from which `PERCENT` of an allocation on")
}

// joinToggles puts the value of an option that may stand without one behind an equals sign:
// --xml yes, as older scripts have it. It ends at the application.
func joinToggles(args []string) []string {
	var s sanitizerFlags
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.add(f)
	var out []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		if len(a) < 2 || a[0] != '-' || a == "--" {
			return append(out, args[i:]...)
		}
		flag := f.Lookup(strings.TrimPrefix(a, "--"))
		if len(a) == 2 {
			flag = f.ShorthandLookup(a[1:])
		}
		if flag != nil && i+1 < len(args) && flag.Value.Type() != "bool" {
			switch next := args[i+1]; {
			case flag.NoOptDefVal == "":
				out = append(out, a)
				a = next
				i++
			case answers[next] != "":
				a += "=" + answers[next]
				i++
			}
		}
		out = append(out, a)
	}
	return out
}

// answers are the values of toggles, and the words of today for them.
var answers = map[string]string{"yes": "yes", "no": "no", "true": "yes", "false": "no", "host": "host", "device": "device"}
