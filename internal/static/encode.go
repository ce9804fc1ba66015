package static

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/analysis"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Names of variables that stand for what is not known begin with one of these.
const (
	opaquePrefix = "?" // may differ from thread to thread
	dataPrefix   = "!" // the same for all threads
	paramPrefix  = "param "
	threadPrefix = "t" // "t1.", "t2.": one of the two threads'
	blockPrefix  = "b" // "b1.", "b2.": one of two blocks'
)

// env says which round each loop around a place is in, outermost first. It
// belongs to one encoder. nil is outside of all loops.
type env struct {
	parent *env
	loop   *ssa.Loop
	round  *solve.Term // 32 bits, from 0
	last   bool        // the round in which the loop is left
	prev   *env        // the round before, once made
}

// encoder makes terms of the values that one thread computes.
type encoder struct {
	f       *ssa.Func
	k       *kernel
	shape   *shape
	thread  thread
	name    string // of the thread, the prefix of its variables
	roots   bool   // now, pointers' roots have the value 0
	values  map[valueKey]*solve.Term
	gates   map[gateKey]*solve.Term
	reached map[gateKey]*solve.Term
	rounds  map[gateKey]int
	tried   int
	envs    map[envKey]*env
	ids     map[*env]int
	// given are facts by the variable that they are about.
	given map[string]*solve.Term
	// held is what always returns, once it is asked for; heldOf has it by its variables.
	held   []*solve.Term
	heldOf map[string][]*solve.Term
}

type valueKey struct {
	id    int
	e     *env
	roots bool
}

type gateKey struct {
	block int
	e     *env
}

type envKey struct {
	parent *env
	loop   *ssa.Loop
	round  *solve.Term
}

func (k *kernel) encoder(name string, s *shape, t thread) *encoder {
	return &encoder{f: k.f, k: k, shape: s, thread: t, name: name,
		values: map[valueKey]*solve.Term{}, gates: map[gateKey]*solve.Term{}, reached: map[gateKey]*solve.Term{},
		rounds: map[gateKey]int{}, envs: map[envKey]*env{}, ids: map[*env]int{}, given: map[string]*solve.Term{}}
}

// in returns the environment of a round of a loop in parent.
func (c *encoder) in(parent *env, l *ssa.Loop, round *solve.Term) *env {
	if v, ok := round.Constant(); ok { // constants are not always the same term
		round = c.k.round(uint32(v))
	}
	k := envKey{parent, l, round}
	e := c.envs[k]
	if e == nil {
		e = &env{parent: parent, loop: l, round: round}
		c.envs[k] = e
		c.ids[e] = len(c.ids) + 1
	}
	return e
}

// at fits an environment to a block: rounds of loops that the block is not in
// are left out, loops that have been left are in their last round.
func (c *encoder) at(e *env, b *ssa.Block) *env {
	for e != nil && !e.loop.Contains(b) {
		e = e.parent
	}
	return c.into(e, b.Loop)
}

// into adds to e the loops from its own down to l.
func (c *encoder) into(e *env, l *ssa.Loop) *env {
	if l == nil || e != nil && e.loop == l {
		return e
	}
	return c.lastRound(c.into(e, l.Parent), l)
}

// lastRound is the environment of the round in which l is left.
func (c *encoder) lastRound(parent *env, l *ssa.Loop) *env {
	name := fmt.Sprintf("%s.last %d.%d", c.name, l.Header.ID, c.ids[parent])
	k := envKey{parent, l, nil}
	if e := c.envs[k]; e != nil {
		return e
	}
	if n, ok := c.roundsOf(l, parent); ok {
		c.envs[k] = c.in(parent, l, c.k.round(uint32(n-1)))
		return c.envs[k]
	}
	e := c.in(parent, l, solve.Var(name, 32))
	e.last = true
	c.envs[k] = e
	c.given[name] = solve.Or(solve.Not(c.enters(l, parent)), solve.And(c.running(l, e), c.leaves(l, e)))
	return e
}

// enters is the condition on which a thread enters a loop in a round of the
// loop around it. That it reaches that round is not a part of it: that would
// be about all rounds before.
func (c *encoder) enters(l *ssa.Loop, parent *env) *solve.Term {
	all := []*solve.Term{c.gate(l.Header, parent)}
	for at := parent; at != nil; at = at.parent { // round -1 belongs to no loop
		all = append(all, solve.ULt(at.round, solve.BV(1<<31, 32)))
	}
	end := c.f.Blocks[0]
	if l.Parent != nil {
		end = l.Parent.Header
	}
	if d := c.idom(l.Header); d != nil {
		all = append(all, c.chain(end, d, parent))
	}
	return solve.And(all...)
}

