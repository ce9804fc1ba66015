package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/trial"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// programFlags are the flags of the commands that run a program.
type programFlags struct {
	cfg   session.Config
	build string
	nvcc  []string
	log   string // file for the log of launches
	// list is the file for the list of launches.
	list string
	// recordMemory is --record-memory.
	recordMemory string
	// expect is what a replay is compared with.
	expect trial.Expected
	// unused is the percentage of --unused-memory.
	unused float64
}

// config is what the flags and arguments ask for; the program's own arguments
// come after "--".
func (p *programFlags) config(cmd *cobra.Command, args []string) (session.Config, error) {
	cfg := p.cfg
	cfg.Inputs = args
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		cfg.Inputs, cfg.Args = args[:n], args[n:]
		if n == 0 && len(cfg.Args) > 0 { // a whole command, such as -- python3 script.py
			cfg.Inputs, cfg.Args = cfg.Args[:1], cfg.Args[1:]
		}
	}
	if n := build.ArgumentsAt(cfg.Inputs); n > 0 {
		return cfg, usage(fmt.Errorf("%s: arguments of the program come after --: %s %s -- %s", cfg.Inputs[n], cmd.CommandPath(),
			shellWords(cfg.Inputs[:n]), shellWords(append(cfg.Inputs[n:len(cfg.Inputs):len(cfg.Inputs)], cfg.Args...))))
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
	switch p.recordMemory {
	case "", "touched", "all":
		cfg.RecordAll = p.recordMemory == "all"
	default:
		return cfg, usage(fmt.Errorf("--record-memory %q: want touched or all", p.recordMemory))
	}
	if cmd.Flags().Changed("unused-memory") {
		cfg.UnusedMemory = &p.unused
	}
	for _, f := range p.nvcc {
		cfg.NVCCFlags = append(cfg.NVCCFlags, strings.Fields(f)...)
	}
	return cfg, errors.Join(p.openLog(&cfg), p.openList(&cfg))
}

// openList opens the file of --list-launches. What is launched can be known without a check: the
// rule that looks at configurations costs nothing.
func (p *programFlags) openList(cfg *session.Config) error {
	if p.list == "" {
		return nil
	}
	if cfg.Tools == "" {
		cfg.Tools = "launch"
	}
	if p.list == "-" {
		cfg.ListLaunches = os.Stdout
		return nil
	}
	f, err := userfile.Create(p.list)
	if err != nil {
		return usage(err)
	}
	cfg.ListLaunches = f // open to the end
	return nil
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
	f, err := userfile.Create(p.log)
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
	f.StringVar(&p.cfg.LeakCheck, "leak-check", "no", "report memory that is not freed when the program ends: `MODE` is full or no")
	f.StringVar(&p.cfg.APIErrors, "api-errors", "unread", "with --tool api, report calls whose error the program never reads, or every call that fails: `MODE` is unread or all")
	f.Float64Var(&p.unused, "unused-memory", 0, "with the rule init, report allocations of which at least `PERCENT` are never written")
	f.BoolVar(&p.cfg.WatchAll, "watch-all", false, "also check accesses that were proved race-free before the launch, and blocks that were proved equivalent to others in shared memory")
	f.Uint64Var(&p.cfg.Padding, "padding", 0, "minimum gap between allocations, in `BYTES` (default 512)")
	f.StringVar(&p.cfg.RacePolicy, "race-policy", "", "treatment of debatable races: `LIST` of volatile=, same-value=, warp-sync=, host= and staged= with allow, info, warning or error, and acquire= with atomic or fence (see explain race)")
	buildFlag(f, p)
}

// staticRuleFlags adds those of them that mean something where nothing runs.
func staticRuleFlags(f *pflag.FlagSet, p *programFlags) {
	defer section(f, "What to check")()
	anyRuleFlags(f, p, registry.StaticIDs(), "all of them")
	buildFlag(f, p)
}

func anyRuleFlags(f *pflag.FlagSet, p *programFlags, rules []string, standard string) {
	f.StringVar(&p.cfg.Tools, "tool", "", "check `RULES`, separated by commas: "+strings.Join(rules, ", ")+" or all (default: "+standard+")")
	f.StringVar(&p.cfg.Arch, "arch", "", "GPU architecture to emulate, `sm_NN` (default sm_80, or for an executable that has no code for it the oldest that runs it)")
	f.StringVar(&p.cfg.RaceModel, "race-model", "", "memory `MODEL` within a warp: its (independent thread scheduling, default), lockstep (default below sm_70) or thread")
}

