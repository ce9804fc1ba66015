package alu

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

func d64(x float64) uint64 { return math.Float64bits(x) }
func f32(x float32) uint64 { return uint64(math.Float32bits(x)) }

// TestMathComplete reads clang's list of libdevice functions, where clang is
// installed, and compares names and signatures.
func TestMathComplete(t *testing.T) {
	files, _ := filepath.Glob("/usr/lib/llvm-*/lib/clang/*/include/__clang_cuda_libdevice_declares.h")
	if len(files) == 0 {
		t.Skip("clang's CUDA headers are not installed")
	}
	f, err := os.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	decl := regexp.MustCompile(`__DEVICE__ ([a-z ]+?) (__nv_\w+)\(([^)]*)`)
	n := 0
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line := sc.Text()
		for !regexp.MustCompile(`;|^[^_]`).MatchString(line) && sc.Scan() {
			line += sc.Text()
		}
		if m := decl.FindStringSubmatch(line); m != nil {
			n++
			checkDeclaration(t, m[1], m[2], m[3])
		}
	}
	if n < 300 {
		t.Errorf("only %d declarations read", n)
	}
}

func checkDeclaration(t *testing.T, ret, name, params string) {
	t.Helper()
	m, ok := LookupMath(name)
	if !ok {
		t.Errorf("%s is missing", name)
		return
	}
	if got := cWidth(ret); m.Ret != got {
		t.Errorf("%s: result %v, want %v", name, m.Ret, got)
	}
	ps := regexp.MustCompile(`,\s*`).Split(params, -1)
	if len(ps) != len(m.Params) {
		t.Errorf("%s: %d parameters, want %d", name, len(m.Params), len(ps))
		return
	}
	for i, p := range ps {
		pointer := regexp.MustCompile(`\*`).MatchString(p)
		if pointer != (m.Params[i].Role != Value) {
			t.Errorf("%s: parameter %d is %v, declared %s", name, i, m.Params[i].Role, p)
		}
		if m.Params[i].Role != Text && m.Params[i].Width != cWidth(p) {
			t.Errorf("%s: parameter %d has width %v, declared %s", name, i, m.Params[i].Width, p)
		}
	}
}

// cWidth is the width of a C type at the start of a declaration.
func cWidth(s string) Width {
	switch {
	case regexp.MustCompile(`^(const )?(double|(unsigned )?long long)`).MatchString(s):
		return W64
	case regexp.MustCompile(`^void`).MatchString(s):
		return None
	}
	return W32
}

