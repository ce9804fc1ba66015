// Command bench measures how fast warpgrind runs kernels, with and without
// checks, next to PoCL, Oclgrind and scalar C, which run the same kernels in
// the same invocation. It prints a table in Markdown.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/warpgrind/warpgrind/scripts/dated"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// config is one invocation.
type config struct {
	warpgrind string // the binary to measure
	kernels   string // directory of the kernels' sources
	examples  string // directory of the example programs
	quick     bool   // small sizes, warpgrind and scalar C only
	reps      int    // in one run of a program
	rounds    int    // runs of each program
	profile   string // directory for CPU profiles; "" measures instead
	pruning   bool   // measure what pruning spares, and nothing else
	only      string // the kernels, separated by commas; "" means all
	simd      string // the instruction sets, separated by commas; "" means all that the processor has
	out       string // file for the Markdown; "" means standard output
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var c config
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&c.warpgrind, "warpgrind", "bin/warpgrind", "warpgrind `binary` to measure")
	f.StringVar(&c.kernels, "kernels", "bench/kernels", "`directory` of the kernels' sources")
	f.StringVar(&c.examples, "examples", "examples", "`directory` of the example programs")
	f.BoolVar(&c.quick, "quick", false, "small sizes, without PoCL and Oclgrind")
	f.IntVar(&c.reps, "reps", 3, "repetitions in one run of a program, of which the best counts")
	f.IntVar(&c.rounds, "rounds", 3, "runs of each program, of which the best counts")
	f.StringVar(&c.profile, "profile", "", "write CPU profiles of the engine to this `directory` and sum them up")
	f.BoolVar(&c.pruning, "pruning", false, "measure what pruning spares, here and in the programs of the folders that are named")
	f.StringVar(&c.only, "only", "", "measure these `kernels`, separated by commas (default: all)")
	f.StringVar(&c.simd, "simd", "", "measure warpgrind with these instruction `sets`, separated by commas: avx512, avx2, go (default: all that the processor has, but go)")
	f.StringVar(&c.out, "o", "", "`file` for the table")
	if err := f.Parse(args); err != nil {
		return err
	}
	if c.reps < 1 || c.rounds < 1 {
		return errors.New("-reps and -rounds must be at least 1")
	}
	if f.NArg() > 0 && !c.pruning {
		return fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b, err := newBench(ctx, c, dir, stderr)
	if err != nil {
		return err
	}
	if c.profile != "" {
		return b.profile(ctx, stdout)
	}
	if c.pruning {
		var text strings.Builder
		if err := b.pruning(ctx, f.Args(), &text); err != nil {
			return err
		}
		return b.writePruning(text.String(), stdout)
	}
	return b.measureAndWrite(ctx, stdout)
}

// pruningBegin and pruningEnd enclose what -pruning writes into a page.
const pruningBegin, pruningEnd = "<!-- pruning -->\n", "<!-- end of pruning -->\n"

// writePruning puts a section into its page, or writes it to stdout.
func (b *bench) writePruning(section string, stdout io.Writer) error {
	if b.cfg.out == "" {
		return b.write(section, stdout)
	}
	page, err := os.ReadFile(b.cfg.out)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(page), pruningBegin)
	_, after, closed := strings.Cut(rest, pruningEnd)
	if !ok || !closed {
		return fmt.Errorf("%s has no marks %q and %q", b.cfg.out, pruningBegin, pruningEnd)
	}
	return b.write(before+pruningBegin+section+pruningEnd+after, stdout)
}

// write writes a page to the file or to stdout.
func (b *bench) write(text string, stdout io.Writer) error {
	if b.cfg.out == "" {
		_, err := io.WriteString(stdout, text)
		return err
	}
	return os.WriteFile(b.cfg.out, []byte(text), 0o644)
}

// measureAndWrite makes the table and writes it.
func (b *bench) measureAndWrite(ctx context.Context, stdout io.Writer) error {
	before := load()
	tables, err := b.measureAll(ctx)
	if err != nil {
		return err
	}
	t := tables[0]
	if b.cfg.only == "" {
		if t.programs, err = b.measurePrograms(ctx, b.cfg.examples); err != nil {
			return err
		}
		products, err := b.measureProducts(ctx)
		if err != nil {
			return err
		}
		t.products = &products
	}
	text := t.markdown(before+" before and "+load()+" after", b.cfg)
	for _, other := range tables[1:] {
		other.takePeers(t)
		text += other.section()
	}
	return b.write(dated.Stamp(text), stdout)
}