// leaves is the condition on which a thread leaves a loop in a round.
func (c *encoder) leaves(l *ssa.Loop, e *env) *solve.Term {
	var any []*solve.Term
	for _, x := range l.Exits {
		any = append(any, solve.And(c.chain(l.Header, x.From, e), c.edge(x.From, x.To, e)))
	}
	return solve.Or(any...)
}

// facts are the given facts on the variables of terms, and on theirs.
func (c *encoder) facts(vars []*solve.Term, have map[string]bool) []*solve.Term {
	var out []*solve.Term
	c.always()
	for len(vars) > 0 {
		var more []*solve.Term
		for _, v := range vars {
			if held := c.heldOf[v.Name()]; held != nil && !have[c.name+" assumes "+v.Name()] {
				have[c.name+" assumes "+v.Name()] = true
				out = append(out, held...)
				more = append(more, solve.Variables(held...)...)
			}
			if fact := c.given[v.Name()]; fact != nil && !have[v.Name()] {
				have[v.Name()] = true
				out = append(out, fact)
				more = append(more, solve.Variables(fact)...)
			}
		}
		vars = more
	}
	return out
}

// opaque is a variable for a value that is not known.
func (c *encoder) opaque(v *ssa.Value, e *env) *solve.Term {
	return c.k.unknown(fmt.Sprintf("%s.%d.%d", c.name, v.ID, c.ids[e]), sortOf(v.Type), causeOf(v))
}

// sortOf is a predicate's or a bit-vector's sort; widths beyond 64 bits are
// kept at 64, as nothing is computed with them.
func sortOf(t isa.Type) solve.Sort {
	if t == isa.Pred {
		return solve.Bool
	}
	return solve.Sort(max(min(8*t.Size(), 64), 8))
}

// value is the term of v as a place in the environment e sees it.
func (c *encoder) value(v *ssa.Value, e *env) *solve.Term {
	if v.Op == ssa.Const {
		return c.k.terms.Intern(constant(v))
	}
	e = c.at(e, v.Block)
	if invariantOp(v.Op) {
		e = nil
	}
	key := valueKey{v.ID, e, c.roots}
	if t := c.values[key]; t != nil {
		return t
	}
	if len(c.values) > mostValues {
		return c.opaque(v, e)
	}
	t := c.k.terms.Intern(c.compute(v, e))
	c.values[key] = t
	return t
}

// mostValues bounds the terms of one thread: what comes after is opaque.
const mostValues = 200_000

// invariantOp reports operations whose value is the same in all rounds.
func invariantOp(op ssa.Op) bool {
	return op == ssa.Special || op == ssa.Param || op == ssa.Addr
}

func constant(v *ssa.Value) *solve.Term {
	if v.Type == isa.Pred {
		return solve.Truth(v.Const != 0)
	}
	return solve.BV(v.Const, int(sortOf(v.Type)))
}

func (c *encoder) compute(v *ssa.Value, e *env) *solve.Term {
	if v.Op != ssa.Phi && 8*v.Type.Size() > 64 {
		return c.opaque(v, e)
	}
	switch v.Op {
	case ssa.Special:
		if t := c.shape.special(v.Name, c.thread); t != nil && int(t.Sort()) == v.Width() {
			return t
		}
		return c.opaque(v, e)
	case ssa.Param:
		return c.param(v)
	case ssa.Addr:
		return c.address(v)
	case ssa.Phi:
		return c.phi(v, e)
	case ssa.Load:
		return c.load(v, e)
	case ssa.ToGeneric, ssa.FromGeneric:
		return resize(c.value(v.Args[0], e), int(sortOf(v.Type)))
	case ssa.Pure, ssa.Elem:
		return c.pure(v, e)
	}
	if t := c.arith(v, e); t != nil {
		return t
	}
	return c.opaque(v, e)
}

// resize cuts off or fills up with zeros.
func resize(t *solve.Term, width int) *solve.Term {
	switch w := int(t.Sort()); {
	case w > width:
		return solve.Extract(t, 0, width)
	case w < width:
		return solve.ZeroExt(t, width)
	}
	return t
}

