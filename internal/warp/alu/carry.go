package alu

import "math/bits"

// Extended-precision arithmetic (PTX ISA 9.7.2). CC.CF is what comes out of the
// adder: the carry of an addition, and as a - b is a + ^b + 1 there, 1 for a
// subtraction without borrow. The ISA is silent about sub.cc before addc, and
// add.cc before subc; GPUs were seen to work so.
var carryBuilders = map[string]builder{
	"addc": func(in *inst) *Op { return carryAdd(in, true, in.take("cc")) },
	"subc": func(in *inst) *Op { return carrySub(in, true, in.take("cc")) },
	"madc": func(in *inst) *Op { return carryMad(in, true, in.take("cc")) },
}

// carryType accepts the 32- and 64-bit integer types.
func carryType(in *inst) (typ, bool) {
	t, ok := in.only()
	return t, ok && t.isInt() && t.lanes == 1 && t.bits >= 32
}

// addN adds n-bit values with carry.
func addN(n uint8, a, b, c uint64) (sum, carry uint64) {
	if n == 64 {
		return bits.Add64(a, b, c)
	}
	s := a + b + c
	return s & mask(n), s >> n
}

// subN subtracts n-bit values; no carry in stands for a borrow, and so does none
// out.
func subN(n uint8, a, b, c uint64) (diff, carry uint64) {
	if n == 64 {
		d, borrow := bits.Sub64(a, b, 1-c)
		return d, 1 - borrow
	}
	d := a - b - (1 - c)
	return d & mask(n), 1 - d>>63
}

// carryOp adds the flags to an operation of two or three operands.
func carryOp(t typ, n int, in, out bool, fn Fn) *Op {
	args := []typ{t, t, t}[:n]
	if in {
		args = append(args, tPred)
	}
	o := newOp(fn, t, args...)
	o.CarryIn, o.CarryOut = in, out
	if out {
		o.Dst2 = Pred
	}
	return o
}

func carryAdd(in *inst, cin, cout bool) *Op {
	t, ok := carryType(in)
	if !ok {
		return nil
	}
	return carryOp(t, 2, cin, cout, func(a, b, c, _ uint64) (uint64, uint64) {
		return addN(t.bits, a, b, carryBit(cin, c))
	})
}

func carrySub(in *inst, cin, cout bool) *Op {
	t, ok := carryType(in)
	if !ok {
		return nil
	}
	return carryOp(t, 2, cin, cout, func(a, b, c, _ uint64) (uint64, uint64) {
		if !cin {
			c = 1
		}
		return subN(t.bits, a, b, c&1)
	})
}

func carryMad(in *inst, cin, cout bool) *Op {
	part := in.oneOf("lo", "hi")
	t, ok := carryType(in)
	if !ok || part == "" {
		return nil
	}
	mul := mulPart(part, t)
	return carryOp(t, 3, cin, cout, func(a, b, c, d uint64) (uint64, uint64) {
		return addN(t.bits, mul(a, b), c, carryBit(cin, d))
	})
}

func carryBit(cin bool, c uint64) uint64 {
	if cin {
		return c & 1
	}
	return 0
}
