package alu

import (
	"math"

	"github.com/warpgrind/warpgrind/internal/warp/alu/formula"
)

// Floating-point arithmetic (PTX ISA 9.7.3 to 9.7.5); add, sub, mul, mad, div,
// min, max, abs and neg come here from intBuilders.
var floatBuilders = map[string]builder{
	"fma": floatFma, "rcp": floatRcp, "sqrt": floatSqrt, "rsqrt": floatRsqrt,
	"sin": approxF32(formula.FastSin), "cos": approxF32(formula.FastCos),
	"lg2": approxF32(formula.Log2), "ex2": approxAny(formula.Exp2), "tanh": approxAny(formula.Tanh),
	"testp": testp, "copysign": copysign,
}

// fmods are the modifiers that most floating-point instructions share.
type fmods struct {
	m              mode
	ftz, sat, relu bool
}

func (in *inst) fmods() fmods {
	m, _ := in.rounding()
	return fmods{m: m, ftz: in.take("ftz"), sat: in.take("sat"), relu: in.take("relu")}
}

// load decodes an operand, flushing it if asked for.
func (fm *fmods) load(f *format, b uint64) float64 {
	if fm.ftz {
		b = f.flush(b)
	}
	return f.decode(b)
}

// store rounds a result and applies .ftz, .sat and .relu to it.
func (fm *fmods) store(f *format, x float64) uint64 { return fm.finish(f, f.encode(x, fm.m)) }

func (fm *fmods) finish(f *format, r uint64) uint64 {
	mag, neg := r&(1<<f.sign-1)>>f.low, r>>f.sign&1 != 0
	switch {
	case fm.sat && (neg || f.isNaN(mag)):
		return 0
	case fm.sat && mag > uint64(f.bias)<<f.man:
		return uint64(f.bias) << f.man << f.low
	case fm.relu && neg && !f.isNaN(mag):
		return 0
	case fm.ftz:
		return f.flush(r)
	}
	return r
}

// finish64 applies .sat to a float64.
func (fm *fmods) finish64(x float64) float64 {
	switch {
	case !fm.sat:
		return x
	case !(x > 0):
		return 0
	}
	return min(x, 1)
}

// arith makes an operation of n operands from its meaning for narrow formats
// (rounded to odd) and for float64.
func arith(in *inst, n int, narrow func(x, y, z float64, m mode) float64, wide func(x, y, z float64, m mode) float64) *Op {
	fm := in.fmods()
	t, ok := in.only()
	if !ok || !t.isFloat() || fm.relu && !t.isHalf() {
		return nil
	}
	args := []typ{t, t, t}[:n]
	if t.isF64() {
		if fm.ftz || fm.sat {
			return nil
		}
		return newOp(wideFn(n, fm.m, wide), t, args...)
	}
	f := t.fmt
	fn := fn3(func(a, b, c uint64) uint64 {
		return fm.store(f, narrow(fm.load(f, a), fm.load(f, b), fm.load(f, c), fm.m))
	})
	return newOp(t.perElem(fn), t, args...)
}

func wideFn(n int, m mode, wide func(x, y, z float64, m mode) float64) Fn {
	return func(a, b, c, _ uint64) (uint64, uint64) {
		r := wide(math.Float64frombits(a), math.Float64frombits(b), math.Float64frombits(c), m)
		if r != r {
			return nan64([]uint64{a, b, c}[:n]...), 0
		}
		return math.Float64bits(r), 0
	}
}

// mixed makes the mixed-precision add, sub and fma (PTX ISA 9.7.5): the first
// n operands are halves, the last one and the result are .f32.
func mixed(in *inst, n int, f func(x, y, z float64, m mode) float64) *Op {
	fm := in.fmods()
	h := in.types[1]
	if in.types[0] != tF32 || h.lanes != 1 || !h.isHalf() || fm.ftz || fm.relu {
		return nil
	}
	if n == 1 {
		return newOp(fn2(func(a, b uint64) uint64 {
			return fm.store(&fmtF32, f(h.fmt.decode(a), fmtF32.decode(b), 0, fm.m))
		}), tF32, h, tF32)
	}
	return newOp(fn3(func(a, b, c uint64) uint64 {
		return fm.store(&fmtF32, f(h.fmt.decode(a), h.fmt.decode(b), fmtF32.decode(c), fm.m))
	}), tF32, h, h, tF32)
}

