package alu

import (
	"math"
	"strings"

	"github.com/warpgrind/warpgrind/internal/warp/alu/formula"
)

// float64s enters the elementary functions.
func (m mathReg) float64s() {
	for name, f := range map[string]func(float64) float64{
		"acos": acos, "acosh": math.Acosh, "asin": asin, "asinh": math.Asinh,
		"atan": math.Atan, "atanh": atanh, "cbrt": math.Cbrt, "ceil": math.Ceil,
		"cos": cos, "cosh": cosh, "cospi": cospi, "exp": exp, "exp2": exp2,
		"exp10": exp10, "expm1": math.Expm1, "fabs": math.Abs, "floor": math.Floor,
		"log": log, "log10": log10, "log1p": math.Log1p, "log2": log2, "logb": math.Logb,
		"nearbyint": math.RoundToEven, "rint": math.RoundToEven, "round": math.Round,
		"rcbrt": rcbrt, "rsqrt": rsqrt, "sin": sin, "sinh": sinh, "sinpi": sinpi,
		"sqrt": math.Sqrt, "tan": tan, "tanh": math.Tanh, "trunc": math.Trunc,
	} {
		m.both1(name, f)
	}
	for name, f := range map[string]func(x, y float64) float64{
		"atan2": atan2, "copysign": math.Copysign, "fdim": fdim, "fmax": fmax, "fmin": fmin,
		"fmod": math.Mod, "pow": pow, "remainder": math.Remainder,
	} {
		m.both2(name, f)
	}
	m.real("nextafter", cDouble, 2, func(x []float64) float64 {
		if x[0] == x[1] {
			return x[1] // the zero of the other sign, as in C
		}
		return math.Nextafter(x[0], x[1])
	})
	m.real("nextafterf", cFloat, 2, func(x []float64) float64 {
		if x[0] == x[1] {
			return x[1]
		}
		return float64(math.Nextafter32(float32(x[0]), float32(x[1])))
	})
	for name, n := range map[string]int{"hypot": 2, "norm3d": 3, "norm4d": 4} {
		m.both(name, n, func(x []float64) float64 { return norm(x...) })
	}
	for name, n := range map[string]int{"rhypot": 2, "rnorm3d": 3, "rnorm4d": 4} {
		m.both(name, n, func(x []float64) float64 { return rnorm(x...) })
	}
	m.formulas()
}

// formulas enters the float functions that are formulas, over those computed as doubles
// are.
func (m mathReg) formulas() {
	for name, f := range formula.Functions {
		eval := evaluated(f)
		m.real(name, cFloat, f.Args, func(x []float64) float64 { return eval(x[0], x[f.Args-1]) }).formula = f
	}
}

// specials enters the special functions.
func (m mathReg) specials() {
	for name, f := range map[string]func(float64) float64{
		"cyl_bessel_i0": besselI(0), "cyl_bessel_i1": besselI(1), "erf": math.Erf, "erfc": math.Erfc,
		"erfcinv": erfcinv, "erfcx": erfcx, "erfinv": erfinv, "j0": j0, "j1": j1,
		"y0": y0, "y1": y1, "lgamma": lgamma, "tgamma": tgamma,
		"normcdf": normcdf, "normcdfinv": normcdfinv,
	} {
		m.both1(name, f)
	}
	m.bothInt("jn", true, besselN(math.Jn))
	m.bothInt("yn", true, besselN(math.Yn))
	for _, name := range []string{"jn", "jnf", "yn", "ynf"} {
		m["__nv_"+name].long = true
	}
	m.bothInt("ldexp", false, func(n int, x float64) float64 { return math.Ldexp(x, n) })
	m.bothInt("scalbn", false, func(n int, x float64) float64 { return math.Ldexp(x, n) })
	m.bothInt("powi", false, func(n int, x float64) float64 { return pow(x, float64(n)) })
}

