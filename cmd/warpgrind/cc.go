package main

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/driver"
	"github.com/warpgrind/warpgrind/internal/session"
)

// arguments are a program's, without its name. Called by the name nvcc it is
// the compiler, by that of compute-sanitizer its stand-in, and a run has the
// options of the environment as well.
func arguments(args []string) ([]string, error) {
	if len(args) == 0 {
		return nil, nil
	}
	switch filepath.Base(args[0]) {
	case "nvcc":
		return append([]string{"cc"}, args[1:]...), nil
	case "compute-sanitizer":
		return append([]string{"compute-sanitizer"}, args[1:]...), nil
	}
	if len(args) > 1 && args[1] == "run" {
		options, err := driver.Options()
		return slices.Concat(args[1:2], options, args[2:]), err
	}
	return args[1:], nil
}

func (c *command) ccCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "cc [flags of nvcc] file...",
		Short: "Compile and link as nvcc does",
		Long: `Accepts nvcc's command line and builds ordinary object files and programs. The
programs run on the emulated GPU and are checked, whether started directly or by
"warpgrind run". "warpgrind cc --help" lists warpgrind's additional options.`,
		Example: `  make NVCC="warpgrind cc"
  cmake -S . -B build -DCMAKE_CUDA_COMPILER=$(warpgrind cc --print-cuda-home)/bin/nvcc`,
		DisableFlagsInUseLine: true,
		DisableFlagParsing:    true,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.code = driver.Compile(cmd.Context(), args, c.stdin, c.stdout, c.stderr, c.building())
			return nil
		},
	}
}

// runAttached checks a program that has started this process. Its exit code
// stays as it is unless --error-exitcode names another one for findings, or the check failed.
func (c *command) runAttached(ctx context.Context, cfg session.Config, out output) error {
	found := 0
	if out.errorCodeGiven {
		found = out.errorCode
	}
	r, tell, err := session.Attach(ctx, cfg, found)
	if err != nil {
		return err
	}
	// A program that only asked what devices there are is not worth a report.
	if r.Exit != session.ExitNothing || out.toFile() {
		if err := c.write(r, out); err != nil {
			tell(session.ExitUnfinished)
			return err
		}
	}
	switch r.Exit {
	case session.ExitFindings:
		tell(found)
	case session.ExitBug:
		tell(r.Exit)
	default:
		tell(0)
	}
	return nil
}
