package static

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/solve"
)

// mostPathTerms bounds the parts of a condition on the way to a place: what is longer is left out.
const mostPathTerms = 400

// conditions are what branches have decided on each way to a line.
func (f *hostFunc) conditions(line int) (out []*solve.Term) {
	for b := f.block[line]; b >= 0; b = f.idom[b] {
		out = append(out, solve.Conjuncts(f.entered(b))...)
	}
	return out
}

// entered is the condition on which a block is reached from its immediate dominator, for a loop's header in the first
// round; True where it is not known.
func (f *hostFunc) entered(b int) *solve.Term {
	if t := f.gates[b]; t != nil {
		return t
	}
	f.gates[b] = solve.True // where it depends on itself
	var any []*solve.Term
	for i, p := range f.preds[b] {
		if !slices.Contains(f.preds[b][:i], p) && !f.above(b, p) {
			any = append(any, f.comesFrom(p, b))
		}
	}
	if t := solve.Or(any...); len(any) > 0 && solve.Size(t) <= mostPathTerms {
		f.gates[b] = t
	}
	return f.gates[b]
}

// comesFrom is the condition on which a block is reached from its immediate dominator by way of the predecessor p.
func (f *hostFunc) comesFrom(p, b int) *solve.Term {
	all := []*solve.Term{f.edge(p, b)}
	for d := p; d >= 0 && d != f.idom[b]; d = f.idom[d] {
		all = append(all, f.entered(d))
	}
	return solve.And(all...)
}

// above reports whether block a dominates b.
func (f *hostFunc) above(a, b int) bool {
	for ; b >= 0; b = f.idom[b] {
		if a == b {
			return true
		}
	}
	return false
}

// edge is the condition on which block p branches to b, True where it is not known.
func (f *hostFunc) edge(p, b int) *solve.Term {
	at := f.ends[p]
	for at > 0 && (f.lines[at].Text == "" || f.lines[at].HasPrefix("    ") || f.lines[at].HasPrefix("  ]")) {
		at--
	}
	l := f.lines[at]
	if rest, ok := strings.CutPrefix(l.Text, "  switch "); ok {
		return f.chosenCase(rest, at, b)
	}
	rest, ok := strings.CutPrefix(l.Text, "  br i1 ")
	if !ok {
		return solve.True
	}
	op, _ := irtext.CutOperand(rest)
	c, to := f.operand(op, solve.Bool), f.targets(l)
	switch {
	case c == nil || len(to) != 2 || to[0] == to[1]:
		return solve.True
	case to[0] == b:
		return c
	}
	return solve.Not(c)
}

// chosenCase is the condition on which a switch, "i32 %x, label %default [", goes to a block: the cases are on the
// lines behind it.
func (f *hostFunc) chosenCase(text string, at, b int) *solve.Term {
	x, rest, s := f.typed(text)
	if x == nil || s == solve.Bool {
		return solve.True
	}
	var to, others []*solve.Term
	for _, l := range f.lines[at+1:] {
		if !l.HasPrefix("    ") {
			break
		}
		v, _, _ := f.typed(strings.TrimSpace(l.Text))
		if v == nil || v.Sort() != s {
			return solve.True
		}
		if slices.Contains(f.targets(l), b) {
			to = append(to, solve.Eq(x, v))
		} else {
			others = append(others, solve.Eq(x, v))
		}
	}
	if slices.Contains(f.targetsOf(rest), b) { // the default
		return solve.Not(solve.Or(others...))
	}
	return solve.Or(to...)
}

// merged is the value of a phi of constants by the way that was taken, nil for another one: a value that calls and
// memory give stays a value of its own.
func (f *hostFunc) merged(l *irtext.Line, rest string) *solve.Term {
	const most = 8
	name, _, _ := l.Definition()
	b := f.block[f.defs[name]]
	typ, rest := irtext.CutType(rest)
	s, ok := sortOfIR(typ)
	if !ok || s == solve.Bool {
		return nil
	}
	var t *solve.Term
	for n := 0; strings.Contains(rest, "["); n++ {
		_, after, _ := strings.Cut(rest, "[ ")
		op, after := irtext.CutOperand(after)
		label, tail, _ := strings.Cut(strings.TrimPrefix(after, ", "), " ]")
		p, known := f.labels[strings.Trim(strings.TrimPrefix(label, "%"), `"`)]
		if strings.HasPrefix(op, "%") || !known || n == most || f.above(b, p) {
			return nil
		}
		v := f.operand(op, s)
		if v == nil {
			return nil
		}
		if t == nil {
			t = v
		} else {
			t = solve.Ite(f.comesFrom(p, b), v, t)
		}
		rest = tail
	}
	if t == nil || solve.Size(t) > mostPathTerms {
		return nil
	}
	return t
}
