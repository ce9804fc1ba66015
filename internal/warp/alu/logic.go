package alu

import (
	"strconv"
)

// Logic and shifts (PTX ISA 9.7.8) and mov (9.7.9).
var logicBuilders = map[string]builder{
	"and":  logic2(func(a, b uint64) uint64 { return a & b }),
	"or":   logic2(func(a, b uint64) uint64 { return a | b }),
	"xor":  logic2(func(a, b uint64) uint64 { return a ^ b }),
	"not":  logic1(func(a, m uint64) uint64 { return ^a & m }, true),
	"cnot": logic1(func(a, _ uint64) uint64 { return b2u(a == 0) }, false),
	"lop3": lop3, "shf": shf, "shl": shl, "shr": shr, "mov": mov,
}

// isLogic accepts b16, b32, b64 and pred; clang also writes logic on .u types
// nowhere, but old code does on .s and .u: they mean the same.
func isLogic(t typ) bool { return t.lanes == 1 && (t.kind == kPred || t.isIntBits() && t.bits >= 16) }

func logic2(f func(a, b uint64) uint64) builder {
	return func(in *inst) *Op {
		t, ok := in.only()
		if !ok || !isLogic(t) {
			return nil
		}
		return newOp(fn2(f), t, t, t)
	}
}

func logic1(f func(a, m uint64) uint64, pred bool) builder {
	return func(in *inst) *Op {
		t, ok := in.only()
		if !ok || !isLogic(t) || t.kind == kPred && !pred {
			return nil
		}
		m := mask(t.bits)
		return newOp(fn1(func(a uint64) uint64 { return f(a, m) }), t, t)
	}
}

// lop3 takes its table as the fourth operand, or fixed as in "lop3.b32:lut=0xe8".
// With a Boolean operator the table must be fixed, and the second result is
// that of (d != 0) BoolOp c.
func lop3(in *inst) *Op {
	join, lut := in.oneOf("or", "and"), in.attr("lut")
	if t, ok := in.only(); !ok || t != tB32 || join != "" && lut == "" {
		return nil
	}
	if lut == "" {
		return newOp(func(a, b, c, d uint64) (uint64, uint64) {
			return lop3Value(a, b, c, d), 0
		}, tB32, tB32, tB32, tB32, tB32)
	}
	n, err := strconv.ParseUint(lut, 0, 8)
	if err != nil {
		return nil
	}
	if join != "" {
		o := newOp(func(a, b, c, p uint64) (uint64, uint64) {
			r := lop3Value(a, b, c, n)
			return r, boolOps[join](b2u(r != 0), p&1)
		}, tB32, tB32, tB32, tB32, tPred)
		o.Dst2 = Pred
		return o
	}
	return newOp(fn3(func(a, b, c uint64) uint64 { return lop3Value(a, b, c, n) }), tB32, tB32, tB32, tB32)
}

// lop3Value sets each bit to the table's entry at the operands' bits abc.
func lop3Value(a, b, c, lut uint64) uint64 {
	var r uint64
	for i := uint64(0); i < 8; i++ {
		if lut>>i&1 != 0 {
			r |= flip(a, i>>2) & flip(b, i>>1) & flip(c, i)
		}
	}
	return r & mask(32)
}

// flip is x for an odd i and its complement for an even one.
func flip(x, i uint64) uint64 { return x ^ (i&1 - 1) }

func shl(in *inst) *Op {
	t, ok := in.only()
	if !ok || !isLogic(t) || t.kind == kPred {
		return nil
	}
	m := mask(t.bits)
	return newOp(fn2(func(a, b uint64) uint64 { return a << uint32(b) & m }), t, t, tU32)
}

func shr(in *inst) *Op {
	t, ok := in.only()
	if !ok || !isLogic(t) || t.kind == kPred {
		return nil
	}
	m := mask(t.bits)
	if t.signed() {
		return newOp(fn2(func(a, b uint64) uint64 {
			return uint64(sext(a, t.bits)>>uint32(b)) & m
		}), t, t, tU32)
	}
	return newOp(fn2(func(a, b uint64) uint64 { return a >> uint32(b) }), t, t, tU32)
}

// shf shifts the 64 bits b:a and keeps the half that stays in place.
func shf(in *inst) *Op {
	dir, mode := in.oneOf("l", "r"), in.oneOf("wrap", "clamp")
	if t, ok := in.only(); dir == "" || mode == "" || !ok || t != tB32 {
		return nil
	}
	count := func(c uint64) uint64 { return min(c, 32) }
	if mode == "wrap" {
		count = func(c uint64) uint64 { return c & 31 }
	}
	return newOp(fn3(func(a, b, c uint64) uint64 {
		x, n := b<<32|a, count(c)
		if dir == "l" {
			return x << n >> 32
		}
		return x >> n & mask(32)
	}), tB32, tB32, tB32, tU32)
}

func mov(in *inst) *Op {
	t, ok := in.only()
	if !ok {
		return nil
	}
	return newOp(fn1(func(a uint64) uint64 { return a }), t, t)
}
