package alu

import (
	"math"
	"math/big"
	"math/rand"
	"testing"
)

var modes = map[string]mode{"rn": rn, "rz": rz, "rm": rm, "rp": rp}

// bigRound rounds an exact value to a precision and exponent range by math/big,
// independently of the package: man explicit mantissa bits, emin the least
// normal exponent, maxExp the largest.
func bigRound(x *big.Float, man, emin, emax int, m mode) float64 {
	if x.Sign() == 0 {
		return 0
	}
	bm := map[mode]big.RoundingMode{rn: big.ToNearestEven, rz: big.ToZero, rm: big.ToNegativeInf, rp: big.ToPositiveInf}[m]
	e := x.MantExp(nil) - 1
	prec := man + 1
	if e < emin {
		prec -= emin - e
	}
	ulp := math.Ldexp(1, emin-man)
	if prec <= 0 {
		return tiny(x, ulp, prec, m)
	}
	r, _ := new(big.Float).SetPrec(uint(prec)).SetMode(bm).Set(x).Float64()
	limit := math.Ldexp(2-math.Ldexp(1, -man), emax)
	if math.Abs(r) > limit {
		return tooLarge(r, limit, m)
	}
	return r
}

// tiny rounds a value below the least subnormal.
func tiny(x *big.Float, ulp float64, prec int, m mode) float64 {
	neg := x.Sign() < 0
	half := new(big.Float).Quo(big.NewFloat(ulp), big.NewFloat(2))
	if ulp == math.SmallestNonzeroFloat64 {
		half = new(big.Float).SetMantExp(big.NewFloat(1), -1075)
	}
	up := m == rp && !neg || m == rm && neg || m == rn && new(big.Float).Abs(x).Cmp(half) > 0
	switch {
	case up && neg:
		return -ulp
	case up:
		return ulp
	case neg:
		return math.Copysign(0, -1)
	}
	return 0
}

func tooLarge(r, limit float64, m mode) float64 {
	switch {
	case m == rz || m == rm && r > 0 || m == rp && r < 0:
		return math.Copysign(limit, r)
	}
	return math.Inf(int(math.Copysign(1, r)))
}

// exactOps computes with unlimited precision; division and square root to 5000
// bits, rounded to odd by the sticky last bit.
var exactOps = map[string]func(a, b, c float64) *big.Float{
	"add":  func(a, b, _ float64) *big.Float { return wide().Add(bigOf(a), bigOf(b)) },
	"sub":  func(a, b, _ float64) *big.Float { return wide().Sub(bigOf(a), bigOf(b)) },
	"mul":  func(a, b, _ float64) *big.Float { return wide().Mul(bigOf(a), bigOf(b)) },
	"div":  func(a, b, _ float64) *big.Float { return wide().Quo(bigOf(a), bigOf(b)) },
	"rcp":  func(a, _, _ float64) *big.Float { return wide().Quo(bigOf(1), bigOf(a)) },
	"sqrt": func(a, _, _ float64) *big.Float { return wide().Sqrt(bigOf(a)) },
	"fma":  func(a, b, c float64) *big.Float { return wide().Add(bigMul(a, b), bigOf(c)) },
}

func wide() *big.Float { return new(big.Float).SetPrec(exactPrec) }

// hard gives doubles around cancellations, ties and the ends of a range of
// exponents e within -lim..lim.
func hard(r *rand.Rand, man, lim int) float64 {
	m := 1 + math.Ldexp(float64(r.Int63n(1<<man)), -man)
	switch r.Intn(4) {
	case 0:
		m = 1 + math.Ldexp(float64(r.Intn(4)), -man)
	case 1:
		m = 2 - math.Ldexp(float64(1+r.Intn(4)), -man)
	}
	e := r.Intn(2*lim) - lim
	if r.Intn(2) == 0 {
		e = r.Intn(60) - 30
	}
	if r.Intn(2) == 0 {
		m = -m
	}
	return math.Ldexp(m, e)
}

type floatCase struct {
	suffix          string
	man, emin, emax int
	enc             func(float64) uint64
	dec             func(uint64) float64
}

var floatCases = []floatCase{
	{"f32", 23, -126, 127, func(x float64) uint64 { return uint64(math.Float32bits(float32(x))) }, fmtF32.decode},
	{"f64", 52, -1022, 1023, math.Float64bits, math.Float64frombits},
}

