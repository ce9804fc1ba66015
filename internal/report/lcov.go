package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/warpgrind/warpgrind/internal/coverage"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// LCOV writes the coverage as an LCOV trace file (geninfo(1), "FILES"). Counts are executions by threads. The blocks of
// BRDA are the branches of a line, their branches 0, where the condition holds, and 1, where it does not.
func LCOV(w io.Writer, r *Report, o Options) error {
	b := bufio.NewWriter(w)
	if r.Coverage != nil {
		for i := range r.Coverage.Files {
			f := r.Coverage.Files[i]
			f.Path = o.absolute(f.Path)
			writeLCOV(b, &f)
		}
	}
	return b.Flush()
}

func writeLCOV(w io.Writer, f *coverage.File) {
	line := func(format string, args ...any) { _, _ = visible.Fprintf(w, format+"\n", args...) }
	t := f.Totals()
	line("TN:")
	line("SF:%s", f.Path)
	names := functionNames(f)
	for i, n := range f.Functions {
		line("FN:%d,%s", n.Line, names[i])
	}
	for i, n := range f.Functions {
		line("FNDA:%d,%s", n.Threads, names[i])
	}
	line("FNF:%d", t.Functions)
	line("FNH:%d", t.FunctionsHit)
	block, last := 0, 0
	for i := range f.Branches {
		n := &f.Branches[i]
		if n.Line != last {
			block, last = 0, n.Line
		}
		for k, c := range []coverage.Count{n.Taken, n.NotTaken} {
			taken := "-"
			if n.Evaluated() {
				taken = fmt.Sprint(c.Threads)
			}
			line("BRDA:%d,%d,%d,%s", n.Line, block, k, taken)
		}
		block++
	}
	line("BRF:%d", t.Outcomes)
	line("BRH:%d", t.OutcomesHit)
	for _, l := range f.Lines {
		line("DA:%d,%d", l.Line, l.Threads)
	}
	line("LF:%d", t.Lines)
	line("LH:%d", t.LinesHit)
	line("end_of_record")
}

// functionNames are the names of a file's functions. Instances of a template have one: that which they have in common.
func functionNames(f *coverage.File) []string {
	var names []string
	seen := map[string]bool{}
	for _, n := range f.Functions {
		name := "?" // in a report that others wrote
		if len(n.Instances) > 0 {
			name = finding.Demangle(n.Instances[0].Symbol)
		}
		if len(n.Instances) > 1 {
			name = templateName(name)
		}
		for base, k := name, 2; seen[name]; k++ { // readers take equal names for one function
			name = fmt.Sprintf("%s#%d", base, k)
		}
		seen[name] = true
		names = append(names, name)
	}
	return names
}

// templateName is the name of a function without template arguments, parameters and result type.
func templateName(name string) string {
	depth, out := 0, []byte{}
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '<':
			depth++
		case c == '>' && depth > 0:
			depth--
		case c == '(' && depth == 0 && !strings.HasPrefix(name[i:], "(anonymous namespace)"):
			return lastWord(string(out))
		case depth == 0:
			out = append(out, c)
		}
	}
	return lastWord(string(out))
}

// lastWord cuts off a result type.
func lastWord(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.LastIndexByte(strings.ReplaceAll(s, "(anonymous namespace)", "(anonymous_namespace)"), ' '); i >= 0 {
		return s[i+1:]
	}
	return s
}
