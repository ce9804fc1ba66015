package alu

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"
)

// docs/results/MATH.md says how accurate the device math is. Its numbers are measured
// here, and the test wants them to be within the documented bounds.

//go:generate go test . -count=1 -run TestMathPage -update

const mathPage = "../../../docs/results/MATH.md"

var updatePage = flag.Bool("update", false, "write "+mathPage)

// accuracy is a function in double precision or .approx form: its error in
// units of the last place, or absolute.
type accuracy struct {
	name    string
	domain  string
	samples int
	worst   float64
	at      float64
	// limit is the documented bound; abs tells an absolute error.
	limit float64
	abs   bool
}

// floatLimits are the documented errors of single-precision functions whose
// double-precision form has another, in ulp.
var floatLimits = map[string]float64{
	"sin": 2, "cos": 2, "tan": 4, "sinpi": 1, "cospi": 1, "exp": 1, "exp2": 2, "exp10": 1, "expm1": 1, "log": 1, "log2": 1, "log10": 2, "log1p": 1,
	"pow": 4, "atan": 2, "atan2": 3, "asin": 2, "acos": 2, "sinh": 3, "cosh": 2, "tanh": 2, "asinh": 3, "acosh": 4, "atanh": 3, "cbrt": 1, "rcbrt": 1,
	"rsqrt": 2, "hypot": 3, "rhypot": 2, "erf": 2, "erfc": 4, "erfcx": 4, "normcdf": 5, "tgamma": 5, "lgamma": 6, "cyl_bessel_i0": 6, "cyl_bessel_i1": 6,
	"norm3d": 3, "norm4d": 3, "rnorm3d": 2, "rnorm4d": 2,
	"j0": 9, "j1": 9, "y0": 9, "y1": 9,
}

// hardArguments are where reductions and cancellations go wrong: near zeros
// and poles, at the ends of the range, far out.
var hardArguments = []float64{
	0x1p-1074, 0x1p-1022, 0x1p-30, 0x1p-27, 1 - 0x1p-53, 1, 1 + 0x1p-52, 1 - 0x1p-24, 1 + 0x1p-23, 0.5, 0.25, 2, 3, 10,
	math.Pi, math.Pi / 2, 3 * math.Pi / 4, 22 * math.Pi, 6381956970095103 * 0x1p97, 1e22, 0x1p120, 1e5, 33, 64.5, 88.7, 103.9, 170.6, 709.7, -708.4, -745,
	2.404825557695773, 3.8317059702075125, 5.520078110286311, 7.015586669815619, 0.8935769662791675, 3.957678419314858, 2.197141326031017, 5.429681040794135,
	0.7071067811865476, 1.4142135623730951, 2.718281828459045, 0.36787944117144233, 1e-300, 1e300,
}

// draws gives n arguments of the case: the hard ones in its range, then
// random ones.
func (c *ulpCase) draws(r *rand.Rand, n int) (list [][2]float64) {
	for _, x := range hardArguments {
		for _, s := range []float64{x, -x} {
			if s > c.lo && s < c.hi {
				list = append(list, [2]float64{s, c.sample(r)})
			}
		}
	}
	for len(list) < n {
		list = append(list, [2]float64{c.sample(r), c.sample(r)})
	}
	return list
}

// measure compares the double-precision function with the reference.
func (c *ulpCase) measure(t *testing.T, r *rand.Rand, n int) accuracy {
	a := accuracy{name: c.name, domain: fmt.Sprintf("%g to %g", c.lo, c.hi), limit: c.limit}
	m, ok := LookupMath("__nv_" + c.name)
	if !ok {
		t.Fatalf("%s is missing", c.name)
	}
	for _, x := range c.draws(r, n) {
		got := math.Float64frombits(call(m, math.Float64bits(x[0]), math.Float64bits(x[1])))
		want := c.ref(bf(x[0]), bf(x[1]))
		if limit, _ := want.Float64(); math.IsInf(limit, 0) && got == limit {
			continue
		}
		if got != got || math.IsInf(got, 0) {
			a.note(math.Inf(1), x[0])
			continue
		}
		a.note(ulps(got, want, 52, -1022), x[0])
	}
	return a
}

func (a *accuracy) note(err, at float64) {
	a.samples++
	if !(err <= a.worst) {
		a.worst, a.at = err, at
	}
}

// call calls a function of up to four arguments: x, y, x, y.
func call(m *Math, x, y uint64) uint64 {
	ret, _ := m.Fn([]uint64{x, y, x, y})
	return ret
}

// measureFloat compares the single-precision function with the double one,
// which is accurate enough for that.
func (c *ulpCase) measureFloat(t *testing.T, r *rand.Rand, n int) accuracy {
	list := c.draws(r, n)
	inside := slices.DeleteFunc(list, func(d [2]float64) bool {
		x := float64(float32(d[0]))
		return x < c.lo || x > c.hi || math.IsInf(x, 0)
	})
	i := -1
	a := c.measureFloatAt(t, func() [2]float64 { i++; return inside[i] }, len(inside))
	a.domain, a.limit = fmt.Sprintf("%g to %g", c.lo, c.hi), floatLimits[c.name]
	return a
}

