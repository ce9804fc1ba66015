package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/examine"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/fix"
	"github.com/warpgrind/warpgrind/internal/lsp"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/trial"
)

// The patterns of the reports that lsp shows: those of the habit to say
// --save warpgrind.json, in the workspace's folder or one below.
var savedReports = []string{"warpgrind*.json", "*/warpgrind*.json"}

// typingPause is how long nothing is typed before a source is checked, runPause before
// it is run; reportPause how often saved reports are looked for, for editors that do not
// watch files.
// runLimit is how long a run may take that the user has not asked for.
const (
	typingPause = 300 * time.Millisecond
	runPause    = time.Second
	runLimit    = time.Minute
	reportPause = time.Second
)

func (c *command) lspCommand() *cobra.Command {
	o := lsp.Options{Version: session.Version, Delay: typingPause, Pause: runPause, Poll: reportPause}
	var p programFlags
	var off bool
	cmd := &cobra.Command{
		Use:   "lsp [flags]",
		Short: "Show findings in an editor",
		Long: `A language server on standard input and output, started by editors. It shows the
findings of the last run: the newest report that "warpgrind run --save" has
written in the workspace. Findings keep their lines while the text changes; a
finding disappears when its line is edited, until the next run. Hovering over a
finding explains it.

Open CUDA sources are checked as you type, as "warpgrind check" does, with the
compiler flags given here. With --run, an open source that is a whole program is
run each time it is saved, without input, and when an edit makes one of its
findings out of date; for its errors the editor offers the patches that
"warpgrind fix" finds, which were run as well. The server's commands to run a
program, to fix it, to show its report and to stop it work without --run.`,
		Example: `  warpgrind run --save warpgrind.json app.cu      and the editor shows it
  warpgrind lsp -I include --std c++17            as an editor starts it
  warpgrind lsp --run                             and repairs what is saved`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Errorf("lsp takes no arguments; editors start it"))
			}
			cfg, err := p.config(cmd, nil)
			if err != nil {
				return err
			}
			o.Rules = documentation()
			if !off {
				o.Check = typed(cfg)
			}
			o.Run = program(cfg)
			if err := lsp.Serve(cmd.Context(), stdio{c.stdin, c.stdout}, o); err != nil {
				return usage(err)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringSliceVar(&o.Reports, "report", savedReports, "saved reports, relative to the workspace: `FILES` with * and ?; the newest is shown")
	f.BoolVar(&off, "no-check", false, "show saved reports only")
	f.BoolVar(&o.OnSave, "run", false, "run programs when they are saved, and offer repairs")
	staticRuleFlags(f, &p)
	compilerFlags(f, &p)
	f.Bool("stdio", true, "") // editors add it
	cobra.CheckErr(f.MarkHidden("stdio"))
	return cmd
}

// typed checks what is typed.
func typed(cfg session.Config) lsp.Checker {
	cfg.Stderr = io.Discard
	return func(ctx context.Context, file, text string) ([]*finding.Finding, error) {
		return examine.CheckText(ctx, examine.StaticConfig{Config: cfg}, file, text)
	}
}

// program runs the program of a source, and looks for patches of its errors.
func program(cfg session.Config) lsp.Runner {
	cfg.Stdin, cfg.Stderr, cfg.Tools = nil, io.Discard, ""
	return func(ctx context.Context, q *lsp.Request, found func(*report.Report)) ([]lsp.Fix, error) {
		one := cfg
		one.Inputs, one.Args, one.Stdout = []string{q.File}, q.Args, q.Output
		if !q.Asked {
			one.Timeout = runLimit
		}
		if q.Text != nil {
			r, err := examine.RunText(ctx, one, q.File, *q.Text)
			if err == nil {
				found(r)
			}
			return nil, err
		}
		r, err := trial.Check(ctx, one)
		if err != nil {
			return nil, err
		}
		if found(r); r.Exit != session.ExitFindings {
			return nil, nil
		}
		one.Stdout = io.Discard
		fixed, _, err := fix.Fix(ctx, one, nil)
		if err != nil {
			return nil, err
		}
		var out []lsp.Fix
		for _, x := range fixed.Results {
			if x.Outcome == repair.Fixed && len(fixed.Files) > 0 {
				out = append(out, lsp.Fix{Finding: x.Finding, What: x.What, Edits: x.Edits})
			}
		}
		return out, nil
	}
}

// stdio is the connection to the editor.
type stdio struct {
	io.Reader
	io.Writer
}

// Close makes a read that waits return.
func (s stdio) Close() error {
	if c, ok := s.Reader.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
