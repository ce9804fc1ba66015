package ssa

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// Loop is a natural loop: the blocks from which a back edge to its header,
// which dominates them, can be reached without passing the header.
type Loop struct {
	Header  *Block
	Blocks  []*Block
	Latches []*Block
	// Exits are the edges out of the loop.
	Exits  []Edge
	Parent *Loop
	// Depth is 1 for a loop in no other.
	Depth int
	// Inductions are the header's phis that each round changes in the same way.
	Inductions []*Induction
	// Bound is the test that ends the loop, nil if none is found that each
	// round makes.
	Bound *Bound
	// Limits are the tests of inductions that each round makes and that leave the
	// loop, those among them that are one of several conditions of a branch: a
	// loop that continues while i < n && x ends at n at the latest.
	Limits []*Bound
	// Trips is how often the header runs for each time the loop is entered, if
	// the loop is left by Bound and the count is a constant, else -1.
	Trips int64

	member map[*Block]bool
}

// Edge leads from one block to another.
type Edge struct{ From, To *Block }

// Contains reports whether b lies in the loop.
func (l *Loop) Contains(b *Block) bool { return l.member[b] }

// Induction is a phi of a loop's header whose next value is an operation on it
// and a step that does not change in the loop: Next = Op(Phi, Step).
type Induction struct {
	Loop            *Loop
	Phi, Init, Step *Value
	Op              Op
	Next            *Value
}

// Bound is a test that each round of a loop makes and that leaves it.
type Bound struct {
	// Block ends in the test.
	Block *Block
	// Cond is a comparison, or a predicate of another kind.
	Cond *Value
	// StayOn is the value of Cond for which the loop continues.
	StayOn bool
	// Ind is the induction that is compared with Limit, which does not change
	// in the loop; both nil if the condition is not of that form. OnNext says
	// that its next value is compared, Swapped that Limit is the left operand.
	Ind     *Induction
	OnNext  bool
	Swapped bool
	Limit   *Value
	// Affine is the induction that one operand of Cond, Tested, grows with: what
	// does not change in the loop is added to it, or its upper bits are cut off.
	// Against is the other operand, which does not change; all are nil if the
	// condition is not of that form either.
	Affine          *Induction
	Tested, Against *Value
}

// findLoops fills in the loops, their inductions and bounds.
func (f *Func) findLoops() {
	f.Loops, f.Irreducible = nil, false
	for _, h := range f.Blocks {
		h.Loop, h.Tangled = nil, false
	}
	for _, h := range f.Blocks {
		var latches []*Block
		for _, p := range h.Preds {
			if f.Dominates(h, p) && !slices.Contains(latches, p) {
				latches = append(latches, p)
			}
		}
		if len(latches) > 0 {
			f.addLoop(h, latches)
		}
	}
	f.tangles()
	for _, l := range f.Loops {
		l.findInductions()
		l.findBound(f)
	}
}

// addLoop collects the blocks of a loop. Headers come in reverse postorder,
// so that outer loops come first.
func (f *Func) addLoop(h *Block, latches []*Block) {
	l := &Loop{Header: h, Latches: latches, Parent: h.Loop, Depth: 1, Trips: -1, member: map[*Block]bool{h: true}}
	if l.Parent != nil {
		l.Depth = l.Parent.Depth + 1
	}
	work := append([]*Block(nil), latches...)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !l.member[b] {
			l.member[b] = true
			work = append(work, b.Preds...)
		}
	}
	for b := range l.member {
		l.Blocks = append(l.Blocks, b)
		b.Loop = l
	}
	slices.SortFunc(l.Blocks, func(a, b *Block) int { return a.ID - b.ID })
	for _, b := range l.Blocks {
		for _, s := range b.Succs {
			if !l.member[s] {
				l.Exits = append(l.Exits, Edge{b, s})
			}
		}
	}
	f.Loops = append(f.Loops, l)
}

// tangles marks the blocks on cycles that are not natural loops: those that
// are still cyclic when all back edges to dominators are taken out.
func (f *Func) tangles() {
	g := f.graph()
	for _, b := range f.Blocks {
		g.Succ[b.ID] = slices.DeleteFunc(g.Succ[b.ID], func(s int) bool { return f.Dominates(f.Blocks[s], b) })
	}
	_, cyclic := g.SCC()
	for i, c := range cyclic {
		f.Blocks[i].Tangled = c
		f.Irreducible = f.Irreducible || c
	}
}

// Invariant reports whether v is a value that does not change while the loop runs.
func (l *Loop) Invariant(v *Value) bool { return !l.member[v.Block] || v.Op == Const }

// findInductions looks at the header's phis.
func (l *Loop) findInductions() {
	for _, v := range l.Header.Values {
		if v.Op != Phi {
			break
		}
		if i := l.induction(v); i != nil {
			l.Inductions = append(l.Inductions, i)
		}
	}
}