// besselN guards the recurrences of jn and yn: a negative order is a NaN in
// CUDA, and a huge one would take as many steps.
func besselN(f func(n int, x float64) float64) func(n int, x float64) float64 {
	return func(n int, x float64) float64 {
		switch {
		case n < 0 || x != x:
			return math.NaN()
		case n > 1<<20 && math.Abs(x) < float64(n)/2:
			if f(2, 1) < 0 { // yn
				return math.Inf(-1)
			}
			return 0
		}
		return f(min(n, 1<<24), x)
	}
}

// mixed enters functions with integer results.
func (m mathReg) mixed() {
	m.predicate("isinfd", "isinff", func(x float64) bool { return math.IsInf(x, 0) })
	m.predicate("isnand", "isnanf", math.IsNaN)
	m.predicate("isfinited", "finitef", finite)
	m.predicate("signbitd", "signbitf", math.Signbit)
	for suffix, t := range map[string]scalar{"": cDouble, "f": cFloat} {
		m.toInt("ilogb"+suffix, t, cInt, ilogb)
		m.toInt("llrint"+suffix, t, cLong, func(x float64) int64 { return toLong(math.RoundToEven(x)) })
		m.toInt("llround"+suffix, t, cLong, func(x float64) int64 { return toLong(math.Round(x)) })
	}
	m.add("double2hiint", W32, values(cDouble), func(a []uint64) uint64 { return a[0] >> 32 })
	m.add("double2loint", W32, values(cDouble), func(a []uint64) uint64 { return a[0] & mask(32) })
	m.add("hiloint2double", W64, values(cInt, cInt), func(a []uint64) uint64 { return a[0]<<32 | a[1]&mask(32) })
	m.add("rcp64h", W64, values(cDouble), func(a []uint64) uint64 {
		return gross64(a[0], func(x float64) float64 { return 1 / x })
	})
	m.add("ffs", W32, values(cInt), firstSet)
	m.add("ffsll", W32, values(cLong), firstSet)
	m.add("saturatef", W32, values(cFloat), func(a []uint64) uint64 {
		fm := fmods{sat: true}
		return fm.finish(&fmtF32, a[0]&mask(32))
	})
	m.halvingAdds()
}

// predicate enters a test of a double and of a float; true is 1.
func (m mathReg) predicate(double, float string, f func(x float64) bool) {
	for name, t := range map[string]scalar{double: cDouble, float: cFloat} {
		m.add(name, W32, values(t), func(a []uint64) uint64 { return b2u(f(t.get(a[0]))) })
	}
}

func (m mathReg) halvingAdds() {
	for name, f := range map[string]func(a, b int64) int64{
		"hadd":   func(a, b int64) int64 { return (int64(int32(a)) + int64(int32(b))) >> 1 },
		"rhadd":  func(a, b int64) int64 { return (int64(int32(a)) + int64(int32(b)) + 1) >> 1 },
		"uhadd":  func(a, b int64) int64 { return (a + b) >> 1 },
		"urhadd": func(a, b int64) int64 { return (a + b + 1) >> 1 },
	} {
		m.add(name, W32, values(cInt, cInt), func(a []uint64) uint64 {
			return uint64(f(int64(uint32(a[0])), int64(uint32(a[1])))) & mask(32)
		})
	}
}

// firstSet is one plus the position of the lowest set bit, 0 for none.
func firstSet(a []uint64) uint64 {
	for i := uint64(0); i < 64; i++ {
		if a[0]>>i&1 != 0 {
			return i + 1
		}
	}
	return 0
}

// ilogb is INT_MIN for 0 and NaN and INT_MAX for infinities.
func ilogb(x float64) int64 {
	switch {
	case x == 0 || x != x:
		return math.MinInt32
	case math.IsInf(x, 0):
		return math.MaxInt32
	}
	return int64(math.Ilogb(x))
}

// toLong clamps as cvt.rni.s64.f64 does.
func toLong(x float64) int64 {
	if x != x {
		return math.MinInt64
	}
	return int64(toInt(typ{kSigned, 64, 1, nil}, x))
}