// address is a variable's address: each variable has a place far from others.
func (c *encoder) address(v *ssa.Value) *solve.Term {
	base := uint64(0)
	if !c.roots {
		base = c.k.placeOf(v.Object)
	}
	return solve.BV(base+v.Const, int(sortOf(v.Type)))
}

// load is an opaque value, of which it is known that all threads get the same
// if they read one place that nothing writes.
func (c *encoder) load(v *ssa.Value, e *env) *solve.Term {
	if v.Mem.Base == nil || !c.k.unwritten(v) {
		return c.opaque(v, e)
	}
	at := c.value(v.Mem.Base, e)
	if c.perThread(at) {
		return c.opaque(v, e)
	}
	return solve.Var(fmt.Sprintf("%sload %d+%d:%v", dataPrefix, c.k.terms.Number(at), v.Mem.Offset, v.Type), sortOf(v.Type))
}

// pure is a function that has no term: the same for all threads where its
// arguments are.
func (c *encoder) pure(v *ssa.Value, e *env) *solve.Term {
	name := fmt.Sprintf("%s%s.%d:%v", dataPrefix, v.Name, v.Const, v.Type)
	for _, a := range v.Args {
		at := c.value(a, e)
		if c.perThread(at) {
			return c.opaque(v, e)
		}
		name += fmt.Sprint(" ", c.k.terms.Number(at))
	}
	return solve.Var(name, sortOf(v.Type))
}

// perThread reports whether a term may differ between threads.
func (c *encoder) perThread(t *solve.Term) bool {
	for _, v := range solve.Variables(t) {
		if strings.ContainsAny(v.Name()[:1], opaquePrefix+threadPrefix+blockPrefix) {
			return true
		}
	}
	return false
}

// arith is the term of an operation on integers or predicates, nil for others.
func (c *encoder) arith(v *ssa.Value, e *env) *solve.Term {
	if v.Op < ssa.Add || v.Op > ssa.Select {
		return nil
	}
	args := make([]*solve.Term, len(v.Args))
	for i, a := range v.Args {
		if a.Type.Size() > 8 {
			return nil
		}
		args[i] = c.value(a, e)
	}
	if v.Type == isa.Pred && !v.Op.IsCompare() {
		return predicate(v.Op, args)
	}
	if q := c.quotient(v, e); q != nil {
		return q
	}
	if v.Op.IsCompare() {
		return compare(v.Op, args)
	}
	return integer(v.Op, args, int(sortOf(v.Type)))
}

func predicate(op ssa.Op, a []*solve.Term) *solve.Term {
	switch op {
	case ssa.And:
		return solve.And(a...)
	case ssa.Or:
		return solve.Or(a...)
	case ssa.Xor:
		return solve.Not(solve.Eq(a[0], a[1]))
	case ssa.Not:
		return solve.Not(a[0])
	case ssa.Select:
		return solve.Ite(a[0], a[1], a[2])
	}
	return nil
}

func compare(op ssa.Op, a []*solve.Term) *solve.Term {
	switch op {
	case ssa.Eq:
		return solve.Eq(a[0], a[1])
	case ssa.Ne:
		return solve.Not(solve.Eq(a[0], a[1]))
	}
	if a[0].Sort() == solve.Bool {
		return nil
	}
	switch op {
	case ssa.LtS:
		return solve.SLt(a[0], a[1])
	case ssa.LeS:
		return solve.SLe(a[0], a[1])
	case ssa.LtU:
		return solve.ULt(a[0], a[1])
	}
	return solve.ULe(a[0], a[1])
}

