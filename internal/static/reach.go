package static

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// edge is the condition on which from goes to to. Several edges between two
// blocks are one.
func (c *encoder) edge(from, to *ssa.Block, e *env) *solve.Term {
	defer func(roots bool) { c.roots = roots }(c.roots)
	c.roots = false
	switch from.Kind {
	case ssa.If:
		if from.Succs[0] == from.Succs[1] {
			return solve.True
		}
		t := c.value(from.Control, c.at(e, from))
		if from.Succs[0] == to {
			return t
		}
		return solve.Not(t)
	case ssa.Switch:
		index := c.value(from.Control, c.at(e, from))
		var any []*solve.Term
		for i, s := range from.Succs {
			if s == to {
				any = append(any, solve.Eq(index, solve.BV(uint64(i), int(index.Sort()))))
			}
		}
		return solve.Or(any...)
	}
	return solve.True
}

// idom is the immediate dominator, nil for the entry.
func (c *encoder) idom(b *ssa.Block) *ssa.Block {
	if i := c.f.Idom[b.ID]; i >= 0 {
		return c.f.Blocks[i]
	}
	return nil
}

// back reports whether an edge is one from a latch of b's loop to b, the header.
func back(from, b *ssa.Block) bool {
	return b.Loop != nil && b.Loop.Header == b && b.Loop.Contains(from)
}

// gate is the condition on which a thread that is at b's immediate dominator
// reaches b, for a header in the loop's first round.
func (c *encoder) gate(b *ssa.Block, e *env) *solve.Term {
	key := gateKey{b.ID, e}
	if t := c.gates[key]; t != nil {
		return t
	}
	d := c.idom(b)
	var any []*solve.Term
	for i, p := range b.Preds {
		if back(p, b) || contains(b.Preds[:i], p) {
			continue
		}
		any = append(any, solve.And(c.chain(d, p, e), c.edge(p, b, e)))
	}
	t := solve.Or(any...)
	c.gates[key] = t
	return t
}

func contains(bs []*ssa.Block, b *ssa.Block) bool {
	for _, x := range bs {
		if x == b {
			return true
		}
	}
	return false
}

// chain is the condition on which a thread that is at d, which dominates b,
// reaches b in the round that e says.
func (c *encoder) chain(d, b *ssa.Block, e *env) *solve.Term {
	var all []*solve.Term
	for b != d {
		all = append(all, c.step(&b, d, e))
	}
	return solve.And(all...)
}

// step is the condition that takes a thread from a block further up to *b, and
// makes *b that block: a loop's header is entered from outside and runs on to
// its round, and a block that all paths from a dominator lead to, if no thread
// stays in a loop, is reached whenever that is.
func (c *encoder) step(b **ssa.Block, end *ssa.Block, e *env) *solve.Term {
	at := *b
	here := c.at(e, at)
	if at.Loop != nil && at.Loop.Header == at && (end == nil || !at.Loop.Contains(end)) {
		*b = c.idom(at)
		return solve.And(c.gate(at, here.parent), c.running(at.Loop, here))
	}
	if top := c.postdominated(at, end); top != at {
		*b = top
		return solve.True
	}
	*b = c.idom(at)
	return c.gate(at, here)
}

// postdominated is the highest dominator of b, no higher than end and in b's
// loops, from which all paths lead to b; b itself if there is none.
func (c *encoder) postdominated(b, end *ssa.Block) *ssa.Block {
	top := b
	for d := b; d != end; {
		if d = c.idom(d); d == nil || b.Loop != nil && !b.Loop.Contains(d) {
			break
		}
		if !c.postdominates(b, d) {
			break
		}
		top = d
	}
	return top
}

// postdominates reports whether all paths from d to the end lead to b.
func (c *encoder) postdominates(b, d *ssa.Block) bool {
	if c.k.post == nil {
		c.k.post = newTree(c.f.Ipdom)
	}
	return c.k.post.above(b.ID, d.ID)
}

// reach is the condition on which a thread reaches b in the rounds that e says.
func (c *encoder) reach(b *ssa.Block, e *env) *solve.Term {
	e = c.at(e, b)
	key := gateKey{b.ID, e}
	if t := c.reached[key]; t != nil {
		return t
	}
	var all []*solve.Term
	for at := b; at != nil && c.idom(at) != nil; {
		all = append(all, c.step(&at, nil, e))
	}
	t := solve.And(all...)
	c.reached[key] = t
	return t
}

