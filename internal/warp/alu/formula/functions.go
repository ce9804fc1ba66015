package formula

import "math"

const (
	// expLimit is beyond the exponents of floats, and within those of float64.
	expLimit = 1000
	expTerms = 14
	logTerms = 12
	// sqrtHalf is the pattern of the square root of 1/2: it centers significands on 1.
	sqrtHalf = 0x3fe6a09e667f3bcd
	bias     = 1023 << 52
	// toInt added to a whole number of less than 2^51 leaves it in the low bits, as an
	// integer.
	toInt = 0x1.8p52
	inf   = 0x7ff << 52
	nan   = 0x7ff8 << 48
	// trigLimit bounds the arguments of trigonometric functions: their quotients by pi/2 are
	// exact integers, and the reduced arguments are within 2^-60.
	trigLimit = 1 << 29
)

// expSeries is the power series of 2^x: ln(2)^k / k!.
var expSeries = func() (c [expTerms]float64) {
	c[0] = 1
	for k := 1; k < expTerms; k++ {
		c[k] = c[k-1] * math.Ln2 / float64(k)
	}
	return c
}()

// logSeries is that of log2((1+s)/(1-s))/s in s*s: 2/ln(2) / (2k+1).
var logSeries = func() (c [logTerms]float64) {
	for k := range c {
		c[k] = 2 * math.Log2E / float64(2*k+1)
	}
	return c
}()

// alternating is the series 1/a! - x/(a+2)! + x^2/(a+4)! - ... of n terms: sine and cosine.
func alternating(a, n int) []float64 {
	var c []float64
	f := 1.0
	for k := 2; k <= a; k++ {
		f *= float64(k)
	}
	for k := range n {
		c = append(c, 1/f*float64(1-2*(k&1)))
		f *= float64(a+2*k+1) * float64(a+2*k+2)
	}
	return c
}

var sinSeries, cosSeries = alternating(1, 9), alternating(0, 9)

// clamped bounds an exponent; NaN stays.
func (b *builder) clamped(x val) val {
	return b.op(Min, b.num(expLimit), b.op(Max, b.num(-expLimit), x))
}

// scale is 2^n for a whole n.
func (b *builder) scale(n val) val { return b.shift(Shl, b.op(Add, n, b.num(toInt+1023)), 52) }

// exp2 is 2^x, 2^±1000 beyond that.
func (b *builder) exp2(x val) val {
	x = b.clamped(x)
	n := b.op(Round, x)
	p := b.poly(expSeries[:], b.op(Sub, x, n))
	return b.op(Mul, p, b.scale(n))
}

// exp2m1 is 2^x - 1, as exact near 0 as elsewhere, with the sign of x.
func (b *builder) exp2m1(x val) val {
	c := b.clamped(x)
	n := b.op(Round, c)
	r := b.op(Sub, c, n)
	p := b.op(Mul, r, b.poly(expSeries[1:], r))
	s := b.scale(n)
	return b.op(Or, b.op(FMA, s, p, b.op(Sub, s, b.num(1))), b.sign(x))
}

// log2 is the logarithm of a number that is normal in float64, or as C has it for 0,
// infinity and negative numbers.
func (b *builder) log2(x val) val {
	return b.op(Select, b.op(Less, x, b.num(0)), b.bits(nan), b.log2Abs(x))
}

// log2Abs is log2 of what is not negative.
func (b *builder) log2Abs(x val) val {
	p := b.op(Select, b.op(Less, x, b.bits(inf)), b.log2Positive(x), x) // infinity and NaN
	return b.op(Select, b.op(Equal, x, b.num(0)), b.bits(inf|1<<63), p)
}

func (b *builder) log2Positive(x val) val {
	e := b.op(And, b.op(AddI, x, b.bits(bias-sqrtHalf)), b.bits(0xfff<<52))
	one := b.num(1)
	m := b.op(AddI, b.op(SubI, x, e), one) // its pattern is the bias
	s := b.op(Div, b.op(Sub, m, one), b.op(Add, m, one))
	p := b.poly(logSeries[:], b.op(Mul, s, s))
	n := b.op(Or, b.shift(Shr, e, 52), b.num(0x1p52))
	return b.op(FMA, p, s, b.op(Sub, n, b.num(0x1p52+1023)))
}

// quadrant reduces x to r within pi/4 of 0, and q, whose lowest bits are the quadrant.
func (b *builder) quadrant(x val) (q, r val) {
	const hi, lo = math.Pi / 2, 6.123233995736766e-17 // pi/2 in two parts
	t := b.op(FMA, x, b.num(2/math.Pi), b.num(toInt))
	n := b.op(Sub, t, b.num(toInt))
	r = b.op(FMA, n, b.num(-hi), x)
	return t, b.op(FMA, n, b.num(-lo), r)
}

// even reports whether the lowest bit is 0; moved up it is the pattern of 2.
func (b *builder) even(q val) val {
	return b.op(Equal, b.shift(Shl, b.op(And, q, b.bits(1)), 62), b.num(0))
}

