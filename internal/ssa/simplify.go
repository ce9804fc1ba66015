package ssa

import (
	"math/bits"
)

// simplify removes phis with one value, computes what is constant, takes out
// operations that change nothing, and drops values that nothing uses. It
// repeats that until nothing changes; each round visits a value once.
func (f *Func) simplify() {
	s := &simplifier{f: f, by: map[*Value]*Value{}}
	for range maxRounds {
		if !s.round() {
			break
		}
	}
	f.dropUnused()
}

// maxRounds bounds the rounds: each takes away what the one before laid bare
// after back edges, one is enough for the rest.
const maxRounds = 8

type simplifier struct {
	f  *Func
	by map[*Value]*Value
}

func (s *simplifier) find(v *Value) *Value {
	for w := s.by[v]; w != nil; w = s.by[v] {
		if x := s.by[w]; x != nil {
			s.by[v] = x
		}
		v = w
	}
	return v
}

// round visits all values and reports whether anything was replaced.
func (s *simplifier) round() bool {
	before := len(s.by)
	for _, b := range s.f.Blocks {
		for _, v := range b.Values {
			for i, a := range v.Args {
				v.Args[i] = s.find(a)
			}
			if w := s.replacement(v); w != nil && w != v {
				s.by[v] = w
			}
		}
	}
	if len(s.by) == before {
		return false
	}
	for _, b := range s.f.Blocks {
		kept := b.Values[:0]
		for _, v := range b.Values {
			if s.by[v] != nil {
				continue
			}
			for i, a := range v.Args {
				v.Args[i] = s.find(a)
			}
			v.sync(s.find)
			kept = append(kept, v)
		}
		clear(b.Values[len(kept):])
		b.Values = kept
		if b.Control != nil {
			b.Control = s.find(b.Control)
		}
	}
	return true
}

// replacement is a value that equals v, nil if none is known. v itself may
// become a constant.
func (s *simplifier) replacement(v *Value) *Value {
	switch v.Op {
	case Phi:
		return s.phi(v)
	case Const, Undef, Special, Param, Addr, Pure, Lane, Clock, Elem:
		return nil
	}
	if v.Op >= Load {
		return nil
	}
	if n := len(v.Args); n > 0 && v.Width() <= 64 && allConst(v.Args) {
		if c, ok := Eval(v.Op, v.Width(), v.Args[0].Width(), consts(v.Args)...); ok {
			v.Op, v.Args, v.Const, v.Name = Const, nil, c, ""
			return nil
		}
	}
	return identity(v)
}

// phi returns the one value that a phi stands for besides itself.
func (s *simplifier) phi(v *Value) *Value {
	var one *Value
	for _, a := range v.Args {
		a = s.find(a)
		if a == v || a == one {
			continue
		}
		if one != nil {
			return nil
		}
		one = a
	}
	return one
}

func allConst(args []*Value) bool {
	for _, a := range args {
		if a.Op != Const {
			return false
		}
	}
	return true
}

func consts(args []*Value) []uint64 {
	list := make([]uint64, len(args))
	for i, a := range args {
		list[i] = a.Const
	}
	return list
}

// identity finds operations that give back one of their arguments.
func identity(v *Value) *Value {
	if len(v.Args) == 2 && v.Op.Commutes() && v.Args[0].Op == Const && v.Args[1].Op != Const {
		v.Args[0], v.Args[1] = v.Args[1], v.Args[0]
	}
	switch v.Op {
	case Select:
		return selected(v)
	case Not, Neg:
		if a := v.Args[0]; a.Op == v.Op {
			return a.Args[0]
		}
	case ToGeneric, FromGeneric:
		a := v.Args[0]
		if (a.Op == ToGeneric || a.Op == FromGeneric) && a.Op != v.Op && a.Name == v.Name {
			return a.Args[0]
		}
	case Trunc:
		if a := v.Args[0]; (a.Op == Zext || a.Op == Sext) && a.Args[0].Width() == v.Width() {
			return a.Args[0]
		}
	case Sub, Shl, ShrS, ShrU, Add, Or, Xor, Mul, DivU, DivS, And:
		return withConst(v)
	}
	return nil
}

func selected(v *Value) *Value {
	if c := v.Args[0]; c.Op == Const {
		return v.Args[2-c.Const&1]
	}
	if v.Args[1] == v.Args[2] {
		return v.Args[1]
	}
	return nil
}

// withConst finds x+0, x*1, x&-1 and the like.
func withConst(v *Value) *Value {
	x, c := v.Args[0], v.Args[1]
	if c.Op != Const {
		return nil
	}
	switch v.Op {
	case Add, Sub, Or, Xor, Shl, ShrS, ShrU:
		if c.Const == 0 {
			return x
		}
	case Mul, DivU, DivS:
		if c.Const == 1 && v.Width() > 1 {
			return x
		}
	case And:
		if c.Const == mask(^uint64(0), v.Width()) {
			return x
		}
	}
	return nil
}

