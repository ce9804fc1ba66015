package static

import (
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// written is what two stores write at one place.
type written struct {
	values [2]*solve.Term
	// exact says of which values it is sure that they are different where these
	// terms are: numbers that are converted to floating point. nil is True.
	exact *solve.Term
}

// written are the values of two stores; nil for other pairs.
func (q *query) written() (all []written) {
	a, b := q.p.A.Value, q.p.B.Value
	if a.Op != ssa.Store || b.Op != ssa.Store || len(a.Args) != len(b.Args) {
		return nil
	}
	for i := 1; i < len(a.Args); i++ {
		all = append(all, q.writtenAs(a.Args[i], b.Args[i]))
	}
	return all
}

// writtenAs looks through a conversion that both values went through.
func (q *query) writtenAs(x, y *ssa.Value) (w written) {
	w.exact = solve.True
	to, from, ok := toFloat(x)
	both := ok && y.Op == ssa.Pure && x.Name == y.Name && len(y.Args) == 1
	if both {
		x, y = x.Args[0], y.Args[0]
	}
	w.values = [2]*solve.Term{q.c.terms.Intern(q.enc[0].value(x, q.env[0])), q.c.terms.Intern(q.enc[1].value(y, q.env[1]))}
	if both {
		w.exact = solve.And(exactly(w.values[0], to, from), exactly(w.values[1], to, from))
	}
	return w
}

// toFloat returns the types of a conversion of an integer to f32 or f64.
func toFloat(v *ssa.Value) (to, from isa.Type, ok bool) {
	if v.Op != ssa.Pure || len(v.Args) != 1 || v.Instr == nil || v.Instr.Op != "cvt" || v.Instr.Has("sat") {
		return 0, 0, false
	}
	types := v.Instr.Types()
	if len(types) != 2 || types[0] != isa.F32 && types[0] != isa.F64 || types[1].IsFloat() {
		return 0, 0, false
	}
	return types[0], types[1], true
}

// exactly is the condition that an integer of type from is a number that the floating-point type
// to has: 24 bits and a sign for f32, 53 for f64.
func exactly(t *solve.Term, to, from isa.Type) *solve.Term {
	most, w := uint64(1<<24), int(t.Sort())
	if to == isa.F64 {
		most = 1 << 53
	}
	switch {
	case w < 64 && most >= 1<<w:
		return solve.True
	case !from.IsSigned():
		return solve.ULe(t, solve.BV(most, w))
	}
	return solve.ULe(solve.Add(t, solve.BV(most, w)), solve.BV(2*most, w))
}

// stored are the terms of the values, in turn.
func (q *query) stored() (values []*solve.Term) {
	for _, w := range q.written() {
		values = append(values, w.values[:]...)
	}
	return values
}

// weighValues looks at what two stores write: a conflict is proved only if they
// write different values, as the same value twice is as good as once; same says
// that they do whenever they meet.
func (c *raceCheck) weighValues(q *query, all []*solve.Term, o outcome) (_ outcome, same bool) {
	if q.p.A.Value.Op != ssa.Store || q.p.B.Value.Op != ssa.Store {
		return o, false
	}
	written := q.written()
	equal, surely := solve.True, solve.True // all are; those that are not are surely different
	for _, w := range written {
		if w.values[0].Sort() != w.values[1].Sort() {
			return o, false
		}
		equal = solve.And(equal, solve.Eq(w.values[0], w.values[1]))
		surely = solve.And(surely, solve.Or(solve.Eq(w.values[0], w.values[1]), w.exact))
	}
	if written != nil {
		differ := c.ask(q.question(all, solve.Not(equal), surely))
		if differ.verdict > Watched {
			return differ, false
		}
		if differ.verdict == Safe && (surely.IsTrue() || c.ask(q.question(all, solve.Not(equal))).verdict == Safe) {
			return o, true
		}
	}
	o.verdict, o.needs = Possible, sortNeeds(append(o.needs, Need{Kind: NeedsData}))
	return o, false
}

// question adds terms to those of a question.
func (q *query) question(all []*solve.Term, more ...*solve.Term) []*solve.Term {
	return q.c.conjuncts(q.c.complete(append(more, all...), q.enc[:]))
}

// sameValue reports two stores of surely the same value.
func (q *query) sameValue() bool {
	all := q.written()
	for _, w := range all {
		if w.values[0] != w.values[1] || q.enc[0].perThread(w.values[0]) {
			return false
		}
	}
	return all != nil
}
