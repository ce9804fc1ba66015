// Command experiments repeats the experiments of the four papers that warpgrind
// is built on, with the programs under examples, and writes a page with what
// each paper says next to what comes out here.
//
//	experiments -warpgrind bin/warpgrind -o docs/results/EXPERIMENTS.md [-only TEXT] examples
//	experiments -warpgrind bin/warpgrind -o docs/results/RODINIA.md -rodinia DIR examples
//	experiments -warpgrind bin/warpgrind -o docs/results/SDK.md -sdk DIR examples
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/warpgrind/warpgrind/scripts/dated"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "experiments:", err)
		os.Exit(1)
	}
}

// options are the command line.
type options struct {
	tool, out, only string
	rodinia, sdk    string
	rounds          int
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var o options
	f := flag.NewFlagSet("experiments", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.tool, "warpgrind", "bin/warpgrind", "the `binary` to use")
	f.StringVar(&o.out, "o", "", "`file` for the page; standard output if empty")
	f.StringVar(&o.only, "only", "", "run the experiments whose title contains this `text`")
	f.StringVar(&o.rodinia, "rodinia", "", "write the page of GPUDrano's Table 1 instead, for the Rodinia benchmarks in this `folder`")
	f.StringVar(&o.sdk, "sdk", "", "write the page of the SDK's sample scan instead, for its files below this `folder`")
	f.IntVar(&o.rounds, "rounds", 5, "runs of each program that is timed, of which the median counts")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() != 1 {
		return fmt.Errorf("name the directory of the examples")
	}
	l, err := newLab(ctx, o, f.Arg(0), stderr)
	if err != nil {
		return err
	}
	defer os.RemoveAll(l.dir)
	page, err := l.pageOf(o)
	if err != nil {
		return err
	}
	if o.out == "" {
		_, err = io.WriteString(stdout, page)
		return err
	}
	return os.WriteFile(o.out, []byte(dated.Stamp(page)), 0o644)
}

// pageOf is the page that the command line asks for.
func (l *lab) pageOf(o options) (string, error) {
	if o.rodinia != "" {
		return l.rodinia(o.rodinia)
	}
	if o.sdk != "" {
		return l.sdk(o.sdk)
	}
	return l.page(experiments, o.only)
}

// experiment is one section of the page.
type experiment struct {
	title string // with the paper's section or table
	run   func(*lab) (string, error)
}

// experiments in the order of the page.
var experiments = []experiment{
	{"Boyer 4.3: the race of Figure 1", boyerFigure1},
	{"Boyer 5.3: the bank conflicts of Figure 2", boyerFigure2},
	{"Boyer Figure 3: what the bank conflicts cost", boyerFigure3},
	{"Boyer 6.1: the barriers of scan", boyerBarriers},
	{"Boyer 6.2: the bank conflicts of scan", boyerBanks},
	{"Boyer Table 1: what the checks cost", boyerCost},
	{"GRace Table 1: what is found", graceFound},
	{"GRace Table 2: memory for the tables", graceSpace},
	{"GRace Table 3: what is instrumented", graceInstrumented},
	{"GRace Table 4 and Figure 5: time", graceTime},
	{"GRace Table 5: tables in shared memory", graceShared},
	{"GPUDrano Figure 2 and section 5: Fan2", gpudranoFan2},
	{"GPUDrano section 6: what repairing Fan2 saves", gpudranoSavings},
	{"Langdon: eight troubles", langdonTroubles},
	{"Langdon 4.4: reads of constant memory", langdonConstant},
}

const intro = `# Experiments

Made by ` + "`make experiments`" + ` (scripts/experiments): the experiments of the papers, repeated with the programs under
[examples](../../examples). Each section says what the paper reports, what comes out here and why the two differ where they
do. "Scheme" is an instrumented program ([INSTRUMENT.md](../INSTRUMENT.md)): the paper's own algorithm in CUDA, run on the
emulated GPU. "Emulator" is ` + "`warpgrind run`" + ` on the program as it is, with its own rules.

Costs are of one round of a program's launches, net of its start and end: the difference of a run with many rounds, which
takes at least a second of processor time more, and of one with one round. Thread instructions are exact and the same on each
run. Times are processor time of all processes, host code included: medians of five runs, and in parentheses the ratios of the
extremes. They are those of an emulator and not of a GPU. The load average of the machine was %s before the experiments and %s
after them; one program ran at a time, on one core. [scripts/experiments-gpu.sh](../../scripts/experiments-gpu.sh) measures the
same programs on a GPU.

Two pages are made from files that are not part of warpgrind: ` + "`make experiments RODINIA=dir`" + ` writes [RODINIA.md](RODINIA.md) for
the Rodinia benchmarks, and ` + "`SDK=dir`" + ` writes docs/results/SDK.md, which this project does not publish, for the scan of the CUDA SDK, on which both papers on races worked.

Papers: M. Boyer, K. Skadron, W. Weimer, "Automated Dynamic Analysis of CUDA Programs", STMCS 2008. M. Zheng, V. T. Ravi,
F. Qin, G. Agrawal, "GRace: A Low-Overhead Mechanism for Detecting Data Races in GPU Programs", PPoPP 2011. R. Alur, J.
Devietti, O. S. Navarro Leija, N. Singhania, "GPUDrano: Detecting Uncoalesced Accesses in GPU Programs", CAV 2017.
W. B. Langdon, "Debugging CUDA", GECCO 2011.
`

// page runs the experiments and puts the page together.
func (l *lab) page(all []experiment, only string) (string, error) {
	var b strings.Builder
	before := load()
	for _, e := range all {
		if !strings.Contains(e.title, only) {
			continue
		}
		fmt.Fprintln(l.log, e.title)
		text, err := e.run(l)
		if err != nil {
			return "", fmt.Errorf("%s: %w", e.title, err)
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s", e.title, text)
	}
	return fmt.Sprintf(intro, before, load()) + b.String(), nil
}

// load is the load average of the last minute.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	one, _, _ := strings.Cut(string(text), " ")
	return one
}

// example is the path of a program below the examples.
func (l *lab) example(path string) string { return filepath.Join(l.examples, path) }
