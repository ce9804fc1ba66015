package main

import (
	"github.com/spf13/pflag"

	"github.com/warpgrind/warpgrind"
)

// controlFlags adds the flags that choose what is checked and how.
func controlFlags(f *pflag.FlagSet, c *warpgrind.Controls) {
	f.StringVar(&c.Kernel, "kernel", "", "kernels to check: names with * and ?, mangled or not, or regex:EXPR (default: all)")
	f.IntVar(&c.LaunchSkip, "launch-skip", 0, "launches of these kernels to leave out at the beginning")
	f.IntVar(&c.LaunchCount, "launch-count", 0, "launches of these kernels to check; 0 means all")
	f.StringVar(&c.Sample, "sample", "", "blocks to check: 1/N, or N of each launch (default: all)")
	f.StringArrayVar(&c.Suppressions, "suppressions", nil, "file with findings to leave out")
	f.StringVar(&c.GenSuppressions, "gen-suppressions", "", "file to write suppressions for the findings to")
	f.StringVar(&c.Schedule, "schedule", "default", "order of blocks, warps and lanes: default, reverse or random")
	f.Uint64Var(&c.Seed, "seed", 1, "which random schedule")
}
