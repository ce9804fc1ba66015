package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/study"
	"github.com/warpgrind/warpgrind/internal/trial"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

func (c *command) barriersCommand() *cobra.Command {
	var p programFlags
	var format, file string
	cmd := &cobra.Command{
		Use:   "barriers [flags] app.cu... | executable [-- args]",
		Short: "Find out which barriers are needed",
		Long: `Runs the program unchanged, and once more for each __syncthreads, __syncwarp and
group barrier that it reaches, without that barrier. A barrier is needed if its
removal causes a race or another defect, or changes a buffer, the output or the
exit code.`,
		Example: "  warpgrind barriers app.cu",
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
			cfg.Stdin, cfg.Stdout, cfg.Stderr = c.stdin, c.stdout, c.stderr
			if format != "text" && file == "" {
				cfg.Stdout = c.stderr // standard output is the report's alone
			}
			r, err := trial.Barriers(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			c.code = r.Exit
			return c.writeStudy(r, format, file)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	ruleFlags(f, &p)
	end := section(f, "Report")
	f.StringVar(&format, "format", "text", "report `FORMAT`: text or json")
	f.StringVarP(&file, "output", "o", "", "write the report to `FILE`")
	end()
	filterFlags(f, &p, false)
	machineFlags(f, &p, false)
	compilerFlags(f, &p)
	return cmd
}

// writeStudy renders a study to the file or to standard output.
func (c *command) writeStudy(r *study.Report, format, file string) error {
	w := c.stdout
	if file != "" {
		f, err := userfile.Create(file)
		if err != nil {
			return usage(err)
		}
		defer f.Close()
		w = f
	}
	if format == "text" {
		return study.Text(w, r, workingDir())
	}
	return writeJSON(w, r)
}

func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
