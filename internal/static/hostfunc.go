package static

import (
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/graph"
	"github.com/warpgrind/warpgrind/internal/solve"
)

// hostFunc is a function of host code in LLVM's language: its blocks, and its integers as terms over what the
// function is given, calls, and reads from memory.
type hostFunc struct {
	name  string
	lines []*irtext.Line
	// block is that of each line; idom, preds and ends are the immediate dominators, the predecessors and the last
	// lines of blocks.
	block  []int
	labels map[string]int
	preds  [][]int
	idom   []int
	// gates are the conditions on which blocks are reached from their dominators, once they are asked for.
	gates map[int]*solve.Term
	ends  []int
	// defs are the lines that define values, terms the values that were asked for.
	defs  map[string]int
	terms map[string]*solve.Term
	depth int // of the value that is computed, in values
}

// mostDepth bounds how many values a value is followed back; what is further away is a variable.
const mostDepth = 1000

// Variables of terms about host code begin with one of these; what is read from memory may be another value at
// another place.
const (
	hostPrefix       = "host "
	hostMemoryPrefix = hostPrefix + "memory "
)

// newHostFunc reads the lines of a function, the first of which is its definition.
func newHostFunc(lines []*irtext.Line) *hostFunc {
	f := &hostFunc{lines: lines, block: make([]int, len(lines)), labels: map[string]int{}, defs: map[string]int{}, gates: map[int]*solve.Term{}, terms: map[string]*solve.Term{}}
	f.name, _, _ = lines[0].Call()
	for i, l := range lines[1:] {
		if label, ok := labelOf(l); ok {
			if len(f.labels) > 0 || i > 0 {
				f.ends = append(f.ends, i)
			}
			f.labels[label] = len(f.ends)
		}
		f.block[i+1] = len(f.ends)
		if name, _, ok := l.Definition(); ok {
			f.defs[name] = i + 1
		}
	}
	f.ends = append(f.ends, len(lines)-1)
	return f
}

// labelOf is the label that a line is.
func labelOf(l *irtext.Line) (string, bool) {
	if l.Text == "" || l.IsInstruction() {
		return "", false
	}
	name, _, ok := strings.Cut(l.Text, ":")
	return strings.Trim(name, `"`), ok
}

// connect finds the edges between blocks and what dominates them, which dominates and conditions need.
func (f *hostFunc) connect() {
	g := graph.New(len(f.ends))
	f.preds = make([][]int, len(f.ends))
	for i, l := range f.lines {
		for _, target := range f.targets(l) {
			g.Add(f.block[i], target)
			f.preds[target] = append(f.preds[target], f.block[i])
		}
	}
	f.idom = g.Dominators(0)
}

// targets are the blocks that a line branches to.
func (f *hostFunc) targets(l *irtext.Line) []int {
	if !l.IsInstruction() {
		return nil
	}
	return f.targetsOf(l.Text)
}

// targetsOf are the blocks that a part of a branch names.
func (f *hostFunc) targetsOf(rest string) (out []int) {
	const mark = "label %"
	for {
		_, after, ok := strings.Cut(rest, mark)
		if !ok {
			return out
		}
		name := ("%" + after)[1:irtext.NameEnd("%"+after)]
		if b, ok := f.labels[strings.Trim(name, `"`)]; ok {
			out = append(out, b)
		}
		rest = after
	}
}

// dominates reports whether each way to line b comes by line a.
func (f *hostFunc) dominates(a, b int) bool {
	x, y := f.block[a], f.block[b]
	if x == y {
		return a < b
	}
	for y = f.idom[y]; y >= 0; y = f.idom[y] {
		if x == y {
			return true
		}
	}
	return false
}

// sortOfIR is the sort of an integer type, ok for those of at most 64 bits.
func sortOfIR(typ string) (solve.Sort, bool) {
	digits, ok := strings.CutPrefix(typ, "i")
	n, err := strconv.Atoi(digits)
	switch {
	case !ok || err != nil || n < 1 || n > 64:
		return 0, false
	case n == 1:
		return solve.Bool, true
	}
	return solve.Sort(n), true
}

// argument is an argument of a call, with its type and attributes: "i32 noundef %n"; nil unless it is an integer.
func (f *hostFunc) argument(arg string) *solve.Term {
	typ, rest := irtext.CutType(arg)
	s, ok := sortOfIR(typ)
	if !ok {
		return nil
	}
	words := strings.Fields(rest)
	if len(words) == 0 {
		return nil
	}
	return f.operand(words[len(words)-1], s)
}

