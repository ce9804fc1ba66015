package aluref

import "math"

// Approximate instructions may give anything within the error that their
// sections of the PTX ISA allow. float64 is exact enough to tell.

// approx is what an approximate instruction approaches, and its errors.
type approx struct {
	f func(x, y float64) float64
	// rel and abs are the errors allowed together; ulps are those of the type.
	rel, abs, ulps float64
	// domain is where they hold; nil for everywhere.
	domain func(x, y float64) bool
}

func unary(f func(float64) float64) func(x, y float64) float64 {
	return func(x, _ float64) float64 { return f(x) }
}

var hundredTurns = func(x, _ float64) bool { return math.Abs(x) <= 100*math.Pi }

// approximations by name, and by name and type where that matters.
var approximations = map[string]approx{
	"rcp":    {f: unary(func(x float64) float64 { return 1 / x }), ulps: 1},
	"sqrt":   {f: unary(math.Sqrt), rel: 0x1p-23},
	"rsqrt":  {f: unary(func(x float64) float64 { return 1 / math.Sqrt(x) }), rel: 0x1.12p-23},
	"sin":    {f: unary(math.Sin), abs: 0x1.3ap-15, domain: hundredTurns},
	"cos":    {f: unary(math.Cos), abs: 0x1.3ap-15, domain: hundredTurns},
	"lg2":    {f: unary(math.Log2), rel: 0x1p-22, abs: 0x1p-22},
	"ex2":    {f: unary(math.Exp2), ulps: 2},
	"tanh":   {f: unary(math.Tanh), rel: 0x1p-11},
	"ex2 16": {f: unary(math.Exp2), rel: 0x1.12p-10, abs: 0x1p-25}, "ex2 7": {f: unary(math.Exp2), rel: 0x1p-7},
	"tanh 16": {f: unary(math.Tanh), abs: 0x1.02p-11}, "tanh 7": {f: unary(math.Tanh), rel: 0x1p-8},
	"div": {f: func(x, y float64) float64 { return x / y }, ulps: 2, domain: func(_, y float64) bool { return math.Abs(y) <= 0x1p126 }},
}

// kind finds the entry for an element type.
func (in *Inst) approxKind(t Type) approx {
	switch {
	case t.bits == 16 && t.man == 10:
		return approximations[in.name+" 16"]
	case t.bits == 16:
		return approximations[in.name+" 7"]
	}
	k := approximations[in.name]
	if t.bits == 64 {
		k.ulps, k.rel = 0, 0x1p-18 // "a fast, gross approximation"
	}
	return k
}

func approximate(in *Inst, a Args) (Result, bool) {
	t, ok := in.only()
	if !ok {
		return none()
	}
	return Result{Check: func(r uint64) bool {
		for i := range t.lanes {
			s := uint(i * t.bits)
			if !in.near(t.elem(), a[0]>>s&ones(t.bits), a[1]>>s&ones(t.bits), r>>s&ones(t.bits)) {
				return false
			}
		}
		return true
	}}, true
}

// near reports whether r approaches the function of a and b closely enough.
func (in *Inst) near(t Type, a, b, r uint64) bool {
	if t.bits == 64 && in.has("ftz") {
		a &^= ones(32) // these forms read the upper half only
	}
	x, y, got := in.operand(t, a).float64(), in.operand(t, b).float64(), t.decode(r, false).float64()
	k := in.approxKind(t)
	want := k.f(x, y)
	switch {
	case want != want:
		return got != got
	case k.domain != nil && !k.domain(x, y):
		return !(math.Abs(got) > 1 && in.name != "div")
	case got == want:
		return true
	case in.has("ftz") && got == 0 && k.abs < 0x1p-20 || t.bits == 64 && got == 0:
		return math.Abs(want) < math.Ldexp(1.01, t.emin)
	case math.IsInf(got, 0):
		return math.Abs(want) > math.Ldexp(1.99, t.emax) || t.bits == 64 && math.Abs(x) < math.Ldexp(1, t.emin)
	}
	_, e := math.Frexp(want)
	ulp := math.Ldexp(1, max(e-1, t.emin)-t.man)
	return math.Abs(got-want) <= k.rel*math.Abs(want)+k.abs+max(k.ulps, 0.5)*ulp
}

// float64 is the value of a number of at most 64 bits.
func (n number) float64() float64 {
	switch {
	case n.nan:
		return math.NaN()
	case n.inf:
		return math.Inf(1 - 2*int(bit(n.neg)))
	}
	v, _ := n.signed().Float64()
	if v == 0 && n.neg {
		return math.Copysign(0, -1)
	}
	return v
}

func init() {
	register(map[string]op{
		"rsqrt": approximate, "sin": approximate, "cos": approximate, "lg2": approximate, "ex2": approximate, "tanh": approximate,
	})
}
