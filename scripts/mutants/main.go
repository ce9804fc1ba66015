// Command mutants takes barriers, bounds checks, fences and initializations
// away from correct programs, one at a time, runs each mutant under warpgrind
// and writes a page of what was found and what was not. With -async it does so
// with what orders asynchronous operations.
//
//	mutants -warpgrind bin/warpgrind -o docs/results/MUTANTS.md [-j 2] [-only TEXT] examples
//	mutants -async -o docs/results/MUTANTS-ASYNC.md testdata/pipelines
//
// With -fix it lets `warpgrind fix` repair the mutants that are found, and writes a page of what was
// repaired; with -fix -as-they-are the programs themselves, which are wrong on purpose.
//
//	mutants -fix -o docs/results/FIXES.md [-every 8 [-from 4,5]] examples
//	mutants -fix -as-they-are testdata/defects
//	mutants -fix -as-they-are -errors internal/check/race/testdata
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/warpgrind/warpgrind/scripts/dated"
)

type options struct {
	tool, out, only, notes string
	jobs                   int
	timeout                time.Duration
	list, async            bool
	fix, asTheyAre, errors bool
	every                  int
	from                   []int
}

// setFrom sets with which of the first mutants samples begin.
func (o *options) setFrom(text string) error {
	o.from = nil
	for _, s := range strings.Split(text, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			return fmt.Errorf("-from %s: want numbers", s)
		}
		o.from = append(o.from, n)
	}
	return nil
}

// takes reports whether the i-th mutant is in a sample.
func (o *options) takes(i int) bool {
	every := max(o.every, 1)
	return len(o.from) == 0 && i%every == 0 || slices.Contains(o.from, i%every)
}

func main() {
	var o options
	flag.StringVar(&o.tool, "warpgrind", "bin/warpgrind", "the tool")
	flag.StringVar(&o.out, "o", "", "file for the page; standard output if empty")
	flag.StringVar(&o.only, "only", "", "use the programs whose path contains this text")
	flag.StringVar(&o.notes, "notes", "scripts/mutants/notes.txt", "file with the reasons for what is not found")
	flag.IntVar(&o.jobs, "j", 2, "mutants to run at once")
	flag.DurationVar(&o.timeout, "timeout", time.Minute, "limit of one run")
	flag.BoolVar(&o.list, "list", false, "name the mutants and run none")
	flag.BoolVar(&o.async, "async", false, "change what orders asynchronous operations")
	flag.BoolVar(&o.fix, "fix", false, "repair what is found")
	flag.BoolVar(&o.asTheyAre, "as-they-are", false, "take the programs as they are: all are wrong")
	flag.BoolVar(&o.errors, "errors", false, "with -as-they-are, count errors and not programs")
	flag.IntVar(&o.every, "every", 1, "use one mutant in `N`")
	flag.Func("from", "with -every, begin with mutant `K` of the first N, counted from 0; K,L takes two samples", o.setFrom)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, dir string) error {
	if dir == "" {
		return fmt.Errorf("name the directory of the programs")
	}
	var err error
	if o.tool, err = filepath.Abs(o.tool); err != nil {
		return err
	}
	jobs, err := collect(dir, o)
	if err != nil {
		return err
	}
	if o.list {
		for _, j := range jobs {
			fmt.Printf("%s:%d: %s: %s\n", j.program.path, j.mutant.Line, j.mutant.Kind, j.what())
		}
		return nil
	}
	notes, err := readNotes(o.notes)
	if err != nil {
		return err
	}
	if err := runAll(ctx, o, dir, jobs); err != nil {
		return err
	}
	if o.async {
		judge(jobs, notes)
	}
	page := page(jobs, notes, o.async)
	if o.fix {
		page = fixPage(jobs, o)
	}
	if o.errors {
		page = errorsPage(jobs, dir)
	}
	if o.out == "" {
		_, err = os.Stdout.WriteString(page)
		return err
	}
	return os.WriteFile(o.out, []byte(dated.Stamp(page)), 0o644)
}

// collect makes the mutants of all programs in dir or in directories of it, by path and
// line. Those in bugs and langdon are wrong on purpose.
func collect(dir string, o options) ([]*job, error) {
	var paths []string
	for _, pattern := range []string{"*.cu", "*/*.cu"} {
		more, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		paths = append(paths, more...)
	}
	slices.Sort(paths)
	var out []*job
	for _, path := range paths {
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return nil, err
		}
		if !strings.Contains(rel, o.only) || !o.asTheyAre && (filepath.Dir(rel) == "bugs" || filepath.Dir(rel) == "langdon") {
			continue
		}
		js, err := jobsOf(path, rel, o.async)
		if o.asTheyAre {
			js, err = asTheyAre(path, rel)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, js...)
	}
	some := out[:0]
	for i, j := range out {
		if o.takes(i) {
			some = append(some, j)
		}
	}
	return some, nil
}

// runAll runs the jobs on o.jobs workers, each with a copy of the programs.
func runAll(ctx context.Context, o options, dir string, jobs []*job) error {
	next := make(chan *job)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var failed error
	done := 0
	for range o.jobs {
		w, err := newWorker(o, dir)
		if err != nil {
			return err
		}
		wg.Go(func() {
			defer os.RemoveAll(w.dir)
			for j := range next {
				err := w.do(ctx, j)
				mu.Lock()
				if failed == nil {
					failed = err
				}
				done++
				fmt.Fprintf(os.Stderr, "%d of %d %s:%d %s: %s %s\n", done, len(jobs), j.program.path, j.mutant.Line, j.mutant.Kind, j.outcome, j.result())
				mu.Unlock()
			}
		})
	}
	for _, j := range jobs {
		if ctx.Err() != nil {
			break
		}
		next <- j
	}
	close(next)
	wg.Wait()
	if failed == nil {
		failed = ctx.Err()
	}
	return failed
}
