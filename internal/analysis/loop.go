package analysis

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/ssa"
)

// LoopInfo holds the facts about a loop's rounds.
type LoopInfo struct {
	Loop *ssa.Loop
	// Iter counts the rounds from 0, 64 bits wide.
	Iter *Expr
	// Max bounds Iter, -1 if it is not known.
	Max int64
	// Trips is the number of rounds if it is the same constant each time that
	// the loop is entered, else -1.
	Trips int64
	// End says who leaves the loop in the same round.
	End Level
}

// Loop describes the rounds of l.
func (a *Analysis) Loop(l *ssa.Loop) *LoopInfo {
	if i := a.loops[l]; i != nil {
		return i
	}
	i := &LoopInfo{Loop: l, Max: -1, Trips: l.Trips, End: a.ends[l]}
	a.loops[l] = i
	if i.Max = l.Trips - 1; l.Trips < 0 {
		a.limit(i)
	}
	s := &Sym{Kind: Iter, Name: fmt.Sprintf("i%d", l.Header.ID), W: 64, Level: Warp, Loop: l, Hi: math.MaxInt64, Loops: loopsOf(l.Header)}
	if i.Max >= 0 {
		s.Hi = uint64(i.Max)
	}
	i.Iter = a.symbol(s)
	return i
}

// limit bounds the iterator by the tests that end the loop.
func (a *Analysis) limit(i *LoopInfo) {
	i.Max = -1
	for _, b := range i.Loop.Limits {
		t := a.test(b)
		n, exact := t.count()
		n--
		if !exact {
			var ok bool
			if n, exact, ok = t.most(); !ok {
				continue
			}
		}
		if i.Max < 0 || n < i.Max {
			i.Max = n
		}
		if exact && b == i.Loop.Bound && len(i.Loop.Exits) == 1 {
			i.Trips = n + 1
		}
	}
}

// iteration is the number of the round, w bits wide.
func (a *Analysis) iteration(l *ssa.Loop, w int) *Expr {
	it := a.Loop(l).Iter
	if w == 64 {
		return it
	}
	return a.trunc(w, it)
}

// lastRound is the number of the round in which l was left.
func (a *Analysis) lastRound(l *ssa.Loop, w int) *Expr {
	if e := a.last[l]; e != nil {
		return e
	}
	i := a.Loop(l)
	var e *Expr
	if i.Trips >= 0 {
		e = a.Const(w, uint64(i.Trips-1))
	} else {
		it := i.Iter.Sym
		s := &Sym{Kind: Last, Name: "last " + it.Name, W: w, Level: max(Warp, i.End), Loop: l, Hi: it.Hi, Loops: it.Loops[:len(it.Loops)-1]}
		e = a.symbol(s)
	}
	a.last[l] = e
	return e
}

// maxShift is the number of rounds after which shifts have emptied a register.
const maxShift = 64

// induction is the value of an induction in round Iter.
func (a *Analysis) induction(i *ssa.Induction) *Expr {
	w := i.Phi.Width()
	init, step := a.Expr(i.Init, i.Loop.Header), a.Expr(i.Step, i.Loop.Header)
	k := a.iteration(i.Loop, w)
	switch i.Op {
	case ssa.Add:
		return a.Add(init, a.Mul(k, step))
	case ssa.Sub:
		return a.Sub(init, a.Mul(k, step))
	}
	if op, n, ok := shifts(i.Op, step); ok {
		k = a.iteration(i.Loop, 32)
		k = a.extreme(ssa.MinU, 32, k, a.Const(32, maxShift))
		return a.Apply(op, w, "", init, a.Scale(k, n))
	}
	return a.unknown(i.Phi)
}

// shifts sees a step as a shift by n bits.
func shifts(op ssa.Op, step *Expr) (ssa.Op, uint64, bool) {
	c, ok := step.IsConst()
	if !ok {
		return 0, 0, false
	}
	switch op {
	case ssa.Shl, ssa.ShrU, ssa.ShrS:
		return op, c, c < 64
	case ssa.Mul, ssa.DivU:
		to := ssa.Shl
		if op == ssa.DivU {
			to = ssa.ShrU
		}
		return to, uint64(bits.TrailingZeros64(c)), c > 1 && c&(c-1) == 0
	}
	return 0, 0, false
}

// exitTest is a loop's bound with its operands as expressions: the loop goes
// on while X op Limit (or Limit op X), X being Init changed by Step, as often
// as rounds have begun before, and once more if OnNext.
type exitTest struct {
	b                 *ssa.Bound
	w                 int
	init, step, limit *Expr
	// op and swapped are those of the condition to continue.
	op      ssa.Op
	swapped bool
}

func (a *Analysis) test(b *ssa.Bound) *exitTest {
	h := b.Ind.Loop.Header
	t := &exitTest{
		b: b, w: b.Ind.Phi.Width(), init: a.Expr(b.Ind.Init, h), step: a.Expr(b.Ind.Step, h), limit: a.Expr(b.Limit, h),
		op: b.Cond.Op, swapped: b.Swapped,
	}
	if !b.StayOn {
		switch t.op {
		case ssa.LtS:
			t.op, t.swapped = ssa.LeS, !t.swapped
		case ssa.LeS:
			t.op, t.swapped = ssa.LtS, !t.swapped
		case ssa.LtU:
			t.op, t.swapped = ssa.LeU, !t.swapped
		case ssa.LeU:
			t.op, t.swapped = ssa.LtU, !t.swapped
		case ssa.Eq:
			t.op = ssa.Ne
		case ssa.Ne:
			t.op = ssa.Eq
		}
	}
	if c, ok := b.Ind.Op, t.op == ssa.Ne || t.op == ssa.Eq; ok && (c == ssa.Add || c == ssa.Sub) {
		// whether sums are equal depends on their difference alone
		t.init, t.limit = a.Const(t.w, 0), a.Sub(t.limit, t.init)
	}
	return t
}

