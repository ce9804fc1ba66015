package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/suite"
)

func (c *command) planCommand() *cobra.Command {
	var s suiteFlags
	var t suite.Target
	var engine, file string
	cmd := &cobra.Command{
		Use:   "plan [flags] capsules, directories or programs...",
		Short: "List the jobs of a suite, or write them for an engine",
		Long: `Lists what warpgrind suite does with the same flags, or writes it for an engine
that runs it on many machines: a workflow for GitHub Actions, a job array for
Slurm, an Indexed Job for Kubernetes, or tests for Bazel, one for each job,
whose results are cached until a capsule or warpgrind changes.`,
		Example: `  warpgrind plan --split tool capsules/
  warpgrind plan --for slurm --shards 16 -o suite.sbatch capsules/
  warpgrind plan --for bazel -o BUILD.bazel capsules/`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if !slices.Contains(suite.Engines(), engine) {
				return usage(fmt.Errorf("--for %q%s: want %s", engine, didYouMean(engine, suite.Engines()), strings.Join(suite.Engines(), ", ")))
			}
			if t.Shards < 1 || t.Shards > maxPlanned {
				return usage(fmt.Errorf("--shards %d: want 1 to %d", t.Shards, maxPlanned))
			}
			p, err := s.plan(args)
			if err != nil {
				return err
			}
			t.Command = []string{"warpgrind", "suite"}
			if len(s.split) > 0 {
				t.Command = append(t.Command, "--split="+strings.Join(s.split, ","))
			}
			t.Command = append(append(t.Command, s.given("")...), args...)
			var b bytes.Buffer
			if err := p.Write(&b, engine, t); err != nil {
				return usage(err)
			}
			return c.writePlan(b.Bytes(), engine, file)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	s.flags(f)
	end := section(f, "Engine")
	f.StringVar(&engine, "for", "list", "write the plan for `ENGINE`: "+strings.Join(suite.Engines(), ", "))
	f.StringVarP(&file, "output", "o", "", "write it to `FILE`")
	f.IntVar(&t.Shards, "shards", 4, "divide the jobs into `N` shards")
	f.StringVar(&t.Name, "name", "warpgrind", "`NAME` of the workflow or job")
	f.StringVar(&t.Results, "results", "results", "`DIR` for the results of the shards, which all of them can write to")
	f.IntVar(&t.Timeout, "time-limit", 60, "end a shard after `MINUTES`")
	f.StringVar(&t.Image, "image", "warpgrind", "container `IMAGE` for Kubernetes")
	f.StringVar(&t.Volume, "volume", "warpgrind", "`CLAIM` of the volume with inputs and results for Kubernetes")
	end()
	return cmd
}

// maxPlanned bounds the shards of a plan: GitHub's matrices have at most 256 jobs, Slurm's arrays
// 1,001 unless the cluster says otherwise.
const maxPlanned = 1 << 16

// writePlan writes a plan to a file or standard output. Bazel's has a second file beside it.
func (c *command) writePlan(text []byte, engine, file string) error {
	if file == "" || file == "-" {
		_, err := c.stdout.Write(text)
		return err
	}
	if engine == "bazel" {
		rule := filepath.Join(filepath.Dir(file), "warpgrind.bzl")
		if err := writeFile(rule, func(w io.Writer) error { _, err := io.WriteString(w, suite.Bazel()); return err }); err != nil {
			return err
		}
	}
	return writeFile(file, func(w io.Writer) error { _, err := w.Write(text); return err })
}
