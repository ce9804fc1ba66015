package static

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/solve"
)

// mostCases bounds what is tried of each of two threads.
const mostCases = 1 << 14

// mostSteps bounds the operations that trying takes; so many cost as much as a
// part of a question does.
const mostSteps, stepsPerPart = 1 << 21, 256

// enumeration tries all threads of a block, and all rounds of loops of which
// the number is known, instead of asking z3: it is exact, and faster by far
// where it is possible.
type enumeration struct {
	q *query
	// shared are the variables of both threads, rounds of loops around a barrier.
	shared []*solve.Term
	sides  [2]side
	spans  [][2]uint64 // begins and sizes of the variables, as far as known
}

// side is what is about one of the threads.
type side struct {
	vars  []*solve.Term
	terms []*solve.Term
	addr  *solve.Term
	width int // bytes of the access
}

// domain is the number of values that a variable has, 0 if it is not known.
func (q *query) domain(v *solve.Term) int {
	for _, e := range q.enc {
		for i, t := range e.thread.tid {
			if t.Name() == v.Name() {
				return int(q.c.shape.launch.Block[i])
			}
		}
	}
	most := 0
	for i, e := range q.envs {
		for ; e != nil; e = e.parent {
			at := e
			if e.prev != nil && e.round.Name() == "" { // the round after a variable
				at = e.prev
			}
			if at.round.Name() != v.Name() {
				continue
			}
			n := q.encs[i].mostRounds(at)
			if n == 0 {
				return 0
			}
			most = max(most, n)
		}
	}
	return most
}

// mostRounds bounds the rounds of a loop, each time it is entered from e's
// parent; 0 where the bound is not known.
func (c *encoder) mostRounds(e *env) int {
	if n, ok := c.roundsOf(e.loop, e.parent); ok {
		return n
	}
	return int(min(max(e.loop.Trips, 0), mostCases+1))
}

// within notes an environment that the query's terms may be about.
func (q *query) within(c *encoder, e *env) {
	q.encs, q.envs = append(q.encs, c), append(q.envs, e)
}

// enumerate decides the question of terms beside the overlap of the addresses;
// ok is false where that takes too much or what is asked about has no bounds.
func (q *query) enumerate(terms []*solve.Term) (model solve.Model, sat, ok bool) {
	if q.scope == interBlock || q.scope == intraWarp && q.c.model == Lockstep || q.p.A.Mem.Size() == 0 || q.p.B.Mem.Size() == 0 {
		return nil, false, false
	}
	n := &enumeration{q: q}
	for _, o := range inBoth(q.p.A, q.p.B) {
		switch {
		case q.p.placed():
			n.spans = append(n.spans, q.c.span(o))
		case o.Size > 0:
			n.spans = append(n.spans, [2]uint64{0, uint64(o.Size)})
		}
	}
	for i, a := range []*Access{q.p.A, q.p.B} {
		n.sides[i] = side{addr: q.address(i), width: a.Mem.Size()}
	}
	if !n.split(terms) {
		return nil, false, false
	}
	model = n.search()
	return model, model != nil, true
}

// split gives each thread its terms and variables.
func (n *enumeration) split(terms []*solve.Term) bool {
	all := map[string]bool{}
	for i := range n.sides {
		s := &n.sides[i]
		own, other := n.q.enc[i].name+".", n.q.enc[1-i].name+"."
		cases := 1
		var about []*solve.Term
		for _, t := range terms {
			mine, others := false, false
			for _, v := range solve.Variables(t) {
				mine = mine || strings.HasPrefix(v.Name(), own)
				others = others || strings.HasPrefix(v.Name(), other)
			}
			if mine && others {
				return false
			}
			if !others {
				about = append(about, t)
			}
		}
		s.terms = about
		steps := solve.Size(solve.And(about...)) + solve.Size(s.addr)
		for _, v := range solve.Variables(append([]*solve.Term{s.addr, n.q.c.shape.linear(n.q.enc[i].thread)}, about...)...) {
			d := n.q.domain(v)
			if cases *= max(d, 1); d == 0 || cases > mostCases || cases*steps > mostSteps {
				return false
			}
			if strings.HasPrefix(v.Name(), own) {
				s.vars = append(s.vars, v)
			} else if !all[v.Name()] {
				all[v.Name()] = true
				n.shared = append(n.shared, v)
			}
		}
		n.q.c.unit.parts += cases * steps / stepsPerPart
	}
	return true
}

