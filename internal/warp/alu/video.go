package alu

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Scalar and SIMD video instructions (PTX ISA 9.7.18). Selectors and masks come
// as colon attributes, see Lookup. Lanes are computed in int64.
func videoBuilders() map[string]builder {
	m := map[string]builder{"vmad": vmad, "vset": vset}
	for name, f := range laneOps {
		if name != "vavrg" {
			m[name] = scalarVideo(f)
		}
		m[name+"2"] = simdVideo(f, 2)
		m[name+"4"] = simdVideo(f, 4)
	}
	m["vset2"], m["vset4"] = simdVset(2), simdVset(4)
	m["vshl"] = vshift(shiftLeft)
	m["vshr"] = vshift(func(a int64, n uint) int64 { return a >> n })
	return m
}

var laneOps = map[string]func(a, b int64) int64{
	"vadd":     func(a, b int64) int64 { return a + b },
	"vsub":     func(a, b int64) int64 { return a - b },
	"vmin":     func(a, b int64) int64 { return min(a, b) },
	"vmax":     func(a, b int64) int64 { return max(a, b) },
	"vabsdiff": func(a, b int64) int64 { return max(a-b, b-a) },
	"vavrg": func(a, b int64) int64 {
		if a+b >= 0 {
			return (a + b + 1) >> 1
		}
		return (a + b) >> 1
	},
}

// part is a byte, half or whole of a word.
type part struct{ shift, bits uint8 }

var parts = map[string]part{
	"": {0, 32}, "b0": {0, 8}, "b1": {8, 8}, "b2": {16, 8}, "b3": {24, 8}, "h0": {0, 16}, "h1": {16, 16},
}

func (p part) get(t typ, x uint64) int64 {
	x >>= p.shift
	if t.signed() {
		return sext(x, p.bits)
	}
	return int64(x & mask(p.bits))
}

// clampBits limits x to n bits of the given signedness.
func clampBits(x int64, n uint8, signed bool) int64 {
	if signed {
		top := int64(mask(n - 1))
		return min(max(x, -top-1), top)
	}
	return min(max(x, 0), int64(mask(n)))
}

// scalarForm is what the scalar video instructions share.
type scalarForm struct {
	d       part
	sat     bool
	signed  bool // of the destination
	op2     string
	hasDsel bool
}

// takeScalar takes .sat, the secondary operation and the destination selector.
func takeScalar(in *inst, d typ) (s scalarForm, ok bool) {
	sel := in.attr("d")
	s.d, ok = parts[sel]
	s.sat, s.op2 = in.take("sat"), in.oneOf("add", "min", "max")
	s.signed, s.hasDsel = d.signed(), sel != ""
	return s, ok && !(s.hasDsel && s.op2 != "")
}

func (s *scalarForm) finish(x int64, c uint64) uint64 {
	if s.sat {
		x = clampBits(x, s.d.bits, s.signed)
	}
	if s.hasDsel {
		m := mask(s.d.bits) << s.d.shift
		return c&^m | uint64(x)<<s.d.shift&m
	}
	return uint64(uint32(second(s.op2, x, c, s.signed)))
}

// second is the secondary operation with c.
func second(op2 string, x int64, c uint64, signed bool) int64 {
	x32, c32 := int64(uint32(x)), int64(uint32(c))
	if signed {
		x32, c32 = int64(int32(x)), int64(int32(c))
	}
	switch op2 {
	case "add":
		return x32 + c32
	case "min":
		return min(x32, c32)
	case "max":
		return max(x32, c32)
	}
	return x
}

// op makes the operation: c is there with a secondary operation or a merge.
func (s *scalarForm) op(d typ, f func(a, b uint64) int64) *Op {
	if !s.hasDsel && s.op2 == "" {
		return newOp(fn2(func(a, b uint64) uint64 { return s.finish(f(a, b), 0) }), d, tU32, tU32)
	}
	return newOp(fn3(func(a, b, c uint64) uint64 { return s.finish(f(a, b), c) }), d, tU32, tU32, d)
}

