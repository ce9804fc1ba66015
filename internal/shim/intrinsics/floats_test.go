package intrinsics

import "math"

// conversionModels are the conversions between C++'s own types.
func conversionModels() []model {
	return []model{
		rule("__(?:float|double|int|uint|ll|ull)2(?:float|double|int|uint|ll|ull)_(r[nzud])", func(c *call) []want {
			if isInteger(c.result) {
				return one(integer(c.args[0].exact(0), c.result, roundings[c.m[1]], c.args[0].t.kind == binary64))
			}
			return each(c, func(a []exact) exact { return a[0] }, roundings[c.m[1]])
		}),
	}
}

// arithmeticModels are arithmetic with a rounding, and what is exact.
func arithmeticModels() []model {
	binary := func(name string, f func(a, b exact, r rounding) exact) model {
		return rule(name, func(c *call) []want {
			r := roundings[c.m[1]]
			return each(c, func(a []exact) exact { return f(a[0], a[1], r) }, r)
		})
	}
	return []model{
		binary("__[fd]add2?_(r[nzud])", add),
		binary("__[fd]sub_(r[nzud])", func(a, b exact, r rounding) exact { return add(a, negated(b), r) }),
		binary("__[fd]mul2?_(r[nzud])", func(a, b exact, _ rounding) exact { return mul(a, b) }),
		binary("__[fd]div_(r[nzud])", func(a, b exact, _ rounding) exact { return div(a, b) }),
		rule("__(?:fmaf?(?:_ieee)?|ffma2)_(r[nzud])", func(c *call) []want { return fused(c, roundings[c.m[1]]) }),
		rule("fmaf?", func(c *call) []want { return fused(c, nearest) }),
		rule("__[fd]rcp_(r[nzud])", func(c *call) []want {
			return each(c, func(a []exact) exact { return div(fromFloat(1), a[0]) }, roundings[c.m[1]])
		}),
		rule("__[fd]sqrt_(r[nzud])", func(c *call) []want {
			return each(c, func(a []exact) exact { return sqrt(a[0]) }, roundings[c.m[1]])
		}),
		rule("sqrtf?", func(c *call) []want { return each(c, func(a []exact) exact { return sqrt(a[0]) }, nearest) }),
		rule("__frsqrt_rn", func(c *call) []want {
			return each(c, func(a []exact) exact { return div(fromFloat(1), sqrt(a[0])) }, nearest)
		}),
		rule("unfused", unfused),
		rule("__saturatef", func(c *call) []want {
			v := c.args[0].float(0)
			if !(v > 0) {
				v = 0
			}
			return one(uint64(math.Float32bits(float32(min(v, 1)))))
		}),
		rule("__(?:is)?(nan|inf|finite|signbit)[fd]?", classify).where(isFloating),
		rule("f?(min|max)f?", floatMinMax).where(isFloating),
		rule("(abs|fabs|copysign|floor|ceil|trunc|rint|nearbyint|round|nextafter|fmod|remainder|fdim|logb)f?", exactly).where(isFloating),
		rule("(ilogb)f?", func(c *call) []want { return ilogb(c) }),
		rule("l?l(rint|round)f?", func(c *call) []want { return longRound(c) }).where(isFloating),
		rule("(?:ldexp|scalbn|scalbln)f?", scaled).approximate(),
	}
}

func negated(a exact) exact {
	a.neg = !a.neg
	return a
}

func fused(c *call, r rounding) []want {
	return each(c, func(a []exact) exact { return add(mul(a[0], a[1]), a[2], r) }, r)
}

// unfused is a*b + c, or a*b - c, rounded twice.
func unfused(c *call) []want {
	minus := c.params[0] == "double" || c.params[0] == "__half2" || c.params[0] == "__nv_bfloat16"
	return each(c, func(a []exact) exact {
		w := c.rounded(mul(a[0], a[1]), nearest)
		p := fromFloat(value{t: c.result, bits: []uint64{w.bits}}.float(0))
		if minus {
			return add(p, negated(a[2]), nearest)
		}
		return add(p, a[2], nearest)
	}, nearest)
}

