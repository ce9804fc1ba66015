package alu

import "math/bits"

// Bit manipulation (PTX ISA 9.7.1.14 to 9.7.1.22, 9.7.9.7).
var bitBuilders = map[string]builder{
	"popc": countOp(func(_ typ, x uint64) uint64 { return uint64(bits.OnesCount64(x)) }),
	"clz":  countOp(func(t typ, x uint64) uint64 { return uint64(bits.LeadingZeros64(x) - 64 + int(t.bits)) }),
	"brev": brev, "bfind": bfind, "fns": fns, "bfe": bfe, "bfi": bfi,
	"szext": szext, "bmsk": bmsk, "prmt": prmt,
}

// bits3264 accepts the given kind of 32- and 64-bit types.
func bits3264(in *inst, ok func(kind) bool) (typ, bool) {
	t, one := in.only()
	return t, one && ok(t.kind) && t.lanes == 1 && (t.bits == 32 || t.bits == 64)
}

func isBits(k kind) bool    { return k == kBits }
func isInteger(k kind) bool { return k == kUnsigned || k == kSigned }

func countOp(f func(t typ, x uint64) uint64) builder {
	return func(in *inst) *Op {
		t, ok := bits3264(in, isBits)
		if !ok {
			return nil
		}
		return newOp(fn1(func(a uint64) uint64 { return f(t, a) }), tU32, t)
	}
}

func brev(in *inst) *Op {
	t, ok := bits3264(in, isBits)
	if !ok {
		return nil
	}
	s := 64 - uint(t.bits)
	return newOp(fn1(func(a uint64) uint64 { return bits.Reverse64(a) >> s }), t, t)
}

func bfind(in *inst) *Op {
	shift := in.take("shiftamt")
	t, ok := bits3264(in, isInteger)
	if !ok {
		return nil
	}
	m := mask(t.bits)
	return newOp(fn1(func(a uint64) uint64 {
		if t.signed() && sext(a, t.bits) < 0 {
			a = ^a & m
		}
		switch n := bits.Len64(a); {
		case n == 0:
			return 0xffffffff
		case shift:
			return uint64(int(t.bits) - n)
		default:
			return uint64(n - 1)
		}
	}), tU32, t)
}

// fns finds the n-th set bit. An offset beyond 32 bits finds nothing.
func fns(in *inst) *Op {
	if t, ok := in.only(); len(in.types) > 0 && (!ok || t != tB32) {
		return nil
	}
	return newOp(fn3(func(m, base, off uint64) uint64 {
		return findNth(m, int64(base), int64(int32(off)))
	}), tB32, tB32, tB32, tS32)
}

func findNth(m uint64, pos, off int64) uint64 {
	if pos > 31 {
		return 0xffffffff
	}
	inc, count := int64(1), off-1
	switch {
	case off == 0 && m>>uint(pos)&1 == 0:
		return 0xffffffff
	case off == 0:
		return uint64(pos)
	case off < 0:
		inc, count = -1, -off-1
	}
	for ; pos >= 0 && pos < 32; pos += inc {
		if m>>uint(pos)&1 != 0 {
			if count == 0 {
				return uint64(pos)
			}
			count--
		}
	}
	return 0xffffffff
}

func bfe(in *inst) *Op {
	t, ok := bits3264(in, isInteger)
	if !ok {
		return nil
	}
	return newOp(fn3(func(a, b, c uint64) uint64 {
		return extractField(t, a, uint(b&0xff), uint(c&0xff))
	}), t, t, tU32, tU32)
}

func extractField(t typ, a uint64, pos, n uint) uint64 {
	if n == 0 {
		return 0
	}
	x := t.ext(a)
	if t.signed() {
		x = uint64(int64(x) >> min(pos, 63))
		if n < 64 {
			x = uint64(sext(x, uint8(n)))
		}
	} else {
		x >>= pos
		x &= mask(uint8(min(n, 64)))
	}
	return x & mask(t.bits)
}

func bfi(in *inst) *Op {
	t, ok := bits3264(in, isBits)
	if !ok {
		return nil
	}
	return newOp(func(a, b, c, d uint64) (uint64, uint64) {
		return insertField(t, a, b, uint(c&0xff), uint(d&0xff)), 0
	}, t, t, t, tU32, tU32)
}

func insertField(t typ, a, b uint64, pos, n uint) uint64 {
	if n == 0 || pos >= uint(t.bits) {
		return b
	}
	m := mask(uint8(min(n, 64))) << pos & mask(t.bits)
	return b&^m | a<<pos&m
}

func szext(in *inst) *Op {
	clamp := in.oneOf("clamp", "wrap")
	t, ok := in.only()
	if clamp == "" || !ok || !t.isInt() || t.size() != 32 || t.lanes != 1 {
		return nil
	}
	return newOp(fn2(func(a, b uint64) uint64 {
		n := uint8(b & 31)
		switch {
		case b >= 32 && clamp == "clamp":
			return a
		case n == 0:
			return 0
		}
		if t.signed() {
			return uint64(uint32(sext(a, n)))
		}
		return a & mask(n)
	}), t, t, tU32)
}

func bmsk(in *inst) *Op {
	mode := in.oneOf("clamp", "wrap")
	if t, ok := in.only(); mode == "" || !ok || t != tB32 {
		return nil
	}
	return newOp(fn2(func(a, b uint64) uint64 {
		if mode == "clamp" && a >= 32 {
			return 0
		}
		pos, n := a&31, b&31
		low := mask(32) << pos & mask(32)
		if pos+n >= 32 || mode == "clamp" && b >= 32 {
			return low
		}
		return low &^ (mask(32) << (pos + n)) & mask(32)
	}), tB32, tB32, tU32)
}

// prmt permutes bytes (PTX ISA 9.7.9.7).
func prmt(in *inst) *Op {
	mode := in.oneOf("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")
	if t, ok := in.only(); !ok || t != tB32 {
		return nil
	}
	sel := prmtSelectors[mode]
	if mode != "" {
		return newOp(fn3(func(a, b, c uint64) uint64 {
			return permute(a, b, uint64(sel[c&3]))
		}), tB32, tB32, tB32, tB32)
	}
	return newOp(fn3(permute), tB32, tB32, tB32, tB32)
}

// prmtSelectors are the default-mode selectors that the special modes stand for.
var prmtSelectors = map[string][4]uint16{
	"f4e":  {0x3210, 0x4321, 0x5432, 0x6543},
	"b4e":  {0x5670, 0x6701, 0x7012, 0x0123},
	"rc8":  {0x0000, 0x1111, 0x2222, 0x3333},
	"ecl":  {0x3210, 0x3211, 0x3222, 0x3333},
	"ecr":  {0x0000, 0x1110, 0x2210, 0x3210},
	"rc16": {0x1010, 0x3232, 0x1010, 0x3232},
}

func permute(a, b, c uint64) uint64 {
	src := b<<32 | a
	var r uint64
	for i := uint(0); i < 4; i++ {
		s := c >> (4 * i) & 15
		x := src >> (8 * (s & 7)) & 0xff
		if s&8 != 0 {
			x = uint64(int64(int8(x))>>7) & 0xff
		}
		r |= x << (8 * i)
	}
	return r
}
