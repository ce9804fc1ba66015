package clang

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// write puts a source into a temporary directory.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestHeadersCompile(t *testing.T) {
	tc := toolchain(t)
	for i, name := range []string{"intrinsics", "cxx", "half", "half_alone", "groups", "keep"} {
		for k, mode := range []Mode{SourceKeeping, Optimized} {
			if !tooltest.Sampled(i+k, 2) {
				continue
			}
			t.Run(name+"/"+mode.String(), func(t *testing.T) {
				r, err := tc.Build(context.Background(), Options{Sources: []string{"testdata/" + name + ".cu"}, Mode: mode, WorkDir: t.TempDir(), DeviceOnly: mode == Optimized || name == "keep"})
				if err != nil {
					t.Fatal(err)
				}
				if r.Build != mode.String() || len(r.Devices) != 1 {
					t.Errorf("result is %+v", r)
				}
			})
		}
	}
}

func TestOldStandards(t *testing.T) {
	src := write(t, "a.cu", "__global__ void k(float4 *p) { register float4 q = p[0]; p[1] = q; }\nint main() { k<<<1, 1>>>(0); }\n")
	for _, std := range []string{"c++11", "c++14", "c++17", "c++20"} {
		if _, err := toolchain(t).Build(context.Background(), Options{Sources: []string{src}, Std: std, WorkDir: t.TempDir(), DeviceOnly: std != "c++11"}); err != nil {
			t.Errorf("%s: %v", std, err)
		}
	}
}

func TestArchitectures(t *testing.T) {
	tests := []struct {
		option string
		flags  []string
		want   string
	}{
		{"", nil, "sm_80"},
		{"sm_13", nil, "sm_35"},
		{"sm_70", []string{"-arch=sm_90"}, "sm_70"},
		{"", []string{"-arch", "sm_35"}, "sm_35"},
		{"", []string{"-gencode", "arch=compute_60,code=sm_60", "-gencode=arch=compute_75,code=[sm_75,compute_75]"}, "sm_75"},
		{"", []string{"--gpu-architecture=sm_20"}, "sm_35"},
	}
	for _, tt := range tests {
		b, err := toolchain(t).newBuild(Options{Sources: []string{"testdata/inline.cu"}, Arch: tt.option, NVCCFlags: tt.flags, WorkDir: t.TempDir()})
		if err != nil {
			t.Errorf("%+v: %v", tt, err)
			continue
		}
		if got := b.sm; got != irtext.LeadingInt(tt.want[3:]) {
			t.Errorf("%q %q: sm_%d, want %s", tt.option, tt.flags, got, tt.want)
		}
	}
	var usage *UsageError
	_, err := toolchain(t).Build(context.Background(), Options{Sources: []string{"testdata/inline.cu"}, Arch: "gfx900"})
	if !errors.As(err, &usage) {
		t.Errorf("gfx900: error %v", err)
	}
}

func TestArchMacro(t *testing.T) {
	src := write(t, "a.cu", "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 600\n#error wrong\n#endif\n"+
		"__global__ void k(double *p) { atomicAdd(p, 1.0); }\n")
	device(t, Options{Sources: []string{src}, Arch: "sm_60"})
	src = write(t, "b.cu", "__device__ double atomicAdd(double *p, double v) { return *p = v; }\n__global__ void k(double *p) { atomicAdd(p, 1.0); }\n")
	device(t, Options{Sources: []string{src}, Arch: "sm_20"})
}

func TestInlinedCalls(t *testing.T) {
	ptx := string(device(t, Options{Sources: []string{"testdata/inline.cu"}}).Devices[0].PTX)
	want := regexp.MustCompile(`\.loc\s1 11 3\n` +
		`\s\.loc\s1 6 3, function_name (\S+), inlined_at 1 11 3\n` +
		`\s\.loc\s1 2 6, function_name (\S+), inlined_at 1 6 3\n` +
		`\sst\.global\.[bu]32`)
	m := want.FindStringSubmatch(ptx)
	if m == nil {
		t.Fatalf("no chain of calls in\n%s", ptx)
	}
	for i, name := range []string{"_Z5twicePi", "_Z5storePii"} {
		if got := debugString(ptx, m[i+1]); got != name {
			t.Errorf("function %s is %q, want %q", m[i+1], got, name)
		}
	}
	// The headers' functions belong to the language.
	if !regexp.MustCompile(`\.loc\s1 12 3\n\satom\.global`).MatchString(ptx) {
		t.Errorf("atomicAdd does not stand at its call in\n%s", ptx)
	}
	if strings.Count(ptx, ".file\t") != 1 {
		t.Errorf("files other than the source's in\n%s", ptx)
	}
}

// debugString reads a string of the .debug_str section.
func debugString(ptx, label string) string {
	_, rest, _ := strings.Cut(ptx, "\n"+label+":\n")
	var s []byte
	for _, line := range strings.Split(rest, "\n") {
		c := irtext.LeadingInt(strings.TrimPrefix(line, ".b8 "))
		if c == 0 {
			break
		}
		s = append(s, byte(c))
	}
	return string(s)
}

