package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/warpgrind/warpgrind"
	"github.com/warpgrind/warpgrind/internal/check/registry"
)

// programFlags are the flags of the commands that run a program.
type programFlags struct {
	cfg   warpgrind.Config
	build string
	nvcc  []string
	log   string // file for the log of launches
}

// config is what the flags and arguments ask for; the program's own arguments
// come after "--".
func (p *programFlags) config(cmd *cobra.Command, args []string) (warpgrind.Config, error) {
	cfg := p.cfg
	cfg.Inputs = args
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		cfg.Inputs, cfg.Args = args[:n], args[n:]
	}
	switch p.build {
	case "source", "optimized":
		cfg.Optimized = p.build == "optimized"
	default:
		return cfg, usage(fmt.Errorf("--build %q: want source or optimized", p.build))
	}
	for _, f := range p.nvcc {
		cfg.NVCCFlags = append(cfg.NVCCFlags, strings.Fields(f)...)
	}
	return cfg, p.openLog(&cfg)
}

// openLog opens the file of --log-launches.
func (p *programFlags) openLog(cfg *warpgrind.Config) error {
	switch p.log {
	case "":
		return nil
	case "-":
		cfg.LogLaunches = os.Stderr
		return nil
	}
	f, err := os.Create(p.log)
	if err != nil {
		return usage(err)
	}
	cfg.LogLaunches = f // open to the end, every line is written at once
	return nil
}

// ruleFlags adds the flags that say what is checked.
func ruleFlags(f *pflag.FlagSet, p *programFlags) {
	f.StringVar(&p.cfg.Tools, "tool", "", "rules to check, separated by commas: "+strings.Join(registry.IDs(), ", ")+" or all (default: the correctness rules)")
	f.StringVar(&p.cfg.Arch, "arch", "", "architecture to emulate, sm_NN (default sm_80)")
	f.StringVar(&p.cfg.RaceModel, "race-model", "its", "its, lockstep or thread: which threads of a warp count as ordered")
	f.StringVar(&p.build, "build", "source", "source (keeps every access of the source) or optimized (what -O3 makes of it)")
}

// machineFlags adds the flags of the emulated machine and its limits.
func machineFlags(f *pflag.FlagSet, p *programFlags) {
	f.IntVarP(&p.cfg.Workers, "jobs", "j", 0, "blocks to run at once (default: one a core)")
	f.IntVar(&p.cfg.Devices, "devices", 1, "GPUs that the program sees, 1 to 64")
	f.DurationVar(&p.cfg.Timeout, "timeout", 0, "end the run after this time, for example 30s")
	f.Uint64Var(&p.cfg.MaxSteps, "max-steps", 0, "instructions of one warp after which its loop counts as endless (default 2^36)")
}

// compilerFlags adds the flags that go to the compiler.
func compilerFlags(f *pflag.FlagSet, p *programFlags) {
	f.StringArrayVarP(&p.cfg.Defines, "define", "D", nil, "macro for the compiler")
	f.StringArrayVarP(&p.cfg.Includes, "include", "I", nil, "include directory for the compiler")
	f.StringVar(&p.cfg.Std, "std", "", "language standard for the compiler, for example c++17")
	f.StringVarP(&p.cfg.Opt, "optimize", "O", "", "optimisation level of the host code")
	f.StringArrayVar(&p.nvcc, "nvcc-flags", nil, "further flags, as nvcc has them")
	f.StringVar(&p.cfg.CudaPath, "cuda-path", "", "NVIDIA's CUDA toolkit, for Thrust, CUB and libcu++ (default: the one that CUDA_HOME names)")
	f.StringVar(&p.cfg.Frontend, "frontend", "clang", "compiler that reads the sources: clang, or nvcc of the CUDA toolkit")
	f.StringVar(&p.cfg.Clang, "clang", "", "compiler to use (default: the newest that is installed)")
}

// filterFlags adds the flags that choose launches and blocks.
func filterFlags(f *pflag.FlagSet, p *programFlags) {
	c := &p.cfg.Controls
	f.StringVar(&c.Kernel, "kernel", "", "kernels to check: names with * and ?, mangled or not, or regex:EXPR (default: all)")
	f.IntVar(&c.LaunchSkip, "launch-skip", 0, "launches of these kernels to leave out at the beginning")
	f.IntVar(&c.LaunchCount, "launch-count", 0, "launches of these kernels to check; 0 means all")
	f.StringVar(&c.Sample, "sample", "", "blocks to check: 1/N, or N of each launch (default: all)")
}

// controlFlags adds the flags that choose what is checked and how.
func controlFlags(f *pflag.FlagSet, p *programFlags) {
	c := &p.cfg.Controls
	filterFlags(f, p)
	f.StringArrayVar(&c.Suppressions, "suppressions", nil, "file with findings to leave out")
	f.StringVar(&c.GenSuppressions, "gen-suppressions", "", "file to write suppressions for the findings to")
	f.StringVar(&c.Schedule, "schedule", "default", "order of blocks, warps and lanes: default, reverse or random")
	f.Uint64Var(&c.Seed, "seed", 1, "which random schedule")
	f.IntVar(&c.Runs, "runs", 1, "run so often, under different schedules, and compare the results")
	f.StringVar(&p.log, "log-launches", "", "describe each launch and its arguments before it runs, on standard error or in =FILE")
	f.Lookup("log-launches").NoOptDefVal = "-"
	f.StringVar(&c.DumpBuffers, "dump-buffers", "", "directory for the contents of all buffers after each launch")
	f.StringArrayVar(&c.Watch, "watch", nil, "tell every access to one place: NAME[i] of a shared or global variable or of a buffer (cudaMalloc2[7]), or an address")
}
