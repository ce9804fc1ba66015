package intrinsics

import (
	"math/big"
	"math/bits"
	"strings"
)

// integerModels are the integer functions ("CUDA Math API", "Integer Intrinsics").
func integerModels() []model {
	u := func(f func(a, b, c uint32) uint32) func(*call) []want {
		return func(c *call) []want {
			var a [3]uint32
			for i, v := range c.args {
				a[i] = uint32(v.bits[0])
			}
			return one(uint64(f(a[0], a[1], a[2])))
		}
	}
	l := func(f func(a, b uint64) uint64) func(*call) []want {
		return func(c *call) []want {
			b := uint64(0)
			if len(c.args) > 1 {
				b = c.args[1].bits[0]
			}
			return one(f(c.args[0].bits[0], b) & (1<<(8*c.result.size) - 1))
		}
	}
	return []model{
		rule("__brev", u(func(a, _, _ uint32) uint32 { return bits.Reverse32(a) })),
		rule("__brevll", l(func(a, _ uint64) uint64 { return bits.Reverse64(a) })),
		rule("__byte_perm", u(bytePerm)),
		rule("__clz", u(func(a, _, _ uint32) uint32 { return uint32(bits.LeadingZeros32(a)) })),
		rule("__clzll", l(func(a, _ uint64) uint64 { return uint64(bits.LeadingZeros64(a)) })),
		rule("__ffs", u(func(a, _, _ uint32) uint32 { return uint32(bits.TrailingZeros32(a)+1) % 33 })),
		rule("__ffsll", l(func(a, _ uint64) uint64 { return uint64(bits.TrailingZeros64(a)+1) % 65 })),
		rule("__popc", u(func(a, _, _ uint32) uint32 { return uint32(bits.OnesCount32(a)) })),
		rule("__popcll", l(func(a, _ uint64) uint64 { return uint64(bits.OnesCount64(a)) })),
		rule("__(u?)(r?)hadd", average).where(isInteger),
		rule("__u?mul24", func(c *call) []want { return product(c, 24, 0) }),
		rule("__u?mulhi", func(c *call) []want { return product(c, 32, 32) }),
		rule("__u?mul64hi", func(c *call) []want { return product(c, 64, 64) }),
		rule("__u?sad", sad),
		rule("abs|labs|llabs", func(c *call) []want { return magnitude(c) }).where(isInteger),
		rule("(?:ll|u|ull)?(min|max)", minMax).where(isInteger),
		rule("__funnelshift_(l|r)(c?)", funnel),
		rule("__(?:float|double|int|uint|longlong)_as_.*", func(c *call) []want { return one(c.args[0].bits[0]) }).where(func(t cType) bool { return t.kind != small }),
		rule("__hiloint2double", func(c *call) []want { return one(c.args[0].bits[0]<<32 | c.args[1].bits[0]) }),
		rule("__double2hiint", l(func(a, _ uint64) uint64 { return a >> 32 })),
		rule("__double2loint", l(func(a, _ uint64) uint64 { return a })),
		rule("__dp(4a|2a_lo|2a_hi)", dotProduct),
		rule("__bool2mask", func(c *call) []want { return []want{{free: true}} }), // clang's own helper
	}
}

// bytePerm picks bytes by the low three bits of the selector's nibbles.
func bytePerm(a, b, s uint32) uint32 {
	all, r := uint64(b)<<32|uint64(a), uint32(0)
	for i := range 4 {
		r |= uint32(all>>(8*(s>>(4*i)&7))&0xff) << (8 * i)
	}
	return r
}

func average(c *call) []want {
	a, b := big.NewInt(c.args[0].int(0)), big.NewInt(c.args[1].int(0))
	s := a.Add(a, b)
	if c.m[2] == "r" {
		s.Add(s, big.NewInt(1))
	}
	return one(uint64(s.Rsh(s, 1).Int64()) & 0xffffffff)
}

// product multiplies the low bits of the arguments and takes 32 or 64 bits from
// a place on.
func product(c *call, width, from int) []want {
	var p [2]*big.Int
	for i := range p {
		v := c.args[i]
		switch {
		case width == 24 && v.t.kind == signedInt:
			p[i] = big.NewInt(v.int(0) << 40 >> 40)
		case width == 24:
			p[i] = big.NewInt(v.int(0) & 0xffffff)
		case v.t.kind == signedInt:
			p[i] = big.NewInt(v.int(0))
		default:
			p[i] = new(big.Int).SetUint64(v.bits[0])
		}
	}
	r := new(big.Int).Mul(p[0], p[1])
	r.Rsh(r, uint(from))
	return one(r.And(r, mask(8*c.result.size)).Uint64())
}

func mask(bits int) *big.Int {
	m := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return m.Sub(m, big.NewInt(1))
}

func sad(c *call) []want {
	d := c.args[0].int(0) - c.args[1].int(0)
	return one(uint64(max(d, -d)+int64(c.args[2].bits[0])) & 0xffffffff)
}

func magnitude(c *call) []want {
	v := c.args[0].int(0)
	if v < 0 {
		v = -v
	}
	return one(uint64(v) & mask(8*c.result.size).Uint64())
}

// minMax compares in the result's type, which is C++'s common one.
func minMax(c *call) []want {
	in := func(v value) (uint64, exact) {
		b := uint64(v.int(0)) & mask(8*c.result.size).Uint64()
		return b, value{t: c.result, bits: []uint64{b}}.exact(0)
	}
	a, x := in(c.args[0])
	b, y := in(c.args[1])
	if less := x.signed().Cmp(y.signed()) < 0; less == (c.m[1] == "min") {
		return one(a)
	}
	return one(b)
}

func funnel(c *call) []want {
	all, n := c.args[1].bits[0]<<32|c.args[0].bits[0], c.args[2].bits[0]
	switch {
	case c.m[2] == "c":
		n = min(n, 32)
	default:
		n &= 31
	}
	if c.m[1] == "r" {
		return one(all >> n & 0xffffffff)
	}
	return one(all << n >> 32)
}

// dotProduct adds products of bytes, or of halves with two of the bytes.
func dotProduct(c *call) []want {
	signed := c.result.kind == signedInt
	part := func(v value, i, bits int) int64 {
		whole := uint64(0)
		for k, b := range v.bits {
			whole |= b << (8 * v.t.size * k)
		}
		x := int64(whole >> (bits * i) & (1<<bits - 1))
		if signed {
			x = x << (64 - bits) >> (64 - bits)
		}
		return x
	}
	sum := int64(c.args[2].bits[0])
	n, width, from := 4, 8, 0
	if c.m[1] != "4a" {
		n, width = 2, 16
	}
	if strings.HasSuffix(c.m[1], "hi") {
		from = 2
	}
	for i := range n {
		sum += part(c.args[0], i, width) * part(c.args[1], from+i, 8)
	}
	return one(uint64(sum) & 0xffffffff)
}
