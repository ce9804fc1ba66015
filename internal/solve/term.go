// Package solve asks Z3 whether constraints over bit-vectors, integers and
// truth values can be met: terms of SMT-LIB 2, a z3 process on a pipe, bounds
// on what a query may cost, and a cache of the answers. What ranges, divisors
// and common parts of sums decide does not get to z3. Where z3 is missing,
// ends, or gives up, the answer is Unknown with a reason, never an error.
package solve

import (
	"fmt"
	"math/bits"
)

// Sort is a term's type: the width of a bit-vector, 1 to 64, or Bool or Int.
type Sort int

// The sorts that are not bit-vectors.
const (
	Bool Sort = 0
	Int  Sort = -1
)

// String is the sort in SMT-LIB.
func (s Sort) String() string {
	switch s {
	case Bool:
		return "Bool"
	case Int:
		return "Int"
	}
	return fmt.Sprintf("(_ BitVec %d)", int(s))
}

// Op is what a term does to its arguments, or that it is a variable or a
// constant.
type Op uint8

// The operations. Those on bit-vectors mean what SMT-LIB's theory
// FixedSizeBitVectors says, division by zero included; those that integers have
// too are Add to Mod, Eq, SLt and SLe.
const (
	OpVar Op = iota
	OpConst
	OpNot
	OpAnd
	OpOr
	OpEq
	OpIte
	OpULt
	OpULe
	OpSLt
	OpSLe
	OpAdd
	OpSub
	OpMul
	OpUDiv
	OpURem
	OpSDiv
	OpSRem
	OpBitAnd
	OpBitOr
	OpBitXor
	OpBitNot
	OpShl
	OpLShr
	OpAShr
	OpExtract
	OpZeroExt
	OpSignExt
)

// Term is an expression. Terms are immutable; one term in several places is
// printed once, so that shared terms cost no more than they are.
type Term struct {
	op   Op
	sort Sort
	args []*Term
	// value is a constant's: the bits, 0 or 1, or the integer as int64.
	value uint64
	name  string
	// low is the lowest bit of an extraction.
	low int
	// most is what a variable never exceeds, 0 if it may have any value.
	most uint64
}

// Sort returns the term's sort.
func (t *Term) Sort() Sort { return t.sort }

// Name returns a variable's name, "" for other terms.
func (t *Term) Name() string { return t.name }

// Constant returns the value of a constant: the bits of a bit-vector, 0 or 1
// for a truth value, an int64's bits for an integer.
func (t *Term) Constant() (value uint64, ok bool) { return t.value, t.op == OpConst }

// IsTrue and IsFalse report whether the term is that constant.
func (t *Term) IsTrue() bool  { return t.op == OpConst && t.sort == Bool && t.value == 1 }
func (t *Term) IsFalse() bool { return t.op == OpConst && t.sort == Bool && t.value == 0 }

// True and False are the truth values.
var (
	True  = &Term{op: OpConst, sort: Bool, value: 1}
	False = &Term{op: OpConst, sort: Bool}
)

// Var returns a variable. Two variables of one name are one variable; their
// sorts must be the same.
func Var(name string, s Sort) *Term { return &Term{op: OpVar, sort: s, name: name} }

// Bounded returns a bit-vector variable that is never more than most, which is
// a part of each question about it. It is not 0.
func Bounded(name string, width int, most uint64) *Term {
	return &Term{op: OpVar, sort: Sort(width), name: name, most: most}
}

// Most is what a bit-vector variable or constant never exceeds.
func (t *Term) Most() uint64 {
	switch {
	case t.op == OpConst:
		return t.value
	case t.most > 0:
		return t.most
	}
	return mask(t.sort)
}

// BV returns a constant of width bits.
func BV(value uint64, width int) *Term {
	return &Term{op: OpConst, sort: Sort(width), value: value & mask(Sort(width))}
}

// Integer returns an integer constant.
func Integer(value int64) *Term { return &Term{op: OpConst, sort: Int, value: uint64(value)} }

// Truth returns True or False.
func Truth(b bool) *Term {
	if b {
		return True
	}
	return False
}

// mask is the bits that a value of the sort can have.
func mask(s Sort) uint64 {
	if s <= 0 {
		return ^uint64(0)
	}
	return ^uint64(0) >> (64 - uint(s))
}

// signed reads the bits of a bit-vector as a number with a sign.
func signed(v uint64, s Sort) int64 {
	if s <= 0 {
		return int64(v)
	}
	return int64(v<<(64-uint(s))) >> (64 - uint(s))
}

