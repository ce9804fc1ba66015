package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/trial"
	"github.com/warpgrind/warpgrind/internal/visible"
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
		Args:    oneArgument,
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
			r, err := trial.Replay(cmd.Context(), args[0], cfg, p.expect)
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
	machineFlags(f, &p, true)
	return cmd
}

func (c *command) capsuleCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "capsule show | minimize | export",
		Short: "Show, minimize or export a recorded launch",
		Long:  "Works on launches that warpgrind run --record has written down.",
		Example: `  warpgrind capsule show capsules/launch-0003-scan.json
  warpgrind capsule minimize -o small capsules/launch-0003-scan.json
  warpgrind capsule export -o repro.cu small/launch-0003-scan.json`,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Args: noArguments,
	}
	cmd.AddCommand(&cobra.Command{
		Use:     "show CAPSULE",
		Short:   "Show what a recorded launch consists of",
		Long:    "Shows the kernel, configuration, arguments and memory of a recorded launch.",
		Example: "  warpgrind capsule show capsules/launch-0003-scan.json",
		Args:    oneArgument,
		RunE: func(_ *cobra.Command, args []string) error {
			return session.ShowCapsule(c.stdout, args[0])
		},
	}, c.minimizeCommand(), c.exportCommand())
	return cmd
}

func (c *command) exportCommand() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "export [-o FILE] CAPSULE",
		Short: "Write a recorded launch as a CUDA program",
		Long: `Writes a program of one file that makes the memory of a recorded launch, loads
its PTX and launches the kernel by the driver API: on a GPU, or under any tool.
Words of memory and arguments that are addresses in allocations are adjusted.
Make the capsule smaller first: memory contents become text.`,
		Example: "  warpgrind capsule export -o repro.cu capsules/launch-0003-scan.json",
		Args:    oneArgument,
		RunE: func(_ *cobra.Command, args []string) error {
			if name == "" {
				return trial.ExportCapsule(c.stdout, args[0])
			}
			var b bytes.Buffer
			if err := trial.ExportCapsule(&b, args[0]); err != nil {
				return err
			}
			return writeFile(name, func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err })
		},
	}
	cmd.Flags().StringVarP(&name, "output", "o", "", "write to `FILE` instead of standard output")
	return cmd
}

// minimizeTime bounds the replays of a capsule that is made smaller.
const minimizeTime = time.Minute

func (c *command) minimizeCommand() *cobra.Command {
	var p programFlags
	var dir string
	cmd := &cobra.Command{
		Use:   "minimize [flags] CAPSULE",
		Short: "Write a smaller capsule that shows the same findings",
		Long: `Leaves out blocks and memory contents of a recorded launch as long as a replay
shows the same findings, and writes what is left as another capsule.`,
		Example: "  warpgrind capsule minimize -o small capsules/launch-0003-scan.json",
		Args:    oneArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			if dir == "" {
				return usage(errors.New("capsule minimize: name a directory for the smaller capsule with -o DIR"))
			}
			m, err := trial.Minimize(cmd.Context(), args[0], dir, p.cfg)
			if err != nil {
				return err
			}
			_, _ = visible.Fprintf(c.stdout, "%s: %d of %d blocks, %d of %d bytes of memory contents, after %d replays\n",
				m.File, m.Blocks[1], m.Blocks[0], m.Bytes[1], m.Bytes[0], m.Replays)
			for _, f := range m.Findings {
				_, _ = visible.Fprintf(c.stdout, "  %s\n", f)
			}
			if m.Cut {
				fmt.Fprintln(c.stdout, "  the time is over: it may be smaller still (--timeout)")
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&dir, "output", "o", "", "write the capsule to `DIR`")
	f.StringVar(&p.cfg.Tools, "tool", "", "keep the findings of `RULES`, separated by commas (default: those of the recording)")
	f.StringVar(&p.cfg.ErrorLevel, "error-level", "error", "keep findings of this `LEVEL` and above: error, warning or info")
	timeVar(f, &p.cfg.Timeout, "timeout", minimizeTime, "stop trying after `TIME`")
	return cmd
}
