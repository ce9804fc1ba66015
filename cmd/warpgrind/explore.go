package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/trial"
)

func (c *command) exploreCommand() *cobra.Command {
	var p programFlags
	var out output
	var how session.Exploration
	cmd := &cobra.Command{
		Use:   "explore [flags] app.cu... | executable [-- args] | CAPSULE",
		Short: "Run small launches in every order of their warps",
		Long: `Runs a program, or a recorded launch, and executes each of its launches again
in every order of its warps that can make a difference, each from the memory
that the launch began with. It reports which results memory can have, with an
order for each, the defects that some execution shows, and whether all were
executed. It is for launches of at most 64 warps with few accesses to memory
that warps share.`,
		Example: `  warpgrind explore app.cu
  warpgrind explore --kernel 'queue*' --executions 100000 app.cu
  warpgrind explore --schedules orders capsules/launch-0003-scan.json
  warpgrind run --schedule orders/launch-0003-outcome-2.txt app.cu`,
		Args:    cobra.ArbitraryArgs,
		PreRunE: c.configured,
		RunE: func(cmd *cobra.Command, args []string) error {
			out.errorCodeGiven = cmd.Flags().Changed("error-exitcode")
			if how.Executions < 1 {
				return usage(fmt.Errorf("--executions %d: want a positive number", how.Executions))
			}
			cfg, err := p.config(cmd, args)
			if err != nil {
				return err
			}
			cfg.Explore = &how
			if len(args) != 1 || filepath.Ext(args[0]) != ".json" {
				return c.run(cmd, cfg, out)
			}
			cfg.Schedule = ""
			if !cmd.Flags().Changed("on-fault") {
				cfg.OnFault = ""
			}
			if err := c.prepare(&cfg, &out); err != nil {
				return err
			}
			r, err := trial.Replay(cmd.Context(), args[0], cfg, p.expect)
			if err != nil {
				return err
			}
			return c.conclude(r, out)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	end := section(f, "Exploration")
	f.IntVar(&how.Executions, "executions", session.DefaultExecutions, "execute each launch at most `N` times")
	f.StringVar(&how.Dir, "schedules", "", "write the orders of outcomes and findings to files in `DIR`, for --schedule of run and replay")
	end()
	ruleFlags(f, &p)
	reportFlags(f, &p, &out)
	filterFlags(f, &p, false)
	knownFlags(f, &p.cfg)
	machineFlags(f, &p, false)
	compilerFlags(f, &p)
	return cmd
}
