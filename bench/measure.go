package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check/registry"
)

// kernel is one benchmark with its sizes: N as the programs take it.
type kernel struct {
	name string
	// full is the size of DESIGN's table, small what Oclgrind can bear,
	// quick the size of the sanity test.
	full, small, quick int
}

var kernels = []kernel{
	{"matmul", 512, 96, 64},
	{"scan", 1 << 20, 1 << 15, 1 << 13},
	{"stencil", 1024, 128, 64},
	{"vadd", 1 << 24, 1 << 17, 1 << 14},
	{"gather", 1 << 22, 1 << 17, 1 << 14},
}

// column is one way of running all kernels.
type column struct {
	title  string
	runner runner
	// small: the column runs at the size that Oclgrind can bear.
	small bool
	// missing says why the column is empty.
	missing string
}

// cell is one measurement.
type cell struct {
	rate   float64 // thread instructions per second; 0 where not measured
	memory int64   // peak resident bytes of the largest process
	note   string  // what went wrong
}

// table has cells[column][kernel].
type table struct {
	columns []column
	cells   [][]cell
	counts  []uint64 // thread instructions of a run at full size, by kernel
	notes   []string
}

// Titles of the columns that the ratios are made of.
const (
	titleNone     = "warpgrind, no checks"
	titleAll      = "warpgrind, all correctness checks"
	titlePoCL     = "PoCL"
	titleOclgrind = "Oclgrind"
	titleOclCheck = "Oclgrind, checks"
	titleC        = "scalar C, one core"
)

// warpColumns are warpgrind's: without checks, with one at a time, with all.
// Without checks means the launch rule, which listens to no instruction.
func (b *bench) warpColumns() []column {
	cols := []column{{title: titleNone, runner: b.warp("launch")}}
	for _, id := range []string{"race", "memory", "init", "bank"} {
		if _, ok := registry.Find(id); ok {
			cols = append(cols, column{title: "warpgrind, " + id, runner: b.warp(id)})
		}
	}
	return append(cols, column{title: titleAll, runner: b.warp("default")})
}

func (b *bench) columns() []column {
	cols := append(b.warpColumns(), column{title: titleC, runner: b.scalar, missing: b.noC})
	if b.cfg.quick {
		return cols
	}
	return append(cols,
		column{title: titlePoCL, runner: b.pocl, missing: b.noPoCL},
		column{title: titleOclgrind, runner: b.oclgrind(), small: true, missing: b.noOclgrind},
		column{title: titleOclCheck, runner: b.oclgrind("--data-races", "--uninitialized"), small: true, missing: b.noOclgrind})
}

// size is the N of a kernel in a column.
func (b *bench) size(k kernel, c column) int {
	switch {
	case b.cfg.quick:
		return k.quick
	case c.small:
		return k.small
	}
	return k.full
}

// work is what one run of a kernel at one size does: the reference that all
// results are compared with, from warpgrind without checks.
type work struct {
	instructions uint64
	result       result
}

// measure fills the table, kernel by kernel.
func (b *bench) measure(ctx context.Context) (*table, error) {
	t := &table{columns: b.columns()}
	t.cells = make([][]cell, len(t.columns))
	for n, k := range kernels {
		known := map[int]work{}
		for i := range t.columns {
			t.cells[i] = append(t.cells[i], cell{})
		}
		for range b.cfg.rounds {
			if err := b.round(ctx, t, n, known); err != nil {
				return nil, err
			}
		}
		t.counts = append(t.counts, known[b.size(k, t.columns[0])].instructions)
	}
	for i, c := range t.columns {
		if c.missing != "" {
			t.notes = append(t.notes, c.title+": "+c.missing)
		}
		for n, cell := range t.cells[i] {
			if cell.note != "" {
				t.notes = append(t.notes, fmt.Sprintf("%s, %s: %s", c.title, kernels[n].name, cell.note))
			}
		}
	}
	return t, nil
}

