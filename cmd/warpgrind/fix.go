package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
)

func (c *command) fixCommand() *cobra.Command {
	var p programFlags
	var format string
	var apply, ask bool
	cmd := &cobra.Command{
		Use:   "fix [flags] app.cu... [-- args]",
		Short: "Repair errors in the source, by patches that were run",
		Long: `Runs the program, and for each error tries patches of the source: a barrier or a
fence at the place that is missing one, an atomic function for an update, a
condition for an index, a first value for memory. A patch holds if the finding
is gone and no other one has come, under the default and eight other schedules.
One with which the program computes the same is preferred; else what changes is
named. Patches that are not needed beside the others are left out.

The patches go to standard output as a unified diff, or as fixes of the findings
in SARIF, or with --apply into the files; what became of each finding goes to
standard error. The exit code is 0 if
all errors are fixed, and 1 if not.`,
		Example: "  warpgrind fix app.cu | git apply\n  warpgrind fix --apply app.cu",
		Args:    cobra.ArbitraryArgs,
		PreRunE: c.configured,
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := p.config(cmd, args)
			if err != nil {
				return err
			}
			if !slices.Contains([]string{"diff", "json", "sarif", "suggestions"}, format) {
				return usage(fmt.Errorf("--format %q: want diff, json, sarif or suggestions", format))
			}
			cfg.Stdin, cfg.Stdout, cfg.Stderr = c.stdin, c.stderr, c.stderr
			var choose session.Choose
			if ask {
				if format != "diff" {
					return usage(errors.New("--interactive takes no --format"))
				}
				choose, cfg.Stdin = c.ask(), nil
			}
			r, before, err := session.Fix(cmd.Context(), cfg, choose)
			if err != nil {
				return err
			}
			c.code = r.Exit
			return c.writeFix(r, before, format, apply || ask)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	ruleFlags(f, &p)
	end := section(f, "Report")
	f.BoolVar(&apply, "apply", false, "write the patches into the files")
	f.BoolVarP(&ask, "interactive", "i", false, askHelp)
	f.StringVar(&format, "format", "diff", "write the patches as `FORMAT`: diff, json, sarif\n(the findings, with the patches as their fixes), or\nsuggestions (a review of a pull request on GitHub)")
	end()
	filterFlags(f, &p)
	machineFlags(f, &p)
	compilerFlags(f, &p)
	return cmd
}

// writeFix writes what was found before, and the patches.
func (c *command) writeFix(r *repair.Report, before *report.Report, format string, apply bool) error {
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
	case format == "sarif":
		o := renderOptions()
		o.Fixes = map[*finding.Finding]report.Fix{}
		for _, x := range r.Results {
			if x.Outcome == repair.Fixed {
				o.Fixes[x.Finding] = report.Fix{What: x.What, Replacements: x.Edits}
			}
		}
		return report.Write(c.stdout, before, "sarif", o)
	case format == "suggestions":
		return r.Suggestions(c.stdout, workingDir())
	case apply:
		return nil
	}
	return r.Diff(c.stdout, workingDir())
}

// writeKept writes a file that still has the text that it was read with.
func writeKept(file, before, after string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if now, err := os.ReadFile(file); err != nil {
		return err
	} else if string(now) != before {
		return fmt.Errorf("%s was changed meanwhile: nothing is written to it", file)
	}
	return os.WriteFile(file, []byte(after), info.Mode().Perm())
}

const askHelp = "show each patch and ask whether to write it into the\nfiles; the program gets no input"

// ask asks the user about each patch.
func (c *command) ask() session.Choose {
	in := bufio.NewReader(c.stdin)
	all, none := false, false
	return func(o *repair.Offer) (bool, error) {
		if all || none {
			return all, nil
		}
		fmt.Fprintln(c.stderr, o.Why)
		if err := o.Diff(c.stderr, workingDir()); err != nil {
			return false, err
		}
		for {
			fmt.Fprintf(c.stderr, "%s [y,n,a,q,?]? ", o.What)
			line, err := in.ReadString('\n')
			switch answer := strings.TrimSpace(line); {
			case answer == "y":
				return true, nil
			case answer == "n":
				return false, nil
			case answer == "a":
				all = true
				return true, nil
			case answer == "q" || err != nil: // also at the end of the input
				none = true
				return false, nil
			}
			fmt.Fprintln(c.stderr, "y: write this patch; n: do not; a: write this and all others; q: write this and all others not")
		}
	}
}
