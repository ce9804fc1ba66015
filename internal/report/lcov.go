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
			f.Path = o.fromWorkplace(f.Path)
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
	var out []byte
	for i := 0; i < len(name); {
		rest := name[i:]
		switch {
		case strings.HasPrefix(rest, "operator"):
			n := operatorEnd(rest)
			out = append(out, rest[:n]...)
			i += n
		case strings.HasPrefix(rest, anonymousNamespace), rest[0] == '{': // of a lambda, with its parameters
			n := strings.IndexAny(rest, ")}") + 1
			if rest[0] == '{' {
				n = strings.IndexByte(rest, '}') + 1
			}
			n = max(n, 1)
			out = append(out, strings.ReplaceAll(rest[:n], " ", "\x00")...)
			i += n
		case rest[0] == '<':
			i += bracketEnd(rest, '<', '>')
			if strings.HasPrefix(name[i:], "(") && out != nil && strings.Contains(name[i:], ")::") { // a function that has the next part of the name in it
				i += bracketEnd(name[i:], '(', ')')
			}
		case rest[0] == '(':
			return withoutResult(string(out))
		default:
			out = append(out, rest[0])
			i++
		}
	}
	return withoutResult(string(out))
}

const anonymousNamespace = "(anonymous namespace)"

// operatorEnd is the length of the name of an operator at the front of s.
func operatorEnd(s string) int {
	n := len("operator")
	if strings.HasPrefix(s[n:], "()") {
		return n + len("()")
	}
	for n < len(s) && strings.IndexByte("<>=!+-*/%^&|~[],", s[n]) >= 0 {
		n++
	}
	return n
}

// bracketEnd is where the bracket at the front of s ends.
func bracketEnd(s string, begin, end byte) int {
	depth, round := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '(' && begin != '(':
			round++
		case c == ')' && begin != '(':
			round--
		case round > 0: // "(1 > 0)" is one argument
		case c == begin:
			depth++
		case c == end:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// withoutResult cuts off a result type.
func withoutResult(s string) string {
	s = strings.TrimSpace(s)
	return strings.ReplaceAll(s[strings.LastIndexByte(s, ' ')+1:], "\x00", " ")
}