// touched is a byte of memory that a thread touches in rounds that both share.
type touched struct {
	shared string
	byte   uint64
	warp   int64 // of threads of one warp; -1 where they are of several
}

// toucher is a thread, with its values of the variables.
type toucher struct {
	linear uint64
	values []uint64
}

// search looks for two threads; nil if there are none.
func (n *enumeration) search() solve.Model {
	seen := map[touched][]toucher{}
	n.visit(0, func(at touched, t toucher) solve.Model {
		if old := seen[at]; len(old) == 0 || len(old) == 1 && n.apart(old[0], t) {
			seen[at] = append(old, t)
		}
		return nil
	})
	return n.visit(1, func(at touched, t toucher) solve.Model {
		for _, o := range seen[at] {
			if n.apart(o, t) {
				return n.model(o, t)
			}
		}
		return nil
	})
}

// apart reports two threads that the question is about.
func (n *enumeration) apart(a, b toucher) bool {
	if n.q.scope == intraWarp { // the places tell warps apart
		return a.linear != b.linear
	}
	return a.linear/32 != b.linear/32
}

// visit goes through all cases of one thread, until f returns a model.
func (n *enumeration) visit(i int, f func(touched, toucher) solve.Model) solve.Model {
	s := &n.sides[i]
	linear := n.q.c.shape.linear(n.q.enc[i].thread)
	vars := append(append([]*solve.Term(nil), n.shared...), s.vars...)
	e := solve.NewEvaluator(append(append([]*solve.Term(nil), s.terms...), linear, s.addr)...)
	m := solve.Model{}
	values := make([]uint64, len(vars))
	for {
		for k, v := range vars {
			m[v.Name()] = values[k]
		}
		if at := e.Eval(m); s.holds(e) {
			if found := n.touch(at, e.Value(linear), values, s.width, f); found != nil {
				return found
			}
		}
		if !n.next(vars, values) {
			return nil
		}
	}
}

// holds reports whether all terms are true.
func (s *side) holds(e *solve.Evaluator) bool {
	for _, t := range s.terms {
		if e.Value(t) != 1 {
			return false
		}
	}
	return true
}

// next counts on; it reports whether there is another case.
func (n *enumeration) next(vars []*solve.Term, values []uint64) bool {
	for k, v := range vars {
		if values[k]++; values[k] < uint64(n.q.domain(v)) {
			return true
		}
		values[k] = 0
	}
	return false
}

// touch tells f of each byte that a thread accesses within the variable.
func (n *enumeration) touch(at, linear uint64, values []uint64, width int, f func(touched, toucher) solve.Model) solve.Model {
	if !n.within(at) {
		return nil
	}
	t := toucher{linear, append([]uint64(nil), values...)}
	where := touched{warp: -1}
	if n.q.scope == intraWarp {
		where.warp = int64(linear / 32)
	}
	where.shared = n.key(values[:len(n.shared)])
	for b := range width {
		where.byte = at + uint64(b)
		if m := f(where, t); m != nil {
			return m
		}
	}
	return nil
}

// within reports whether at is an address in one of the variables.
func (n *enumeration) within(at uint64) bool {
	for _, s := range n.spans {
		if at-s[0] < s[1] {
			return true
		}
	}
	return len(n.spans) == 0
}

// key makes values comparable.
func (n *enumeration) key(values []uint64) string {
	b := make([]byte, 0, 4*len(values))
	for _, v := range values {
		b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return string(b)
}

// model puts the values of two threads together.
func (n *enumeration) model(a, b toucher) solve.Model {
	m := solve.Model{}
	for i, t := range []toucher{a, b} {
		for k, v := range append(append([]*solve.Term(nil), n.shared...), n.sides[i].vars...) {
			m[v.Name()] = t.values[k]
		}
	}
	return m
}
