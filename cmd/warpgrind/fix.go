package main

import (
	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/fix"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/report"
)

func (c *command) fixCommand() *cobra.Command {
	var p programFlags
	var perf bool
	patches := patchFlags{formats: []string{"diff", "json", "sarif", "suggestions"}}
	cmd := &cobra.Command{
		Use:   "fix [flags] app.cu... [-- args]",
		Short: "Repair errors in the source, by patches that were run",
		Long: `Runs the program, and for each error tries patches of the source: a barrier or a
fence at the place that is missing one, an atomic function for an update, a
condition for an index, a first value for memory. A patch holds if the finding
is gone and no other one has come, under the default and eight other schedules.
One with which the program computes the same is preferred; else what changes is
named. Patches that are not needed beside the others are left out. Trials end
after --trial-time; then what was not tried is told.

With --perf it repairs what the performance rules find in a program without
errors. A patch holds if the program computes the same and needs fewer bank
passes or sectors.

The patches go to standard output as a unified diff, or as fixes of the findings
in SARIF, or with --apply into the files; what became of each finding goes to
standard error. The exit code is 0 if
all errors are fixed, and 1 if not.`,
		Example: "  warpgrind fix app.cu | git apply\n  warpgrind fix --apply app.cu\n  warpgrind fix --perf app.cu",
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
			repair := fix.Fix
			if perf {
				repair = fix.FixPerf
			}
			r, before, err := repair(cmd.Context(), cfg, choose)
			if err != nil {
				return err
			}
			c.code = r.Exit
			return c.writeFix(r, before, &patches)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	ruleFlags(f, &p)
	f.BoolVar(&perf, "perf", false, "repair bank conflicts and uncoalesced accesses of a\nprogram without errors: pad rows, exchange x and y")
	timeVar(f, &p.cfg.TrialTime, "trial-time", fix.DefaultTrialTime, "try patches for at most this `TIME`")
	end := section(f, "Report")
	patches.add(f, "write the patches as `FORMAT`: diff, json, sarif\n(the findings, with the patches as their fixes), or\nsuggestions (a review of a pull request on GitHub)")
	end()
	filterFlags(f, &p, false)
	machineFlags(f, &p, false)
	compilerFlags(f, &p)
	return cmd
}

// writeFix writes what was found before, and the patches.
func (c *command) writeFix(r *repair.Report, before *report.Report, p *patchFlags) error {
	r.Text(c.stderr, workingDir())
	if err := p.write(r.Files); err != nil {
		return err
	}
	switch {
	case p.format == "json":
		return writeJSON(c.stdout, r)
	case p.format == "sarif":
		o := renderOptions()
		o.Fixes = map[*finding.Finding]report.Fix{}
		for _, x := range r.Results {
			if x.Outcome == repair.Fixed {
				o.Fixes[x.Finding] = report.Fix{What: x.What, Replacements: x.Edits}
			}
		}
		return report.Write(c.stdout, before, "sarif", o)
	case p.format == "suggestions":
		return r.Suggestions(c.stdout, workingDir())
	case p.apply:
		return nil
	}
	return r.Diff(c.stdout, workingDir())
}