// pointers enters the functions with pointer parameters.
func (m mathReg) pointers() {
	for suffix, t := range map[string]scalar{"": cDouble, "f": cFloat} {
		m.outs("sincos"+suffix, t, true, sincos)
		m.outs("sincospi"+suffix, t, true, func(x float64) (s, c float64) { return sinpi(x), cospi(x) })
		m.outs("modf"+suffix, t, false, modf)
		m.remquo("remquo"+suffix, t)
		m.frexp("frexp"+suffix, t)
		m.arrays("norm"+suffix, t, norm)
		m.arrays("rnorm"+suffix, t, rnorm)
		m["__nv_nan"+suffix] = &Math{Ret: t.width(), Params: []Param{{Text, W64}},
			Fn: func([]uint64) (uint64, [2]uint64) { return t.nanOf(), [2]uint64{} }}
	}
	for name, f := range map[string][2]*formula.Formula{"sincosf": {formula.Sin, formula.Cos}, "fast_sincosf": {formula.FastSin, formula.FastCos}} {
		sin, cos := evaluated(f[0]), evaluated(f[1])
		m.outs(name, cFloat, true, func(x float64) (s, c float64) { return sin(x, 0), cos(x, 0) })
	}
}

// nanOf is CUDA's NaN constant of the type.
func (s scalar) nanOf() uint64 { return s.put(math.NaN()) }

// modf gives the fraction first, as C does; both have the sign of x.
func modf(x float64) (frac, whole float64) {
	if math.IsInf(x, 0) {
		return math.Copysign(0, x), x
	}
	whole = math.Trunc(x)
	return math.Copysign(x-whole, x), whole
}

// outs enters a function with two results: both through pointers if void, else
// the first returned.
func (m mathReg) outs(name string, t scalar, void bool, f func(x float64) (r, s float64)) {
	w := t.width()
	params := []Param{{Value, w}, {Out, w}}
	ret := w
	if void {
		params, ret = append(params, Param{Out, w}), None
	}
	m["__nv_"+name] = &Math{Ret: ret, Params: params, Fn: func(a []uint64) (uint64, [2]uint64) {
		r, s := f(t.get(a[0]))
		if void {
			return 0, [2]uint64{t.put(r), t.put(s)}
		}
		return t.put(r), [2]uint64{t.put(s)}
	}}
}

func (m mathReg) remquo(name string, t scalar) {
	w := t.width()
	m["__nv_"+name] = &Math{Ret: w, Params: []Param{{Value, w}, {Value, w}, {Out, W32}},
		Fn: func(a []uint64) (uint64, [2]uint64) {
			r, q := remquo(t.get(a[0]), t.get(a[1]))
			return t.put(r), [2]uint64{uint64(uint32(q))}
		}}
}

func (m mathReg) frexp(name string, t scalar) {
	w := t.width()
	m["__nv_"+name] = &Math{Ret: w, Params: []Param{{Value, w}, {Out, W32}},
		Fn: func(a []uint64) (uint64, [2]uint64) {
			r, e := math.Frexp(t.get(a[0]))
			return t.put(r), [2]uint64{uint64(uint32(e))}
		}}
}

// arrays enters a function of a count and a pointer to that many numbers.
func (m mathReg) arrays(name string, t scalar, f func(x ...float64) float64) {
	w := t.width()
	m["__nv_"+name] = &Math{Ret: w, Params: []Param{{Value, W32}, {Array, w}},
		Fn: func(a []uint64) (uint64, [2]uint64) {
			x := make([]float64, 0, len(a))
			for _, b := range a[1:] {
				x = append(x, t.get(b))
			}
			return t.put(f(x...)), [2]uint64{}
		}}
}

// aliases enters the functions that are one PTX instruction.
func (m mathReg) aliases() {
	f := strings.Fields(mathAliases)
	for i := 0; i+1 < len(f); i += 2 {
		names, ops := expand(f[i]), expand(f[i+1])
		for k := range names {
			m.alias(names[k], ops[k], 0)
		}
	}
}