func (c *ulpCase) measureFloatAt(t *testing.T, draw func() [2]float64, n int) accuracy {
	a := accuracy{name: c.name + "f"}
	single, ok1 := LookupMath("__nv_" + a.name)
	double, ok2 := LookupMath("__nv_" + c.name)
	if !ok1 || !ok2 {
		t.Fatalf("%s is missing", a.name)
	}
	for range n {
		d := draw()
		x, y := float32(d[0]), float32(d[1])
		ret := call(single, uint64(math.Float32bits(x)), uint64(math.Float32bits(y)))
		exact := call(double, math.Float64bits(float64(x)), math.Float64bits(float64(y)))
		got, want := math.Float32frombits(uint32(ret)), math.Float64frombits(exact)
		if float32(want) == got || want != want && got != got {
			a.note(min(floatError(got, want, 23, -126), 0.5), float64(x))
			continue
		}
		a.note(floatError(got, want, 23, -126), float64(x))
	}
	return a
}

// floatError is |got - want| in units of want's last place.
func floatError(got float32, want float64, man, emin int) float64 {
	if want != want || math.IsInf(want, 0) || math.IsInf(float64(got), 0) {
		return 0
	}
	_, e := math.Frexp(want)
	return math.Abs(math.Ldexp(float64(got)-want, man-max(e-1, emin)))
}

// approxCase is an .approx instruction with the bound of its section in the
// PTX ISA: in ulp, relative or absolute.
type approxCase struct {
	op     string
	lo, hi float64
	f      func(x float64) float64
	bound  float64
	kind   string // "ulp", "relative", "absolute"
}

var approxCases = []approxCase{
	{"rcp.approx.f32", 1e-37, 1e37, func(x float64) float64 { return 1 / x }, 1, "ulp"},
	{"sqrt.approx.f32", 1e-37, 1e37, math.Sqrt, 0x1p-23, "relative"},
	{"rsqrt.approx.f32", 1e-37, 1e37, func(x float64) float64 { return 1 / math.Sqrt(x) }, 0x1.12p-23, "relative"},
	{"sin.approx.f32", 1e-6, 2 * math.Pi, math.Sin, 0x1.6ap-21, "absolute"},
	{"cos.approx.f32", 1e-6, 2 * math.Pi, math.Cos, 0x1.6ap-21, "absolute"},
	{"sin.approx.f32", 2 * math.Pi, 100 * math.Pi, math.Sin, 0x1.38p-15, "absolute"},
	{"cos.approx.f32", 2 * math.Pi, 100 * math.Pi, math.Cos, 0x1.38p-15, "absolute"},
	{"lg2.approx.f32", 0.5, 2, math.Log2, 0x1p-22, "absolute"},
	{"lg2.approx.f32", 2, 1e38, math.Log2, 0x1p-22, "relative"},
	{"ex2.approx.f32", 1e-6, 126, math.Exp2, 2, "ulp"},
	{"tanh.approx.f32", 1e-6, 20, math.Tanh, 0x1p-11, "relative"},
	{"ex2.approx.f16", 1e-3, 15, math.Exp2, 0x1.12p-10, "relative"},
	{"tanh.approx.f16", 1e-3, 10, math.Tanh, 0x1.02p-11, "absolute"},
	{"ex2.approx.ftz.bf16", 1e-3, 126, math.Exp2, 0x1p-7, "relative"},
	{"tanh.approx.bf16", 1e-3, 10, math.Tanh, 0x1p-8, "relative"},
}

func (c *approxCase) measure(t *testing.T, r *rand.Rand, n int) accuracy {
	a := accuracy{name: c.op, domain: fmt.Sprintf("%.4g to %.4g", c.lo, c.hi), limit: c.bound, abs: c.kind != "ulp"}
	o, err := Lookup(c.op)
	if err != nil {
		t.Fatal(err)
	}
	types := strings.Split(c.op, ".")
	ty, _ := typeOf(types[len(types)-1])
	for range n {
		v := math.Exp(math.Log(c.lo) + r.Float64()*(math.Log(c.hi)-math.Log(c.lo)))
		b := ty.fmt.encode(v, rn)
		x := ty.fmt.decode(b)
		got, _ := o.Fn(b, 0, 0, 0)
		y, want := ty.fmt.decode(got), c.f(x)
		switch c.kind {
		case "ulp":
			a.note(floatError(float32(y), want, 23, -126), x)
		case "relative":
			if want != 0 {
				a.note(math.Abs((y-want)/want), x)
			}
		default:
			a.note(math.Abs(y-want), x)
		}
	}
	return a
}