// operand is a name or a constant; nil for anything else.
func (f *hostFunc) operand(op string, s solve.Sort) *solve.Term {
	switch {
	case op == "true" || op == "false":
		return solve.Truth(op == "true")
	case strings.HasPrefix(op, "%"):
		return f.value(op, s)
	}
	v, err := strconv.ParseInt(op, 10, 64)
	if err != nil || s == solve.Bool {
		return nil
	}
	return solve.BV(uint64(v), int(s))
}

// value is what a name is: a term over what it is computed from, or a variable.
func (f *hostFunc) value(name string, s solve.Sort) *solve.Term {
	if t := f.terms[name]; t != nil {
		return t
	}
	prefix := hostPrefix
	line, defined := f.defs[name]
	if defined {
		if _, op, _ := f.lines[line].Op(); op == "load" || op == "extractvalue" {
			prefix = hostMemoryPrefix
		}
	}
	v := solve.Var(prefix+f.name+" "+name, s)
	f.terms[name] = v // until it is known, and where it depends on itself
	if defined && f.depth < mostDepth {
		f.depth++
		if t := f.compute(f.lines[line]); t != nil && t.Sort() == s {
			f.terms[name] = t
		}
		f.depth--
	}
	return f.terms[name]
}

// instructionFlags are words between an operation and its type (LLVM Language Reference, "Binary Operations",
// "Conversion Operations"): what they promise is not used.
var instructionFlags = []string{"nuw", "nsw", "exact", "disjoint", "nneg", "samesign"}

// compute is the value that a line defines, nil where it is not computed from integers.
func (f *hostFunc) compute(l *irtext.Line) *solve.Term {
	_, op, rest := l.Op()
	compare := ""
	if op == "icmp" {
		compare, rest, _ = strings.Cut(rest, " ")
		if slices.Contains(instructionFlags, compare) {
			compare, rest, _ = strings.Cut(rest, " ")
		}
	}
	for {
		word, after, ok := strings.Cut(rest, " ")
		if !ok || !slices.Contains(instructionFlags, word) {
			break
		}
		rest = after
	}
	switch op {
	case "zext", "sext", "trunc":
		return f.convert(op, rest)
	case "select":
		return f.choose(rest)
	case "phi":
		return f.merged(l, rest)
	case "freeze":
		a, _, _ := f.typed(rest)
		return a
	case "call", "tail":
		return f.intrinsic(l)
	case "fptoui", "fptosi":
		return f.rounded(rest)
	}
	a, rest, s := f.typed(rest)
	op2, _ := irtext.CutOperand(strings.TrimPrefix(rest, ", "))
	if a == nil {
		return nil
	}
	b := f.operand(op2, s)
	switch make := operations[op]; {
	case b == nil:
		return nil
	case op == "icmp":
		return compared(compare, a, b)
	case make == nil:
		return nil
	case s == solve.Bool:
		return truths(op, a, b)
	default:
		return make(a, b)
	}
}

// typed reads "i32 %x" off the front.
func (f *hostFunc) typed(text string) (t *solve.Term, rest string, s solve.Sort) {
	typ, rest := irtext.CutType(text)
	s, ok := sortOfIR(typ)
	op, rest := irtext.CutOperand(strings.TrimPrefix(rest, " "))
	if !ok {
		return nil, rest, 0
	}
	return f.operand(op, s), rest, s
}

// operations are those on two integers.
var operations = map[string]func(a, b *solve.Term) *solve.Term{
	"add": solve.Add, "sub": solve.Sub, "mul": solve.Mul, "shl": solve.Shl, "lshr": solve.LShr, "ashr": solve.AShr,
	"udiv": solve.UDiv, "sdiv": solve.SDiv, "urem": solve.URem, "srem": solve.SRem,
	"and": solve.BitAnd, "or": solve.BitOr, "xor": solve.BitXor,
}

// truths are the operations on two truth values.
func truths(op string, a, b *solve.Term) *solve.Term {
	switch op {
	case "and":
		return solve.And(a, b)
	case "or":
		return solve.Or(a, b)
	case "xor":
		return solve.Not(solve.Eq(a, b))
	}
	return nil
}

func compared(how string, a, b *solve.Term) *solve.Term {
	if a.Sort() == solve.Bool && how != "eq" && how != "ne" {
		return nil
	}
	switch how {
	case "eq":
		return solve.Eq(a, b)
	case "ne":
		return solve.Not(solve.Eq(a, b))
	case "ult":
		return solve.ULt(a, b)
	case "ule":
		return solve.ULe(a, b)
	case "ugt":
		return solve.ULt(b, a)
	case "uge":
		return solve.ULe(b, a)
	case "slt":
		return solve.SLt(a, b)
	case "sle":
		return solve.SLe(a, b)
	case "sgt":
		return solve.SLt(b, a)
	case "sge":
		return solve.SLe(b, a)
	}
	return nil
}