// running is the condition on which a thread that has entered a loop is still
// there in the round that e says.
func (c *encoder) running(l *ssa.Loop, e *env) *solve.Term {
	if n, ok := e.round.Constant(); ok && n == 0 {
		return solve.True
	}
	if n, ok := c.roundsOf(l, e.parent); ok {
		return solve.ULt(e.round, word(uint32(n)))
	}
	on := []*solve.Term{c.goesOn(l, c.before(e)), c.monotone(l, e)}
	if l.Trips >= 0 {
		on = append(on, solve.ULt(e.round, word(uint32(min(l.Trips, 1<<31)))))
	}
	return solve.Or(solve.Eq(e.round, word(0)), solve.And(on...))
}

// before is the environment of the round before.
func (c *encoder) before(e *env) *env {
	if e.prev == nil {
		e.prev = c.in(e.parent, e.loop, solve.Sub(e.round, word(1)))
	}
	return e.prev
}

// goesOn is the condition on which a round is followed by another.
func (c *encoder) goesOn(l *ssa.Loop, e *env) *solve.Term {
	var any []*solve.Term
	for _, latch := range l.Latches {
		any = append(any, solve.And(c.chain(l.Header, latch, e), c.edge(latch, l.Header, e)))
	}
	return solve.Or(any...)
}

// monotone says what "the loop continued after the round before" does not: that
// it continued after all rounds before that. Where this is not known a variable
// of the opaque kind stands for it.
func (c *encoder) monotone(l *ssa.Loop, e *env) *solve.Term {
	small := solve.ULt(e.round, solve.BV(1<<31, 32))
	t := c.counted(l, e)
	if t == nil {
		return solve.And(small, c.continues(l))
	}
	if len(l.Exits) > 1 {
		t = solve.And(t, c.continues(l))
	}
	return solve.And(small, t)
}

// continues stands for what is not known of a loop's rounds before.
func (c *encoder) continues(l *ssa.Loop) *solve.Term {
	return c.k.unknown(fmt.Sprint(c.name, ".continues ", l.Header.ID), solve.Bool, cause{kind: uncountedLoop})
}

// counted is the condition on which the counter of a loop has not run past its
// limit and around between the tests after the first round and after the round
// before; nil where the loop has no such counter.
func (c *encoder) counted(l *ssa.Loop, e *env) *solve.Term {
	b := l.Bound
	if b == nil || b.Affine == nil {
		return c.scaled(l, e)
	}
	first := c.value(b.Tested, c.in(e.parent, l, c.k.round(0)))
	now, ind := c.value(b.Tested, c.before(e)), b.Affine // as the last test had it
	step, ok := ind.Step.IsConst()
	w := int(now.Sort())
	if ind.Op == ssa.Sub {
		step = -step
	}
	down := ok && int64(step<<(64-w)) < 0 || !ok && ind.Op == ssa.Sub
	order := map[ssa.Op]func(a, b *solve.Term) *solve.Term{ssa.LtS: solve.SLe, ssa.LeS: solve.SLe, ssa.LtU: solve.ULe, ssa.LeU: solve.ULe}[b.Cond.Op]
	switch {
	case order != nil && down:
		return solve.And(order(now, first), c.onceAround(ind, e, w))
	case order != nil:
		return solve.And(order(first, now), c.onceAround(ind, e, w))
	case !ok:
		return nil
	}
	return c.untilEqual(b, e, first, step, w)
}

// onceAround keeps a counter of w bits from having run around more than once,
// so that its order to the first value tells whether it has at all. Counters
// of 64 bits do not get there.
func (c *encoder) onceAround(ind *ssa.Induction, e *env, w int) *solve.Term {
	if w > 32 {
		return solve.True
	}
	if step, ok := ind.Step.IsConst(); ok {
		if n := int64(step<<(64-w)) >> (64 - w); n < 0 {
			step = uint64(-n)
		}
		return solve.ULe(e.round, solve.BV(min((1<<w)/max(step, 1), 1<<31), 32))
	}
	step := resize(c.value(ind.Step, e.parent), w)
	return solve.ULt(solve.Mul(solve.ZeroExt(step, 64), solve.ZeroExt(e.round, 64)), solve.BV(1<<w, 64))
}

// untilEqual is the bound on the rounds of a loop that ends when a counter is
// equal to a limit, counted from the first test: the distance by the step.
func (c *encoder) untilEqual(b *ssa.Bound, e *env, first *solve.Term, step uint64, w int) *solve.Term {
	limit := c.value(b.Against, e.parent)
	if int(limit.Sort()) != w {
		return nil
	}
	distance := solve.Sub(limit, first)
	if int64(step<<(64-w)) < 0 {
		distance, step = solve.Sub(first, limit), -step
	}
	if step &= 1<<w - 1; w == 64 {
		step = max(step, 1)
	}
	c.k.endsSoon(e.round, distance)
	return solve.ULe(resize(e.round, w), solve.UDiv(distance, solve.BV(step, w)))
}