func words(ts []typ, n int) bool {
	for _, t := range ts {
		if t != tU32 && t != tS32 {
			return false
		}
	}
	return len(ts) == n
}

func scalarVideo(f func(a, b int64) int64) builder {
	return func(in *inst) *Op {
		if !words(in.types, 3) {
			return nil
		}
		d, ta, tb := in.types[0], in.types[1], in.types[2]
		s, ok := takeScalar(in, d)
		pa, oka := parts[in.attr("a")]
		pb, okb := parts[in.attr("b")]
		if !ok || !oka || !okb {
			return nil
		}
		return s.op(d, func(a, b uint64) int64 { return f(pa.get(ta, a), pb.get(tb, b)) })
	}
}

func vshift(f func(a int64, n uint) int64) builder {
	return func(in *inst) *Op {
		mode := in.oneOf("clamp", "wrap")
		if !words(in.types, 3) || in.types[2] != tU32 || mode == "" {
			return nil
		}
		d, ta := in.types[0], in.types[1]
		s, ok := takeScalar(in, d)
		pa, oka := parts[in.attr("a")]
		pb, okb := parts[in.attr("b")]
		if !ok || !oka || !okb {
			return nil
		}
		return s.op(d, func(a, b uint64) int64 {
			n := uint(pb.get(tU32, b))
			if mode == "wrap" {
				n &= 31
			}
			return f(pa.get(ta, a), min(n, 32))
		})
	}
}

// shiftLeft shifts a word by up to 32 places. What does not fit in an int64 is
// a large positive number with the same low word, 0.
func shiftLeft(a int64, n uint) int64 {
	if a > math.MaxInt64>>n {
		return math.MaxInt64 &^ math.MaxUint32
	}
	return a << n
}

func vset(in *inst) *Op {
	if !words(in.types, 2) {
		return nil
	}
	ta, tb := in.types[0], in.types[1]
	rel := takeRelation(in)
	s, ok := takeScalar(in, tU32)
	pa, oka := parts[in.attr("a")]
	pb, okb := parts[in.attr("b")]
	if !ok || !oka || !okb || rel == 0 {
		return nil
	}
	return s.op(tU32, func(a, b uint64) int64 {
		return int64(b2u(order(pa.get(ta, a), pb.get(tb, b))&rel != 0))
	})
}

func takeRelation(in *inst) relation {
	return floatRelations[in.oneOf("eq", "ne", "lt", "le", "gt", "ge")]
}

// vmad multiplies and adds with optional negation, rounding bit and scaling.
func vmad(in *inst) *Op {
	if !words(in.types, 3) {
		return nil
	}
	d, ta, tb := in.types[0], in.types[1], in.types[2]
	po, sat := in.take("po"), in.take("sat")
	shift := map[string]uint{"": 0, "shr7": 7, "shr15": 15}[in.oneOf("shr7", "shr15")]
	na, nb, nc := in.attr("na") == "1", in.attr("nb") == "1", in.attr("nc") == "1"
	pa, oka := parts[in.attr("a")]
	pb, okb := parts[in.attr("b")]
	if !oka || !okb || po && (na || nb || nc) {
		return nil
	}
	signed := ta.signed() || tb.signed() || na != nb || nc
	return newOp(fn3(func(a, b, c uint64) uint64 {
		p := new(big.Int).Mul(big.NewInt(pa.get(ta, a)), big.NewInt(pb.get(tb, b)))
		z := big.NewInt(int64(uint32(c)))
		if signed {
			z.SetInt64(int64(int32(c)))
		}
		switch {
		case po:
			z.Add(z, big.NewInt(1))
		case na != nb:
			p.Neg(p)
		case nc:
			z.Neg(z)
		}
		p.Rsh(p.Add(p, z), shift)
		return low32(p, sat, signed)
	}), d, tU32, tU32, d)
}