// dropUnused removes values without effect that nothing uses, phis that only
// use each other included.
func (f *Func) dropUnused() {
	used := make([]bool, f.NumValues)
	var work []*Value
	need := func(v *Value) {
		if v != nil && !used[v.ID] {
			used[v.ID] = true
			work = append(work, v)
		}
	}
	for _, b := range f.Blocks {
		need(b.Control)
		for _, v := range b.Values {
			if v.Op.hasEffect() {
				need(v)
			}
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, a := range v.Args {
			need(a)
		}
	}
	for _, b := range f.Blocks {
		kept := b.Values[:0]
		for _, v := range b.Values {
			if used[v.ID] {
				kept = append(kept, v)
			}
		}
		clear(b.Values[len(kept):])
		b.Values = kept
	}
}

// Eval computes an operation on constants: w is the width of the result, aw
// that of the first argument. ok is false for operations that have no value
// here, division by zero among them. Bits beyond the width are ignored in
// arguments and 0 in the result.
func Eval(op Op, w, aw int, args ...uint64) (x uint64, ok bool) {
	a := mask(args[0], aw)
	var b uint64
	if len(args) > 1 {
		b = mask(args[1], 64)
	}
	switch op {
	case Zext, Trunc:
		return mask(a, w), true
	case Sext:
		return mask(uint64(signed(a, aw)), w), true
	case Select:
		if a&1 != 0 {
			return mask(args[1], w), true
		}
		return mask(args[2], w), true
	case Eq, Ne, LtS, LeS, LtU, LeU:
		return compare(op, a, mask(b, aw), aw), true
	case Shl, ShrS, ShrU:
		return shift(op, w, a, mask(b, 32)), true
	}
	x, ok = arith(op, w, a, mask(b, w))
	return mask(x, w), ok
}

// signed is a number of w bits with its sign extended.
func signed(x uint64, w int) int64 { return int64(x<<(64-w)) >> (64 - w) }

func compare(op Op, a, b uint64, w int) uint64 {
	var r bool
	switch op {
	case Eq:
		r = a == b
	case Ne:
		r = a != b
	case LtS:
		r = signed(a, w) < signed(b, w)
	case LeS:
		r = signed(a, w) <= signed(b, w)
	case LtU:
		r = a < b
	case LeU:
		r = a <= b
	}
	if r {
		return 1
	}
	return 0
}

// shift clamps amounts beyond the width (PTX ISA, "shl", "shr").
func shift(op Op, w int, a, n uint64) uint64 {
	n = min(n, uint64(w))
	switch op {
	case Shl:
		return mask(a<<n, w)
	case ShrU:
		return a >> n
	}
	return mask(uint64(signed(a, w)>>min(n, 63)), w)
}

func arith(op Op, w int, a, b uint64) (uint64, bool) {
	sa, sb := signed(a, w), signed(b, w)
	switch op {
	case Add:
		return a + b, true
	case Sub:
		return a - b, true
	case Mul:
		return a * b, true
	case And:
		return a & b, true
	case Or:
		return a | b, true
	case Xor:
		return a ^ b, true
	case Not:
		return ^a, true
	case Neg:
		return -a, true
	case Abs:
		return uint64(max(sa, -sa)), true
	case MinS:
		return uint64(min(sa, sb)), true
	case MaxS:
		return uint64(max(sa, sb)), true
	case MinU:
		return min(a, b), true
	case MaxU:
		return max(a, b), true
	case MulHiS, MulHiU:
		return mulHigh(op, w, a, b), true
	}
	if b == 0 {
		return 0, false
	}
	switch op {
	case DivU:
		return a / b, true
	case RemU:
		return a % b, true
	case DivS:
		return uint64(quotient(sa, sb)), true
	case RemS:
		return uint64(sa - sb*quotient(sa, sb)), true
	}
	return 0, false
}

// quotient divides without the overflow of the lowest number by -1.
func quotient(a, b int64) int64 {
	if b == -1 {
		return -a
	}
	return a / b
}

func mulHigh(op Op, w int, a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if op == MulHiS {
		sa, sb := signed(a, w), signed(b, w)
		hi, lo = bits.Mul64(uint64(sa), uint64(sb))
		if sa < 0 {
			hi -= uint64(sb)
		}
		if sb < 0 {
			hi -= uint64(sa)
		}
	}
	if w == 64 {
		return hi
	}
	return lo >> w
}
