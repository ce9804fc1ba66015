package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/warpgrind/warpgrind/internal/examine"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// staticFlags are the flags of warpgrind check.
type staticFlags struct {
	programFlags
	st          examine.StaticConfig
	block, grid string
	out         output
}

func (c *command) checkCommand() *cobra.Command {
	var s staticFlags
	cmd := &cobra.Command{
		Use:   "check [flags] app.cu... | kernel.ptx...",
		Short: "Check kernels without running the program",
		Long: `Checks kernels statically: races, barriers that not all threads reach,
out-of-bounds indices of arrays, allocations, members and rows, undefined
behavior that the compiler detects, bank conflicts and uncoalesced accesses.

A kernel is checked for the launches in the host code, with the extents, scalar
arguments and sizes of allocations that it computes, for those given by --block,
--grid and --param, or for any launch. A finding is either proved or possible; a
possible one names what it depends on and what would decide it. Accesses that
remain undecided need warpgrind run.`,
		Example: `  warpgrind check app.cu
  warpgrind check --block 256 --param n=1024 kernel.ptx`,
		Args:    cobra.ArbitraryArgs,
		PreRunE: c.configured,
		RunE: func(cmd *cobra.Command, args []string) error {
			s.out.errorCodeGiven = cmd.Flags().Changed("error-exitcode")
			cfg, err := s.config(cmd, args)
			if err != nil {
				return err
			}
			return c.check(cmd, cfg, s.out)
		},
	}
	s.add(cmd.Flags())
	return cmd
}

func (s *staticFlags) add(f *pflag.FlagSet) {
	f.SortFlags = false
	staticRuleFlags(f, &s.programFlags)
	launch := section(f, "Which launches")
	f.StringVar(&s.block, "block", "", "block dimensions `X,Y,Z` (default: those in the host code)")
	f.StringVar(&s.grid, "grid", "", "grid dimensions `X,Y,Z` (default: those in the host code)")
	f.StringArrayVar(&s.st.Params, "param", nil, "value of an integer kernel parameter, `NAME=VALUE`, or of a structure's member, NAME+OFFSET=VALUE; a number from 1 can replace the name")
	f.BoolVar(&s.st.AssumeDistinct, "assume-distinct", false, "assume that different pointer parameters of a kernel do not alias")
	f.StringVar(&s.cfg.Kernel, "kernel", "", "check only kernels that match `NAMES`: with * and ?, mangled or not, or regex:EXPR (default: all)")
	launch()
	how := section(f, "Analysis")
	f.StringVar(&s.st.Analysis, "analysis", "symbolic", "`ANALYSIS` of uncoalesced accesses: symbolic, or gpudrano (as published)")
	f.BoolVar(&s.st.Confirm, "confirm", false, "run the kernel for each race and each access out of bounds,\nwith the launch and the arguments of the example: what shows\nis an error")
	f.StringVar(&s.cfg.Record, "record", "", "with --confirm, write the runs that show a finding to `DIR` as capsules, for warpgrind replay")
	f.StringVar(&s.st.Solver, "z3", "", "z3 `PROGRAM` (default: z3 on PATH)")
	how()
	report := section(f, "Report")
	s.out.flags(f)
	f.StringVar(&s.out.color, "color", "auto", "use colors: `WHEN` is auto, always or never")
	f.IntVar(&s.out.limit, "print-limit", 100, "print at most `N` findings as text; 0 means all")
	f.IntVar(&s.out.errorCode, "error-exitcode", session.ExitFindings, "exit with `CODE` if there are findings at error level")
	f.StringVar(&s.cfg.ErrorLevel, "error-level", "error", "lowest `LEVEL` that counts for the exit code: error, warning or info")
	f.BoolVarP(&s.out.quiet, "quiet", "q", false, "no progress on standard error")
	f.StringArrayVar(&s.cfg.Suppressions, "suppressions", nil, "suppress the findings listed in `FILE`")
	report()
	compilerFlags(f, &s.programFlags)
}

// config is what the flags and arguments ask for.
func (s *staticFlags) config(cmd *cobra.Command, args []string) (cfg examine.StaticConfig, err error) {
	cfg = s.st
	if cfg.Config, err = s.programFlags.config(cmd, args); err != nil {
		return cfg, err
	}
	if cfg.Block, err = extents("--block", s.block); err != nil {
		return cfg, err
	}
	cfg.Grid, err = extents("--grid", s.grid)
	return cfg, err
}

// extents reads "16,16", "16x16x1" or "256"; "" is zeros.
func extents(flag, text string) (out [3]uint32, err error) {
	if text == "" {
		return out, nil
	}
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == 'x' })
	if len(parts) > 3 || len(parts) == 0 {
		return out, usage(fmt.Errorf("%s %q: want X, X,Y or X,Y,Z", flag, text))
	}
	out = [3]uint32{1, 1, 1}
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 31)
		if err != nil || n == 0 {
			return out, usage(fmt.Errorf("%s %q: want positive numbers", flag, text))
		}
		out[i] = uint32(n)
	}
	if n := uint64(out[0]) * uint64(out[1]) * uint64(out[2]); flag == "--block" && n > 1024 {
		return out, usage(fmt.Errorf("--block %s: %d threads, and a block has at most 1024", text, n))
	}
	return out, nil
}

func (c *command) check(cmd *cobra.Command, cfg examine.StaticConfig, out output) error {
	if err := out.resolve(); err != nil {
		return err
	}
	var err error
	if cfg.Record, err = out.file("record", cfg.Record); err != nil {
		return err
	}
	if cfg.Record != "" && !cfg.Confirm {
		return usage(errors.New("--record: nothing runs without --confirm"))
	}
	cfg.Stdin, cfg.Stdout, cfg.Stderr = c.stdin, c.stdout, c.stderr
	if _, terminal := columns(c.stderr); terminal && !out.quiet {
		cfg.Say = c.sayAfter(3 * time.Second)
	}
	r, err := examine.CheckStatic(cmd.Context(), cfg)
	if failed := session.NotCompiled(err, cfg.Config); failed != nil {
		return errors.Join(err, c.writeFailed(failed, out))
	}
	if err != nil {
		return err
	}
	c.code = r.Exit
	if r.Exit == session.ExitFindings {
		c.code = out.errorCode
	}
	return c.write(r, out)
}

// sayAfter writes lines to standard error, at most one per interval.
func (c *command) sayAfter(every time.Duration) func(string) {
	last := time.Now()
	return func(text string) {
		if time.Since(last) >= every {
			last = time.Now()
			fmt.Fprint(c.stderr, visible.Log("warpgrind: "+text+"\n"))
		}
	}
}
