package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// kernel is one benchmark with its sizes: N as the programs take it.
type kernel struct {
	name  string
	group group
	// full is the size of the page, small what Oclgrind can bear, quick the size of the
	// sanity test.
	full, small, quick int
	// alone: the blocks wait for each other, which OpenCL does not promise to work.
	alone bool
}

// group is a set of kernels that a mean is taken of.
type group string

const (
	provable      group = "provable"       // a proof before the launch spares nearly all accesses
	dataDependent group = "data-dependent" // addresses or conditions come from memory
	synchronizing group = "synchronizing"  // threads or blocks wait for each other
)

var groups = []group{provable, dataDependent, synchronizing}

var allKernels = []kernel{
	{"matmul", provable, 512, 96, 64, false},
	{"scan", provable, 1 << 20, 1 << 15, 1 << 13, false},
	{"stencil", provable, 2048, 128, 64, false},
	{"vadd", provable, 1 << 23, 1 << 17, 1 << 14, false},
	{"transpose", provable, 2048, 256, 64, false},
	{"reduce", provable, 1 << 22, 1 << 16, 1 << 13, false},
	{"convolve", provable, 1 << 20, 1 << 15, 1 << 12, false},
	{"nbody", provable, 4096, 512, 512, false},
	{"mandelbrot", provable, 1 << 20, 1 << 14, 1 << 13, false},
	{"options", provable, 1 << 20, 1 << 15, 1 << 13, false},
	{"gemm", provable, 512, 128, 64, false},
	{"layernorm", provable, 1 << 22, 1 << 17, 1 << 12, false},
	{"gather", dataDependent, 1 << 22, 1 << 17, 1 << 14, false},
	{"scatter", dataDependent, 1 << 22, 1 << 17, 1 << 14, false},
	{"spmv", dataDependent, 1 << 18, 1 << 13, 1 << 11, false},
	{"histogram", dataDependent, 1 << 22, 1 << 15, 1 << 13, false},
	{"bfs", dataDependent, 1 << 18, 1 << 14, 1 << 11, false},
	{"bitonic", dataDependent, 1 << 20, 1 << 13, 1 << 11, false},
	{"align", dataDependent, 1 << 16, 1 << 10, 1 << 8, false},
	{"probe", dataDependent, 1 << 20, 1 << 15, 1 << 12, false},
	{"cells", dataDependent, 1 << 17, 1 << 12, 1 << 11, false},
	{"topk", dataDependent, 1 << 18, 1 << 13, 1 << 12, false},
	{"insert", dataDependent, 1 << 20, 1 << 14, 1 << 12, false},
	{"lock", synchronizing, 1 << 12, 1 << 10, 1 << 8, false},
	{"lookback", synchronizing, 1 << 20, 1 << 14, 1 << 12, false},
	{"queue", synchronizing, 1 << 20, 1 << 14, 1 << 12, false},
	{"lastblock", synchronizing, 1 << 22, 1 << 16, 1 << 12, false},
	{"gridsync", synchronizing, 1 << 18, 1 << 12, 1 << 12, true},
	{"segments", synchronizing, 1 << 13, 1 << 12, 1 << 9, false},
}