func TestMathValues(t *testing.T) {
	inf := math.Inf(1)
	for _, v := range []struct {
		name string
		args []uint64
		ret  uint64
		outs [2]uint64
	}{
		{"sinf", []uint64{f32(0)}, 0, [2]uint64{}},
		{"pow", []uint64{d64(-2), d64(3)}, d64(-8), [2]uint64{}},
		{"pow", []uint64{d64(-8), d64(1.0 / 3)}, defaultNaN64, [2]uint64{}},
		{"pow", []uint64{d64(1), defaultNaN64}, d64(1), [2]uint64{}},
		{"pow", []uint64{d64(-1), d64(inf)}, d64(1), [2]uint64{}},
		{"pow", []uint64{d64(10), d64(400)}, d64(inf), [2]uint64{}},
		{"powf", []uint64{f32(2), f32(-149)}, 1, [2]uint64{}},
		{"powi", []uint64{d64(3), 0xffffffff}, d64(1. / 3), [2]uint64{}},
		{"powif", []uint64{f32(0.5), 3}, f32(0.125), [2]uint64{}},
		{"expf", []uint64{f32(200)}, inf32, [2]uint64{}},
		{"exp", []uint64{d64(-745.13)}, 1, [2]uint64{}},
		{"exp", []uint64{d64(-inf)}, 0, [2]uint64{}},
		{"exp2", []uint64{d64(-1074)}, 1, [2]uint64{}},
		{"exp10", []uint64{d64(3)}, d64(1000), [2]uint64{}},
		{"exp10", []uint64{d64(-inf)}, 0, [2]uint64{}},
		{"log", []uint64{0}, d64(-inf), [2]uint64{}},
		{"log2", []uint64{1}, d64(-1074), [2]uint64{}},
		{"log10", []uint64{d64(1000)}, d64(3), [2]uint64{}},
		{"log", []uint64{d64(-1)}, defaultNaN64, [2]uint64{}},
		// These were seen on a GPU.
		{"log", []uint64{0x7ff8000000000000}, 0x7ff8000000000000, [2]uint64{}},
		{"log", []uint64{0xfff0000000000001}, 0xfff8000000000001, [2]uint64{}},
		{"asin", []uint64{d64(2)}, 0x7ff8000000000000, [2]uint64{}},
		{"acos", []uint64{d64(2)}, defaultNaN64, [2]uint64{}},
		{"atanh", []uint64{d64(-2)}, 0x7ff8000000000000, [2]uint64{}},
		{"atan2", []uint64{d64(-5e-324), d64(-2)}, d64(-math.Pi), [2]uint64{}},
		{"erfcinv", []uint64{d64(-1e-30)}, defaultNaN64, [2]uint64{}},
		{"erfcinv", []uint64{0}, d64(inf), [2]uint64{}},
		{"normcdfinvf", []uint64{f32(-1e-30)}, nan32c, [2]uint64{}},
		{"normcdfinv", []uint64{d64(0.5)}, 0, [2]uint64{}},
		{"lgamma", []uint64{d64(-inf)}, d64(inf), [2]uint64{}},
		{"lgamma", []uint64{d64(-5e-324)}, d64(744.4400719213812), [2]uint64{}},
		{"nextafter", []uint64{0, 1 << 63}, 1 << 63, [2]uint64{}},
		{"nextafterf", []uint64{1 << 31, 0}, 0, [2]uint64{}},
		{"fmaf_rn", []uint64{f32(2), f32(3), f32(4)}, f32(10), [2]uint64{}},
		{"fadd_ru", []uint64{one32, 1}, one32 + 1, [2]uint64{}},
		{"dmul_rd", []uint64{d64(0.1), d64(10)}, d64(1), [2]uint64{}},
		{"float2int_rz", []uint64{f32(-2.9)}, 0xfffffffe, [2]uint64{}},
		{"float2int_rd", []uint64{f32(-2.1)}, 0xfffffffd, [2]uint64{}},
		{"double2ll_rn", []uint64{d64(2.5)}, 2, [2]uint64{}},
		{"llrint", []uint64{d64(-3.5)}, uint64(1<<64 - 4), [2]uint64{}},
		{"llround", []uint64{d64(2.5)}, 3, [2]uint64{}},
		{"roundf", []uint64{f32(-2.5)}, f32(-3), [2]uint64{}},
		{"rintf", []uint64{f32(2.5)}, f32(2), [2]uint64{}},
		{"popc", []uint64{0xff}, 8, [2]uint64{}},
		{"ffs", []uint64{0}, 0, [2]uint64{}},
		{"ffsll", []uint64{1 << 40}, 41, [2]uint64{}},
		{"clzll", []uint64{1}, 63, [2]uint64{}},
		{"byte_perm", []uint64{0x33221100, 0x77665544, 0x7531}, 0x77553311, [2]uint64{}},
		{"hadd", []uint64{0xffffffff, 2}, 0, [2]uint64{}},
		{"rhadd", []uint64{0xffffffff, 2}, 1, [2]uint64{}},
		{"uhadd", []uint64{0xffffffff, 0xffffffff}, 0xffffffff, [2]uint64{}},
		{"mulhi", []uint64{0xffffffff, 2}, 0xffffffff, [2]uint64{}},
		{"umul64hi", []uint64{m1_64, 2}, 1, [2]uint64{}},
		{"hiloint2double", []uint64{0x3ff00000, 0}, one64, [2]uint64{}},
		{"double2hiint", []uint64{one64}, 0x3ff00000, [2]uint64{}},
		{"saturatef", []uint64{f32(2)}, one32, [2]uint64{}},
		{"ilogbf", []uint64{f32(10)}, 3, [2]uint64{}},
		{"ilogb", []uint64{0}, 0x80000000, [2]uint64{}},
		{"isnanf", []uint64{nan32c}, 1, [2]uint64{}},
		{"signbitd", []uint64{min64}, 1, [2]uint64{}},
		{"fmin", []uint64{defaultNaN64, d64(1)}, d64(1), [2]uint64{}},
		{"fdimf", []uint64{f32(3), f32(5)}, 0, [2]uint64{}},
		{"fmodf", []uint64{f32(-7), f32(3)}, f32(-1), [2]uint64{}},
		{"nextafterf", []uint64{one32, f32(2)}, one32 + 1, [2]uint64{}},
		{"ldexpf", []uint64{one32, 3}, f32(8), [2]uint64{}},
		{"sinpi", []uint64{d64(0.5)}, d64(1), [2]uint64{}},
		{"cospi", []uint64{d64(0.5)}, 0, [2]uint64{}},
		{"sinpi", []uint64{d64(1.0 / 6)}, d64(0.49999999999999994), [2]uint64{}},
		{"norm3df", []uint64{f32(2), f32(3), f32(6)}, f32(7), [2]uint64{}},
		{"norm4d", []uint64{d64(1e200), d64(1e200), d64(1e200), d64(1e200)}, d64(2e200), [2]uint64{}},
		{"norm", []uint64{3, d64(2), d64(3), d64(6)}, d64(7), [2]uint64{}},
		{"rnormf", []uint64{2, f32(3), f32(4)}, f32(0.2), [2]uint64{}},
		{"hypot", []uint64{d64(inf), defaultNaN64}, d64(inf), [2]uint64{}},
		{"rhypot", []uint64{0, 0}, d64(inf), [2]uint64{}},
		{"sincos", []uint64{0}, 0, [2]uint64{0, d64(1)}},
		{"sincospif", []uint64{f32(1)}, 0, [2]uint64{0, f32(-1)}},
		{"frexpf", []uint64{f32(10)}, f32(0.625), [2]uint64{4}},
		{"modf", []uint64{d64(-2.5)}, d64(-0.5), [2]uint64{d64(-2)}},
		{"modff", []uint64{ninf32}, 0x80000000, [2]uint64{ninf32}},
		{"remquo", []uint64{d64(11), d64(4)}, d64(-1), [2]uint64{3}},
		{"remquo", []uint64{d64(-11), d64(4)}, d64(1), [2]uint64{0xfffffffd}},
		{"remquof", []uint64{f32(2), f32(4)}, f32(2), [2]uint64{0}},
		{"tgamma", []uint64{d64(5)}, d64(24), [2]uint64{}},
		{"lgamma", []uint64{d64(1)}, 0, [2]uint64{}},
		{"erfcinv", []uint64{d64(1)}, 0, [2]uint64{}},
		{"erfinv", []uint64{d64(1)}, d64(inf), [2]uint64{}},
		{"normcdf", []uint64{0}, d64(0.5), [2]uint64{}},
		{"normcdfinv", []uint64{d64(0)}, d64(-inf), [2]uint64{}},
		{"erfcx", []uint64{d64(0)}, d64(1), [2]uint64{}},
		{"erfcx", []uint64{d64(-30)}, d64(inf), [2]uint64{}},
		{"cyl_bessel_i1", []uint64{0}, 0, [2]uint64{}},
		{"cyl_bessel_i0f", []uint64{0}, one32, [2]uint64{}},
		{"jn", []uint64{0xffffffff, d64(1)}, defaultNaN64, [2]uint64{}},
		{"nanf", []uint64{0}, nan32c, [2]uint64{}},
		{"float2half_rn", []uint64{one32}, 0x3c00, [2]uint64{}},
		{"half2float", []uint64{0x3c00}, one32, [2]uint64{}},
		{"vaddss2", []uint64{0x7fff0001, 0x00010001}, 0x7fff0002, [2]uint64{}},
		{"vcmpeq4", []uint64{0x01020304, 0x01000300}, 0xff00ff00, [2]uint64{}},
		{"vsetgtu2", []uint64{0x00020001, 0x00010001}, 0x00010000, [2]uint64{}},
		{"vabs4", []uint64{0xff80017f}, 0x0180017f, [2]uint64{}},
		{"vabsss4", []uint64{0xff80017f}, 0x017f017f, [2]uint64{}},
		{"vnegss2", []uint64{0x80000001}, 0x7fffffff, [2]uint64{}},
		{"vsads4", []uint64{0x01ff0000, 0x00010000}, 3, [2]uint64{}},
		{"vhaddu4", []uint64{0x01ff0004, 0x02ff0005}, 0x01ff0004, [2]uint64{}},
	} {
		m, ok := LookupMath("__nv_" + v.name)
		if !ok {
			t.Errorf("%s is missing", v.name)
			continue
		}
		if ret, outs := m.Fn(v.args); ret != v.ret || outs != v.outs {
			t.Errorf("%s(%#x) = %#x, %#x; want %#x, %#x", v.name, v.args, ret, outs, v.ret, v.outs)
		}
	}
}

// TestMathTotal calls every function with edge values and too few arguments:
// none may panic or run away, and results fit their widths.
func TestMathTotal(t *testing.T) {
	for _, name := range AllMath() {
		m, _ := LookupMath(name)
		m.Fn(nil)
		for i, a := range edges {
			args := make([]uint64, len(m.Args))
			for k := range args {
				args[k] = edges[(i+k*7)%len(edges)]
				if m.Args[k] == W32 {
					args[k] &= mask(32)
				}
			}
			if len(args) > 0 {
				args[0] = a
				if m.Args[0] == W32 {
					args[0] &= mask(32)
				}
			}
			ret, outs := m.Fn(args)
			if ret&^widthMask(m.Ret) != 0 {
				t.Errorf("%s(%#x): result %#x is too wide", name, args, ret)
			}
			for k, w := range m.Outs {
				if outs[k]&^widthMask(w) != 0 {
					t.Errorf("%s(%#x): output %#x is too wide", name, args, outs[k])
				}
			}
		}
	}
}