func TestOptimizedBuild(t *testing.T) {
	src := write(t, "a.cu", "__global__ void k(int *p) {\n  __shared__ int s[32];\n  s[threadIdx.x] = 1;\n  p[0] = p[1] + p[1];\n}\n")
	got := accesses(device(t, Options{Sources: []string{src}, Mode: Optimized}).Devices[0].PTX, "a.cu")
	want := map[int][]string{4: {"ld.global.b32", "st.global.b32"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("accesses %v, want %v", got, want)
	}
}

func TestCompileErrors(t *testing.T) {
	tests := []struct{ name, text, stage, want string }{
		{"dev.cu", "__global__ void k() { undeclared(); }\nint main() {}\n", "device", "dev.cu:1:23: error: use of undeclared identifier 'undeclared'"},
		{"host.cu", "int main() { asm(\"nonsense_instruction\"); }\n", "host", "invalid instruction mnemonic"},
		{"plain.cpp", "int main() { return x; }\n", "host", "plain.cpp:1:21: error: use of undeclared identifier 'x'"},
		{"mtgp.cu", "#include <curand_kernel.h>\n__global__ void k(curandStateMtgp32 *) {}\nint main() {}\n", "device", "mtgp.cu:2:19: error: 'curandStateMtgp32' is unavailable: MTGP32 is not supported by warpgrind"},
		{"mtgphost.cu", "#include <curand_mtgp32_host.h>\nint main() {}\n", "device", "MTGP32 is not supported by warpgrind"},
		{"link.cu", "void missing();\nint main() { missing(); }\n", "link", "undefined reference to `missing()'"},
	}
	for _, tt := range tests {
		_, err := toolchain(t).Build(context.Background(), Options{Sources: []string{write(t, tt.name, tt.text)}, WorkDir: t.TempDir()})
		var ce *CompileError
		if !errors.As(err, &ce) || ce.Stage != tt.stage || !strings.Contains(ce.Text, tt.want) {
			t.Errorf("%s: error %v, want stage %s with %q", tt.name, err, tt.stage, tt.want)
		}
	}
	var usage *UsageError
	if _, err := toolchain(t).Build(context.Background(), Options{Sources: []string{"no/such.cu"}}); !errors.As(err, &usage) {
		t.Errorf("missing file: error %v", err)
	}
	if _, err := toolchain(t).Build(context.Background(), Options{}); !errors.As(err, &usage) {
		t.Errorf("no files: error %v", err)
	}
}

func TestSeveralSources(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"a.cu":  "#include \"part.h\"\n__global__ static void k(int *p) { *p = 1; }\nvoid a() { k<<<1, 1>>>(0); }\n",
		"b.cu":  "#include \"part.h\"\n__global__ static void k(int *p) { *p = 2; }\nvoid b() { k << < 1, 1 >> > (0); }\n",
		"c.cpp": "#include <cuda_runtime.h>\n#include \"part.h\"\n#include <cstdio>\nextern \"C\" int d();\nint main() { dim3 g(1); cudaStream_t s = 0; printf(\"%d %d\\n\", d() + (int)g.x, VALUE); return s != 0; }\n",
		"d.c":   "#include <cuda_runtime_api.h>\nint d(void) { float4 v; v.x = 3; return (int)v.x; }\n",
	}
	var sources []string
	for _, name := range []string{"a.cu", "b.cu", "c.cpp", "d.c"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(files[name]), 0o666); err != nil {
			t.Fatal(err)
		}
		sources = append(sources, path)
	}
	inc := filepath.Join(dir, "include")
	os.Mkdir(inc, 0o777)
	os.WriteFile(filepath.Join(inc, "part.h"), []byte("void a();\nvoid b();\n"), 0o666)
	r, err := toolchain(t).Build(context.Background(), Options{Sources: sources, Includes: []string{inc}, Defines: []string{"VALUE=42"}, Std: "c++14", WorkDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Devices) != 2 || r.Devices[1].Source != sources[1] {
		t.Fatalf("devices %+v", r.Devices)
	}
	exe, err := os.ReadFile(r.Exe)
	if err != nil {
		t.Fatal(err)
	}
	header := binary.LittleEndian.AppendUint32([]byte(FatbinMagic), FatbinVersion)
	if n := bytes.Count(exe, header); n != 2 {
		t.Fatalf("%d modules in the executable, want 2", n)
	}
	i := bytes.Index(exe, header)
	meta, ptx, err := DecodeFatbin(exe[i:])
	if err != nil || meta.Build != "source" || meta.Clang == "" || !bytes.Contains(ptx, []byte(".entry")) {
		t.Errorf("module %+v, %d bytes of PTX, error %v", meta, len(ptx), err)
	}
}

func TestOpenMP(t *testing.T) {
	src := write(t, "a.cu", "#include <omp.h>\nint main() {\n  int n = 0;\n#pragma omp parallel for reduction(+ : n)\n"+
		"  for (int i = 0; i < 4; i++) n += omp_get_thread_num() >= 0;\n  return n != 4;\n}\n")
	if _, err := toolchain(t).Build(context.Background(), Options{Sources: []string{src}, NVCCFlags: []string{"-Xcompiler", "-fopenmp"}, WorkDir: t.TempDir()}); err != nil {
		t.Error(err)
	}
}

