package static

import (
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// mostRounds is how many rounds of a loop are computed one by one.
const mostRounds = 64

// mostTried bounds such rounds in one kernel: loops in loops multiply them.
const mostTried = 5000

// tabulated is the value of a phi in a loop of a few rounds whose number is
// known, if the values are: each follows from the round before.
func (c *encoder) tabulated(v *ssa.Value, e *env) *solve.Term {
	if n, ok := e.round.Constant(); ok {
		if n > mostRounds {
			return nil
		}
		before := c.before(e)
		t := c.merge(v, before, func(p *ssa.Block) bool { return back(p, v.Block) })
		if _, known := t.Constant(); known {
			return t
		}
		return nil
	}
	n, ok := c.roundsOf(e.loop, e.parent)
	if !ok {
		return nil
	}
	t := c.entry(v, e)
	for k := 1; k < n; k++ {
		x := c.value(v, c.in(e.parent, e.loop, c.k.round(uint32(k))))
		if _, known := x.Constant(); !known {
			return nil
		}
		t = solve.Ite(solve.Eq(e.round, word(uint32(k))), x, t)
	}
	return t
}

// roundsOf is the number of rounds of a loop each time it is entered, if it is
// known and small.
func (c *encoder) roundsOf(l *ssa.Loop, parent *env) (n int, ok bool) {
	key := gateKey{l.Header.ID, parent}
	if n, done := c.rounds[key]; done {
		return n, n > 0
	}
	c.rounds[key] = 0 // for questions about itself
	for k := range mostRounds {
		if c.tried++; c.tried > mostTried {
			break
		}
		on := c.goesOn(l, c.in(parent, l, c.k.round(uint32(k))))
		if on.IsFalse() {
			c.rounds[key] = k + 1
			return k + 1, true
		}
		if !on.IsTrue() {
			break
		}
	}
	return 0, false
}

// alternating knows phis that change between two values from round to round:
// "buf ^= 1", "buf = 1 - buf", and two that are swapped.
func (c *encoder) alternating(v *ssa.Value, e *env) *solve.Term {
	var next *ssa.Value
	for i, p := range v.Block.Preds {
		if !back(p, v.Block) {
			continue
		}
		if next != nil && next != v.Args[i] {
			return nil
		}
		next = v.Args[i]
	}
	first, other := c.entry(v, e), (*solve.Term)(nil)
	switch {
	case next == nil:
	case next == v: // never changes
		return first
	case next.Op == ssa.Phi && next.Block == v.Block && c.swapsBack(next, v):
		other = c.entry(next, e)
	case next.Op == ssa.Xor && next.Args[0] == v && c.outside(next.Args[1], e):
		other = c.flip(next, first, c.value(next.Args[1], e.parent))
	case next.Op == ssa.Xor && next.Args[1] == v && c.outside(next.Args[0], e):
		other = c.flip(next, first, c.value(next.Args[0], e.parent))
	case next.Op == ssa.Sub && next.Args[1] == v && c.outside(next.Args[0], e):
		other = solve.Sub(c.value(next.Args[0], e.parent), first)
	case next.Op == ssa.Not && next.Args[0] == v:
		other = c.not(first)
	}
	if other == nil {
		return nil
	}
	odd := solve.Eq(solve.BitAnd(e.round, word(1)), word(1))
	return solve.Ite(odd, other, first)
}

func (c *encoder) not(t *solve.Term) *solve.Term {
	if t.Sort() == solve.Bool {
		return solve.Not(t)
	}
	return solve.BitNot(t)
}

func (c *encoder) flip(v *ssa.Value, a, b *solve.Term) *solve.Term {
	if a.Sort() == solve.Bool {
		return predicate(ssa.Xor, []*solve.Term{a, b})
	}
	return solve.BitXor(a, b)
}

// swapsBack reports whether phi's next value is always v.
func (c *encoder) swapsBack(phi, v *ssa.Value) bool {
	for i, p := range phi.Block.Preds {
		if back(p, phi.Block) && phi.Args[i] != v {
			return false
		}
	}
	return true
}

// outside reports whether v is a value from outside of the loop of e.
func (c *encoder) outside(v *ssa.Value, e *env) bool {
	return v.Op == ssa.Const || !e.loop.Contains(v.Block)
}