func classify(c *call) []want {
	v := c.args[0].float(0)
	is := map[string]bool{"nan": math.IsNaN(v), "inf": math.IsInf(v, 0), "finite": !math.IsNaN(v) && !math.IsInf(v, 0), "signbit": math.Signbit(v)}[c.m[1]]
	if is {
		return one(1)
	}
	return one(0)
}

// native is a float64 in the result's type, to nearest.
func (c *call) native(v float64) []want { return []want{c.rounded(fromFloat(v), nearest)} }

// floatMinMax takes the number of a number and a NaN. Which of two zeros is
// taken is open on the host.
func floatMinMax(c *call) []want {
	a, b := c.args[0].float(0), c.args[1].float(0)
	v := math.Max(a, b)
	if c.m[1] == "min" {
		v = math.Min(a, b)
	}
	switch {
	case math.IsNaN(a):
		v = b
	case math.IsNaN(b):
		v = a
	}
	w := c.native(v)
	if a == 0 && b == 0 {
		w[0].size, w[0].tolerance = 1, 1e-300
	}
	return w
}

func exactly(c *call) []want {
	a, b := c.args[0].float(0), 0.0
	if len(c.args) > 1 {
		b = c.args[1].float(0)
	}
	switch c.m[1] {
	case "nextafter":
		if a == b {
			return c.native(b) // the zero of the other sign, as in C
		}
		if c.result.kind == binary32 {
			return c.native(float64(math.Nextafter32(float32(a), float32(b))))
		}
		return c.native(math.Nextafter(a, b))
	case "fdim":
		if math.IsNaN(a) || math.IsNaN(b) {
			return c.native(math.NaN())
		}
		if !(a > b) {
			return c.native(0)
		}
		return []want{c.rounded(add(fromFloat(a), negated(fromFloat(b)), nearest), nearest)}
	}
	f := map[string]func(a, b float64) float64{
		"abs": func(a, _ float64) float64 { return math.Abs(a) }, "fabs": func(a, _ float64) float64 { return math.Abs(a) },
		"copysign": math.Copysign, "fmod": math.Mod, "remainder": math.Remainder,
		"floor": func(a, _ float64) float64 { return math.Floor(a) }, "ceil": func(a, _ float64) float64 { return math.Ceil(a) },
		"trunc": func(a, _ float64) float64 { return math.Trunc(a) }, "round": func(a, _ float64) float64 { return math.Round(a) },
		"rint": func(a, _ float64) float64 { return math.RoundToEven(a) }, "nearbyint": func(a, _ float64) float64 { return math.RoundToEven(a) },
		"logb": func(a, _ float64) float64 { return math.Logb(a) },
	}[c.m[1]]
	return c.native(f(a, b))
}

// ilogb is INT_MAX for an infinity; what it is for zero and NaN is the
// library's (CUDA: INT_MIN for both).
func ilogb(c *call) []want {
	v := c.args[0].float(0)
	switch {
	case v == 0 || math.IsNaN(v):
		return one(0x80000000)
	case math.IsInf(v, 0):
		return one(0x7fffffff)
	}
	return one(uint64(uint32(int32(math.Ilogb(v)))))
}

// longRound limits what is too large as the device's conversion does.
func longRound(c *call) []want {
	x := c.args[0].exact(0)
	if c.m[1] == "round" && x.mag != nil {
		x = fromFloat(math.Round(c.args[0].float(0)))
	}
	w := integer(x, c.result, nearest, c.args[0].t.kind == binary64)
	// The results of llround of what does not fit are not defined.
	v := math.Abs(c.args[0].float(0))
	return []want{{bits: w, free: !(v < 1<<63)}}
}

func scaled(c *call) []want {
	n := int(c.args[1].int(0))
	return c.native(math.Ldexp(c.args[0].float(0), n))
}
