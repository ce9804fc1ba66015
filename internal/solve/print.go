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

// Script writes the declarations, definitions and assertions that ask whether
// all terms can be true. Equal queries have equal scripts.
func Script(asserted ...*Term) string {
	e := NewEvaluator(asserted...)
	uses := make([]int, len(e.order))
	for _, args := range e.args {
		for _, a := range args {
			uses[a]++
		}
	}
	p := printer{e: e, text: make([]string, len(e.order))}
	declared := map[string]bool{}
	for i, t := range e.order {
		switch {
		case t.op == OpVar:
			p.text[i] = quote(t.name)
			if !declared[t.name] {
				declared[t.name] = true
				fmt.Fprintf(&p.out, "(declare-const %s %v)\n", p.text[i], t.sort)
			}
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
	for _, t := range asserted {
		fmt.Fprintf(&p.out, "(assert %s)\n", p.text[e.index[t]])
	}
	return p.out.String()
}

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

// quote makes a symbol of any name; | and \ may not be in one.
func quote(name string) string {
	return "|" + strings.NewReplacer("|", "!", `\`, "!").Replace(name) + "|"
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