// same reports whether two terms are the same by construction.
func same(a, b *Term) bool {
	if a == b {
		return true
	}
	return a.op == b.op && a.sort == b.sort && a.value == b.value && a.name == b.name &&
		(a.op == OpVar || a.op == OpConst)
}

// make builds a term, folding it where all arguments are constants.
func make1(op Op, s Sort, low int, args ...*Term) *Term {
	t := &Term{op: op, sort: s, args: args, low: low}
	for _, a := range args {
		if a.op != OpConst {
			return t
		}
	}
	v := t.apply(func(i int) uint64 { return args[i].value })
	return &Term{op: OpConst, sort: s, value: v}
}

// Not negates a truth value.
func Not(a *Term) *Term {
	if a.op == OpNot {
		return a.args[0]
	}
	return make1(OpNot, Bool, 0, a)
}

// And is true where all are; And() is True.
func And(as ...*Term) *Term { return join(OpAnd, True, False, as) }

// Or is true where one is; Or() is False.
func Or(as ...*Term) *Term { return join(OpOr, False, True, as) }

func join(op Op, unit, zero *Term, as []*Term) *Term {
	var kept []*Term
	for _, a := range as {
		switch {
		case same(a, zero):
			return zero
		case same(a, unit):
		case a.op == op:
			kept = append(kept, a.args...)
		default:
			kept = append(kept, a)
		}
	}
	switch len(kept) {
	case 0:
		return unit
	case 1:
		return kept[0]
	}
	return &Term{op: op, sort: Bool, args: kept}
}

// Eq compares two terms of one sort.
func Eq(a, b *Term) *Term {
	switch {
	case same(a, b):
		return True
	case b.op == OpConst && a.op == OpAdd && a.sort > 0 && a.args[1].op == OpConst:
		return Eq(a.args[0], Sub(b, a.args[1]))
	case a.sort == Bool && b.op == OpConst:
		a, b = b, a
		fallthrough
	case a.sort == Bool && a.op == OpConst:
		if a.value == 1 {
			return b
		}
		return Not(b)
	}
	return make1(OpEq, Bool, 0, a, b)
}

// Ite is a where c holds, else b.
func Ite(c, a, b *Term) *Term {
	switch {
	case c.IsTrue() || same(a, b):
		return a
	case c.IsFalse():
		return b
	case a.IsTrue() && b.IsFalse():
		return c
	case a.IsFalse() && b.IsTrue():
		return Not(c)
	}
	return &Term{op: OpIte, sort: a.sort, args: []*Term{c, a, b}}
}

// ULt, ULe, SLt and SLe compare bit-vectors, the last two integers too.
func ULt(a, b *Term) *Term {
	if zero(b) {
		return False
	}
	return make1(OpULt, Bool, 0, a, b)
}

func ULe(a, b *Term) *Term {
	if zero(a) {
		return True
	}
	return make1(OpULe, Bool, 0, a, b)
}

func SLt(a, b *Term) *Term { return make1(OpSLt, Bool, 0, a, b) }
func SLe(a, b *Term) *Term { return make1(OpSLe, Bool, 0, a, b) }

// Add, Sub and Mul are of bit-vectors modulo their width, or of integers. A
// constant is the second argument, and sums and products have one at most: what
// is added and subtracted again leaves no trace.
func Add(a, b *Term) *Term {
	a, b = constantLast(a, b)
	switch {
	case zero(b):
		return a
	case b.op == OpConst && a.op == OpAdd && a.args[1].op == OpConst:
		return Add(a.args[0], Add(a.args[1], b))
	}
	return make1(OpAdd, a.sort, 0, a, b)
}

func Sub(a, b *Term) *Term {
	if b.op == OpConst && b.sort > 0 {
		return Add(a, BV(-b.value, int(b.sort)))
	}
	return make1(OpSub, a.sort, 0, a, b)
}

func Mul(a, b *Term) *Term {
	a, b = constantLast(a, b)
	switch {
	case zero(b):
		return b
	case one(b):
		return a
	case b.op == OpConst && a.op == OpMul && a.args[1].op == OpConst:
		return Mul(a.args[0], Mul(a.args[1], b))
	}
	return make1(OpMul, a.sort, 0, a, b)
}

func constantLast(a, b *Term) (*Term, *Term) {
	if a.op == OpConst {
		return b, a
	}
	return a, b
}

func zero(t *Term) bool { return t.op == OpConst && t.value == 0 }
func one(t *Term) bool  { return t.op == OpConst && t.value == 1 }

