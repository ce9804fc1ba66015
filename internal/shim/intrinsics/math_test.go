package intrinsics

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// reference has the mathematical functions of one or two arguments in double
// precision.
var reference = map[string]func(a, b float64) float64{
	"acos": one1(math.Acos), "acosh": one1(math.Acosh), "asin": one1(math.Asin), "asinh": one1(math.Asinh), "atan": one1(math.Atan), "atanh": one1(math.Atanh),
	"atan2": math.Atan2, "cbrt": one1(math.Cbrt), "cos": one1(math.Cos), "cosh": one1(math.Cosh), "erf": one1(math.Erf), "erfc": one1(math.Erfc),
	"erfinv": one1(math.Erfinv), "erfcinv": one1(math.Erfcinv), "exp": one1(math.Exp), "exp2": one1(math.Exp2), "expm1": one1(math.Expm1),
	"exp10": one1(func(a float64) float64 { return math.Pow(10, a) }), "hypot": math.Hypot, "j0": one1(math.J0), "j1": one1(math.J1), "y0": one1(math.Y0), "y1": one1(math.Y1),
	"lgamma": one1(func(a float64) float64 { v, _ := math.Lgamma(a); return v }), "tgamma": one1(math.Gamma),
	"log": one1(math.Log), "log10": one1(math.Log10), "log1p": one1(math.Log1p), "log2": one1(math.Log2), "pow": math.Pow, "powi": math.Pow,
	"sin": one1(math.Sin), "sinh": one1(math.Sinh), "tan": one1(math.Tan), "tanh": one1(math.Tanh), "tanh_approx": one1(math.Tanh),
	"sinpi": one1(func(a float64) float64 { return math.Sin(math.Pi * math.Mod(a, 2)) }),
	"cospi": one1(func(a float64) float64 { return math.Cos(math.Pi * math.Mod(a, 2)) }),
	"sqrt":  one1(math.Sqrt), "rsqrt": one1(func(a float64) float64 { return 1 / math.Sqrt(a) }), "rcbrt": one1(func(a float64) float64 { return 1 / math.Cbrt(a) }),
	"rcp": one1(func(a float64) float64 { return 1 / a }), "rhypot": func(a, b float64) float64 { return 1 / math.Hypot(a, b) },
	"fdivide": func(a, b float64) float64 { return a / b }, "fdividef": func(a, b float64) float64 { return a / b },
	"erfcx":      one1(func(a float64) float64 { return math.Exp(a*a) * math.Erfc(a) }),
	"normcdf":    one1(func(a float64) float64 { return math.Erfc(-a/math.Sqrt2) / 2 }),
	"normcdfinv": one1(func(a float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*a) }),
	"ceil":       one1(math.Ceil), "floor": one1(math.Floor), "rint": one1(math.RoundToEven), "trunc": one1(math.Trunc),
	"cyl_bessel_i0": one1(func(a float64) float64 { return besselI(0, a) }), "cyl_bessel_i1": one1(func(a float64) float64 { return besselI(1, a) }),
}

func one1(f func(float64) float64) func(a, b float64) float64 {
	return func(a, _ float64) float64 { return f(a) }
}

// besselI is the series of the modified Bessel function.
func besselI(n int, x float64) float64 {
	if math.IsInf(x, 0) {
		return math.Abs(x) * math.Pow(math.Copysign(1, x), float64(n))
	}
	term := math.Pow(x/2, float64(n))
	sum := term
	for k := 1; k < 200; k++ {
		term *= x * x / 4 / float64(k*(k+n))
		sum += term
	}
	return sum
}

// mathModels compare what is approximated with a wide tolerance: they hold that
// a name means its function. How exact the functions are is tested where they
// are implemented.
func mathModels() []model {
	var names []string
	for n := range reference {
		names = append(names, n)
	}
	slices.Sort(names)
	all := strings.Join(names, "|")
	norm := func(c *call) []want {
		sum := 0.0
		for _, v := range c.args {
			sum = math.Hypot(sum, v.float(0))
		}
		if strings.HasPrefix(c.name, "r") {
			sum = 1 / sum
		}
		return c.about(sum)
	}
	return []model{
		rule("r?norm[34]df?", norm).approximate(),
		{name: rule("hypot", nil).name, moderate: true, only: isFloating, apply: norm},
		rule("([jy])nf?", func(c *call) []want {
			n := int(c.args[0].int(0))
			switch {
			case n < 0:
				return c.about(math.NaN())
			case c.m[1] == "j":
				return c.about(math.Jn(n, c.args[1].float(0)))
			}
			return c.about(math.Yn(n, c.args[1].float(0)))
		}).approximate(),
		rule("__(sin|cos|tan|exp|exp10|log|log2|log10|pow|fdivide)f", fast).approximate(),
		rule("("+all+")f?", func(c *call) []want {
			a, b := c.args[0].float(0), 0.0
			if len(c.args) > 1 {
				b = c.args[1].float(0)
			}
			w := c.about(reference[c.m[1]](a, b))
			// The reference itself is none near the ends of its range.
			w[0].free = w[0].free || farOff.MatchString(c.m[1]) && (a != 0 && math.Abs(a) < 1e-15 || a > 20) ||
				c.m[1] == "pow" && a != 0 && math.Abs(a) < 0x1p-1022 // Go's is wrong of subnormal numbers
			return w
		}).approximate(),
	}
}

var farOff = regexp.MustCompile("^(normcdfinv|erfcinv|erfcx)$")

// about is a value with the error of the reference and of a few operations.
func (c *call) about(v float64) []want {
	w := c.rounded(fromFloat(v), nearest)
	w.tolerance, w.size, w.nan = 1e-5, 1e-6, true
	if c.result.kind == binary64 {
		w.tolerance, w.size = 1e-11, 1e-4
	}
	// What is about to overflow may have done so.
	w.free = c.result.kind == binary32 && math.Abs(v) > 1e38 && !math.IsInf(v, 0)
	return []want{w}
}

// fast are the intrinsics of the special function unit, good within a small range.
func fast(c *call) []want {
	a, b := c.args[0].float(0), 0.0
	if len(c.args) > 1 {
		b = c.args[1].float(0)
	}
	w := c.about(reference[c.m[1]](a, b))
	w[0].tolerance, w[0].size = 1e-3, 1e-2
	w[0].free = !(math.Abs(a) < 20 && math.Abs(b) < 20) || math.Abs(a) < 1e-30 || a < 0 && c.m[1] == "pow"
	return w
}