// goesOn says whether the loop continues for values x of the induction and l of
// the limit.
func (t *exitTest) goesOn(x, l uint64) bool {
	if t.swapped {
		x, l = l, x
	}
	r, _ := ssa.Eval(t.op, 1, t.w, x, l)
	return r != 0
}

// maxRounds bounds the rounds that are counted one by one.
const maxRounds = 1 << 16

// count runs the loop on constants: how often its header runs.
func (t *exitTest) count() (int64, bool) {
	x, ok1 := t.init.IsConst()
	s, ok2 := t.step.IsConst()
	l, ok3 := t.limit.IsConst()
	if !ok1 || !ok2 || !ok3 {
		return 0, false
	}
	for n := int64(1); n <= maxRounds; n++ {
		next, ok := ssa.Eval(t.b.Ind.Op, t.w, t.w, x, s)
		if !ok {
			return 0, false
		}
		y := x
		if t.b.OnNext {
			y = next
		}
		if !t.goesOn(y, l) {
			return n, true
		}
		x = next
	}
	return 0, false
}

// most bounds the iterator by the ranges of what is tested. The bound is exact
// if the iterator reaches it each time that the loop is entered.
func (t *exitTest) most() (rounds int64, exact, ok bool) {
	switch t.b.Ind.Op {
	case ssa.Add, ssa.Sub:
		return t.mostSteps()
	}
	if op, n, ok := shifts(t.b.Ind.Op, t.step); ok && n > 0 {
		rounds, ok = t.mostShifts(op, int64(n))
		return rounds, false, ok
	}
	return 0, false, false
}

// mostSteps: rounds k and before passed the test, so that X in round k is on
// this side of the limit; as X moves by at least the smallest step and does
// not wrap, that bounds k. What the limit and the first X share, such as where a
// block's part begins, does not matter: if their distance and the step are
// always the same, so is the number of rounds.
func (t *exitTest) mostSteps() (rounds int64, exact, ok bool) {
	view, lo, hi := numbers(t.op, t.w)
	x, l, s := view(t.init), view(t.limit), signedView(t.step)
	if t.b.Ind.Op == ssa.Sub {
		s = s.mul(exactly(-1))
	}
	const huge = 1 << 61 // beyond, differences might not fit
	if !s.ok || !x.within(-huge, huge) && t.w == 64 || !l.within(-huge, huge) && t.w == 64 {
		return 0, false, false
	}
	var edge int64
	switch t.op {
	case ssa.LtS, ssa.LtU:
		edge = 1
	case ssa.LeS, ssa.LeU:
	default:
		return 0, false, false
	}
	forth, end := exactly(1), exactly(l.hi)
	if t.swapped {
		forth, end = exactly(-1), exactly(l.lo)
	}
	// pace is how far X moves in each round, ahead how far the limit is from the
	// first X
	pace, ahead := s.mul(forth), difference(t.op, t.limit, t.init)
	if !ahead.ok {
		ahead = l.add(x.mul(exactly(-1)))
	}
	ahead = ahead.mul(forth)
	if !pace.ok || pace.lo <= 0 || !ahead.ok {
		return 0, false, false
	}
	before := int64(0) // how far X has moved at least at the first test
	if t.b.OnNext {
		before = pace.lo
	}
	if distance := ahead.hi - edge - before; distance >= 0 {
		rounds = distance/pace.lo + 1
	}
	if exact = ahead.lo == ahead.hi && pace.lo == pace.hi; exact {
		last := exactly(rounds).mul(pace).add(exactly(before)).mul(forth)
		return rounds, true, x.add(last).within(lo, hi)
	}
	return rounds, false, end.add(s).within(lo, hi) && x.add(s).within(lo, hi)
}

// mostShifts: a value shifted to the right is 0 in the end; one shifted to the
// left, and bounded by a limit that it cannot jump over, at least doubles.
func (t *exitTest) mostShifts(op ssa.Op, n int64) (int64, bool) {
	l, isConst := t.limit.IsConst()
	switch {
	case op == ssa.ShrU && isConst && !t.goesOn(0, l), op == ssa.ShrS && t.init.slo >= 0 && isConst && !t.goesOn(0, l):
		rounds := (int64(bits.Len64(t.init.uhi)) + n - 1) / n
		return rounds, true
	case op == ssa.Shl && !t.swapped && (t.op == ssa.LtS || t.op == ssa.LtU || t.op == ssa.LeS || t.op == ssa.LeU):
		first := t.init.ulo
		_, top := signedLimits(t.w)
		if first == 0 || t.limit.shi < 0 || t.limit.shi > top>>n || t.init.slo < 0 {
			return 0, false
		}
		rounds := int64(0)
		for x := first; x <= uint64(t.limit.shi); x <<= n {
			rounds++
		}
		return rounds, true
	}
	return 0, false
}