func buildFlag(f *pflag.FlagSet, p *programFlags) {
	f.StringVar(&p.build, "build", "source", "check `CODE` that keeps every access of the source (source) or as optimized by -O3 (optimized)")
}

// machineFlags adds the flags of the emulated machine and its limits. A recorded launch has its memory.
func machineFlags(f *pflag.FlagSet, p *programFlags, recorded bool) {
	defer section(f, "Emulated machine")()
	if !recorded {
		f.StringVar(&p.cfg.DeviceMemory, "device-memory", "", "memory of each GPU, for example 80G; `SIZE` may exceed the machine's, since only what a program touches takes memory (default: the memory of a product of --arch)")
	}
	f.IntVarP(&p.cfg.Workers, "jobs", "j", 0, "run `N` blocks in parallel (default: one per core)")
	f.IntVar(&p.cfg.Devices, "devices", devicesNamed, "number of GPUs: `N` from 1 to 64, of which the program sees the ones in CUDA_VISIBLE_DEVICES (default: the highest number there plus one, else 1)")
	f.Lookup("devices").DefValue = "0" // no "(default ...)": the usage text explains it
	timeVar(f, &p.cfg.Timeout, "timeout", 0, "stop the run after `TIME`, for example 30s")
	timeVar(f, &p.cfg.Hang, "hang", 0, "call a kernel stuck if host threads that run do not release it within `TIME` (default 20s)")
	f.StringVar(&p.cfg.OnFault, "on-fault", "continue", "after an invalid access, `ACTION`: continue (reads return zero, writes are dropped), stop (end the block; later calls fail) or kernel (end the block; later launches run)")
	f.Uint64Var(&p.cfg.MaxSteps, "max-steps", 0, "treat a loop as infinite after `N` instructions of one warp (default 2^36)")
}

// compilerFlags adds the flags that go to the compiler.
func compilerFlags(f *pflag.FlagSet, p *programFlags) {
	defer section(f, "Compiler")()
	f.StringArrayVarP(&p.cfg.Defines, "define", "D", nil, "define `MACRO` for the compiler")
	f.StringArrayVarP(&p.cfg.Includes, "include", "I", nil, "add `DIR` to the include path")
	f.StringVar(&p.cfg.Std, "std", "", "C++ `STANDARD`, for example c++17")
	f.StringVarP(&p.cfg.Opt, "optimize", "O", "", "optimization `LEVEL` of the host code")
	f.StringArrayVar(&p.nvcc, "nvcc-flags", nil, "further compiler `FLAGS`, in the syntax of nvcc")
	f.StringVar(&p.cfg.CudaPath, "cuda-path", "", "`DIR` of NVIDIA's CUDA toolkit, for Thrust, CUB and libcu++ (default: CUDA_HOME)")
	f.StringVar(&p.cfg.CudaVersion, "cuda-version", "", "CUDA `VERSION` to emulate: 11, 12, 13 or a release such as 12.4 (default: the version in --cuda-path, else 13.0)")
	f.StringVar(&p.cfg.Frontend, "frontend", "clang", "front end that parses the sources: `COMPILER` is clang, or nvcc of the CUDA toolkit")
	f.StringVar(&p.cfg.Clang, "clang", "", "clang `PROGRAM` (default: the newest installed)")
}

// filterFlags adds the flags that choose launches and blocks. Blocks are skipped only where results need not be those of the program.
func filterFlags(f *pflag.FlagSet, p *programFlags, skips bool) {
	c := &p.cfg
	defer section(f, "Which launches")()
	f.StringVar(&c.KernelExclude, "kernel-exclude", "", "do not check kernels that match `NAMES`, as for --kernel")
	f.StringVar(&c.Kernel, "kernel", "", "check only kernels that match `NAMES`: with * and ?, mangled or not, or regex:EXPR (default: all)")
	f.IntVar(&c.LaunchSkip, "launch-skip", 0, "skip the first `N` launches of these kernels")
	f.IntVar(&c.LaunchCount, "launch-count", 0, "check at most `N` launches of these kernels; 0 means all")
	f.StringVar(&c.Sample, "sample", "", "check only some `BLOCKS`: 1/N of them, or N of each launch (default: all)")
	if skips {
		onlyBlocks(f, c)
	}
}

