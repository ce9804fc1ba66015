package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// load is the load average of the last minute.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	one, _, _ := strings.Cut(string(text), " ")
	return one
}

// find returns the cells of a column, or nil.
func (t *table) find(title string) []cell {
	for i, c := range t.columns {
		if c.title == title {
			return t.cells[i]
		}
	}
	return nil
}

// geomean is the geometric mean of the values that are there, 0 if none is.
func geomean(v []float64) float64 {
	sum, n := 0.0, 0
	for _, x := range v {
		if x > 0 {
			sum += math.Log(x)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return math.Exp(sum / float64(n))
}

// short prints three significant digits without an exponent.
func short(v float64) string {
	digits := max(0, 2-int(math.Floor(math.Log10(v))))
	return fmt.Sprintf("%.*f", digits, v)
}

// number is short, whole for large integers, and a dash for what was not measured.
func number(v float64) string {
	switch {
	case v <= 0:
		return "-"
	case v >= 10 && v == math.Trunc(v):
		return strconv.Itoa(int(v))
	}
	return short(v)
}

// figure is a column of a table of the page: a number of each kernel, by its index, 0
// where it was not measured.
type figure struct {
	title string
	of    func(k int) float64
}

// cells makes figures of the columns of the measurement.
func (t *table) figures(of func(cell) float64) []figure {
	var out []figure
	for i, c := range t.columns {
		out = append(out, figure{c.title, func(k int) float64 { return of(t.cells[i][k]) }})
	}
	return out
}

// grid writes a table with a row for each kernel and, where means are asked for, one for
// the geometric mean of each group.
func (t *table) grid(w *strings.Builder, figures []figure, means bool) {
	head, rule := "\n| |", "| --- |"
	for _, f := range figures {
		head += " " + f.title + " |"
		rule += " ---: |"
	}
	w.WriteString(head + "\n" + rule + "\n")
	for _, g := range groups {
		values := make([][]float64, len(figures))
		for k := range t.kernels {
			if t.kernels[k].group != g {
				continue
			}
			w.WriteString("| " + t.kernels[k].name + " |")
			for i, f := range figures {
				v := f.of(k)
				values[i] = append(values[i], v)
				w.WriteString(" " + number(v) + " |")
			}
			w.WriteByte('\n')
		}
		if !means || !slices.ContainsFunc(t.kernels, func(k kernel) bool { return k.group == g }) {
			continue
		}
		fmt.Fprintf(w, "| **%s** |", g)
		for i := range figures {
			w.WriteString(" **" + number(geomean(values[i])) + "** |")
		}
		w.WriteByte('\n')
	}
}

// markdown is the whole page.
func (t *table) markdown(load string, cfg config) string {
	var w strings.Builder
	t.intro(&w, load, cfg)
	t.times(&w)
	t.comparisons(&w)
	t.costs(&w)
	w.WriteString(published)
	t.memory(&w)
	if len(t.programs) > 0 {
		w.WriteString(programsSection(t.programs))
	}
	if t.products != nil {
		w.WriteString(productsSection(*t.products))
	}
	if len(t.notes) > 0 {
		w.WriteString("\n## Not measured\n\n")
		for _, n := range t.notes {
			w.WriteString("- " + n + "\n")
		}
	}
	return w.String()
}

// section is the part of the page about a further instruction set.
func (t *table) section() string {
	var w strings.Builder
	fmt.Fprintf(&w, "\n# The same with %s\n\nwarpgrind keeps to %s on the same processor; the others are as above.\n", simdName(t.simd), simdName(t.simd))
	t.times(&w)
	t.comparisons(&w)
	t.costs(&w)
	for _, n := range t.notes {
		w.WriteString("- " + n + "\n")
	}
	return w.String()
}

// simdName is how an instruction set is called on the page.
func simdName(set string) string {
	switch set {
	case "avx512":
		return "AVX-512"
	case "avx2":
		return "AVX2"
	case plainGo:
		return "no vector instructions in the interpreter"
	}
	return set
}

func (t *table) intro(w *strings.Builder, load string, cfg config) {
	fmt.Fprintf(w, `# Benchmarks

Made by %s; do not edit.

Load average %s.
Best of %d repetitions (Oclgrind: at most 2), kernel time only: from the launch to the end of the synchronization
that follows, without compilation. warpgrind keeps to %s; PoCL, whose code is made for the processor, and warpgrind use all cores. CUDA and OpenCL compile the same source
(bench/kernels/kernels.inc). Every output is compared with that of warpgrind without checks by two checksums (relative
tolerance %g).

Three groups of kernels: **provable**, where a proof before the launch spares nearly all accesses; **data-dependent**, where
addresses or conditions come from memory; **synchronizing**, where threads or blocks wait for each other. OpenCL does not
promise that blocks that wait for each other end, so gridsync has no peer.

A thread instruction is one PTX instruction of one active thread, in the build that keeps every access of the source.
Oclgrind runs smaller sizes: it is compared by thread instructions a second, each counted by warpgrind at the size that
ran.
`, "`make bench`", load, cfg.reps*cfg.rounds, simdName(t.simd), tolerance)
	size := func(k int) float64 {
		if cfg.quick {
			return float64(t.kernels[k].quick)
		}
		return float64(t.kernels[k].full)
	}
	t.grid(w, []figure{
		{"N", size},
		{"N under Oclgrind", func(k int) float64 { return float64(t.kernels[k].small) }},
		{"10^6 thread instructions", func(k int) float64 { return float64(t.counts[k]) / 1e6 }},
	}, false)
}

func (t *table) times(w *strings.Builder) {
	w.WriteString("\n## Kernel time in ms\n\nWithout checks means `--tool launch`: no rule listens to instructions. " +
		"The engine itself always checks bounds and\nalignment, so the memory rule, which reports them, costs next to nothing. The launches of programs with a stream, or with\n" +
		"managed memory, are compared with other work as well.\n")
	t.grid(w, t.figures(func(c cell) float64 { return 1e3 * c.seconds }), true)
}

// ratio divides the rates of two columns.
func (t *table) ratio(title, a, b string) (f figure, ok bool) {
	x, y := t.find(a), t.find(b)
	if x == nil || y == nil {
		return f, false
	}
	return figure{title, func(k int) float64 {
		if y[k].rate <= 0 {
			return 0
		}
		return x[k].rate / y[k].rate
	}}, true
}

func (t *table) comparisons(w *strings.Builder) {
	w.WriteString("\n## Compared with the others\n\nRatios of thread instructions a second: above 1 warpgrind is faster.\n")
	var figures []figure
	for _, p := range [][3]string{
		{"no checks / PoCL", titleNone, titlePoCL}, {"all checks / PoCL", titleAll, titlePoCL},
		{"no checks / Oclgrind", titleNone, titleOclgrind}, {"all checks / Oclgrind with checks", titleAll, titleOclCheck},
		{"no checks / scalar C", titleNone, titleC}, {"all checks / scalar C", titleAll, titleC},
	} {
		if f, ok := t.ratio(p[0], p[1], p[2]); ok {
			figures = append(figures, f)
		}
	}
	t.grid(w, figures, true)
}

func (t *table) costs(w *strings.Builder) {
	w.WriteString("\n## What a check costs\n\nKernel time with the check over kernel time without checks, each by the same program.\n")
	var figures []figure
	for _, c := range t.columns {
		than := titleNone
		switch c.title {
		case titleNone, titlePoCL, titleOclgrind, titleC:
			continue
		case titleOclCheck:
			than = titleOclgrind
		}
		if f, ok := t.ratio(c.title, than, c.title); ok {
			figures = append(figures, f)
		}
	}
	t.grid(w, figures, true)
}

// published are the costs that papers and manuals give for tools of this kind.
const published = `
Published, for comparison, each over the same program without checks in the same environment: Boyer et al. (2008, Table 1) a
factor of 12.0 for races and of 2.6 for bank conflicts, in emulation; GRace (2011, Section 5.3) 22 and 116 % more time for
GRace-addr, 19 and 9,862 times for GRace-stmt, on a GPU after static analysis; users of racecheck speak of 3 to 100 times.
`

func (t *table) memory(w *strings.Builder) {
	w.WriteString("\n## Peak memory\n\nMiB resident, of the largest process of the run, at the size of the row.\n")
	t.grid(w, t.figures(func(c cell) float64 { return float64(c.memory) / (1 << 20) }), true)
}