// sine and cosine of a reduced argument, and its square.
func (b *builder) sine(r, s val) val { return b.op(Mul, r, b.poly(sinSeries, s)) }
func (b *builder) cosine(s val) val  { return b.poly(cosSeries, s) }

// turned is the sine of r after so many quarter turns more as the lowest bits of q have.
func (b *builder) turned(q, r val) val {
	s := b.op(Mul, r, r)
	// The lowest bit chooses the function, the next one the sign.
	v := b.op(Select, b.even(q), b.sine(r, s), b.cosine(s))
	return b.op(Xor, v, b.shift(Shl, b.op(And, q, b.bits(2)), 62))
}

// rotated is sin.approx, with one quarter turn more cos.approx, as a GPU for sm_90 was seen to compute them.
// The argument becomes turns, a float rounded toward zero. Of these the fraction counts, cut off after 25
// bits, so that beyond 2^24 turns all results are those of 0. Two bits are the quadrant; in an odd one the
// others are inverted. What is left to the GPU is the interpolation in its table, within 2^-21.6.
func (b *builder) rotated(x val, quarters uint64) val {
	turns := b.op(And, b.op(Mul, b.abs(x), b.num(float64(float32(0.5/math.Pi)))), b.bits(^uint64(1<<29-1)))
	fraction := b.op(Sub, turns, b.op(Round, turns))
	fraction = b.op(Add, fraction, b.op(Select, b.op(Less, fraction, b.num(0)), b.num(2), b.num(1)))
	fraction = b.op(And, fraction, b.bits(^uint64(1<<27-1)))
	q := b.op(AddI, b.shift(Shr, fraction, 50), b.bits(quarters))
	r := b.op(Sub, b.op(And, fraction, b.bits(^uint64(3<<50))), b.num(1))
	r = b.op(Select, b.even(q), r, b.op(Sub, b.num(0.25-0x1p-25), r))
	r = b.op(Mul, r, b.num(2*math.Pi))
	v := b.op(Xor, b.sine(r, b.op(Mul, r, r)), b.shift(Shl, b.op(And, q, b.bits(2)), 62))
	return b.op(Add, v, b.op(Sub, x, x)) // NaN of infinity and NaN
}

func (b *builder) fastSin(x val) val { return b.op(Xor, b.rotated(x, 0), b.sign(x)) }
func (b *builder) fastCos(x val) val { return b.rotated(x, 1) }

// fastTan is the quotient of both, as floats.
func (b *builder) fastTan(x val) val { return b.op(Div, b.fastSin(x), b.fastCos(x)) }

func (b *builder) tan(x val) val {
	q, r := b.quadrant(x)
	s := b.op(Mul, r, r)
	sin, cos := b.sine(r, s), b.cosine(s)
	even := b.even(q)
	up := b.op(Select, even, sin, cos)
	down := b.op(Select, even, cos, b.op(Xor, sin, b.bits(1<<63)))
	return b.op(Div, up, down)
}

// tanh is (e^2x - 1) / (e^2x + 1).
func (b *builder) tanh(x val) val {
	e := b.exp2m1(b.op(Mul, x, b.num(2*math.Log2E)))
	return b.op(Div, e, b.op(Add, e, b.num(2)))
}

// sinh is (m + m/(m+1))/2 with m = e^|x| - 1, and the argument's sign.
func (b *builder) sinh(x val) val {
	m := b.exp2m1(b.op(Mul, b.abs(x), b.num(math.Log2E)))
	v := b.op(Mul, b.num(0.5), b.op(Add, m, b.op(Div, m, b.op(Add, m, b.num(1)))))
	return b.op(Xor, v, b.sign(x))
}

func (b *builder) cosh(x val) val {
	e := b.exp2(b.op(Mul, x, b.num(math.Log2E)))
	return b.op(Mul, b.num(0.5), b.op(Add, e, b.op(Div, b.num(1), e)))
}

// log1p adds to the logarithm of u = 1+x what the sum lost; it has the sign of x.
func (b *builder) log1p(x val) val {
	one := b.num(1)
	u := b.op(Add, x, one)
	l := b.op(Mul, b.log2(u), b.num(math.Ln2))
	lost := b.op(Div, b.op(Sub, x, b.op(Sub, u, one)), u)
	// At infinity, and at -1, what was lost is not a number.
	return b.op(Or, b.op(Select, b.op(NaN, lost, lost), l, b.op(Add, l, lost)), b.sign(x))
}

// pow is 2^(y log2|x|), negative for negative x and odd y, with C's special cases.
func (b *builder) pow(x, y val) val {
	zero, one, half := b.num(0), b.num(1), b.num(0.5)
	l := b.log2Abs(b.abs(x))
	r := b.exp2(b.op(Select, b.op(Equal, l, zero), zero, b.op(Mul, y, l)))
	// y is an integer if rounding keeps it, and odd if its half is not one.
	h := b.op(Mul, y, half)
	odd := b.op(Equal, b.abs(b.op(Sub, h, b.op(Round, h))), half)
	signed := b.op(Select, odd, b.op(Or, r, b.sign(x)), r)
	root := b.op(Select, b.op(Equal, b.op(Round, y), y), signed, b.bits(nan))
	negative := b.op(Select, b.op(Less, b.bits(inf|1<<63), x), root, signed)
	r = b.op(Select, b.op(Less, x, zero), negative, signed)
	return b.op(Select, b.op(Equal, y, zero), one, r)
}

