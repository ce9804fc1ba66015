package mutate

import (
	"bytes"
	"regexp"
	"strings"
)

// calls are statements that are taken away whole.
var calls = []struct {
	kind Kind
	re   *regexp.Regexp
}{
	{Barrier, regexp.MustCompile(`\b(__syncthreads|\w+\s*\.\s*sync|(cg|cooperative_groups)::sync|\w+\s*\.\s*arrive_and_wait)\s*\(`)},
	{WarpSync, regexp.MustCompile(`\b__syncwarp\s*\(`)},
	{Fence, regexp.MustCompile(`\b(__threadfence(_block|_system)?|(cuda::)?(std::)?atomic_thread_fence)\s*\(`)},
	{Wait, regexp.MustCompile(`\b(__pipeline_wait_prior|\w+\s*\.\s*(consumer_wait|wait|wait_prior)|(cg|cooperative_groups)::wait(_prior\s*<[^>]*>)?)\s*\(`)},
}

// syncs finds the synchronizations of a function that are statements.
func syncs(t []byte, r region) []edit {
	var out []edit
	for _, c := range calls {
		for _, m := range c.re.FindAllIndex(t[r.from:r.to], -1) {
			from := r.from + m[0]
			end := matching(t, r.from+m[1]-1)
			if end < r.to && t[end] == ';' && startsStatement(t, from) {
				out = append(out, edit{kind: c.kind, from: from, to: end})
			}
		}
	}
	return out
}

// startsStatement reports whether a statement begins at i.
func startsStatement(t []byte, i int) bool {
	before := bytes.TrimRight(t[:i], " \t\n\r")
	return len(before) == 0 || bytes.ContainsAny(before[len(before)-1:], ";{}):") || bytes.HasSuffix(before, []byte("else"))
}

var (
	index    = regexp.MustCompile(`\b(threadIdx|blockIdx|thread_rank|thread_index|block_rank|laneid)\b`)
	assigned = regexp.MustCompile(`\b(\w+)\s*(?:=|\+=)\s*([^=;,{}]+)`)
	ifWord   = regexp.MustCompile(`\bif\s*(?:constexpr\s*)?\(`)
	compare  = regexp.MustCompile(`^([^<>=!]+)(<=?|>=?)([^<>=!]+)$`)
	leaves   = regexp.MustCompile(`^\s*\{?\s*(return|continue|break)\b`)
)

// bounds finds the comparisons of a thread's index with a limit.
func bounds(t []byte, r region) []edit {
	known := indices(t[r.from:r.to])
	var out []edit
	for _, m := range ifWord.FindAllIndex(t[r.from:r.to], -1) {
		open := r.from + m[1] - 1
		end := matching(t, open)
		cond := string(t[open+1 : end-1])
		if !checksIndex(cond, known) {
			continue
		}
		with := "(true)"
		if leaves.Match(t[end:r.to]) {
			with = "(false)"
		}
		out = append(out, edit{kind: Bounds, from: open, to: end, with: with})
	}
	for to := r.from; to < r.to; to++ {
		if t[to] != '?' {
			continue
		}
		if from := conditionBefore(t, to); checksIndex(string(t[from:to]), known) {
			out = append(out, edit{kind: Bounds, from: from, to: to, with: "true "})
		}
	}
	return out
}

// conditionBefore returns where the condition begins that ends at a "?".
func conditionBefore(t []byte, i int) int {
	depth := 0
	for i--; i > 0; i-- {
		switch c := t[i]; {
		case c == ')' || c == ']':
			depth++
		case (c == '(' || c == '[') && depth > 0:
			depth--
		case depth > 0:
		case bytes.IndexByte([]byte("([{},;:?"), c) >= 0,
			c == '=' && t[i+1] != '=' && bytes.IndexByte([]byte("=<>!"), t[i-1]) < 0:
			return i + 1 + spaces(t[i+1:])
		case isWord(c) && bytes.HasPrefix(t[i:], []byte("return ")):
			return i + len("return ")
		}
	}
	return i
}

func spaces(t []byte) int { return len(t) - len(bytes.TrimLeft(t, " \t\n\r")) }

// indices are the variables that are computed from a thread's place.
func indices(body []byte) map[string]bool {
	known := map[string]bool{}
	for grew := true; grew; {
		grew = false
		for _, m := range assigned.FindAllSubmatch(body, -1) {
			if name := string(m[1]); !known[name] && fromIndex(string(m[2]), known) {
				known[name], grew = true, true
			}
		}
	}
	return known
}

var word = regexp.MustCompile(`\w+`)

// fromIndex reports whether an expression is arithmetic on a thread's place:
// nothing is read from memory.
func fromIndex(expr string, known map[string]bool) bool {
	if strings.ContainsAny(expr, "[?") {
		return false
	}
	if index.MatchString(expr) {
		return true
	}
	for _, w := range word.FindAllString(expr, -1) {
		if known[w] {
			return true
		}
	}
	return false
}

var splitter = regexp.MustCompile(`&&|\|\|`)

// checksIndex reports whether a condition consists of comparisons and one at
// least is of a thread's index.
func checksIndex(cond string, known map[string]bool) bool {
	any := false
	for _, part := range splitter.Split(cond, -1) {
		m := compare.FindStringSubmatch(part)
		if m == nil || strings.ContainsAny(part, "[") {
			continue
		}
		any = any || fromIndex(m[1], known) != fromIndex(m[3], known)
	}
	return any
}

// stored is a constant that goes to an element of an array.
var stored = regexp.MustCompile(`\b\w+(?:\s*\[[^\[\];]*\])+\s*=\s*(?:-?\d[\w.]*|-?(?:INFINITY|FLT_MAX|INT_MAX|DBL_MAX)|\w+(?:<\w+>)?\(0\)|\{\s*\})\s*;`)

// constants finds statements that store a constant.
func constants(t []byte, r region) []edit {
	var out []edit
	for _, m := range stored.FindAllIndex(t[r.from:r.to], -1) {
		from, to := r.from+m[0], r.from+m[1]-1
		if startsStatement(t, from) {
			out = append(out, edit{kind: Init, from: from, to: to})
		}
	}
	return out
}

var (
	fills  = regexp.MustCompile(`\bcudaMemset(2D|3D|Async)?\s*\(`)
	copies = regexp.MustCompile(`\bcudaMemcpy(2D|ToSymbol|Async|2DAsync|ToSymbolAsync)?\s*\(`)
)

// hostWrites finds what the host writes to the device.
func hostWrites(t []byte) []edit {
	var out []edit
	for _, m := range fills.FindAllIndex(t, -1) {
		if !mustSucceed(t, m[0]) {
			continue
		}
		out = append(out, edit{kind: Init, from: m[0], to: matching(t, m[1]-1), with: "cudaSuccess"})
	}
	for _, m := range copies.FindAllIndex(t, -1) {
		end := matching(t, m[1]-1)
		call := t[m[0]:end]
		if !mustSucceed(t, m[0]) {
			continue
		}
		if bytes.Contains(call, []byte("HostToDevice")) || bytes.Contains(call, []byte("ToSymbol")) {
			out = append(out, edit{kind: Init, from: m[0], to: end, with: "cudaSuccess"})
		}
	}
	return out
}

var macro = regexp.MustCompile(`\b[A-Z][A-Z_0-9]*\($`)

// mustSucceed reports whether the call at i is a statement or the argument of a
// macro such as CHECK: other calls may be meant to fail.
func mustSucceed(t []byte, i int) bool { return startsStatement(t, i) || macro.Match(t[:i]) }