// A barrier that stands once in the source stands once in the PTX, for each
// function that it was inlined into.
func TestBarriersAreNotCopied(t *testing.T) {
	src := write(t, "a.cu", `__global__ void k(int *p, int n, int c) {
  __shared__ int s[256];
  for (int i = 0; i < n; i++) {
    if (c) s[threadIdx.x] = p[i];
    __syncthreads();
    if (c) p[i] = s[threadIdx.x ^ 1];
    if (s[0] > 3) n--;
    __syncthreads();
  }
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (c) { p[0] = s[0]; __syncthreads(); } else { p[1] = s[0]; __syncthreads(); }
}
`)
	ptx := device(t, Options{Sources: []string{src}}).Devices[0].PTX
	if n := bytes.Count(ptx, []byte("bar.sync")); n != 5 {
		t.Errorf("%d barriers, want 5, in\n%s", n, ptx)
	}
}

func TestBuildEndsWithContext(t *testing.T) {
	// The preprocessor alone takes far longer than the deadline.
	src := write(t, "slow.cu", "template <int N> struct F { enum { v = F<N - 1>::v + F<N - 2>::v + N }; };\n"+
		"template <> struct F<0> { enum { v = 0 }; };\ntemplate <> struct F<1> { enum { v = 1 }; };\n"+
		"constexpr long f(long n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nstatic_assert(f(60) > 0, \"\");\n")
	tc := toolchain(t)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := tc.Build(ctx, Options{Sources: []string{src}, NVCCFlags: []string{"-fconstexpr-steps=2000000000"}, WorkDir: t.TempDir(), DeviceOnly: true})
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 5*time.Second {
		t.Errorf("error %v after %v", err, time.Since(start))
	}
}

func TestFind(t *testing.T) {
	var nf *NotFoundError
	if _, err := Find("/no/such/clang"); !errors.As(err, &nf) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
	if sh, err := exec.LookPath("sh"); err == nil {
		if _, err := Find(sh); !errors.As(err, &nf) {
			t.Errorf("sh: error %v", err)
		}
	}
	tc := toolchain(t)
	same, err := Find(tc.Clang)
	if err != nil || same.Major != tc.Major || same.Opt == "" || same.LLC == "" {
		t.Errorf("%+v, error %v", same, err)
	}
}

func TestNVCCFlags(t *testing.T) {
	tests := []struct {
		in            string
		compile, link string
		opt           string
	}{
		{"-O3 -lineinfo -G -g", "-D__CUDACC_DEBUG__", "", "3"},
		{"-Xcompiler -fopenmp,-O2 -lm", "-fopenmp", "-fopenmp -lm", "2"},
		{"-Xcompiler=-DX=1", "-DX=1", "", ""},
		{"--compiler-options -Wall", "", "", ""},
		{"-use_fast_math", "-fgpu-approx-transcendentals -D__USE_FAST_MATH__=1 -fgpu-flush-denormals-to-zero", "", ""},
		{"-Xptxas -v -maxrregcount=32 -rdc=true --expt-relaxed-constexpr --extended-lambda -w", "-w -D__CUDACC_RDC__", "", ""},
		{"-L/usr/local/cuda/lib64 -lcudart -L", "", "-L/usr/local/cuda/lib64", ""},
		{"-I inc -Iother -D A=1 -DB", "-Iinc -Iother -DA=1 -DB", "", ""},
		{"--default-stream per-thread", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1", "", ""},
		{"-ccbin g++ -x cu -std=c++14", "-std=c++14", "", ""},
		{"-fmad=false", "-ffp-contract=off", "", ""},
	}
	for _, tt := range tests {
		c, err := nvcc.Parse(strings.Fields(tt.in))
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		n := FlagsOf(c)
		if got := strings.Join(n.Both, " "); got != tt.compile {
			t.Errorf("%s: compile %q, want %q", tt.in, got, tt.compile)
		}
		if got := strings.Join(append(n.Link, LinkerWords(c)...), " "); got != tt.link {
			t.Errorf("%s: link %q, want %q", tt.in, got, tt.link)
		}
		if n.Opt != tt.opt {
			t.Errorf("%s: -O%s, want -O%s", tt.in, n.Opt, tt.opt)
		}
	}
}

func TestFatbin(t *testing.T) {
	meta := Meta{Source: "a.cu", Build: "source", Clang: "clang version 19", Module: "a#0"}
	b, err := EncodeFatbin(meta, []byte("ptx text"))
	if err != nil {
		t.Fatal(err)
	}
	got, ptx, err := DecodeFatbin(append(b, "more"...))
	if err != nil || !reflect.DeepEqual(got, meta) || string(ptx) != "ptx text" {
		t.Errorf("decoded %+v, %q, %v", got, ptx, err)
	}
	for n := range b {
		if _, _, err := DecodeFatbin(b[:n]); err == nil {
			t.Errorf("%d bytes of %d decode", n, len(b))
		}
	}
	b[8] = 9
	if _, err := FatbinSize(b); err == nil {
		t.Error("version 9 is accepted")
	}
}
