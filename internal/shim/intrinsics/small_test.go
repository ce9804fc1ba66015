package intrinsics

import "math"

// smallModels are the functions of half and bfloat16.
func smallModels() []model {
	const types = "(?:half|bfloat16)"
	same := func(pick ...int) func(c *call) []want { return func(c *call) []want { return picked(c, pick) } }
	return []model{
		rule("__"+types+"_as_.*|__u?short_as_"+types, func(c *call) []want { return one(c.args[0].bits[0]) }),
		rule("__(?:float|double|half|bfloat16|int|uint|short|ushort|ll|ull)2(?:half|bfloat16|float|int|uint|short|ushort|ll|ull|char|uchar)(?:_(r[nzud]))?",
			func(c *call) []want {
				return []want{c.rounded(c.args[0].exact(0), roundings[c.m[1]])}
			}),
		rule("cast_.*", cast),
		rule("__half2half2|__bfloat162bfloat162|__float2(?:half2|bfloat162)_rn|__low2.*", same(0, 0)),
		rule("__high2.*", same(1, 1)),
		rule("__lowhigh2highlow", same(1, 0)),
		rule("__float22(?:half2|bfloat162)_rn|__half22float2|__bfloat1622float2", same(0, 1)),
		rule("__floats2(?:half2|bfloat162)_rn|__halves2(?:half2|bfloat162)|make_(?:half2|bfloat162)|__lows2.*", func(c *call) []want {
			return []want{c.rounded(c.args[0].exact(0), nearest), c.rounded(c.args[1].exact(0), nearest)}
		}),
		rule("__highs2.*", func(c *call) []want {
			return []want{c.rounded(c.args[0].exact(1), nearest), c.rounded(c.args[1].exact(1), nearest)}
		}),
		rule("__h2?(add|sub|mul|div)2?(_rn|_sat)?", smallArithmetic).where(isSmall),
		rule("__h(fma)2?(_sat|_relu)?", smallArithmetic).where(isSmall),
		rule("__h(neg|abs)2?", signChange).where(isSmall),
		rule("__hcmadd", complexFused),
		rule("__h(max|min)2?(_nan)?", smallMinMax),
		rule("__h(b?)(eq|ne|lt|le|gt|ge)(u?)(2?)(_mask)?", smallCompare),
		rule("__his(nan)(2?)", func(c *call) []want {
			var out []want
			for i := range c.result.lanes {
				out = append(out, c.truth(math.IsNaN(c.args[0].float(i))))
			}
			return out
		}),
		rule("__hisinf", func(c *call) []want {
			switch v := c.args[0].float(0); {
			case math.IsInf(v, 1):
				return one(1)
			case math.IsInf(v, -1):
				return one(0xffffffff)
			}
			return one(0)
		}),
		rule("h2?(sqrt|rsqrt|exp|exp2|exp10|log|log2|log10|sin|cos|tanh|ceil|floor|rint|trunc|rcp|tanh_approx)", smallMath).approximate(),
	}
}

// picked are elements of the only argument, converted.
func picked(c *call, from []int) []want {
	var out []want
	for i := range c.result.lanes {
		n := from[i]
		if n >= c.args[0].t.lanes {
			n = 0
		}
		out = append(out, c.rounded(c.args[0].exact(n), nearest))
	}
	return out
}

// cast is a conversion in the language: toward zero to an integer, to nearest
// to another type; formats of 8 bits and fewer saturate.
func cast(c *call) []want {
	x := c.args[0].exact(0)
	switch {
	case c.m[0] == "cast_bool":
		return []want{c.truth(!x.zero())}
	case isInteger(c.result):
		return one(integer(x, c.result, zero, false))
	case c.result.kind == small:
		return []want{{bits: c.result.form.encode(x, nearest, c.result.size == 1), nan: c.result.size == 2}}
	}
	return []want{c.rounded(x, nearest)}
}

// truth is 1 or 0 in the result's type.
func (c *call) truth(is bool) want {
	if is {
		return c.rounded(fromFloat(1), nearest)
	}
	return c.rounded(fromFloat(0), nearest)
}

