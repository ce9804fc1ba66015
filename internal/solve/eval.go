package solve

import "math/bits"

// Model gives variables their values by name: the bits of a bit-vector, 0 or 1
// for a truth value, an int64's bits for an integer.
type Model map[string]uint64

// Eval returns the value of a term where the variables have the model's
// values; those that it lacks are 0.
func Eval(t *Term, m Model) uint64 { return NewEvaluator(t).Eval(m) }

// Evaluator evaluates terms again and again. It is not safe for concurrent use.
type Evaluator struct {
	order  []*Term // arguments before those who use them
	index  map[*Term]int
	args   [][]int
	values []uint64
	last   int // the last root
}

// NewEvaluator prepares the evaluation of terms.
func NewEvaluator(roots ...*Term) *Evaluator {
	order := postorder(roots...)
	e := &Evaluator{order: order, index: make(map[*Term]int, len(order)), args: make([][]int, len(order)), values: make([]uint64, len(order))}
	all := 0
	for i, t := range order {
		e.index[t] = i
		all += len(t.args)
	}
	places := make([]int, 0, all)
	for i, t := range order {
		begin := len(places)
		for _, a := range t.args {
			places = append(places, e.index[a])
		}
		e.args[i] = places[begin:]
	}
	if n := len(roots); n > 0 {
		e.last = e.index[roots[n-1]]
	}
	return e
}

// postorder lists terms and their parts, each once, arguments before those who
// use them. It keeps its own stack: terms of long kernels are deep.
func postorder(roots ...*Term) (order []*Term) {
	type frame struct {
		t    *Term
		next int
	}
	var stack []frame
	seen := map[*Term]bool{}
	enter := func(t *Term) {
		if !seen[t] {
			seen[t] = true
			stack = append(stack, frame{t: t})
		}
	}
	for _, t := range roots {
		for enter(t); len(stack) > 0; {
			f := &stack[len(stack)-1]
			if f.next < len(f.t.args) {
				f.next++
				enter(f.t.args[f.next-1])
				continue
			}
			order = append(order, f.t)
			stack = stack[:len(stack)-1]
		}
	}
	return order
}

// Eval evaluates all terms and returns the value of the last root.
func (e *Evaluator) Eval(m Model) uint64 {
	for i, t := range e.order {
		switch t.op {
		case OpVar:
			e.values[i] = m[t.name] & varMask(t.sort)
		case OpConst:
			e.values[i] = t.value
		default:
			args := e.args[i]
			e.values[i] = t.apply(func(k int) uint64 { return e.values[args[k]] })
		}
	}
	return e.values[e.last]
}

// Value returns what the last Eval found for one of the roots or their parts.
func (e *Evaluator) Value(t *Term) uint64 { return e.values[e.index[t]] }

func varMask(s Sort) uint64 {
	if s == Bool {
		return 1
	}
	return mask(s)
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// apply computes the term from its arguments' values.
func (t *Term) apply(arg func(int) uint64) uint64 {
	switch t.op {
	case OpNot:
		return 1 - arg(0)
	case OpAnd, OpOr:
		for i := range t.args {
			if v := arg(i); v == truth(t.op == OpOr) {
				return v
			}
		}
		return truth(t.op == OpAnd)
	case OpIte:
		return arg(2 - int(arg(0)))
	case OpEq, OpULt, OpULe, OpSLt, OpSLe:
		return truth(t.compare(arg(0), arg(1)))
	case OpExtract:
		return arg(0) >> t.low & mask(t.sort)
	case OpZeroExt:
		return arg(0)
	case OpSignExt:
		return uint64(signed(arg(0), t.args[0].sort)) & mask(t.sort)
	case OpBitNot:
		return ^arg(0) & mask(t.sort)
	}
	return t.arith(arg(0), arg(1)) & mask(t.sort)
}

func (t *Term) compare(a, b uint64) bool {
	s := t.args[0].sort
	switch t.op {
	case OpEq:
		return a == b
	case OpULt:
		return a < b
	case OpULe:
		return a <= b
	case OpSLt:
		return signed(a, s) < signed(b, s)
	}
	return signed(a, s) <= signed(b, s)
}

func (t *Term) arith(a, b uint64) uint64 {
	switch t.op {
	case OpAdd:
		return a + b
	case OpSub:
		return a - b
	case OpMul:
		return a * b
	case OpBitAnd:
		return a & b
	case OpBitOr:
		return a | b
	case OpBitXor:
		return a ^ b
	case OpShl, OpLShr, OpAShr:
		return t.shift(a, b)
	}
	return t.divide(a, b)
}

func (t *Term) shift(a, b uint64) uint64 {
	over := b >= uint64(t.sort)
	switch {
	case t.op == OpAShr:
		return uint64(signed(a, t.sort) >> min(b, uint64(t.sort)))
	case over:
		return 0
	case t.op == OpShl:
		return a << b
	}
	return a >> b
}

// divide follows SMT-LIB: x/0 is all ones, or 1 for a negative x with a sign,
// and x rem 0 is x. Integers divided by zero are 0, which SMT-LIB leaves open.
func (t *Term) divide(a, b uint64) uint64 {
	if t.sort == Int {
		return uint64(t.euclid(int64(a), int64(b)))
	}
	x, y := signed(a, t.sort), signed(b, t.sort)
	switch t.op {
	case OpUDiv:
		if b == 0 {
			return ^uint64(0)
		}
		return a / b
	case OpURem:
		if b == 0 {
			return a
		}
		return a % b
	case OpSDiv:
		switch {
		case y == 0 && x < 0:
			return 1
		case y == 0:
			return ^uint64(0)
		case y == -1:
			return uint64(-x)
		}
		return uint64(x / y)
	}
	if y == 0 || y == -1 {
		return a * truth(y == 0)
	}
	return uint64(x % y)
}

func (t *Term) euclid(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	q, r := a/b, a%b
	if r < 0 {
		if r += abs(b); b > 0 {
			q--
		} else {
			q++
		}
	}
	if t.op == OpSDiv {
		return q
	}
	return r
}

func abs(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}

// Variables returns the variables of terms, in the order of their first use.
func Variables(ts ...*Term) []*Term {
	seen := map[string]bool{}
	var out []*Term
	for _, t := range postorder(ts...) {
		if t.op == OpVar && !seen[t.name] {
			seen[t.name] = true
			out = append(out, t)
		}
	}
	return out
}

// Size returns the number of different operations and variables of a term.
func Size(t *Term) int { return len(postorder(t)) }

// AlignedTo returns a power of two that divides the bit-vector t whatever its
// variables are, at most 1<<63.
func AlignedTo(t *Term) uint64 { return 1 << min(trailing(t, 8), 63) }

// trailing counts low bits that are surely 0, looking depth levels down.
func trailing(t *Term, depth int) int {
	if depth == 0 || t.sort <= 0 {
		return 0
	}
	low := func(i int) int { return trailing(t.args[i], depth-1) }
	switch t.op {
	case OpConst:
		return bits.TrailingZeros64(t.value)
	case OpAdd, OpSub, OpBitOr, OpBitXor:
		return min(low(0), low(1))
	case OpIte:
		return min(low(1), low(2))
	case OpMul:
		return low(0) + low(1)
	case OpBitAnd:
		return max(low(0), low(1))
	case OpZeroExt, OpSignExt:
		return low(0)
	case OpShl:
		if k, ok := t.args[1].Constant(); ok && k < 64 {
			return low(0) + int(k)
		}
		return low(0)
	}
	return 0
}