// round runs kernel n once in every column and keeps what is faster than
// before. Columns take turns, so that a burst of other load on the machine
// does not fall on one of them alone.
func (b *bench) round(ctx context.Context, t *table, n int, known map[int]work) error {
	for i, c := range t.columns {
		best := &t.cells[i][n]
		if c.small && best.rate > 0 {
			continue // slow enough to be steady
		}
		now, err := b.cell(ctx, kernels[n], c, known)
		if err != nil {
			return err
		}
		best.memory = max(best.memory, now.memory)
		best.rate = max(best.rate, now.rate)
		if now.note != "" {
			best.note = now.note
		}
	}
	return nil
}

// cell runs one kernel in one column. An error is warpgrind's own failure; a
// failure of a peer is a note.
func (b *bench) cell(ctx context.Context, k kernel, c column, known map[int]work) (cell, error) {
	if c.missing != "" {
		return cell{}, nil
	}
	j := job{kernel: k.name, n: b.size(k, c), reps: b.cfg.reps, warmups: 1}
	if c.small {
		j.reps, j.warmups = min(j.reps, 2), 0 // an interpreter, and slow
	}
	w, err := b.reference(ctx, j, known)
	if err != nil {
		return cell{}, err
	}
	r, err := c.runner(ctx, j)
	if err == nil {
		err = w.result.same(r)
	}
	if err == nil {
		fmt.Fprintf(b.log, "%-8s %-34s N=%-9d %10.3f ms\n", k.name, c.title, j.n, 1e3*r.seconds)
		return cell{rate: float64(w.instructions) / r.seconds, memory: r.memory}, nil
	}
	if ctx.Err() != nil || r.instructions > 0 {
		return cell{}, fmt.Errorf("%s, %s: %w", c.title, k.name, err)
	}
	return cell{note: err.Error()}, nil
}

// reference returns the work of a kernel at the size of j.
func (b *bench) reference(ctx context.Context, j job, known map[int]work) (work, error) {
	if w, ok := known[j.n]; ok {
		return w, nil
	}
	r, err := b.warp("launch")(ctx, job{kernel: j.kernel, n: j.n, reps: 1})
	if err != nil {
		return work{}, fmt.Errorf("%s: %w", j.kernel, err)
	}
	w := work{r.instructions, r}
	known[j.n] = w
	return w, nil
}

// tolerance is how far sums of single-precision results may lie apart,
// relative to their size: compilers contract and reorder differently.
const tolerance = 1e-5

func (r result) same(o result) error {
	for _, p := range [][2]float64{{r.sum, o.sum}, {r.weighted, o.weighted}} {
		if !(math.Abs(p[0]-p[1]) <= tolerance*math.Abs(p[0])) {
			return fmt.Errorf("wrong result: checksum %.9g, want %.9g", p[1], p[0])
		}
	}
	return nil
}

// bench is the programs built and the peers found.
type bench struct {
	cfg                     config
	log                     io.Writer
	dir                     string
	cuda, c, ocl            string // executables
	noC, noPoCL, noOclgrind string // why a peer is missing; "" if it is there
	warpgrind, kernelsCL    string
}

func newBench(ctx context.Context, cfg config, dir string, log io.Writer) (*bench, error) {
	b := &bench{cfg: cfg, log: log, dir: dir}
	var err error
	if b.warpgrind, err = filepath.Abs(cfg.warpgrind); err != nil {
		return nil, err
	}
	if b.kernelsCL, err = filepath.Abs(filepath.Join(cfg.kernels, "bench.cl")); err != nil {
		return nil, err
	}
	if b.cuda, err = buildCUDA(ctx, filepath.Join(cfg.kernels, "bench.cu"), dir); err != nil {
		return nil, err
	}
	b.buildPeers(ctx)
	return b, nil
}

// firstLine shortens a tool's complaint.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