func addNarrow(x, y, _ float64, m mode) float64 { return zeroSign(oddAdd(x, y), x, y, m) }
func subNarrow(x, y, _ float64, m mode) float64 { return zeroSign(oddAdd(x, -y), x, -y, m) }
func mulNarrow(x, y, _ float64, _ mode) float64 { return x * y }
func fmaNarrow(x, y, z float64, m mode) float64 {
	return zeroSign(oddFma(x, y, z), float64(x*y), z, m)
}

func floatAdd(in *inst) *Op {
	if len(in.types) == 2 {
		return mixed(in, 1, addNarrow)
	}
	return arith(in, 2, addNarrow, func(x, y, _ float64, m mode) float64 { return add64(x, y, m) })
}

func floatSub(in *inst) *Op {
	if len(in.types) == 2 {
		return mixed(in, 1, subNarrow)
	}
	return arith(in, 2, subNarrow, func(x, y, _ float64, m mode) float64 { return add64(x, -y, m) })
}

func floatMul(in *inst) *Op {
	return arith(in, 2, mulNarrow, func(x, y, _ float64, m mode) float64 { return mul64(x, y, m) })
}

func floatFma(in *inst) *Op {
	if len(in.types) == 2 {
		return mixed(in, 2, fmaNarrow)
	}
	oob := in.take("oob")
	o := arith(in, 3, fmaNarrow, fma64)
	if oob && o != nil {
		return oobFma(in.types[0], o)
	}
	return o
}

// oobFma yields 0 when a or b is the NaN that tensor copies write for elements out of bounds, of
// either sign (PTX ISA, "Half Precision Floating Point Instructions: fma"; which one it is was
// measured on a GPU).
func oobFma(t typ, o *Op) *Op {
	if !t.isHalf() {
		return nil
	}
	// The packed operation already splits; here each half decides for itself.
	fn := o.Fn
	o.Fn = func(a, b, c, d uint64) (uint64, uint64) {
		r, _ := fn(a, b, c, d)
		for s := uint(0); s < uint(t.size()); s += 16 {
			if a>>s&0x7fff == 0x7ff7 || b>>s&0x7fff == 0x7ff7 {
				r &^= 0xffff << s
			}
		}
		return r, 0
	}
	return o
}

func floatDiv(in *inst) *Op {
	div := func(x, y, _ float64, _ mode) float64 { return oddDiv(x, y) }
	wide := func(x, y, _ float64, m mode) float64 { return div64(x, y, m) }
	kind := in.oneOf("approx", "full")
	if t, ok := in.only(); !ok || !t.isF32() && (kind != "" || !t.isF64()) {
		return nil
	}
	if kind == "approx" {
		div = divApprox
	}
	return arith(in, 2, div, wide)
}

// divApprox is a * (1/b): a reciprocal that is subnormal counts as zero.
func divApprox(x, y, _ float64, _ mode) float64 {
	if m := math.Abs(y); m > 0x1p126 && !math.IsInf(y, 0) {
		return x * math.Copysign(0, y)
	}
	return x / y
}

func floatRcp(in *inst) *Op {
	approx := in.take("approx")
	if t, ok := in.only(); ok && approx && t.isF64() {
		return approxF64(in, func(x float64) float64 { return 1 / x })
	} else if !ok || !t.isF32() && !t.isF64() {
		return nil
	}
	return arith(in, 1, func(x, _, _ float64, _ mode) float64 { return oddDiv(1, x) },
		func(x, _, _ float64, m mode) float64 { return div64(1, x, m) })
}

