package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind"
	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/report"
)

// command is one invocation.
type command struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	code           int
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

func usage(err error) error { return &warpgrind.UsageError{Err: err} }

func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "warpgrind",
		Short:         "Check CUDA programs on machines without a GPU",
		Version:       warpgrind.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Errorf("unknown command %q: see warpgrind --help", args[0]))
			}
			return cmd.Help()
		},
		Args: cobra.ArbitraryArgs,
	}
	root.SetIn(c.stdin)
	root.SetOut(c.stdout)
	root.SetErr(c.stderr)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage(err) })
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(c.runCommand(), c.barriersCommand(), c.diffCommand(), c.ccCommand(), c.explainCommand(), c.reportCommand(), c.sanitizerCommand())
	return root
}

// output says where and how the report is written.
type output struct {
	outputs
	color          string
	limit          int
	quiet          bool
	errorCode      int
	errorCodeGiven bool
	attach         bool // for a program that runs already
}

func (c *command) runCommand() *cobra.Command {
	var p programFlags
	var out output
	cmd := &cobra.Command{
		Use:   "run [flags] app.cu... | executable [-- args]",
		Short: "Check a program while it runs",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			out.errorCodeGiven = cmd.Flags().Changed("error-exitcode")
			cfg, err := p.config(cmd, args)
			if err != nil {
				return err
			}
			return c.run(cmd, cfg, out)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	ruleFlags(f, &p)
	out.flags(f)
	f.StringVar(&out.color, "color", "auto", "auto, always or never")
	f.IntVar(&out.limit, "print-limit", 100, "findings to print as text; 0 means all")
	f.IntVar(&out.errorCode, "error-exitcode", warpgrind.ExitFindings, "exit code if there are findings at error level")
	f.StringVar(&p.cfg.ErrorLevel, "error-level", "error", "mildest level that decides the exit code: error, warning or info")
	machineFlags(f, &p)
	controlFlags(f, &p)
	f.BoolVarP(&out.quiet, "quiet", "q", false, "no progress and no warnings on standard error while the program runs")
	f.BoolVar(&out.attach, "attach", false, "")
	cobra.CheckErr(f.MarkHidden("attach"))
	compilerFlags(f, &p)
	return cmd
}

func (c *command) run(cmd *cobra.Command, cfg warpgrind.Config, out output) error {
	applySanitizer(&cfg, &out.outputs)
	if err := out.resolve(); err != nil {
		return err
	}
	if out.errorCode < 0 || out.errorCode > 255 {
		return usage(fmt.Errorf("--error-exitcode %d: want 0 to 255", out.errorCode))
	}
	if cfg.Frontend != "clang" && cfg.Frontend != warpgrind.FrontendNVCC {
		return usage(fmt.Errorf("--frontend %q: want clang or nvcc", cfg.Frontend))
	}
	if cfg.Devices < 1 || cfg.Devices > 64 {
		return usage(fmt.Errorf("--devices %d: want 1 to 64", cfg.Devices))
	}
	cfg.Stdin, cfg.Stdout, cfg.Stderr = c.stdin, c.stdout, c.stderr
	if !out.quiet {
		p := newProgress(c.stderr)
		cfg.Warn = c.warner(p)
		if p != nil {
			cfg.Progress = p.update
		}
	}
	if out.forProgram() {
		cfg.Stdout = c.stderr // standard output is the report's alone
	}
	if out.attach {
		return c.runAttached(cmd.Context(), cfg, out)
	}
	r, err := warpgrind.Check(cmd.Context(), cfg)
	if err != nil {
		return err
	}
	c.code = r.Exit
	if r.Exit == warpgrind.ExitFindings {
		c.code = out.errorCode
	}
	return c.write(r, out)
}

// write renders the report to its targets.
func (c *command) write(r *report.Report, out output) error {
	return c.writeAll(r, out, renderOptions())
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
	return &cobra.Command{
		Use:   "explain [rule]",
		Short: "Say what a finding means, with an example and its fix",
		Args:  cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage(errors.New("explain takes one rule"))
			}
			if len(args) == 0 {
				for _, r := range registry.All() {
					fmt.Fprintf(c.stdout, "%-12s %s\n", r.ID, r.Title)
				}
				return nil
			}
			r, ok := registry.Find(args[0])
			if !ok {
				return usage(fmt.Errorf("unknown rule %q: want one of %s", args[0], strings.Join(registry.IDs(), ", ")))
			}
			_, err := io.WriteString(c.stdout, report.Explain(r.Rule))
			return err
		},
	}
}