// chosen are the kernels of a list of names, all if it is empty.
func chosen(only string) ([]kernel, error) {
	if only == "" {
		return allKernels, nil
	}
	var out []kernel
	for _, name := range strings.Split(only, ",") {
		i := slices.IndexFunc(allKernels, func(k kernel) bool { return k.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no kernel %q", name)
		}
		out = append(out, allKernels[i])
	}
	return out, nil
}

// column is one way of running all kernels.
type column struct {
	title  string
	runner runner
	// peer: it is OpenCL; small: the column runs at the size that Oclgrind can bear.
	peer, small bool
	// missing says why the column is empty.
	missing string
}

// cell is one measurement.
type cell struct {
	rate    float64 // thread instructions per second; 0 where not measured
	seconds float64 // of one run of the kernel
	memory  int64   // peak resident bytes of the largest process
	note    string  // what went wrong
}

// table has cells[column][kernel].
type table struct {
	// simd is the instruction set that warpgrind kept to, as in WARPGRIND_SIMD.
	simd     string
	programs []programTimes
	products *productTimes // nil if not measured
	kernels  []kernel
	columns  []column
	cells    [][]cell
	counts   []uint64 // thread instructions of a run at full size, by kernel
	notes    []string
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
	if b.cfg.quick { // all checks include the others
		return append(cols, column{title: titleAll, runner: b.warp("default")})
	}
	for _, id := range []string{"race", "memory", "init", "bank"} {
		if _, ok := registry.Find(id); ok {
			cols = append(cols, column{title: "warpgrind, " + id, runner: b.warp(id)})
		}
	}
	return append(cols, column{title: titleAll, runner: b.warp("default")},
		column{title: "all checks, in a stream", runner: b.warpIn("stream")},
		column{title: "all checks, managed memory", runner: b.warpIn("managed")})
}

// columns are warpgrind's and, with peers, those of the others.
func (b *bench) columns(peers bool) []column {
	cols := b.warpColumns()
	if peers {
		cols = append(cols, column{title: titleC, runner: b.scalar, missing: b.noC})
	}
	if b.cfg.quick || !peers {
		return cols
	}
	return append(cols,
		column{title: titlePoCL, runner: b.pocl, peer: true, missing: b.noPoCL},
		column{title: titleOclgrind, runner: b.oclgrind(), peer: true, small: true, missing: b.noOclgrind},
		column{title: titleOclCheck, runner: b.oclgrind("--data-races", "--uninitialized"), peer: true, small: true, missing: b.noOclgrind})
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

// measureAll measures with each of the instruction sets, and the peers with the first.
func (b *bench) measureAll(ctx context.Context) (list []*table, err error) {
	for i, simd := range b.simds {
		b.simd = simd
		t, err := b.measure(ctx, i == 0)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	b.simd = b.simds[0]
	return list, nil
}

// takePeers takes the columns of the peers from another table.
func (t *table) takePeers(from *table) {
	for i, c := range from.columns {
		if t.find(c.title) == nil {
			t.columns, t.cells = append(t.columns, c), append(t.cells, from.cells[i])
		}
	}
}

// measure fills the table, kernel by kernel.
func (b *bench) measure(ctx context.Context, peers bool) (*table, error) {
	t := &table{simd: b.simd, kernels: b.list, columns: b.columns(peers)}
	t.cells = make([][]cell, len(t.columns))
	for n, k := range b.list {
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
				t.notes = append(t.notes, fmt.Sprintf("%s, %s: %s", c.title, b.list[n].name, cell.note))
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
		now, err := b.cell(ctx, b.list[n], c, known)
		if err != nil {
			return err
		}
		best.memory = max(best.memory, now.memory)
		if now.rate > best.rate {
			best.rate, best.seconds = now.rate, now.seconds
		}
		if now.note != "" {
			best.note = now.note
		}
	}
	return nil
}

// cell runs one kernel in one column. An error is warpgrind's own failure; a
// failure of a peer is a note.
func (b *bench) cell(ctx context.Context, k kernel, c column, known map[int]work) (cell, error) {
	if c.missing != "" || c.peer && k.alone {
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
		fmt.Fprintf(b.log, "%-10s %-34s N=%-9d %10.3f ms\n", k.name, c.title, j.n, 1e3*r.seconds)
		return cell{rate: float64(w.instructions) / r.seconds, seconds: r.seconds, memory: r.memory}, nil
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
	list                    []kernel
	log                     io.Writer
	dir                     string
	cuda, c, ocl            string // executables
	noC, noPoCL, noOclgrind string // why a peer is missing; "" if it is there
	warpgrind, kernels      string
	// simds are the instruction sets to measure, simd the one that is measured now.
	simds []string
	simd  string
}

func newBench(ctx context.Context, cfg config, dir string, log io.Writer) (*bench, error) {
	b := &bench{cfg: cfg, log: log, dir: dir}
	var err error
	if b.warpgrind, err = filepath.Abs(cfg.warpgrind); err != nil {
		return nil, err
	}
	if b.kernels, err = filepath.Abs(cfg.kernels); err != nil {
		return nil, err
	}
	if b.list, err = chosen(cfg.only); err != nil {
		return nil, err
	}
	if b.simds, err = instructionSets(cfg.simd, alu.ISAs()); err != nil {
		return nil, err
	}
	b.simd = b.simds[0]
	if b.cuda, err = buildCUDA(ctx, filepath.Join(cfg.kernels, "bench.cu"), dir); err != nil {
		return nil, err
	}
	b.buildPeers(ctx)
	return b, nil
}

// instructionSets returns the sets in a list of names that this processor supports, or all its vector sets if the list is empty.
func instructionSets(list string, has []string) ([]string, error) {
	if list == "" {
		if i := slices.Index(has, plainGo); i > 0 {
			return has[:i], nil
		}
		return has, nil
	}
	names := strings.Split(list, ",")
	for _, name := range names {
		if !slices.Contains(has, name) {
			return nil, fmt.Errorf("this processor has no instruction set %q (it has: %s)", name, strings.Join(has, ", "))
		}
	}
	return names, nil
}

// plainGo names the functions of package alu without vector instructions.
const plainGo = "go"

// firstLine shortens a tool's complaint.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