// cbrt is 2^(log2|x|/3) with the argument's sign.
func (b *builder) cbrt(x val) val {
	v := b.exp2(b.op(Mul, b.log2Abs(b.abs(x)), b.num(1./3)))
	return b.op(Or, v, b.sign(x))
}

// fastPow is 2^(y log2 x) without C's special cases (CUDA C++ Programming Guide,
// "Intrinsic Functions").
func (b *builder) fastPow(x, y val) val { return b.exp2(b.op(Mul, y, b.log2(x))) }

// round rounds halves away from zero.
func (b *builder) round(x val) val {
	a := b.abs(x)
	n := b.op(Round, a)
	up := b.op(Add, n, b.num(1))
	n = b.op(Select, b.op(Equal, b.op(Sub, a, n), b.num(0.5)), up, n)
	return b.op(Or, n, b.sign(x))
}

// hypot is the root of a sum of squares, which does not overflow, and infinite if either
// is.
func (b *builder) hypot(x, y val) val {
	x, y = b.abs(x), b.abs(y)
	r := b.op(Sqrt, b.op(FMA, x, x, b.op(Mul, y, y)))
	inf := b.bits(inf)
	r = b.op(Select, b.op(Equal, y, inf), inf, r)
	return b.op(Select, b.op(Equal, x, inf), inf, r)
}

func (b *builder) rsqrt(x val) val { return b.op(Div, b.num(1), b.op(Sqrt, x)) }

// unary and binary make formulas that hold everywhere, within one that holds up to a limit.
func unary(f func(b *builder, x val) val) *Formula { return within(math.Inf(1), f) }

func binary(f func(b *builder, x, y val) val) *Formula {
	return build(2, math.Inf(1), func(b *builder, x []val) val { return f(b, x[0], x[1]) })
}

func within(limit float64, f func(b *builder, x val) val) *Formula {
	return build(1, limit, func(b *builder, x []val) val { return f(b, x[0]) })
}

// ofExp2 and ofLog2 are exponentials and logarithms to other bases.
func ofExp2(factor float64, f func(*builder, val) val) *Formula {
	return unary(func(b *builder, x val) val { return f(b, b.op(Mul, x, b.num(factor))) })
}

func ofLog2(factor float64) *Formula {
	return unary(func(b *builder, x val) val { return b.op(Mul, b.log2(x), b.num(factor)) })
}

// Formulas that are also instructions (PTX ISA 9.7.3).
var (
	Exp2    = unary((*builder).exp2)
	Log2    = unary((*builder).log2)
	FastSin = unary((*builder).fastSin)
	FastCos = unary((*builder).fastCos)
	Tanh    = unary((*builder).tanh)
	Rsqrt   = unary((*builder).rsqrt)
)

// Sin, Cos and Tan have a limit.
var (
	Sin = within(trigLimit, func(b *builder, x val) val { return b.turned(b.quadrant(x)) })
	Cos = within(trigLimit, func(b *builder, x val) val {
		q, r := b.quadrant(x)
		return b.turned(b.op(AddI, q, b.bits(1)), r)
	})
	Tan = within(trigLimit, (*builder).tan)
)

var (
	exp   = ofExp2(math.Log2E, (*builder).exp2)
	exp10 = ofExp2(math.Ln10/math.Ln2, (*builder).exp2)
	log   = ofLog2(math.Ln2)
	log10 = ofLog2(math.Ln2 / math.Ln10)
)

// Instructions are formulas by the names of .approx instructions of .f32.
var Instructions = map[string]*Formula{"ex2": Exp2, "lg2": Log2, "sin": FastSin, "cos": FastCos, "tanh": Tanh, "rsqrt": Rsqrt}

// Functions are formulas by the names of device math functions of floats, without their
// prefix "__nv_". The fast ones of intrinsics are as accurate here as the others, but for sine, cosine and
// tangent, whose errors grow with the argument as a GPU's do.
var Functions = map[string]*Formula{
	"exp2f": Exp2, "expf": exp, "exp10f": exp10, "expm1f": ofExp2(math.Log2E, (*builder).exp2m1),
	"log2f": Log2, "logf": log, "log10f": log10, "log1pf": unary((*builder).log1p),
	"sinf": Sin, "cosf": Cos, "tanf": Tan,
	"sinhf": unary((*builder).sinh), "coshf": unary((*builder).cosh), "tanhf": Tanh,
	"powf": binary((*builder).pow), "cbrtf": unary((*builder).cbrt), "rsqrtf": Rsqrt, "frsqrt_rn": Rsqrt,
	"roundf": unary((*builder).round), "hypotf": binary((*builder).hypot),
	"fast_expf": exp, "fast_exp10f": exp10, "fast_logf": log, "fast_log2f": Log2, "fast_log10f": log10,
	"fast_sinf": FastSin, "fast_cosf": FastCos, "fast_tanf": unary((*builder).fastTan), "fast_powf": binary((*builder).fastPow),
}
