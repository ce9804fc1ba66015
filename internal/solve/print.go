package solve

import (
	"fmt"
	"strconv"
	"strings"
)

var opNames = map[Op]string{
	OpNot: "not", OpAnd: "and", OpOr: "or", OpEq: "=", OpIte: "ite",
	OpULt: "bvult", OpULe: "bvule", OpSLt: "bvslt", OpSLe: "bvsle",
	OpAdd: "bvadd", OpSub: "bvsub", OpMul: "bvmul", OpUDiv: "bvudiv", OpURem: "bvurem",
	OpSDiv: "bvsdiv", OpSRem: "bvsrem", OpBitAnd: "bvand", OpBitOr: "bvor", OpBitXor: "bvxor",
	OpBitNot: "bvnot", OpShl: "bvshl", OpLShr: "bvlshr", OpAShr: "bvashr",
}

var integerNames = map[Op]string{
	OpAdd: "+", OpSub: "-", OpMul: "*", OpSDiv: "div", OpSRem: "mod", OpSLt: "<", OpSLe: "<=",
}

// script writes the declarations, definitions and the assertion that ask
// whether a term can be true. The variables have numbers for names, in the
// order of vars: questions that differ in names only have one script.
func script(all *Term) (text string, vars []*Term) {
	e := NewEvaluator(all)
	uses := make([]int, len(e.order))
	for _, args := range e.args {
		for _, a := range args {
			uses[a]++
		}
	}
	p := printer{e: e, text: make([]string, len(e.order))}
	names := map[string]string{}
	logic := "(set-logic QF_BV)\n" // has a solver of its own, which is faster
	for i, t := range e.order {
		switch {
		case t.op == OpVar:
			if names[t.name] == "" {
				names[t.name] = numbered(len(vars))
				vars = append(vars, t)
				fmt.Fprintf(&p.out, "(declare-const %s %v)\n", numbered(len(vars)-1), t.sort)
				if t.most > 0 {
					fmt.Fprintf(&p.out, "(assert (bvule %s %s))\n", numbered(len(vars)-1), literal(BV(t.most, int(t.sort))))
				}
			}
			if t.sort == Int {
				logic = ""
			}
			p.text[i] = names[t.name]
		case t.op == OpConst:
			p.text[i] = literal(t)
		case uses[i] > 1 || len(p.operation(i)) > 200: // shared, or long enough
			name := "$" + strconv.Itoa(i)
			fmt.Fprintf(&p.out, "(define-fun %s () %v %s)\n", name, t.sort, p.operation(i))
			p.text[i] = name
		default:
			p.text[i] = p.operation(i)
		}
	}
	fmt.Fprintf(&p.out, "(assert %s)\n", p.text[e.index[all]])
	return logic + p.out.String(), vars
}

// numbered names the i-th variable.
func numbered(i int) string { return "v" + strconv.Itoa(i) }

type printer struct {
	e    *Evaluator
	text []string
	out  strings.Builder
}

// operation is the term with its arguments' texts.
func (p *printer) operation(i int) string {
	t := p.e.order[i]
	var b strings.Builder
	b.WriteString("(" + t.head())
	for _, a := range p.e.args[i] {
		b.WriteString(" " + p.text[a])
	}
	b.WriteString(")")
	return b.String()
}

// head is what stands before the arguments.
func (t *Term) head() string {
	switch t.op {
	case OpExtract:
		return fmt.Sprintf("(_ extract %d %d)", t.low+int(t.sort)-1, t.low)
	case OpZeroExt:
		return fmt.Sprintf("(_ zero_extend %d)", t.sort-t.args[0].sort)
	case OpSignExt:
		return fmt.Sprintf("(_ sign_extend %d)", t.sort-t.args[0].sort)
	}
	if n, ok := integerNames[t.op]; ok && t.args[0].sort == Int {
		return n
	}
	return opNames[t.op]
}

func literal(t *Term) string {
	switch {
	case t.sort == Bool:
		return strconv.FormatBool(t.value == 1)
	case t.sort == Int && int64(t.value) < 0:
		return fmt.Sprintf("(- %s)", strconv.FormatUint(-t.value, 10))
	case t.sort == Int:
		return strconv.FormatUint(t.value, 10)
	}
	return fmt.Sprintf("(_ bv%d %d)", t.value, int(t.sort))
}

// String is the term in SMT-LIB with nothing shared, for messages and tests.
func (t *Term) String() string {
	switch t.op {
	case OpVar:
		return t.name
	case OpConst:
		return literal(t)
	}
	var b strings.Builder
	b.WriteString("(" + t.head())
	for _, a := range t.args {
		b.WriteString(" " + a.String())
	}
	b.WriteString(")")
	return b.String()
}