// convert is "i32 %x to i64".
func (f *hostFunc) convert(op, text string) *solve.Term {
	a, rest, from := f.typed(text)
	to, ok := sortOfIR(strings.TrimPrefix(rest, " to "))
	switch {
	case a == nil || !ok:
		return nil
	case op == "trunc" && to == solve.Bool:
		return solve.Eq(solve.Extract(a, 0, 1), solve.BV(1, 1))
	case op == "trunc":
		return solve.Extract(a, 0, int(to))
	case from == solve.Bool && op == "sext":
		return solve.Ite(a, solve.BV(1<<to-1, int(to)), solve.BV(0, int(to)))
	case from == solve.Bool:
		return solve.Ite(a, solve.BV(1, int(to)), solve.BV(0, int(to)))
	case op == "sext":
		return solve.SignExt(a, int(to))
	}
	return solve.ZeroExt(a, int(to))
}

// choose is "i1 %c, i32 %a, i32 %b".
func (f *hostFunc) choose(text string) *solve.Term {
	var parts [3]*solve.Term
	for i := range parts {
		if parts[i], text, _ = f.typed(text); parts[i] == nil {
			return nil
		}
		text = strings.TrimPrefix(text, ", ")
	}
	if c, a, b := parts[0], parts[1], parts[2]; c.Sort() == solve.Bool && a.Sort() == b.Sort() && a.Sort() != solve.Bool {
		return solve.Ite(c, a, b)
	}
	return nil
}

// intrinsic is a minimum or a maximum (LLVM Language Reference, "llvm.smax").
func (f *hostFunc) intrinsic(l *irtext.Line) *solve.Term {
	name, args, _ := l.Call()
	kind, _, ok := strings.Cut(strings.TrimPrefix(name, "llvm."), ".")
	less := map[string]func(a, b *solve.Term) *solve.Term{"smin": solve.SLe, "smax": solve.SLe, "umin": solve.ULe, "umax": solve.ULe}[kind]
	first, second := irtext.CutItem(args)
	if !ok || less == nil {
		return nil
	}
	a, b := f.argument(first), f.argument(second)
	switch {
	case a == nil || b == nil || a.Sort() != b.Sort():
		return nil
	case kind == "smin" || kind == "umin":
		return solve.Ite(less(a, b), a, b)
	}
	return solve.Ite(less(a, b), b, a)
}

// mostHalves bounds the operations that a word of two extents is taken apart into: an insertion of one takes two.
const mostHalves = 8

// half is the low or the high half of an integer of 64 bits, as two extents are given in one word.
func (f *hostFunc) half(op string, high bool) *solve.Term { return f.halfWithin(op, high, mostHalves) }

func (f *hostFunc) halfWithin(op string, high bool, depth int) *solve.Term {
	line, ok := f.defs[op]
	if !ok || depth == 0 {
		return f.halfOf(op, high)
	}
	_, kind, rest := f.lines[line].Op()
	rest = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(rest, "disjoint "), "nuw "), "nneg ")
	typ, operands := irtext.CutType(rest)
	a, after := irtext.CutOperand(strings.TrimPrefix(operands, " "))
	b := strings.TrimPrefix(after, ", ")
	switch {
	case kind == "or" && typ == "i64":
		x, y := f.halfWithin(a, high, depth-1), f.halfWithin(b, high, depth-1)
		switch {
		case isZero(x):
			return y
		case isZero(y):
			return x
		case x != nil && y != nil:
			return solve.BitOr(x, y)
		}
	case kind == "zext" && typ == "i32" && high:
		return word(0)
	case kind == "shl" && typ == "i64" && b == "32" && !high:
		return word(0)
	case kind == "shl" && typ == "i64" && b == "32":
		return f.halfWithin(a, false, depth-1)
	}
	return f.halfOf(op, high)
}

func (f *hostFunc) halfOf(op string, high bool) *solve.Term {
	t := f.operand(op, 64)
	switch {
	case t == nil || t.Sort() != 64:
		return nil
	case high:
		if v, ok := t.Constant(); ok {
			return word(uint32(v >> 32))
		}
		return solve.Extract(t, 32, 32)
	}
	if v, ok := t.Constant(); ok {
		return word(uint32(v))
	}
	return solve.Extract(t, 0, 32)
}

func isZero(t *solve.Term) bool {
	if t == nil {
		return false
	}
	v, ok := t.Constant()
	return ok && v == 0
}
