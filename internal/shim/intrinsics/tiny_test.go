package intrinsics

import (
	"math"
	"math/big"
	"strings"
)

// tinyModels are the conversions to and from formats of 8 bits and fewer.
func tinyModels() []model {
	return []model{
		rule("__nv_cvt_(double|float|halfraw|bfloat16raw)2?_to_(fp[864])(x2)?", narrowed),
		rule("__nv_cvt_(fp[864])(x2)?_to_halfraw2?", widened),
		rule("__nv_cvt_(?:double|float|bfloat16raw|bfloat16)2?(?:raw)?_to_(e8m0)(x2)?", powers),
		rule("e8m0_of", func(c *call) []want { return one(power(c.args[0].exact(0), true, up)) }),
		rule("__nv_cvt_e8m0(?:x2)?_to_bf16(?:2)?raw", powerValues),
		rule("pair_(e4m3)|quad_(e2m1)", vectorOf),
	}
}

// interpretation is the format that an argument of an enumeration names.
func interpretation(kind string, v value) *format {
	return map[string][]*format{"fp8": {e4m3, e5m2}, "fp6": {e2m3, e3m2}, "fp4": {e2m1}}[kind][v.bits[0]]
}

// width is the distance of two numbers in a pair's storage.
func width(kind string) int {
	if kind == "fp4" {
		return 4
	}
	return 8
}

func narrowed(c *call) []want {
	kind, r, saturate := c.m[2], nearest, true
	which := c.args[1]
	if kind == "fp8" {
		which, saturate = c.args[2], c.args[1].bits[0] == 1
	} else {
		r = rounding(c.args[2].bits[0])
	}
	word := uint64(0)
	for i := range c.args[0].t.lanes {
		word |= interpretation(kind, which).encode(c.args[0].exact(i), r, saturate) << (width(kind) * i)
	}
	return one(word)
}

func widened(c *call) []want {
	f, w := interpretation(c.m[1], c.args[1]), width(c.m[1])
	var out []want
	for i := range c.result.lanes {
		p := c.args[0].bits[0] >> (w * i) & (1<<w - 1) & (1<<f.bits - 1)
		out = append(out, c.rounded(fromFloat(f.decode(p)), nearest))
	}
	return out
}

// power is the exponent of a magnitude, upwards or toward zero, with a bias of 127.
func power(x exact, saturate bool, r rounding) uint64 {
	beyond := uint64(255)
	if saturate {
		beyond = 254
	}
	switch {
	case x.nan:
		return 255
	case x.inf:
		return beyond
	case x.zero():
		return 0
	}
	m := new(big.Float)
	e := x.mag.MantExp(m) - 1
	if r == up && m.Cmp(big.NewFloat(0.5)) != 0 {
		e++
	}
	switch {
	case e+127 < 0:
		return 0
	case e+127 > 254:
		return beyond
	}
	return uint64(e + 127)
}

func powers(c *call) []want {
	word := uint64(0)
	for i := range c.args[0].t.lanes {
		word |= power(c.args[0].exact(i), c.args[1].bits[0] == 1, rounding(c.args[2].bits[0])) << (8 * i)
	}
	return one(word)
}

func powerValues(c *call) []want {
	var out []want
	for i := range c.result.lanes {
		p := c.args[0].bits[0] >> (8 * i) & 255
		v := math.Ldexp(1, int(p)-127)
		if p == 255 {
			v = math.NaN()
		}
		out = append(out, c.rounded(fromFloat(v), nearest))
	}
	return out
}

func vectorOf(c *call) []want {
	f, w, word := e4m3, 8, uint64(0)
	if strings.HasPrefix(c.name, "quad") {
		f, w = e2m1, 4
	}
	for i := range c.args[0].t.lanes {
		word |= f.encode(c.args[0].exact(i), nearest, true) << (w * i)
	}
	return one(word)
}