// endsSoon notes that programs do not let a loop's counter run past its limit and around to it.
func (k *kernel) endsSoon(round, distance *solve.Term) {
	name, w := round.Name(), int(distance.Sort())
	t := k.terms.Intern(solve.SLe(solve.BV(0, w), distance))
	if name != "" && !t.IsTrue() && !slices.Contains(k.soon[name], t) {
		k.soon[name] = append(k.soon[name], t)
	}
}

// scaled is the condition on which a counter that grows or shrinks by factors,
// as in "s >>= 1", has lost no bits by growing: then it has not come back.
func (c *encoder) scaled(l *ssa.Loop, e *env) *solve.Term {
	if l.Bound == nil || l.Bound.Ind == nil {
		return nil
	}
	few := solve.ULe(e.round, word(64))
	switch ind := l.Bound.Ind; ind.Op {
	case ssa.ShrU, ssa.ShrS, ssa.DivU, ssa.DivS:
		return few
	case ssa.Shl, ssa.Mul:
		now, first := c.value(ind.Phi, e), c.entry(ind.Phi, e)
		by, ok := c.scale(ind, e, int(now.Sort()))
		if !ok {
			return nil
		}
		return solve.And(few, solve.Not(solve.Eq(now, solve.BV(0, int(now.Sort())))), solve.Eq(solve.AShr(now, by), first))
	}
	return nil
}

// entry is the value of a header's phi in the first round.
func (c *encoder) entry(phi *ssa.Value, e *env) *solve.Term {
	return c.merge(phi, e.parent, func(p *ssa.Block) bool { return !back(p, phi.Block) })
}

// merge chooses among the arguments of a phi by the edge that was taken.
func (c *encoder) merge(phi *ssa.Value, e *env, from func(*ssa.Block) bool) *solve.Term {
	b := phi.Block
	var t *solve.Term
	for i := len(b.Preds) - 1; i >= 0; i-- {
		p := b.Preds[i]
		if !from(p) {
			continue
		}
		v := c.value(phi.Args[i], e)
		if t == nil {
			t = v
			continue
		}
		t = solve.Ite(solve.And(c.chain(c.idom(b), p, e), c.edge(p, b, e)), v, t)
	}
	return t
}

// phi is the value of a phi: a choice by the path, a counter's value, or one
// that alternates. Others are opaque but in the first round.
func (c *encoder) phi(v *ssa.Value, e *env) *solve.Term {
	b := v.Block
	if b.Tangled || v.Width() > 64 {
		return c.opaque(v, e)
	}
	if b.Loop == nil || b.Loop.Header != b {
		return c.merge(v, e, func(*ssa.Block) bool { return true })
	}
	n, fixed := e.round.Constant()
	if fixed && n == 0 {
		return c.entry(v, e)
	}
	for _, ind := range b.Loop.Inductions {
		if ind.Phi == v {
			if t := c.induction(ind, e); t != nil {
				return t
			}
		}
	}
	if t := c.alternating(v, e); t != nil {
		return t
	}
	if t := c.tabulated(v, e); t != nil {
		return t
	}
	return solve.Ite(solve.Eq(e.round, word(0)), c.entry(v, e), c.opaque(v, e))
}

// induction is a counter's value in a round, nil for operations that have no
// closed form.
func (c *encoder) induction(ind *ssa.Induction, e *env) *solve.Term {
	first := c.entry(ind.Phi, e)
	w := int(first.Sort())
	if first.Sort() <= 0 {
		return nil
	}
	switch ind.Op {
	case ssa.Add, ssa.Sub:
		by := solve.Mul(resize(c.value(ind.Step, e.parent), w), resize(e.round, w))
		if ind.Op == ssa.Sub {
			return solve.Sub(first, by)
		}
		return solve.Add(first, by)
	}
	by, ok := c.scale(ind, e, w)
	if !ok {
		return nil
	}
	switch ind.Op {
	case ssa.Shl, ssa.Mul:
		return solve.Shl(first, by)
	case ssa.ShrU, ssa.DivU:
		return solve.LShr(first, by)
	case ssa.ShrS:
		return solve.AShr(first, by)
	}
	return nil
}

// scale is by how many bits a counter has been shifted in a round.
func (c *encoder) scale(ind *ssa.Induction, e *env, w int) (by *solve.Term, ok bool) {
	k, ok := ind.Step.IsConst()
	if !ok {
		return nil, false
	}
	if ind.Op == ssa.Mul || ind.Op == ssa.DivU {
		shift := log2(k)
		if 1<<shift != k {
			return nil, false
		}
		k = shift
	}
	in := solve.ULt(e.round, word(64))
	return solve.Ite(in, solve.Mul(solve.BV(k, w), resize(e.round, w)), solve.BV(uint64(w), w)), true
}

func log2(k uint64) (n uint64) {
	for ; k > 1; k >>= 1 {
		n++
	}
	return n
}