// powerOfTwo returns the exponent of a bit-vector constant that is one.
func powerOfTwo(t *Term) (k int, ok bool) {
	if t.op != OpConst || t.sort <= 0 || bits.OnesCount64(t.value) != 1 {
		return 0, false
	}
	return bits.TrailingZeros64(t.value), true
}

// UDiv and URem divide bit-vectors without a sign, SDiv and SRem with one, as
// truncation does. On integers SDiv and SRem are SMT-LIB's div and mod, which
// never leave a negative remainder.
func UDiv(a, b *Term) *Term {
	if k, ok := powerOfTwo(b); ok {
		return LShr(a, BV(uint64(k), int(a.sort)))
	}
	return make1(OpUDiv, a.sort, 0, a, b)
}

func URem(a, b *Term) *Term {
	if _, ok := powerOfTwo(b); ok {
		return BitAnd(a, BV(b.value-1, int(a.sort)))
	}
	return make1(OpURem, a.sort, 0, a, b)
}

func SDiv(a, b *Term) *Term { return make1(OpSDiv, a.sort, 0, a, b) }
func SRem(a, b *Term) *Term { return make1(OpSRem, a.sort, 0, a, b) }

// BitAnd, BitOr, BitXor and BitNot work on bit-vectors.
func BitAnd(a, b *Term) *Term { return make1(OpBitAnd, a.sort, 0, a, b) }
func BitOr(a, b *Term) *Term  { return make1(OpBitOr, a.sort, 0, a, b) }
func BitXor(a, b *Term) *Term { return make1(OpBitXor, a.sort, 0, a, b) }
func BitNot(a *Term) *Term    { return make1(OpBitNot, a.sort, 0, a) }

// Shl, LShr and AShr shift a by b, of one width; a shift by the width or more
// leaves nothing but, for AShr, the sign.
func Shl(a, b *Term) *Term  { return shift(OpShl, a, b) }
func LShr(a, b *Term) *Term { return shift(OpLShr, a, b) }
func AShr(a, b *Term) *Term { return shift(OpAShr, a, b) }

func shift(op Op, a, b *Term) *Term {
	if zero(b) {
		return a
	}
	return make1(op, a.sort, 0, a, b)
}

// Extract returns width bits of a, from bit low on.
func Extract(a *Term, low, width int) *Term {
	if low == 0 {
		return lowBits(a, width, 4)
	}
	if inner, ok := extended(a); ok && low+width <= int(inner.sort) {
		return Extract(inner, low, width)
	}
	return make1(OpExtract, Sort(width), low, a)
}

// extended returns what a term is the extension of.
func extended(a *Term) (inner *Term, ok bool) {
	if a.op != OpZeroExt && a.op != OpSignExt {
		return nil, false
	}
	return a.args[0], true
}

// lowBits computes with the low bits only where those of the result depend on
// no others: addresses in 64 bits of which 32 count are cheaper so. It looks
// depth levels down.
func lowBits(a *Term, width, depth int) *Term {
	if width == int(a.sort) {
		return a
	}
	inner, ok := extended(a)
	switch {
	case ok && width > int(inner.sort):
		return extend(a.op, inner, width)
	case ok:
		return lowBits(inner, width, depth)
	case depth == 0:
	case a.op == OpAdd || a.op == OpSub || a.op == OpMul || a.op == OpBitAnd || a.op == OpBitOr || a.op == OpBitXor:
		x, y := lowBits(a.args[0], width, depth-1), lowBits(a.args[1], width, depth-1)
		return arithmetic[a.op](x, y)
	}
	return make1(OpExtract, Sort(width), 0, a)
}

var arithmetic = map[Op]func(a, b *Term) *Term{
	OpAdd: Add, OpSub: Sub, OpMul: Mul, OpBitAnd: BitAnd, OpBitOr: BitOr, OpBitXor: BitXor,
}

// ZeroExt and SignExt widen a to width bits.
func ZeroExt(a *Term, width int) *Term { return extend(OpZeroExt, a, width) }
func SignExt(a *Term, width int) *Term { return extend(OpSignExt, a, width) }

func extend(op Op, a *Term, width int) *Term {
	if width == int(a.sort) {
		return a
	}
	return make1(op, Sort(width), 0, a)
}

// Equation returns the variable and the value of an equation between a variable and a constant.
func Equation(t *Term) (v *Term, value uint64, ok bool) {
	if t.op != OpEq {
		return nil, 0, false
	}
	for i, a := range t.args {
		if c, constant := t.args[1-i].Constant(); constant && a.op == OpVar && a.sort > 0 {
			return a, c, true
		}
	}
	return nil, 0, false
}