// TestMathPage measures everything, wants the errors within the documented
// bounds and the page to say what was measured.
func TestMathPage(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 60
	}
	var double, single, approx []accuracy
	r := rand.New(rand.NewSource(11))
	for i := range ulpCases {
		double = append(double, ulpCases[i].measure(t, r, n))
		single = append(single, ulpCases[i].measureFloat(t, r, 12*n))
	}
	for i := range inverseCases {
		double = append(double, inverseCases[i].measure(t, r, n/2))
		single = append(single, inverseCases[i].measureFloat(t, r, 12*n))
	}
	for i := range approxCases {
		approx = append(approx, approxCases[i].measure(t, r, 12*n))
	}
	for _, list := range [][]accuracy{double, single, approx} {
		for _, a := range list {
			if !(a.worst <= a.limit) {
				t.Errorf("%s on %s: error %g at %v, documented %g", a.name, a.domain, a.worst, a.at, a.limit)
			}
		}
	}
	if testing.Short() {
		return
	}
	text := mathText(double, single, approx)
	if *updatePage {
		if err := os.WriteFile(mathPage, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(mathPage); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%s is stale: go generate ./internal/warp/alu (%v)", mathPage, err)
	}
}

const mathHead = `# Accuracy of device math

Made by ` + "`go generate ./internal/warp/alu`" + `; do not edit.

What the functions of the CUDA Math API (libdevice's ` + "`__nv_*`" + `) and the .approx instructions of PTX compute here, measured
on random arguments spread over the range and on hard ones (near zeros, poles and overflow, far from zero). "ulp" is the
largest error found in units of the last place of the exact result, "documented" the bound of the CUDA C++ Programming
Guide ("Mathematical Functions") or of the instruction's section in the PTX ISA. Results need not be those of a GPU to
the last bit: within these bounds NVIDIA's own change from one release to the next.

From |x| = 8 on the documented error of j0, j1, y0 and y1 is absolute, 5e-12, and so is that of jn and yn, 1.4e-12 for
n = 128: here it is below 2^-51.

All other functions are exact: rounding, fmod, remainder, fma, sqrt, division and the arithmetic with a rounding mode are
correctly rounded, and so are conversions.
`

func mathText(double, single, approx []accuracy) []byte {
	var b bytes.Buffer
	b.WriteString(mathHead)
	for _, s := range []struct {
		title string
		list  []accuracy
	}{{"Double precision", double}, {"Single precision", single}} {
		fmt.Fprintf(&b, "\n## %s\n\nAgainst a reference of %s.\n\n| function | arguments | ulp | documented | samples |\n| --- | --- | --- | --- | --- |\n", s.title,
			map[bool]string{true: fmt.Sprintf("%d bits", refPrec), false: "the double-precision function"}[s.title[0] == 'D'])
		for _, a := range s.list {
			fmt.Fprintf(&b, "| `%s` | %s | %.3f | %g | %d |\n", a.name, a.domain, a.worst, a.limit, a.samples)
		}
	}
	b.WriteString("\n## Approximate instructions\n\nAgainst double precision; the error is in ulp, relative or absolute as the ISA bounds it.\n\n" +
		"| instruction | arguments | error | documented | as | samples |\n| --- | --- | --- | --- | --- | --- |\n")
	for i, a := range approx {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %d |\n", a.name, a.domain, power(a.worst, a.abs), power(a.limit, a.abs), approxCases[i].kind, a.samples)
	}
	return b.Bytes()
}

// power writes an error, a small one as a power of two.
func power(x float64, small bool) string {
	if !small {
		return fmt.Sprintf("%.3g", x)
	}
	return fmt.Sprintf("2^%.1f", math.Log2(x))
}

// TestBessel holds what the page says of j0 and j1.
func TestBessel(t *testing.T) {
	r := rand.New(rand.NewSource(12))
	for order, name := range []string{"__nv_j0", "__nv_j1"} {
		m, ok := LookupMath(name)
		if !ok {
			t.Fatal(name)
		}
		for range 200 {
			x := r.Float64() * 60
			ret, _ := m.Fn([]uint64{math.Float64bits(x)})
			d, _ := bsub(bf(math.Float64frombits(ret)), bbessel(bf(x), order, -1)).Float64()
			if math.Abs(d) > 0x1p-51 {
				t.Errorf("%s(%v): error %g", name, x, d)
			}
		}
	}
}

// TestReferenceFunctions checks the reference itself by identities.
func TestReferenceFunctions(t *testing.T) {
	for _, x := range []float64{0.3, 1, 2.5, 7} {
		for name, diff := range map[string]*big.Float{
			"exp(log x) = x":                  bsub(bexp(blog(bf(x))), bf(x)),
			"sin^2 + cos^2 = 1":               bsub(badd(bmul(bsin(bf(x)), bsin(bf(x))), bmul(bcos(bf(x)), bcos(bf(x)))), bf(1)),
			"tan(atan x) = x":                 bsub(bquo(bsin(batan(bf(x))), bcos(batan(bf(x)))), bf(x)),
			"lgamma(x+1) = lgamma(x) + log x": bsub(blgamma(badd(bf(x), bf(1))), badd(blgamma(bf(x)), blog(bf(x)))),
		} {
			if d, _ := diff.Float64(); math.Abs(d) > 1e-60 {
				t.Errorf("%s for %v: off by %g", name, x, d)
			}
		}
	}
}
