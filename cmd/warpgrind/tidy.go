package main

import (
	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/fix"
	"github.com/warpgrind/warpgrind/internal/repair"
)

func (c *command) tidyCommand() *cobra.Command {
	var p programFlags
	patches := patchFlags{formats: []string{"diff", "json"}}
	var inputs []string
	var theseInputs bool
	cmd := &cobra.Command{
		Use:   "tidy [flags] app.cu... [-- args]",
		Short: "Remove barriers, fences and atomics that are not needed",
		Long: `Runs the program, which must have no errors, and once more for each barrier,
fence and atomic update whose result is not used: without it, or with a weaker
one in its place. It is redundant if nothing new is found, the program writes
and prints the same, with every input, under the default and eight other
schedules, it takes no more instructions, and the solver proves that no other
input needs it: for any grid, block, parameters and contents of memory. With
--these-inputs, what only these inputs do not need is removed as well.

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
			choose, err := patches.configure(c, &cfg)
			if err != nil {
				return err
			}
			r, err := fix.Tidy(cmd.Context(), cfg, inputs, theseInputs, choose)
			if err != nil {
				return err
			}
			c.code = r.Exit
			return c.writeTidy(r, &patches)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringArrayVar(&inputs, "input", nil, "run also with these `ARGS` of the program; can be repeated")
	f.BoolVar(&theseInputs, "these-inputs", false, "also remove what these inputs do not need, without a proof for others")
	ruleFlags(f, &p)
	end := section(f, "Report")
	patches.add(f, "write the patches as `FORMAT`: diff or json")
	end()
	filterFlags(f, &p, false)
	machineFlags(f, &p, false)
	compilerFlags(f, &p)
	return cmd
}

func (c *command) writeTidy(r *repair.TidyReport, p *patchFlags) error {
	r.Text(c.stderr, workingDir())
	if err := p.write(r.Files); err != nil {
		return err
	}
	switch {
	case p.format == "json":
		return writeJSON(c.stdout, r)
	case p.apply:
		return nil
	}
	return r.Diff(c.stdout, workingDir())
}
