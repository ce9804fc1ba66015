package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/trial"
)

func (c *command) controlCommand() *cobra.Command {
	var p programFlags
	var format string
	var tries int
	cmd := &cobra.Command{
		Use:   "control [flags] app.cu... [-- args]",
		Short: "Plant defects in the program, and show that they are found",
		Long: `A positive control: runs the program as it is, and then with a defect of each
kind that its sources have room for. A barrier, a fence, a bounds check, an
initialization or a wait is taken away, one at a time; nothing is written to the
sources. A defect is found if there is a finding that the program as it is does
not have, and missed if results differ and there is none.

The exit code is 0 if a defect was found, and one of each kind that had an
effect; 1 if a kind was missed; 4 if nothing could be planted that matters to
this input.`,
		Example: "  warpgrind control app.cu -- 1000",
		Args:    cobra.ArbitraryArgs,
		PreRunE: c.configured,
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := p.config(cmd, args)
			if err != nil {
				return err
			}
			if format != "text" && format != "json" {
				return usage(fmt.Errorf("--format %q: want text or json", format))
			}
			if tries < 1 {
				return usage(fmt.Errorf("--tries %d: want at least 1", tries))
			}
			cfg.Stdin, cfg.Stdout, cfg.Stderr = c.stdin, io.Discard, c.stderr
			r, err := trial.Control(cmd.Context(), cfg, tries)
			if err != nil {
				return err
			}
			c.code = r.Exit
			if format == "json" {
				return writeJSON(c.stdout, r)
			}
			return r.Text(c.stdout, workingDir())
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	ruleFlags(f, &p)
	end := section(f, "Report")
	f.StringVar(&format, "format", "text", "report `FORMAT`: text or json")
	f.IntVar(&tries, "tries", 3, "plant at most `N` defects of a kind, until one is found")
	end()
	filterFlags(f, &p, false)
	machineFlags(f, &p, false)
	compilerFlags(f, &p)
	return cmd
}