func floatSqrt(in *inst) *Op {
	approx := in.take("approx")
	if t, ok := in.only(); !ok || !t.isF32() && (approx || !t.isF64()) {
		return nil
	}
	return arith(in, 1, func(x, _, _ float64, _ mode) float64 { return oddSqrt(x) },
		func(x, _, _ float64, m mode) float64 { return sqrt64(x, m) })
}

func floatRsqrt(in *inst) *Op {
	t, ok := in.only()
	if !ok || !in.take("approx") {
		return nil
	}
	if !t.isF64() {
		if !t.isF32() {
			return nil
		}
		return approxOp(in, formula.Rsqrt)
	}
	for _, m := range in.mods {
		if m == "ftz" {
			return approxF64(in, rsqrt)
		}
	}
	return arith(in, 1, nil, func(x, _, _ float64, _ mode) float64 { return rsqrt(x) })
}

// approxF64 is rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: only the upper 32
// bits of the operand are read and of the result are set (PTX ISA 9.7.3.14, 16).
func approxF64(in *inst, f func(float64) float64) *Op {
	t, _ := in.only()
	if !in.take("ftz") {
		return nil
	}
	return newOp(fn1(func(a uint64) uint64 { return gross64(a, f) }), t, t)
}

const high32 = 0xffffffff << 32

func gross64(a uint64, f func(float64) float64) uint64 {
	a &= high32
	if a<<1>>53 == 0 {
		a &= 1 << 63
	}
	r := f(math.Float64frombits(a))
	b := math.Float64bits(r)
	switch {
	case r != r:
		return 0x7fffffff << 32
	case b<<1>>53 == 0:
		return b & (1 << 63)
	}
	return b & high32
}

func floatAbs(in *inst) *Op { return signOp(in, func(b, s uint64) uint64 { return b &^ s }) }
func floatNeg(in *inst) *Op { return signOp(in, func(b, s uint64) uint64 { return b ^ s }) }

// signOp changes the sign bit and nothing else, but flushes under .ftz.
func signOp(in *inst, f func(b, s uint64) uint64) *Op {
	ftz := in.take("ftz")
	t, ok := in.only()
	if !ok || ftz && t.isF64() {
		return nil
	}
	s := uint64(1) << (t.bits - 1)
	fn := fn1(func(a uint64) uint64 {
		if ftz {
			a = t.fmt.flush(a)
		}
		return f(a, s)
	})
	return newOp(t.perElem(fn), t, t)
}

// copysign gives b the sign of a (PTX ISA 9.7.3.2).
func copysign(in *inst) *Op {
	t, ok := in.only()
	if !ok || !t.isF32() && !t.isF64() {
		return nil
	}
	s := uint64(1) << (t.bits - 1)
	return newOp(fn2(func(a, b uint64) uint64 { return a&s | b&^s }), t, t, t)
}

// testp tests a property of a floating-point number (PTX ISA 9.7.3.1).
func testp(in *inst) *Op {
	kind := in.oneOf("finite", "infinite", "number", "notanumber", "normal", "subnormal")
	t, ok := in.only()
	if kind == "" || !ok || !t.isF32() && !t.isF64() {
		return nil
	}
	inf, least := uint64(0x7f800000), uint64(1<<23)
	if t.isF64() {
		inf, least = 0x7ff<<52, 1<<52
	}
	test := map[string]func(m uint64) bool{
		"finite":     func(m uint64) bool { return m < inf },
		"infinite":   func(m uint64) bool { return m == inf },
		"number":     func(m uint64) bool { return m <= inf },
		"notanumber": func(m uint64) bool { return m > inf },
		"normal":     func(m uint64) bool { return m >= least && m < inf },
		"subnormal":  func(m uint64) bool { return m > 0 && m < least },
	}[kind]
	m := mask(t.bits - 1)
	return newOp(fn1(func(a uint64) uint64 { return b2u(test(a & m)) }), tPred, t)
}