func onlyBlocks(f *pflag.FlagSet, c *session.Config) {
	f.StringVar(&c.OnlyBlocks, "only-blocks", "", "execute only `BLOCKS` of each launch and skip the others: first, last, numbers, ranges and 1/N, separated by commas (default: all)")
}

// controlFlags adds the flags that choose what is checked and how.
func controlFlags(f *pflag.FlagSet, p *programFlags) {
	c := &p.cfg
	filterFlags(f, p, true)
	knownFlags(f, c)
	order := section(f, "Order of execution")
	scheduleFlags(f, c)
	f.IntVar(&c.Runs, "runs", 1, "run the program `N` times with different schedules and compare the results")
	order()
	defer section(f, "Looking closer")()
	f.StringVar(&p.log, "log-launches", "", "log each launch and its arguments before it runs, on standard error or to `FILE`")
	f.Lookup("log-launches").NoOptDefVal = "-"
	f.StringVar(&p.list, "list-launches", "", "only list the launches and their arguments, a line of JSON each, on standard output or to `FILE`; without --tool and --format nothing else is checked or reported")
	f.Lookup("list-launches").NoOptDefVal = "-"
	f.StringVar(&c.Record, "record", "", "write each launch that is checked to `DIR` as a capsule, for warpgrind replay")
	f.StringVar(&c.Launches, "launches", "", "with --record, write only these `LAUNCHES`: numbers, ranges and kernels, such as 3,10-20,scan* (default: all)")
	f.StringVar(&p.recordMemory, "record-memory", "touched", "with --record, keep the `MEMORY` that the launch accesses (touched) or all of it (all)")
	f.StringVar(&c.DumpBuffers, "dump-buffers", "", "write the contents of all buffers after each launch to `DIR`")
	f.StringArrayVar(&c.Watch, "watch", nil, "report every access to one `LOCATION`: NAME[i] of a shared or global variable or of a buffer (cudaMalloc2[7]), or an address")
}

// knownFlags adds the flags of findings that the user knows.
func knownFlags(f *pflag.FlagSet, c *session.Config) {
	defer section(f, "Known findings")()
	f.StringArrayVar(&c.Suppressions, "suppressions", nil, "suppress the findings listed in `FILE`")
	f.StringVar(&c.GenSuppressions, "gen-suppressions", "", "write suppressions for the findings to `FILE`")
}

func scheduleFlags(f *pflag.FlagSet, c *session.Config) {
	f.StringVar(&c.Schedule, "schedule", "default", "`ORDER` in which blocks, warps and lanes run: default, reverse or random; or hold:..., as a report names it")
	f.StringVar(&c.Predict, "predict", "on", "`MODE` of the search for races that the order of the run hid, by running launches again in other orders: off, on (a small part of the run's work) or deep")
	f.Uint64Var(&c.Seed, "seed", 1, "seed `N` of the random schedule")
}

// replayFlags adds the control flags that mean something for one recorded launch.
func replayFlags(f *pflag.FlagSet, p *programFlags) {
	c := &p.cfg
	knownFlags(f, c)
	defer section(f, "Order of execution")()
	scheduleFlags(f, c)
	f.StringVar(&c.Sample, "sample", "", "check only some `BLOCKS`: 1/N of them, or N (default: all)")
	f.StringVar(&p.expect.With, "expect", "", "compare the memory after the launch with what the recorded one wrote, or with `FILE` or a directory of --dump-buffers")
	f.Lookup("expect").NoOptDefVal = trial.RecordedOutputs
	f.Float64Var(&p.expect.Tolerance.Abs, "abs", 0, "with --expect, allowed absolute difference `X`")
	f.Float64Var(&p.expect.Tolerance.Rel, "rel", 0, "with --expect, allowed difference `X` relative to the larger magnitude")
	onlyBlocks(f, c)
}

// shellWords joins words as a shell takes them.
func shellWords(words []string) string {
	var out []string
	for _, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n'\"\\$`*?[]{}()<>|&;#~!") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}
