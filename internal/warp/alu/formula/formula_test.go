package formula

import (
	"math"
	"math/big"
	"math/rand"
	"strings"
	"testing"
)

// exact has the functions in Go's library, good to a few units of float64.
var exact = map[string]func(x, y float64) float64{
	"exp2f": one(math.Exp2), "log2f": one(math.Log2), "sinf": one(math.Sin), "cosf": one(math.Cos), "tanhf": one(math.Tanh),
	"rsqrtf": one(rsqrt), "frsqrt_rn": one(rsqrt),
	"expf": one(math.Exp), "exp10f": one(func(x float64) float64 { return math.Exp(x * math.Ln10) }), "expm1f": one(math.Expm1),
	"logf": one(math.Log), "log10f": one(func(x float64) float64 { return math.Log(x) / math.Ln10 }), "log1pf": one(math.Log1p),
	"tanf": one(math.Tan), "sinhf": one(math.Sinh), "coshf": one(math.Cosh), "cbrtf": one(math.Cbrt), "powf": math.Pow,
	"roundf": one(math.Round), "hypotf": math.Hypot,
	"fast_powf": func(x, y float64) float64 { return math.Exp2(y * math.Log2(x)) },
	"fast_sinf": one(func(x float64) float64 { s, _ := rotated(x); return s }),
	"fast_cosf": one(func(x float64) float64 { _, c := rotated(x); return c }),
	"fast_tanf": one(func(x float64) float64 { s, c := rotated(x); return s / c }),
}

// rotated is sine and cosine by whole numbers of 2^-25 turns.
func rotated(x float64) (sin, cos float64) {
	if math.IsInf(x, 0) || x != x {
		return math.NaN(), math.NaN()
	}
	turns, _ := new(big.Float).SetPrec(24).SetMode(big.ToZero).SetFloat64(math.Abs(x) * float64(float32(0.5/math.Pi))).Float64()
	n := int(math.Mod(turns, 1) * (1 << 25))
	at := func(quarters int) float64 {
		q, r := n>>23+quarters, n&(1<<23-1)
		if q&1 != 0 {
			r = 1<<23 - 1 - r
		}
		return 0 + math.Sin(2*math.Pi*float64(r)/(1<<25))*float64(1-q&2)
	}
	return math.Copysign(1, x) * at(0), at(1)
}

func rsqrt(x float64) float64 { return 1 / math.Sqrt(x) }

func one(f func(float64) float64) func(x, y float64) float64 {
	return func(x, _ float64) float64 { return f(x) }
}

var special = []float32{0, float32(math.Copysign(0, -1)), 1, -1, 0.5, -0.5, 2, -2, 3, -3, 1 << 23, 1<<24 - 1, -1 << 25, 1e-45, -1e-45,
	1e-38, 3.4e38, -3.4e38, 88.7, -103.9, 127.9, -149.5, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}

// TestFunctions compares with the library: the same float but where the exact value is
// close to the middle of two, and the same special values.
func TestFunctions(t *testing.T) {
	for name, f := range Functions {
		want, ok := exact[name]
		if !ok {
			want = exact[strings.TrimPrefix(name, "fast_")]
		}
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewSource(1))
			odd := 0
			for i := range 200000 {
				x, y := sample(r, i), sample(r, i/len(special))
				if !f.Holds(float64(x), 0) {
					continue
				}
				if strings.HasPrefix(name, "fast_") && f.Eval(float64(x), float64(y)) == want(float64(x), float64(y)) {
					continue // zeros of any sign
				}
				if differ(t, float32(f.Eval(float64(x), float64(y))), float32(want(float64(x), float64(y))), x, y) {
					odd++
				}
			}
			if odd > 20 {
				t.Errorf("%d of 200,000 are not the correctly rounded ones", odd)
			}
		})
	}
}

// sample is a special value, any pattern, or a number of usual size.
func sample(r *rand.Rand, i int) float32 {
	switch {
	case i < len(special)*len(special):
		return special[i%len(special)]
	case i%3 == 0:
		return math.Float32frombits(r.Uint32())
	case i%3 == 1:
		return float32(r.NormFloat64())
	}
	return float32(r.NormFloat64() * 30)
}

func differ(t *testing.T, got, want, x, y float32) bool {
	if got != got && want != want || math.Float32bits(got) == math.Float32bits(want) {
		return false
	}
	if d := int64(math.Float32bits(got)) - int64(math.Float32bits(want)); d > 1 || d < -1 || got != got || want != want {
		t.Fatalf("f(%v, %v) = %v, want %v", x, y, got, want)
	}
	return true
}
