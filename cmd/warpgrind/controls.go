package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/session"
)

// programFlags are the flags of the commands that run a program.
type programFlags struct {
	cfg   session.Config
	build string
	nvcc  []string
	log   string // file for the log of launches
}

// config is what the flags and arguments ask for; the program's own arguments
// come after "--".
func (p *programFlags) config(cmd *cobra.Command, args []string) (session.Config, error) {
	cfg := p.cfg
	cfg.Inputs = args
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		cfg.Inputs, cfg.Args = args[:n], args[n:]
	}
	if err := checkTools(cfg.Tools); err != nil {
		return cfg, err
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
func (p *programFlags) openLog(cfg *session.Config) error {
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
	defer section(f, "What to check")()
	anyRuleFlags(f, p, registry.IDs(), "the correctness rules")
	f.StringVar(&p.cfg.LeakCheck, "leak-check", "no", "`WHAT`: full reports memory that is not freed when the program ends, no does not")
	f.BoolVar(&p.cfg.WatchAll, "watch-all", false, "watch accesses too that are proved safe before a launch, and in shared memory blocks too that are proved to do what others do")
	f.Uint64Var(&p.cfg.Padding, "padding", 0, "least `BYTES` between two allocations (default 512)")
	f.StringVar(&p.cfg.RacePolicy, "race-policy", "", "`LIST` of what counts as a race where experts differ: volatile=, same-value=, warp-sync= and host= allow, info, warning or error, acquire= atomic or fence (see explain race)")
	buildFlag(f, p)
}

// staticRuleFlags adds those of them that mean something where nothing runs.
func staticRuleFlags(f *pflag.FlagSet, p *programFlags) {
	defer section(f, "What to check")()
	anyRuleFlags(f, p, registry.StaticIDs(), "all of them")
	buildFlag(f, p)
}

func anyRuleFlags(f *pflag.FlagSet, p *programFlags, rules []string, standard string) {
	f.StringVar(&p.cfg.Tools, "tool", "", "`RULES` to check, separated by commas: "+strings.Join(rules, ", ")+" or all (default: "+standard+")")
	f.StringVar(&p.cfg.Arch, "arch", "", "architecture to emulate, `sm_NN` (default sm_80)")
	f.StringVar(&p.cfg.RaceModel, "race-model", "", "`MODEL` of which threads of a warp count as ordered: its (default), lockstep (default below sm_70) or thread")
}

func buildFlag(f *pflag.FlagSet, p *programFlags) {
	f.StringVar(&p.build, "build", "source", "`CODE` to check: source (keeps every access of the source) or optimized (what -O3 makes of it)")
}

// machineFlags adds the flags of the emulated machine and its limits.
func machineFlags(f *pflag.FlagSet, p *programFlags) {
	defer section(f, "Emulated machine")()
	f.IntVarP(&p.cfg.Workers, "jobs", "j", 0, "`N` blocks to run at once (default: one a core)")
	f.IntVar(&p.cfg.Devices, "devices", 1, "`N` GPUs that the program sees, 1 to 64")
	f.DurationVar(&p.cfg.Timeout, "timeout", 0, "end the run after this `TIME`, for example 30s")
	f.StringVar(&p.cfg.OnFault, "on-fault", "continue", "`WHAT`: after an invalid access, continue with the launch (it reads zeros, writes nothing), or stop its block")
	f.Uint64Var(&p.cfg.MaxSteps, "max-steps", 0, "`N` instructions of one warp after which its loop counts as endless (default 2^36)")
}

// compilerFlags adds the flags that go to the compiler.
func compilerFlags(f *pflag.FlagSet, p *programFlags) {
	defer section(f, "Compiler")()
	f.StringArrayVarP(&p.cfg.Defines, "define", "D", nil, "`MACRO` for the compiler")
	f.StringArrayVarP(&p.cfg.Includes, "include", "I", nil, "include `FOLDER` for the compiler")
	f.StringVar(&p.cfg.Std, "std", "", "language `STANDARD`, for example c++17")
	f.StringVarP(&p.cfg.Opt, "optimize", "O", "", "optimization `LEVEL` of the host code")
	f.StringArrayVar(&p.nvcc, "nvcc-flags", nil, "further `FLAGS`, as nvcc has them")
	f.StringVar(&p.cfg.CudaPath, "cuda-path", "", "`FOLDER` of NVIDIA's CUDA toolkit, for Thrust, CUB and libcu++ (default: the one that CUDA_HOME names)")
	f.StringVar(&p.cfg.CudaVersion, "cuda-version", "", "`VERSION` of CUDA to imitate: 11, 12, 13 or a release such as 12.4 (default: that of --cuda-path, else 13.0)")
	f.StringVar(&p.cfg.Frontend, "frontend", "clang", "`COMPILER` that reads the sources: clang, or nvcc of the CUDA toolkit")
	f.StringVar(&p.cfg.Clang, "clang", "", "`PROGRAM` to use as clang (default: the newest that is installed)")
}

// filterFlags adds the flags that choose launches and blocks.
func filterFlags(f *pflag.FlagSet, p *programFlags) {
	c := &p.cfg.Controls
	defer section(f, "Which launches")()
	f.StringVar(&c.KernelExclude, "kernel-exclude", "", "kernels not to check: `NAMES` as for --kernel")
	f.StringVar(&c.Kernel, "kernel", "", "kernels to check: `NAMES` with * and ?, mangled or not, or regex:EXPR (default: all)")
	f.IntVar(&c.LaunchSkip, "launch-skip", 0, "leave out the first `N` launches of these kernels")
	f.IntVar(&c.LaunchCount, "launch-count", 0, "check `N` launches of these kernels; 0 means all")
	f.StringVar(&c.Sample, "sample", "", "`BLOCKS` to check: 1/N, or N of each launch (default: all)")
}

// controlFlags adds the flags that choose what is checked and how.
func controlFlags(f *pflag.FlagSet, p *programFlags) {
	c := &p.cfg.Controls
	filterFlags(f, p)
	known := section(f, "Known findings")
	f.StringArrayVar(&c.Suppressions, "suppressions", nil, "`FILE` with findings to leave out")
	f.StringVar(&c.GenSuppressions, "gen-suppressions", "", "`FILE` to write suppressions for the findings to")
	known()
	order := section(f, "Order of execution")
	f.StringVar(&c.Schedule, "schedule", "default", "`ORDER` of blocks, warps and lanes: default, reverse or random")
	f.Uint64Var(&c.Seed, "seed", 1, "`N`: which random schedule")
	f.IntVar(&c.Runs, "runs", 1, "run `N` times, under different schedules, and compare the results")
	order()
	defer section(f, "Looking closer")()
	f.StringVar(&p.log, "log-launches", "", "describe each launch and its arguments before it runs, on standard error or in `FILE`")
	f.Lookup("log-launches").NoOptDefVal = "-"
	f.StringVar(&c.DumpBuffers, "dump-buffers", "", "`FOLDER` for the contents of all buffers after each launch")
	f.StringArrayVar(&c.Watch, "watch", nil, "tell every access to one `PLACE`: NAME[i] of a shared or global variable or of a buffer (cudaMalloc2[7]), or an address")
}
