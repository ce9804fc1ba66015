package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/session"
)

func (c *command) tidyCommand() *cobra.Command {
	var p programFlags
	var format string
	var apply, ask bool
	var inputs []string
	cmd := &cobra.Command{
		Use:   "tidy [flags] app.cu... [-- args]",
		Short: "Remove barriers, fences and atomics that are not needed",
		Long: `Runs the program, which must have no errors, and once more for each barrier,
fence and atomic update whose result is not used: without it, or with a weaker
one in its place. It is redundant if nothing new is found and the program writes
and prints the same, with every input, under the default and eight other
schedules. Where the solver shows that without a barrier no two accesses of the
kernel can conflict, it is redundant on all inputs.

The patches go to standard output as a unified diff, or with --apply into the
files; the verdicts with what each patch saves go to standard error.`,
		Example: "  warpgrind tidy app.cu -- 1000\n  warpgrind tidy --input '31' --input '4096 -v' app.cu -- 1000",
		Args:    cobra.ArbitraryArgs,
		PreRunE: c.configured,
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := p.config(cmd, args)
			if err != nil {
				return err
			}
			if format != "diff" && format != "json" {
				return usage(fmt.Errorf("--format %q: want diff or json", format))
			}
			cfg.Stdin, cfg.Stdout, cfg.Stderr = c.stdin, c.stderr, c.stderr
			var choose session.Choose
			if ask {
				if format != "diff" {
					return usage(errors.New("--interactive takes no --format"))
				}
				choose, cfg.Stdin = c.ask(), nil
			}
			r, err := session.Tidy(cmd.Context(), cfg, inputs, choose)
			if err != nil {
				return err
			}
			c.code = r.Exit
			return c.writeTidy(r, format, apply || ask)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringArrayVar(&inputs, "input", nil, "run also with these `ARGS` of the program; can be repeated")
	ruleFlags(f, &p)
	end := section(f, "Report")
	f.BoolVar(&apply, "apply", false, "write the patches into the files")
	f.BoolVarP(&ask, "interactive", "i", false, askHelp)
	f.StringVar(&format, "format", "diff", "write the patches as `FORMAT`: diff or json")
	end()
	filterFlags(f, &p)
	machineFlags(f, &p)
	compilerFlags(f, &p)
	return cmd
}

func (c *command) writeTidy(r *repair.TidyReport, format string, apply bool) error {
	r.Text(c.stderr, workingDir())
	if apply {
		for _, f := range r.Files {
			if err := writeKept(f.File, f.Before, f.After); err != nil {
				return usage(err)
			}
		}
	}
	switch {
	case format == "json":
		return writeJSON(c.stdout, r)
	case apply:
		return nil
	}
	return r.Diff(c.stdout, workingDir())
}