// alias enters the PTX instruction op as the function name; drop is the number
// of last operands that are zero.
func (m mathReg) alias(name, op string, drop int) {
	o, err := Lookup(op)
	if err != nil {
		return // the tests see to it that this does not happen
	}
	var ps []Param
	for _, w := range o.Args[:len(o.Args)-drop] {
		ps = append(ps, Param{Value, w})
	}
	f := m.add(name, o.Dst, ps, func(a []uint64) uint64 {
		var x [4]uint64
		for i := range ps {
			x[i] = a[i]
			if ps[i].Width == W32 {
				x[i] &= mask(32)
			}
		}
		r, _ := o.Fn(x[0], x[1], x[2], x[3])
		return r
	})
	if drop == 0 {
		f.same = op
	}
}

// mathAliases is pairs of functions and opcodes; braces expand side by side.
const mathAliases = `
abs abs.s32 llabs abs.s64 max max.s32 min min.s32 umax max.u32 umin min.u32
llmax max.s64 llmin min.s64 ullmax max.u64 ullmin min.u64
brev brev.b32 brevll brev.b64 popc popc.b32 popcll popc.b64 clz clz.b32 clzll clz.b64
byte_perm prmt.b32 sad sad.s32 usad sad.u32 mul24 mul24.lo.s32 umul24 mul24.lo.u32
mulhi mul.hi.s32 umulhi mul.hi.u32 mul64hi mul.hi.s64 umul64hi mul.hi.u64
f{add,sub,mul,div}_rn {add,sub,mul,div}.rn.f32 f{add,sub,mul,div}_rz {add,sub,mul,div}.rz.f32
f{add,sub,mul,div}_rd {add,sub,mul,div}.rm.f32 f{add,sub,mul,div}_ru {add,sub,mul,div}.rp.f32
d{add,sub,mul,div}_rn {add,sub,mul,div}.rn.f64 d{add,sub,mul,div}_rz {add,sub,mul,div}.rz.f64
d{add,sub,mul,div}_rd {add,sub,mul,div}.rm.f64 d{add,sub,mul,div}_ru {add,sub,mul,div}.rp.f64
f{rcp,sqrt}_rn {rcp,sqrt}.rn.f32 f{rcp,sqrt}_rz {rcp,sqrt}.rz.f32
f{rcp,sqrt}_rd {rcp,sqrt}.rm.f32 f{rcp,sqrt}_ru {rcp,sqrt}.rp.f32
d{rcp,sqrt}_rn {rcp,sqrt}.rn.f64 d{rcp,sqrt}_rz {rcp,sqrt}.rz.f64
d{rcp,sqrt}_rd {rcp,sqrt}.rm.f64 d{rcp,sqrt}_ru {rcp,sqrt}.rp.f64
fast_fdividef div.approx.f32 fma fma.rn.f64 fmaf fma.rn.f32 fma_r{n,z,d,u} fma.r{n,z,m,p}.f64
fmaf_r{n,z,d,u} fma.r{n,z,m,p}.f32 fmaf_ieee_r{n,z,d,u} fma.r{n,z,m,p}.f32
float2half_rn cvt.rn.f16.f32 half2float cvt.f32.f16
float_as_int mov.b32 float_as_uint mov.b32 int_as_float mov.b32 uint_as_float mov.b32
double_as_longlong mov.b64 longlong_as_double mov.b64
float2int_r{n,z,d,u} cvt.r{ni,zi,mi,pi}.s32.f32 float2uint_r{n,z,d,u} cvt.r{ni,zi,mi,pi}.u32.f32
float2ll_r{n,z,d,u} cvt.r{ni,zi,mi,pi}.s64.f32 float2ull_r{n,z,d,u} cvt.r{ni,zi,mi,pi}.u64.f32
double2int_r{n,z,d,u} cvt.r{ni,zi,mi,pi}.s32.f64 double2uint_r{n,z,d,u} cvt.r{ni,zi,mi,pi}.u32.f64
double2ll_r{n,z,d,u} cvt.r{ni,zi,mi,pi}.s64.f64 double2ull_r{n,z,d,u} cvt.r{ni,zi,mi,pi}.u64.f64
double2float_r{n,z,d,u} cvt.r{n,z,m,p}.f32.f64 int2double_rn cvt.rn.f64.s32 uint2double_rn cvt.rn.f64.u32
int2float_r{n,z,d,u} cvt.r{n,z,m,p}.f32.s32 uint2float_r{n,z,d,u} cvt.r{n,z,m,p}.f32.u32
ll2float_r{n,z,d,u} cvt.r{n,z,m,p}.f32.s64 ull2float_r{n,z,d,u} cvt.r{n,z,m,p}.f32.u64
ll2double_r{n,z,d,u} cvt.r{n,z,m,p}.f64.s64 ull2double_r{n,z,d,u} cvt.r{n,z,m,p}.f64.u64
`