func (l *Loop) induction(phi *Value) *Induction {
	var init, next *Value
	for i, p := range l.Header.Preds {
		to := &init
		if l.member[p] {
			to = &next
		}
		if *to != nil && *to != phi.Args[i] {
			return nil
		}
		*to = phi.Args[i]
	}
	if init == nil || next == nil || len(next.Args) != 2 || !l.member[next.Block] {
		return nil
	}
	switch next.Op {
	case Add, Mul, Sub, Shl, ShrU, ShrS, DivU, DivS, And, Or, Xor:
	default:
		return nil
	}
	a, b := next.Args[0], next.Args[1]
	if next.Op.Commutes() && b == phi {
		a, b = b, a
	}
	if a != phi || !l.Invariant(b) {
		return nil
	}
	return &Induction{Loop: l, Phi: phi, Init: init, Step: b, Op: next.Op, Next: next}
}

// findBound looks for a test of an induction that each round makes; of
// several the first one counts.
func (l *Loop) findBound(f *Func) {
	for _, e := range l.Exits {
		b := e.From
		if b.Kind != If || !l.eachRound(f, b) {
			continue
		}
		t := l.test(b, b.Control, l.member[b.Succs[0]])
		l.addLimits(t)
		if l.Bound == nil || l.Bound.Ind == nil && (t.Ind != nil || l.Bound.Affine == nil && t.Affine != nil) {
			l.Bound = t
		}
	}
	if l.Bound != nil && l.Bound.Ind != nil && len(l.Exits) == 1 {
		l.Trips = l.count()
	}
}

// eachRound reports whether a block lies on all ways round this loop and in no
// loop inside.
func (l *Loop) eachRound(f *Func, b *Block) bool {
	if b.Loop != l {
		return false
	}
	for _, t := range l.Latches {
		if !f.Dominates(b, t) {
			return false
		}
	}
	return true
}

// addLimits adds a test, or the conditions that all must hold for the loop to
// continue.
func (l *Loop) addLimits(t *Bound) {
	all := And
	if !t.StayOn {
		all = Or
	}
	if t.Cond.Op == all {
		for _, c := range t.Cond.Args {
			l.addLimits(l.test(t.Block, c, t.StayOn))
		}
	} else if t.Ind != nil {
		l.Limits = append(l.Limits, t)
	}
}

func (l *Loop) test(b *Block, cond *Value, stayOn bool) *Bound {
	t := &Bound{Block: b, Cond: cond, StayOn: stayOn}
	for t.Cond.Op == Not {
		t.Cond, t.StayOn = t.Cond.Args[0], !t.StayOn
	}
	if !t.Cond.Op.compares() {
		return t
	}
	for k, a := range t.Cond.Args {
		other := t.Cond.Args[1-k]
		if !l.Invariant(other) {
			continue
		}
		if i := l.affine(a); i != nil {
			t.Affine, t.Tested, t.Against = i, a, other
		}
		for _, i := range l.Inductions {
			if a == i.Phi || a == i.Next {
				t.Ind, t.OnNext, t.Swapped, t.Limit = i, a == i.Next, k == 1, other
				return t
			}
		}
	}
	return t
}

// affine is the induction by addition that v grows with, nil if there is none.
func (l *Loop) affine(v *Value) *Induction {
	for l.member[v.Block] {
		for _, i := range l.Inductions {
			if (v == i.Phi || v == i.Next) && (i.Op == Add || i.Op == Sub) {
				return i
			}
		}
		switch {
		case v.Op == Trunc && v.Type != isa.Pred, v.Op == Sub && l.Invariant(v.Args[1]), v.Op == Add && l.Invariant(v.Args[1]):
			v = v.Args[0]
		case v.Op == Add && l.Invariant(v.Args[0]):
			v = v.Args[1]
		default:
			return nil
		}
	}
	return nil
}

// maxTrips bounds the rounds that are counted one by one.
const maxTrips = 1 << 16

// count runs the loop on constants.
func (l *Loop) count() int64 {
	t := l.Bound
	i := t.Ind
	if i.Init.Op != Const || i.Step.Op != Const || t.Limit.Op != Const {
		return -1
	}
	w, x := i.Phi.Width(), i.Init.Const
	for n := int64(1); n <= maxTrips; n++ {
		next, ok := Eval(i.Op, w, w, x, i.Step.Const)
		if !ok {
			return -1
		}
		a, b := x, t.Limit.Const
		if t.OnNext {
			a = next
		}
		if t.Swapped {
			a, b = b, a
		}
		if c, _ := Eval(t.Cond.Op, 1, w, a, b); (c != 0) != t.StayOn {
			return n
		}
		x = next
	}
	return -1
}
