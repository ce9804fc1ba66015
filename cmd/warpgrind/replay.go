package main

import (
	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/session"
)

func (c *command) replayCommand() *cobra.Command {
	var p programFlags
	var out output
	cmd := &cobra.Command{
		Use:   "replay [flags] CAPSULE",
		Short: "Check one recorded launch again, without its program",
		Long: `Runs a launch that warpgrind run --record has written down, and checks it. It
needs neither the program nor a compiler, and finds what the run found in this
launch. Rules, architecture and order of execution are those of the run unless
flags name others.`,
		Example: `  warpgrind run --record capsules app.cu
  warpgrind replay capsules/launch-0003-scan.json
  warpgrind replay --tool all --seed 7 --schedule random launch-0003-scan.json`,
		Args:    cobra.ExactArgs(1),
		PreRunE: c.configured,
		RunE: func(cmd *cobra.Command, args []string) error {
			out.errorCodeGiven = cmd.Flags().Changed("error-exitcode")
			cfg, err := p.config(cmd, args)
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("schedule") {
				cfg.Schedule = ""
			}
			if !cmd.Flags().Changed("on-fault") {
				cfg.OnFault = ""
			}
			if err := c.prepare(&cfg, &out); err != nil {
				return err
			}
			r, err := session.Replay(cmd.Context(), args[0], cfg)
			if err != nil {
				return err
			}
			return c.conclude(r, out)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	ruleFlags(f, &p)
	reportFlags(f, &p, &out)
	replayFlags(f, &p)
	machineFlags(f, &p)
	return cmd
}

func (c *command) capsuleCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "capsule CAPSULE",
		Short:   "Show what a recorded launch consists of",
		Long:    "Shows the kernel, configuration, arguments and memory of a launch that\nwarpgrind run --record has written down.",
		Example: "  warpgrind capsule capsules/launch-0003-scan.json",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return session.ShowCapsule(c.stdout, args[0])
		},
	}
}