// simd enters the SIMD functions of old libdevice versions; n is the lane count.
func (m mathReg) simd() {
	for _, n := range []string{"2", "4"} {
		for name, op := range simdAliases {
			m.alias(name+n, strings.Replace(op, "#", n, 1), 1)
		}
		for name, sign := range map[string]string{"u": ".u32.u32.", "s": ".s32.s32."} {
			for _, c := range []string{"ge", "gt", "le", "lt"} {
				m.compareSimd(c+name, n, sign+c)
			}
		}
		m.compareSimd("eq", n, ".u32.u32.eq")
		m.compareSimd("ne", n, ".u32.u32.ne")
		m.unarySimd(n)
	}
}

var simdAliases = map[string]string{
	"vabsdiffs": "vabsdiff#.s32.s32.s32", "vabsdiffu": "vabsdiff#.u32.u32.u32",
	"vadd": "vadd#.u32.u32.u32", "vaddss": "vadd#.s32.s32.s32.sat", "vaddus": "vadd#.u32.u32.u32.sat",
	"vavgs": "vavrg#.s32.s32.s32", "vavgu": "vavrg#.u32.u32.u32",
	"vmaxs": "vmax#.s32.s32.s32", "vmaxu": "vmax#.u32.u32.u32",
	"vmins": "vmin#.s32.s32.s32", "vminu": "vmin#.u32.u32.u32",
	"vsads": "vabsdiff#.s32.s32.s32.add", "vsadu": "vabsdiff#.u32.u32.u32.add",
	"vsub": "vsub#.u32.u32.u32", "vsubss": "vsub#.s32.s32.s32.sat", "vsubus": "vsub#.u32.u32.u32.sat",
}

// compareSimd enters vset (1 a lane) and vcmp (all ones a lane).
func (m mathReg) compareSimd(name, n, op string) {
	m.alias("vset"+name+n, "vset"+n+op, 1)
	f, ones := m["__nv_vset"+name+n], uint64(0xffff)
	if n == "4" {
		ones = 0xff
	}
	m.add("vcmp"+name+n, W32, f.Params, func(a []uint64) uint64 {
		r, _ := f.Fn(a)
		return r * ones
	})
}

// unarySimd enters vneg and vabs, wrapping and saturating, and vhaddu.
func (m mathReg) unarySimd(n string) {
	sub, sat := m["__nv_vsub"+n], m["__nv_vsubss"+n]
	lane := uint(32 / int(n[0]-'0'))
	for suffix, f := range map[string]*Math{"": sub, "ss": sat} {
		neg := func(a []uint64) uint64 {
			r, _ := f.Fn([]uint64{0, a[0]})
			return r
		}
		m.add("vneg"+suffix+n, W32, values(cInt), neg)
		m.add("vabs"+suffix+n, W32, values(cInt), func(a []uint64) uint64 {
			return mergeNegative(a[0], neg(a), lane)
		})
	}
	m.add("vhaddu"+n, W32, values(cInt, cInt), func(a []uint64) (r uint64) {
		for s := uint(0); s < 32; s += lane {
			k := mask(uint8(lane))
			r |= (a[0]>>s&k + a[1]>>s&k) >> 1 << s
		}
		return r
	})
}

// mergeNegative takes neg's lanes where x's are negative, and x's elsewhere.
func mergeNegative(x, neg uint64, lane uint) (r uint64) {
	for s := uint(0); s < 32; s += lane {
		k := mask(uint8(lane)) << s
		if x>>(s+lane-1)&1 != 0 {
			r |= neg & k
		} else {
			r |= x & k
		}
	}
	return r
}
