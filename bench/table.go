package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
)

// host describes the machine that was measured.
type host struct {
	model, features, memory, load string
	cores                         int
}

// machine reads /proc; what it cannot read stays "unknown".
func machine() host {
	h := host{model: "unknown processor", memory: "unknown", cores: runtime.NumCPU()}
	eachField("/proc/cpuinfo", func(key, value string) {
		switch key {
		case "model name":
			h.model = value
		case "flags":
			h.features = vectorUnits(strings.Fields(value))
		}
	})
	eachField("/proc/meminfo", func(key, value string) {
		var kb float64
		if n, _ := fmt.Sscanf(value, "%g kB", &kb); key == "MemTotal" && n == 1 {
			h.memory = fmt.Sprintf("%.0f GiB", kb/(1<<20))
		}
	})
	return h
}

// eachField calls f for the "key : value" lines of a file.
func eachField(file string, f func(key, value string)) {
	in, err := os.Open(file)
	if err != nil {
		return
	}
	defer in.Close()
	s := bufio.NewScanner(in)
	for s.Scan() {
		if key, value, ok := strings.Cut(s.Text(), ":"); ok {
			f(strings.TrimSpace(key), strings.TrimSpace(value))
		}
	}
}

func vectorUnits(flags []string) string {
	best := "SSE2"
	for _, f := range flags {
		switch {
		case f == "avx512f":
			return "AVX-512"
		case f == "avx2":
			best = "AVX2"
		}
	}
	return best
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

// find returns the cells of a column, or nil.
func (t *table) find(title string) []cell {
	for i, c := range t.columns {
		if c.title == title {
			return t.cells[i]
		}
	}
	return nil
}

// ratios divides the rates of two columns; 0 where one is missing.
func ratios(a, b []cell) []float64 {
	out := make([]float64, len(kernels))
	for i := range out {
		if i < len(a) && i < len(b) && b[i].rate > 0 {
			out[i] = a[i].rate / b[i].rate
		}
	}
	return out
}

// geomean is the geometric mean; 0 if a value is missing.
func geomean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		if x <= 0 {
			return 0
		}
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(v)))
}

// row writes a title and the values of the kernels, with their mean.
func row(w *strings.Builder, title string, values []float64) {
	fmt.Fprintf(w, "| %s |", title)
	for _, v := range append(append([]float64{}, values...), geomean(values)) {
		if v <= 0 {
			w.WriteString(" - |")
		} else {
			fmt.Fprintf(w, " %s |", short(v))
		}
	}
	w.WriteByte('\n')
}

// short prints three significant digits without an exponent.
func short(v float64) string {
	digits := max(0, 2-int(math.Floor(math.Log10(v))))
	return fmt.Sprintf("%.*f", digits, v)
}

func heading(w *strings.Builder, title string, mean bool) {
	names, rule := "", ""
	for _, k := range kernels {
		names += " " + k.name + " |"
		rule += " ---: |"
	}
	if mean {
		names, rule = names+" geometric mean |", rule+" ---: |"
	}
	fmt.Fprintf(w, "\n| %s |%s\n| --- |%s\n", title, names, rule)
}

// markdown is the whole page.
func (t *table) markdown(h host, cfg config) string {
	var w strings.Builder
	t.intro(&w, h, cfg)
	t.rates(&w)
	t.comparisons(&w)
	t.slowdowns(&w)
	t.memory(&w)
	if len(t.notes) > 0 {
		w.WriteString("\n## Not measured\n\n")
		for _, n := range t.notes {
			w.WriteString("- " + n + "\n")
		}
	}
	return w.String()
}

func (t *table) intro(w *strings.Builder, h host, cfg config) {
	fmt.Fprintf(w, `# Benchmarks

Made by %s; do not edit.

Machine: %s, %d cores, %s, %s of memory; load average %s.
Best of %d repetitions (Oclgrind: at most 2), kernel time only: from the launch to the end of the synchronization
that follows, without compilation. warpgrind and PoCL use all cores. Every output is compared with that of warpgrind
without checks by two checksums (relative tolerance %g).

A thread instruction is one PTX instruction of one active thread, in the build that keeps every access of the source.
For the peers it is the same count: the thread instructions that warpgrind executed for the kernel at the peer's
size, divided by the peer's kernel time. Oclgrind runs smaller sizes.
`, "`make bench`", h.model, h.cores, h.features, h.memory, h.load, cfg.reps*cfg.rounds, tolerance)
	heading(w, "", false)
	sizes, small, counts := "| N |", "| N under Oclgrind |", "| 10^6 thread instructions |"
	for i, k := range kernels {
		n := k.full
		if cfg.quick {
			n = k.quick
		}
		sizes += fmt.Sprintf(" %d |", n)
		small += fmt.Sprintf(" %d |", k.small)
		counts += fmt.Sprintf(" %.1f |", float64(t.counts[i])/1e6)
	}
	fmt.Fprintf(w, "%s\n%s\n%s\n", sizes, small, counts)
}

func (t *table) rates(w *strings.Builder) {
	w.WriteString("\n## Speed\n\n10^9 thread instructions a second. Without checks means `--tool launch`: no rule listens to instructions. " +
		"The engine itself\nalways checks bounds and alignment, so the memory rule, which reports them, costs next to nothing.\n")
	heading(w, "", true)
	for i, c := range t.columns {
		v := make([]float64, len(kernels))
		for k, cell := range t.cells[i] {
			v[k] = cell.rate / 1e9
		}
		row(w, c.title, v)
	}
}

func (t *table) comparisons(w *strings.Builder) {
	w.WriteString("\n## warpgrind next to the others\n\nRatios of thread instructions a second: above 1 warpgrind is faster.\n")
	heading(w, "", true)
	for _, p := range [][2]string{
		{titleNone, titlePoCL}, {titleAll, titlePoCL},
		{titleNone, titleOclgrind}, {titleAll, titleOclCheck},
		{titleNone, titleC}, {titleAll, titleC},
	} {
		if b := t.find(p[1]); b != nil {
			row(w, p[0]+" / "+p[1], ratios(t.find(p[0]), b))
		}
	}
}

func (t *table) slowdowns(w *strings.Builder) {
	w.WriteString("\n## What a check costs\n\nKernel time with the check over kernel time without checks, each by the same program.\n")
	heading(w, "", true)
	none := t.find(titleNone)
	for i, c := range t.columns {
		switch c.title {
		case titleNone, titlePoCL, titleOclgrind, titleC:
		case titleOclCheck:
			row(w, c.title, ratios(t.find(titleOclgrind), t.cells[i]))
		default:
			row(w, c.title, ratios(none, t.cells[i]))
		}
	}
}

func (t *table) memory(w *strings.Builder) {
	w.WriteString("\n## Peak memory\n\nMiB resident, of the largest process of the run, at the size of the row.\n")
	heading(w, "", true)
	for i, c := range t.columns {
		v := make([]float64, len(kernels))
		for k, cell := range t.cells[i] {
			v[k] = float64(cell.memory) / (1 << 20)
		}
		row(w, c.title, v)
	}
}