// low32 is the value's low word, saturated if asked for.
func low32(x *big.Int, sat, signed bool) uint64 {
	if sat {
		lo, hi := big.NewInt(0), big.NewInt(1<<32-1)
		if signed {
			lo, hi = big.NewInt(-1<<31), big.NewInt(1<<31-1)
		}
		if x.Cmp(lo) < 0 {
			x = lo
		} else if x.Cmp(hi) > 0 {
			x = hi
		}
	}
	return new(big.Int).And(x, big.NewInt(1<<32-1)).Uint64()
}

// simdForm is what the SIMD video instructions share: lanes of bits bits, for
// each the source lane of b:a that operand a and b take, and a mask.
type simdForm struct {
	bits   uint8
	sa, sb []uint8
	mask   uint
	add    bool
}

func takeSimd(in *inst, lanes int) (s simdForm, ok bool) {
	s.bits = uint8(32 / lanes)
	s.add = in.take("add")
	letter, first, second := "h", "10", "32"
	if lanes == 4 {
		letter, first, second = "b", "3210", "7654"
	}
	var oka, okb bool
	s.sa, oka = selector(in.attr("a"), letter, first, lanes)
	s.sb, okb = selector(in.attr("b"), letter, second, lanes)
	s.mask, ok = laneMask(in.attr("d"), letter, lanes)
	return s, ok && oka && okb
}

// selector reads "h10" or "b7610": the source of each lane, highest first.
func selector(s, letter, def string, lanes int) ([]uint8, bool) {
	if s == "" {
		s = letter + def
	}
	digits, ok := strings.CutPrefix(s, letter)
	if !ok || len(digits) != lanes {
		return nil, false
	}
	sel := make([]uint8, lanes)
	for i := range sel {
		n, err := strconv.Atoi(digits[lanes-1-i : lanes-i])
		if err != nil || n >= 2*lanes {
			return nil, false
		}
		sel[i] = uint8(n)
	}
	return sel, true
}

// laneMask reads "h1" or "b310": the lanes that are written.
func laneMask(s, letter string, lanes int) (uint, bool) {
	if s == "" {
		return 1<<lanes - 1, true
	}
	digits, ok := strings.CutPrefix(s, letter)
	var m uint
	for _, c := range digits {
		if c < '0' || int(c-'0') >= lanes {
			return 0, false
		}
		m |= 1 << (c - '0')
	}
	return m, ok && m != 0
}

// op applies f to the selected lanes; .add sums them up onto c.
func (s *simdForm) op(d, ta, tb typ, f func(a, b int64) int64) *Op {
	lanes := len(s.sa)
	return newOp(fn3(func(a, b, c uint64) uint64 {
		src, r := b<<32|a, c
		for i := 0; i < lanes; i++ {
			if s.mask>>i&1 == 0 {
				continue
			}
			x := f(part{s.sa[i] * s.bits, s.bits}.get(ta, src), part{s.sb[i] * s.bits, s.bits}.get(tb, src))
			if s.add {
				r += uint64(x)
				continue
			}
			m := mask(s.bits) << (uint(i) * uint(s.bits))
			r = r&^m | uint64(x)<<(uint(i)*uint(s.bits))&m
		}
		return r & mask(32)
	}), d, tU32, tU32, d)
}

func simdVideo(f func(a, b int64) int64, lanes int) builder {
	return func(in *inst) *Op {
		if !words(in.types, 3) {
			return nil
		}
		d, sat := in.types[0], in.take("sat")
		s, ok := takeSimd(in, lanes)
		if !ok {
			return nil
		}
		return s.op(d, in.types[1], in.types[2], func(a, b int64) int64 {
			x := f(a, b)
			if sat {
				x = clampBits(x, s.bits, d.signed())
			}
			return x
		})
	}
}

func simdVset(lanes int) builder {
	return func(in *inst) *Op {
		if !words(in.types, 2) {
			return nil
		}
		rel := takeRelation(in)
		s, ok := takeSimd(in, lanes)
		if !ok || rel == 0 {
			return nil
		}
		return s.op(tU32, in.types[0], in.types[1], func(a, b int64) int64 {
			return int64(b2u(order(a, b)&rel != 0))
		})
	}
}