// integer is integer arithmetic. Division by zero is not opaque: PTX leaves it
// undefined, SMT-LIB picks a value.
func integer(op ssa.Op, a []*solve.Term, w int) *solve.Term {
	binary := map[ssa.Op]func(x, y *solve.Term) *solve.Term{
		ssa.Add: solve.Add, ssa.Sub: solve.Sub, ssa.Mul: solve.Mul, ssa.DivS: solve.SDiv, ssa.DivU: solve.UDiv,
		ssa.RemS: solve.SRem, ssa.RemU: solve.URem, ssa.And: solve.BitAnd, ssa.Or: solve.BitOr, ssa.Xor: solve.BitXor,
	}
	if f := binary[op]; f != nil {
		return f(a[0], a[1])
	}
	switch op {
	case ssa.Neg:
		return solve.Sub(solve.BV(0, w), a[0])
	case ssa.Not:
		return solve.BitNot(a[0])
	case ssa.Abs:
		return solve.Ite(solve.SLt(a[0], solve.BV(0, w)), solve.Sub(solve.BV(0, w), a[0]), a[0])
	case ssa.MinS:
		return solve.Ite(solve.SLt(a[0], a[1]), a[0], a[1])
	case ssa.MinU:
		return solve.Ite(solve.ULt(a[0], a[1]), a[0], a[1])
	case ssa.MaxS:
		return solve.Ite(solve.SLt(a[0], a[1]), a[1], a[0])
	case ssa.MaxU:
		return solve.Ite(solve.ULt(a[0], a[1]), a[1], a[0])
	case ssa.MulHiS, ssa.MulHiU:
		return upperHalf(op, a, w)
	case ssa.Shl, ssa.ShrU, ssa.ShrS:
		return shifted(op, a[0], a[1], w)
	case ssa.Zext:
		return fromBool(a[0], w, false)
	case ssa.Sext:
		return fromBool(a[0], w, true)
	case ssa.Trunc:
		return solve.Extract(a[0], 0, w)
	case ssa.Select:
		return solve.Ite(a[0], a[1], a[2])
	}
	return nil
}

// fromBool widens; a predicate is 1 bit.
func fromBool(a *solve.Term, w int, sign bool) *solve.Term {
	switch {
	case a.Sort() == solve.Bool && sign:
		return solve.Ite(a, solve.BV(^uint64(0), w), solve.BV(0, w))
	case a.Sort() == solve.Bool:
		return solve.Ite(a, solve.BV(1, w), solve.BV(0, w))
	case sign:
		return solve.SignExt(a, w)
	}
	return solve.ZeroExt(a, w)
}

// upperHalf is known for widths whose product has a term.
func upperHalf(op ssa.Op, a []*solve.Term, w int) *solve.Term {
	if 2*w > 64 {
		return nil
	}
	extend := solve.ZeroExt
	if op == ssa.MulHiS {
		extend = solve.SignExt
	}
	return solve.Extract(solve.Mul(extend(a[0], 2*w), extend(a[1], 2*w)), w, w)
}

// quotient is the value of an upper half of a product, or of such a half shifted
// to the right, that a compiler has made of a division of 64 bits; nil for others.
func (c *encoder) quotient(v *ssa.Value, e *env) *solve.Term {
	product, by := v, uint64(0)
	if v.Op == ssa.ShrU {
		product = v.Args[0]
		by, _ = v.Args[1].IsConst()
	}
	if product.Op != ssa.MulHiU || product.Width() != 64 || by >= 64 || v != product && v.Args[1].Op != ssa.Const {
		return nil
	}
	m, ok := product.Args[1].IsConst()
	if !ok {
		return nil
	}
	x := c.value(product.Args[0], e)
	d, ok := analysis.Divisor(m, 64+int(by), x.Most())
	if !ok {
		return nil
	}
	return solve.UDiv(x, solve.BV(d, 64))
}

// shifted fits the amount, of 32 bits, to the width.
func shifted(op ssa.Op, a, by *solve.Term, w int) *solve.Term {
	switch bw := int(by.Sort()); {
	case bw < w:
		by = solve.ZeroExt(by, w)
	case bw > w:
		over := solve.ULe(solve.BV(uint64(w), bw), by)
		by = solve.Ite(over, solve.BV(uint64(w), w), solve.Extract(by, 0, w))
	}
	switch op {
	case ssa.Shl:
		return solve.Shl(a, by)
	case ssa.ShrU:
		return solve.LShr(a, by)
	}
	return solve.AShr(a, by)
}

// addressOf is the address of an access, relative to its root if roots is set.
func (c *encoder) addressOf(m *ssa.Mem, e *env, roots bool) *solve.Term {
	c.roots = roots
	defer func() { c.roots = false }()
	if m.Base == nil {
		return solve.BV(uint64(m.Offset), 64)
	}
	t := resize(c.value(m.Base, e), 64)
	if m.Space == ptx.Shared { // 32-bit arithmetic, if it is any
		t = solve.Extract(t, 0, 32)
		return solve.Add(t, solve.BV(uint64(m.Offset), 32))
	}
	return solve.Add(t, solve.BV(uint64(m.Offset), 64))
}
