package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind"
)

// sanitizerTools are compute-sanitizer's tools as sets of rules.
var sanitizerTools = map[string]string{
	"memcheck":  "memory,launch,assert,hang",
	"racecheck": "race",
	"initcheck": "init",
	"synccheck": "sync,hang",
}

// translateTools replaces compute-sanitizer's names in a --tool value. found
// says that there was one.
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
func applySanitizer(cfg *warpgrind.Config, out *outputs) {
	var found bool
	cfg.Tools, found = translateTools(cfg.Tools)
	if found && len(out.formats) == 0 {
		out.formats = []string{"compute-sanitizer"}
	}
}

// sanitizerCommand takes the command lines of compute-sanitizer.
func (c *command) sanitizerCommand() *cobra.Command {
	var cfg warpgrind.Config
	var out output
	var tool, logFile, leak string
	var ignored []string
	cmd := &cobra.Command{
		Use:   "compute-sanitizer [options] app [arguments]",
		Short: "Run with the command line, output and exit code of compute-sanitizer",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(fmt.Errorf("compute-sanitizer: no application"))
			}
			cfg.Inputs, cfg.Args = args[:1], args[1:]
			var ok bool
			if cfg.Tools, ok = translateTools(tool); !ok {
				return usage(fmt.Errorf("--tool %q: want memcheck, racecheck, initcheck or synccheck", tool))
			}
			out.formats = []string{"compute-sanitizer"}
			if logFile != "" {
				out.files = []string{logFile}
			}
			out.errorCodeGiven = true
			return c.run(cmd, cfg, out)
		},
	}
	f := cmd.Flags()
	f.SetInterspersed(false) // what follows the application is the application's
	f.StringVar(&tool, "tool", "memcheck", "memcheck, racecheck, initcheck or synccheck")
	f.IntVar(&out.errorCode, "error-exitcode", 0, "exit code if there are errors")
	f.IntVar(&out.limit, "print-limit", 100, "records to print; 0 means all")
	f.StringVar(&logFile, "log-file", "", "file for the report")
	f.StringVar(&out.save, "save", "", "save the report for warpgrind report")
	f.StringVar(&leak, "leak-check", "no", "accepted and without effect")
	out.color = "never"
	for _, name := range []string{"racecheck-report", "racecheck-detect-level", "print-level", "target-processes",
		"show-backtrace", "demangle", "check-api-memory-access", "force-blocking-launches", "launch-timeout",
		"initcheck-address-space", "report-api-errors", "track-unused-memory", "padding", "num-callers-device", "num-callers-host"} {
		f.StringArrayVar(&ignored, name, nil, "accepted and without effect")
	}
	return cmd
}
