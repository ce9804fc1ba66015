package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/numdiff"
)

func (c *command) diffCommand() *cobra.Command {
	var o numdiff.Options
	var nan, zero string
	var limit int
	cmd := &cobra.Command{
		Use:   "diff [flags] A B",
		Short: "Compare buffers that --dump-buffers wrote",
		Long: `Compares two files of numbers, or the files with equal names in two directories,
as written by --dump-buffers or by any other program. The exit code is 0 if they
are equal within the tolerances, and 1 if not.`,
		Example: `  warpgrind run --dump-buffers old app.cu      and the same after a change
  warpgrind diff --rel 1e-6 old new`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage(fmt.Errorf("diff takes two files or two directories"))
			}
			if o.Abs < 0 || o.Rel < 0 || limit < 0 {
				return usage(fmt.Errorf("--abs, --rel and --limit: want non-negative numbers"))
			}
			for _, f := range []struct {
				name, value string
				differs     *bool
			}{{"nan", nan, &o.NaNDiffers}, {"zero", zero, &o.ZeroDiffers}} {
				if f.value != "equal" && f.value != "differ" {
					return usage(fmt.Errorf("--%s %q: want equal or differ", f.name, f.value))
				}
				*f.differs = f.value == "differ"
			}
			return c.diff(args[0], args[1], o, limit)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Float64Var(&o.Abs, "abs", 0, "allowed absolute difference `X`")
	f.Float64Var(&o.Rel, "rel", 0, "allowed difference `X` relative to the larger magnitude")
	f.StringVar(&nan, "nan", "equal", "compare NaN with NaN as `RESULT`: equal or differ")
	f.StringVar(&zero, "zero", "equal", "compare 0 with -0 as `RESULT`: equal or differ")
	f.BoolVar(&o.Unordered, "unordered", false, "compare the elements regardless of their order")
	f.IntVar(&limit, "limit", 5, "show `N` differences per file: the first and the largest ones")
	return cmd
}

func (c *command) diff(a, b string, o numdiff.Options, limit int) error {
	s, err := numdiff.Paths(c.stdout, a, b, o, limit)
	if err != nil {
		return usage(err)
	}
	fmt.Fprintf(c.stdout, "warpgrind: %d compared, %d differ", s.Compared, s.Differ)
	if s.Missing > 0 {
		fmt.Fprintf(c.stdout, ", %d without counterpart", s.Missing)
	}
	fmt.Fprintln(c.stdout)
	if !s.Same() {
		c.code = 1
	}
	return nil
}
