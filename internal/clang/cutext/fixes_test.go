package cutext

import (
	"strings"
	"testing"
)

// TestSpelling: what nvcc alone accepts, put in clang's words, and near misses.
func TestSpelling(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"asm register", `asm("mov.u32 %0, %laneid;" : "=r"(r));`, `asm("mov.u32 %0, %%laneid;" : "=r"(r));`},
		{"asm doubled", `asm("mov.u32 %0, %%laneid;" : "=r"(r));`, ""},
		{"asm parts", "asm volatile(\"{ .reg .b32 %t;\"\n \"mov.b32 %t, %0; }\" :: \"r\"(a));",
			"asm volatile(\"{ .reg .b32 %%t;\"\n \"mov.b32 %%t, %0; }\" :: \"r\"(a));"},
		{"asm without commas", `asm volatile("st.u8 [%1], %0;" :: "r"(a) "l"(f(b)) : "memory" "cc");`,
			`asm volatile("st.u8 [%1], %0;" :: "r"(a) , "l"(f(b)) : "memory" "cc");`},
		{"asm with directives", "asm volatile(\"{\"\n#if (A > 12)\n\"st.u8 [%0], 1;\"\n#endif\n\"}\" :: \"r\"(a));", ""},
		{"asm without operands", `asm("mov.u32 x, %tid.x;");`, ""},
		{"asm operand that is not there", `asm("ld.u32 %0, [%1], %2;" : "=r"(r) : [p] "l"(f(p, 3)) : "memory");`, `asm("ld.u32 %0, [%1], %%2;" : "=r"(r) : [p] "l"(f(p, 3)) : "memory");`},
		{"asm tied operand", `asm("add.u32 %0, %1, %2;" : "+r"(r) : "r"(3));`, ""},
		{"asm operands of a macro", `asm("add.u32 %0, %1, %9;" : "+r"(r) : OPERANDS(x));`, ""},
		{"asm in a macro", "#define L(r) asm(\"mov.u32 %0, %laneid;\" : \"=r\"(r))\n", "#define L(r) asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(r))\n"},
		{"asm constraint", `__asm__ ("add %0, %1, 1;" : "=r"(f("%d")) : "r"(x));`, ""},
		{"format string", `printf("%d %s\n", asm_count, "%laneid"); // asm("%x" : )`, ""},
		{"braces", "k<<<{2, 3}, {32}>>>(x);", "k<<<dim3{2, 3}, dim3{32}>>>(x);"},
		{"braces of an argument", "k<<<f({1}), 32>>>({4});", ""},
		{"spaces", "k << < 1, 2 >> > (x);", "k  <<<  1, 2  >>> (x);"},
		{"extern shared variable", "__global__ void k() { extern __shared__ S<1, 2> s; s.x = 1; }", "__global__ void k() { extern __shared__ S<1, 2> s__wg_extern[]; auto &s = s__wg_extern[0]; s.x = 1; }"},
		{"aligned extern shared variable", "void k() const { if (x) { extern __shared__ __align__(16) S s; } }", "void k() const { if (x) { extern __shared__ __align__(16) S s__wg_extern[]; auto &s = s__wg_extern[0]; } }"},
		{"extern shared array", "__global__ void k() { extern __shared__ S s[]; }", ""},
		{"extern shared variables", "__global__ void k() { extern __shared__ S s, t; }", ""},
		{"extern shared variable of a file", "namespace a { extern __shared__ S s; }", ""},
		{"shifts", "int y = a << 2 >> 1;", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want == "" {
				want = tt.src
			}
			if got := string(Spell([]byte(tt.src))); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

const launchingSource = `#define GPU __device__ __noinline__
__global__ void child(int *p, int n);
template <int N> __global__ __launch_bounds__(64) void other(int *p) { p[0] = N; }
GPU void helper(int *p) {
  if (p) { child<<<1,
    32>>>(p, 1); }
}
__global__ void parent(int *p) { helper(p); ns::other<3><<<dim3(2), 64, 0, s>>>(p); }
int main() { parent<<<1, 1>>>(p); other<1><<<1, 1>>>(p); /* child<<<1, 1>>>(p) */ }
`

// TestChildGrids: launches in device code, by the text.
func TestChildGrids(t *testing.T) {
	text := New([]byte(launchingSource))
	n := FindChildGrids([]*Text{text})
	if n == nil || len(n.kernels) != 2 || !n.kernels["child"] || !n.kernels["other"] {
		t.Fatalf("kernels that device code launches: %+v", n)
	}
	wantDevice := strings.NewReplacer(
		"__global__ void child", "__wg_child_global__ void child",
		"__global__ __launch", "__wg_child_global__ __launch",
		"child<<<1,\n    32>>>(p, 1);", "child(p, 1), ::__warpgrind_launch(1,\n    32);",
		"ns::other<3><<<dim3(2), 64, 0, s>>>(p);", "ns::other<3>(p), ::__warpgrind_launch(dim3(2), 64, 0, s);",
		"other<1><<<1, 1>>>(p);", "other<1>(p), ::__warpgrind_launch(1, 1);",
	).Replace(launchingSource)
	if got := string(n.Device(text)); got != wantDevice {
		t.Errorf("device side:\n%s\nwant:\n%s", got, wantDevice)
	}
	host := string(n.Host(text))
	if strings.Count(host, "\n") != strings.Count(launchingSource, "\n") || strings.Contains(host, "helper(p)") ||
		!strings.Contains(host, "parent<<<1, 1>>>(p); other<1><<<1, 1>>>(p);") {
		t.Errorf("host side:\n%s", host)
	}
}

// TestNoChildGrids: launches in host code and in lambdas of it change nothing.
func TestNoChildGrids(t *testing.T) {
	for _, src := range []string{
		"__global__ void k(int *p) { p[0] = 1; }\nvoid f() { k<<<1, 1>>>(p); }",
		"__global__ void k() {}\nint main() { auto f = [=] __device__(int i) { return i; }; k<<<1, 1>>>(); }",
		"__device__ int table[] = {1, 2};\nstruct S { __device__ int get() { return 1; } void run() { k<<<1, 1>>>(); } };",
		"#ifdef A\n__global__ void k() {\n#else\n__global__ void k2() {\n#endif\n}\n// k<<<1, 1>>>();\nconst char *s = \"__device__ { k<<<1, 1>>>(); }\";",
	} {
		if n := FindChildGrids([]*Text{New([]byte(src))}); n != nil {
			t.Errorf("%s\nis taken for launches of %v in device code", src, n.kernels)
		}
	}
}