func TestDirectedRounding(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, fc := range floatCases {
		for mn, m := range modes {
			for on, exact := range exactOps {
				o, err := Lookup(on + "." + mn + "." + fc.suffix)
				if err != nil {
					t.Fatal(err)
				}
				for i := 0; i < 1500; i++ {
					checkExact(t, fc, o, m, r, exact)
				}
			}
		}
	}
}

func checkExact(t *testing.T, fc floatCase, o *Op, m mode, r *rand.Rand, exact func(a, b, c float64) *big.Float) {
	t.Helper()
	var x [3]float64
	for i := range x {
		x[i] = fc.dec(fc.enc(hard(r, fc.man, fc.emax+fc.man-1)))
		if math.IsInf(x[i], 0) || x[i] == 0 {
			x[i] = 1
		}
	}
	if o.Name[:2] == "sq" {
		x[0] = math.Abs(x[0])
	}
	v := exact(x[0], x[1], x[2])
	got, _ := o.Fn(fc.enc(x[0]), fc.enc(x[1]), fc.enc(x[2]), 0)
	want := bigRound(v, fc.man, fc.emin, fc.emax, m)
	if v.Sign() == 0 { // an exact zero: only its value is checked here
		if fc.dec(got) != 0 {
			t.Errorf("%s(%x) = %x, want 0", o.Name, x, fc.dec(got))
		}
		return
	}
	if got != fc.enc(want) {
		t.Errorf("%s(%x) = %x, want %x", o.Name, x, fc.dec(got), want)
	}
}

func TestFmaF32(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	o, err := Lookup("fma.rn.f32")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 100000; i++ {
		checkExact(t, floatCases[0], o, rn, r, exactOps["fma"])
	}
	// A product next to a tie, decided by a far smaller addend, and subnormals.
	for _, c := range [][4]uint64{
		{0x3f800001, 0x3f800001, 0x00000001, 0x3f800002},
		{0x3f800800, 0x3f800800, 0x00000000, 0x3f801000},
		{0x3f800800, 0x3f800800, 0x00000001, 0x3f801001},
		{0x3f800800, 0x3f800800, 0x80000001, 0x3f801000},
		{0x3f800800, 0x3f801800, 0x00000000, 0x3f802002},
		{0x3f800800, 0x3f801800, 0x80000001, 0x3f802001},
		{0x00000001, 0x3f000000, 0x00000001, 0x00000002},
		{0x00000001, 0x3f000001, 0x00000000, 0x00000001},
		{0x00000001, 0x3effffff, 0x00000000, 0x00000000},
	} {
		if got, _ := o.Fn(c[0], c[1], c[2], 0); got != c[3] {
			t.Errorf("fma.rn.f32(%#x, %#x, %#x) = %#x, want %#x", c[0], c[1], c[2], got, c[3])
		}
	}
}

// TestHalves checks f16 and bf16 arithmetic against a rounding by math/big.
func TestHalves(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for suffix, f := range map[string]*format{"f16": &fmtF16, "bf16": &fmtBF16} {
		for _, on := range []string{"add", "sub", "mul", "fma"} {
			o, err := Lookup(on + ".rn." + suffix)
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i < 5000; i++ {
				checkHalf(t, o, f, on, r)
			}
		}
	}
}

func checkHalf(t *testing.T, o *Op, f *format, on string, r *rand.Rand) {
	t.Helper()
	var b [3]uint64
	var x [3]float64
	for k := range b {
		for b[k] = uint64(r.Intn(1 << 16)); b[k]&0x7fff >= f.inf; b[k] = uint64(r.Intn(1 << 16)) {
		}
		x[k] = f.decode(b[k])
	}
	got, _ := o.Fn(b[0], b[1], b[2], 0)
	v := exactOps[on](x[0], x[1], x[2])
	want := bigRound(v, int(f.man), 1-f.bias, f.bias, rn)
	if f.decode(got) != want {
		t.Errorf("%s(%x) = %v, want %v", o.Name, b, f.decode(got), want)
	}
}

// TestFormatsRoundTrip decodes and encodes every value of the small formats.
func TestFormatsRoundTrip(t *testing.T) {
	for name, f := range map[string]*format{"f16": &fmtF16, "bf16": &fmtBF16, "e4m3": &fmtE4M3,
		"e5m2": &fmtE5M2, "e2m3": &fmtE2M3, "e3m2": &fmtE3M2, "e2m1": &fmtE2M1} {
		for b := uint64(0); b < 2<<f.sign; b++ {
			x := f.decode(b)
			if x != x {
				continue
			}
			if got := f.encode(x, rn); got != b {
				t.Errorf("%s %#x = %v encodes to %#x", name, b, x, got)
			}
		}
	}
}