func smallArithmetic(c *call) []want {
	out := each(c, func(a []exact) exact {
		switch c.m[1] {
		case "add":
			return add(a[0], a[1], nearest)
		case "sub":
			return add(a[0], negated(a[1]), nearest)
		case "mul":
			return mul(a[0], a[1])
		case "div":
			return div(a[0], a[1])
		}
		return add(mul(a[0], a[1]), a[2], nearest)
	}, nearest)
	for i, w := range out {
		v := c.result.form.decode(w.bits)
		switch {
		case c.m[2] == "_sat" && !(v > 0), c.m[2] == "_relu" && v <= 0:
			out[i] = want{}
		case c.m[2] == "_sat" && v > 1:
			out[i] = c.truth(true)
		}
	}
	return out
}

func signChange(c *call) []want {
	var out []want
	for _, b := range c.args[0].bits {
		if c.m[1] == "neg" {
			out = append(out, want{bits: b ^ 0x8000, nan: true})
		} else {
			out = append(out, want{bits: b &^ 0x8000, nan: true})
		}
	}
	return out
}

// complexFused is a*b + c of complex numbers by two fused multiply-adds for each part.
func complexFused(c *call) []want {
	f := c.result.form
	fma := func(a, b, s float64) float64 {
		return f.decode(f.encode(add(mul(fromFloat(a), fromFloat(b)), fromFloat(s), nearest), nearest, false))
	}
	at := func(i, k int) float64 { return c.args[i].float(k) }
	re := fma(-at(0, 1), at(1, 1), fma(at(0, 0), at(1, 0), at(2, 0)))
	im := fma(at(0, 1), at(1, 0), fma(at(0, 0), at(1, 1), at(2, 1)))
	return []want{c.rounded(fromFloat(re), nearest), c.rounded(fromFloat(im), nearest)}
}

// smallMinMax: of a number and a NaN the number, or the NaN with _nan; -0 is below +0.
func smallMinMax(c *call) []want {
	var out []want
	for i := range c.result.lanes {
		a, b := c.args[0].float(i), c.args[1].float(i)
		v := math.Max(a, b) // has both rules
		if c.m[1] == "min" {
			v = math.Min(a, b)
		}
		switch {
		case c.m[2] != "" && (math.IsNaN(a) || math.IsNaN(b)):
			v = math.NaN()
		case math.IsNaN(a):
			v = b
		case math.IsNaN(b):
			v = a
		}
		out = append(out, c.rounded(fromFloat(v), nearest))
	}
	return out
}

// smallCompare: ordered, or true of a NaN with u; of pairs as numbers, as masks,
// or with b of both at once.
func smallCompare(c *call) []want {
	var is []bool
	for i := range c.args[0].t.lanes {
		a, b := c.args[0].float(i), c.args[1].float(i)
		if math.IsNaN(a) || math.IsNaN(b) {
			is = append(is, c.m[3] != "")
		} else {
			is = append(is, compare(c.m[2], a, b))
		}
	}
	switch {
	case c.m[5] != "":
		mask := uint64(0)
		for i, b := range is {
			if b {
				mask |= 0xffff << (16 * i)
			}
		}
		return one(mask)
	case c.m[1] != "":
		return []want{c.truth(is[0] && is[1])}
	}
	var out []want
	for _, b := range is {
		out = append(out, c.truth(b))
	}
	return out
}

// smallMath has an error of two units in the last place.
func smallMath(c *call) []want {
	var out []want
	for i := range c.result.lanes {
		x := c.args[0].float(i)
		w := c.rounded(fromFloat(reference[c.m[1]](x, 0)), nearest)
		w.tolerance, w.size, w.nan = 2*c.result.form.relative(), c.result.form.normal(), true
		out = append(out, w)
	}
	return out
}

// relative is the distance of one to the next value, normal the smallest number
// with full precision.
func (f *format) relative() float64 {
	return f.values[f.one+1] - 1
}

func (f *format) normal() float64 { return f.values[1] / f.relative() }
