package instrument_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/instrument"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

func TestMain(m *testing.M) { os.Exit(tooltest.Main(m)) }

const data = "../../testdata/instrument"

// toolchain is the compiler; without one the tests are skipped.
func toolchain(t *testing.T) *clang.Toolchain {
	t.Helper()
	tc, err := clang.Find("")
	if err != nil {
		t.Skip(err)
	}
	return tc
}

// rewrite instruments a file into a folder of its own and returns the output's
// name.
func rewrite(t *testing.T, source string, o instrument.Options) (string, *instrument.Result) {
	t.Helper()
	dir := t.TempDir()
	r, err := toolchain(t).Reader(clang.Options{Sources: []string{source}, Includes: []string{"../../examples"}, Std: standard(t, source), WorkDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	o.Output = filepath.Join(t.TempDir(), "out.cu")
	if o.Scheme == "" {
		o.Scheme = "boyer-race"
	}
	res, err := instrument.Run(context.Background(), r, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Files {
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Path, f.Text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return o.Output, res
}

// standard is the language that a source asks for in its first line, "// --std c++20".
func standard(t *testing.T, source string) string {
	t.Helper()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	std, _, _ := strings.Cut(strings.TrimPrefix(string(text), "// --std "), "\n")
	if len(std) == len(text) || !strings.HasPrefix(std, "c++") {
		return ""
	}
	return std
}

// text is a file of the result by the end of its name.
func text(t *testing.T, res *instrument.Result, name string) string {
	t.Helper()
	for _, f := range res.Files {
		if strings.HasSuffix(f.Path, name) {
			return string(f.Text)
		}
	}
	t.Fatalf("no file %s", name)
	return ""
}

var (
	starts  = regexp.MustCompile(` wgi_(kernel|kernel_all) wgi_k\(\d+\);| wgi_start\(\);`)
	launch  = regexp.MustCompile(`wgi_ready\(0, ([^()]*(\([^()]*\))?)\)`)
	hooks   = regexp.MustCompile(`wgi_(\w+?)(<\d>)?\(\d+, (wgi_i\d+, )?`)
	others  = regexp.MustCompile(`wgi_(\w+)\(\d*`)
	include = regexp.MustCompile(`"out\.cu\.d/`)
)

// plain is a line of the output with short names and no numbers.
func plain(line string) string {
	line = starts.ReplaceAllString(line, "")
	line = launch.ReplaceAllString(line, "$1")
	line = hooks.ReplaceAllString(line, "$1$2(")
	line = others.ReplaceAllString(line, "$1(")
	return include.ReplaceAllString(line, `"`)
}

// TestLines compares each line of the output with the source, or with what its
// comment wants.
func TestLines(t *testing.T) {
	out, res := rewrite(t, filepath.Join(data, "accesses.cu"), instrument.Options{})
	for _, name := range []string{"accesses.cu", "accesses.h"} {
		source, err := os.ReadFile(filepath.Join(data, name))
		if err != nil {
			t.Fatal(err)
		}
		got := text(t, res, "accesses.h")
		if name == "accesses.cu" {
			got = text(t, res, filepath.Base(out))
		}
		_, got, _ = strings.Cut(got, "#line 1 ")
		got = strings.TrimSuffix(got, "#include \"out.cu.d/warpgrind_sites.inc\"\n")
		compareLines(t, name, strings.Split(string(source), "\n"), strings.Split(got, "\n")[1:])
	}
	want := []string{"a bit-field is not watched", "a field of a packed structure is not watched"}
	for i, m := range res.Messages {
		if i >= len(want) || !strings.HasSuffix(m, want[i]) {
			t.Errorf("message %q", m)
		}
	}
}

func compareLines(t *testing.T, name string, source, got []string) {
	t.Helper()
	for i, line := range source {
		want := line
		if code, comment, ok := strings.Cut(line, "// want: "); ok {
			indent := code[:len(code)-len(strings.TrimLeft(code, " "))]
			want = indent + comment
		}
		have, _, _ := strings.Cut(got[i], " // want: ")
		if plain(have) != want {
			t.Errorf("%s:%d:\n got %s\nwant %s", name, i+1, plain(have), want)
		}
	}
}

// TestClang compiles the output of each scheme.
func TestClang(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles many programs; not in short mode")
	}
	for i, scheme := range instrument.SchemeNames() {
		if !tooltest.Sampled(i, 4) {
			continue
		}
		t.Run(scheme, func(t *testing.T) {
			out, _ := rewrite(t, filepath.Join(data, "accesses.cu"), instrument.Options{Scheme: scheme})
			build(t, out)
		})
	}
}

// build compiles a program, which must give no warnings.
func build(t *testing.T, source string) string {
	t.Helper()
	res, err := toolchain(t).Build(context.Background(), clang.Options{Sources: []string{source}, Includes: []string{"../../examples"}, WorkDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if res.Warnings != "" {
		t.Error(res.Warnings)
	}
	return res.Exe
}

// source writes a source to a folder of its own.
func source(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "a.cu")
}

// TestHeaders: headers of the project are copied, also those that lie
// elsewhere, and the copies name each other.
func TestHeaders(t *testing.T) {
	main := source(t, map[string]string{
		"a.cu":        "#include \"sub/x.h\"\n  #  include <y.h> // twice\n#include \"z.inc\"\n__global__ void k() { set(); }\nint main() {}\n",
		"sub/x.h":     "#pragma once\n#include \"../y.h\"\n__device__ inline void set() { __shared__ int s[4]; s[0] = 1; }\n",
		"y.h":         "#pragma once\nstruct Y { int n; };\n",
		"z.inc":       "static const int three = 3;\n",
		"unrelated.h": "",
	})
	r, err := toolchain(t).Reader(clang.Options{Sources: []string{main}, Includes: []string{filepath.Dir(main)}, WorkDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	res, err := instrument.Run(context.Background(), r, instrument.Options{Output: "o/out.cu", Scheme: "boyer-race"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range res.Files {
		names = append(names, f.Path)
	}
	slices.Sort(names)
	want := []string{"o/out.cu", "o/out.cu.d/sub/x.h", "o/out.cu.d/warpgrind.cuh", "o/out.cu.d/warpgrind_sites.inc", "o/out.cu.d/y.h", "o/out.cu.d/z.inc"}
	if !slices.Equal(names, want) {
		t.Errorf("files %v, want %v", names, want)
	}
	for _, line := range []string{`#include "out.cu.d/sub/x.h"`, `  #  include "out.cu.d/y.h" // twice`, `#include "out.cu.d/z.inc"`} {
		if !strings.Contains(text(t, res, "out.cu"), line+"\n") {
			t.Errorf("no line %s in\n%s", line, text(t, res, "out.cu"))
		}
	}
	x := text(t, res, "sub/x.h")
	if !strings.Contains(x, `#include "../y.h"`) || !strings.Contains(x, "wgi_w(0, s[0]) = 1") {
		t.Errorf("copy of x.h:\n%s", x)
	}
}

// TestClash: a program with names like ours gets other names for ours.
func TestClash(t *testing.T) {
	main := source(t, map[string]string{"a.cu": `#include <cstdio>
#define WGI_FN 3
int wgi_r(int a, int b) { return a + b; }
__global__ void k(int *wgi1_out) {
  __shared__ int s[32];
  s[threadIdx.x] = WGI_FN;
  __syncthreads();
  wgi1_out[threadIdx.x] = s[31 - threadIdx.x];
}
int main() { printf("wgi_ %d\n", wgi_r(1, 2)); }
`})
	out, res := rewrite(t, main, instrument.Options{})
	got := text(t, res, "out.cu")
	for _, want := range []string{"wgi2_w(0, s[threadIdx.x]) = WGI_FN;", "(__syncthreads(), wgi2_barrier(1));", `printf("wgi_ %d\n", wgi_r(1, 2))`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	build(t, out)
}

// TestRefused: bad options and sources get one error, and nothing is written.
func TestRefused(t *testing.T) {
	bad := source(t, map[string]string{"a.cu": "__global__ void k() { int x = ; }\n"})
	good := source(t, map[string]string{"a.cu": "__global__ void k() {}\n"})
	for _, c := range []struct {
		source string
		o      instrument.Options
		want   string
	}{
		{bad, instrument.Options{}, "a.cu:1:31: error: expected expression"},
		{good, instrument.Options{Scheme: "none"}, `unknown scheme "none"`},
		{good, instrument.Options{Banks: 8}, "banks 8"},
		{good, instrument.Options{Threads: 2000}, "block size 2000"},
		{good, instrument.Options{Table: "disk"}, `table in "disk"`},
	} {
		r, err := toolchain(t).Reader(clang.Options{Sources: []string{c.source}, WorkDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if c.o.Scheme == "" {
			c.o.Scheme = "boyer-race"
		}
		if _, err := instrument.Run(context.Background(), r, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// TestFullByLaunch: the same where the launch gives a block all of it.
func TestFullByLaunch(t *testing.T) {
	main := source(t, map[string]string{"a.cu": `
const int n = 64;
extern __shared__ float s[];
__global__ void k(float *out) {
  __shared__ float more[n];
  more[threadIdx.x] = s[threadIdx.x];
}
int main() { k<<<1, n, (n * n * 3 - 64) * sizeof(float)>>>(nullptr); }
`})
	for _, c := range []struct {
		o    instrument.Options
		want string
	}{
		{instrument.Options{}, "a kernel uses 49152 bytes"},
		{instrument.Options{Table: "shared"}, ""},
	} {
		_, res := rewrite(t, main, c.o)
		if got := strings.Join(res.Messages, "\n"); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("messages %q, want %q", got, c.want)
		}
	}
}

// TestFull: where a kernel has taken all shared memory, tables go to device
// memory, and it is said.
func TestFull(t *testing.T) {
	main := source(t, map[string]string{"a.cu": `
__global__ void k(float *out) {
  __shared__ float s[12288];
  s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
int main() {}
`})
	out, res := rewrite(t, main, instrument.Options{})
	if len(res.Messages) != 1 || !strings.Contains(res.Messages[0], "the tables are in device memory: a kernel uses 49152 bytes") {
		t.Errorf("messages %q", res.Messages)
	}
	if !strings.Contains(text(t, res, "warpgrind.cuh"), "#define WGI_TABLE_SHARED 0") {
		t.Error("tables in shared memory")
	}
	build(t, out)
}

// TestSpared: a kernel without shared memory stays as it is.
func TestSpared(t *testing.T) {
	main := source(t, map[string]string{"a.cu": "__global__ void k(float *p) { p[threadIdx.x] *= 2; __syncthreads(); p[0] = 1; }\nint main() { return 0; }\n"})
	_, res := rewrite(t, main, instrument.Options{})
	if got := text(t, res, "out.cu"); !strings.Contains(got, "\n__global__ void k(float *p) { p[threadIdx.x] *= 2; __syncthreads(); p[0] = 1; }\n") {
		t.Errorf("changed:\n%s", got)
	}
	_, res = rewrite(t, main, instrument.Options{Scheme: "coalesce"})
	if got := text(t, res, "out.cu"); !strings.Contains(got, "wgi_u(0, p[threadIdx.x]) *= 2") {
		t.Errorf("not watched:\n%s", got)
	}
}

// TestStatic: what is proved safe is left out, what is invariant gets flags.
func TestStatic(t *testing.T) {
	main := source(t, map[string]string{"a.cu": `__global__ void k(float *p, int n) {
  extern __shared__ float s[];
  float sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += s[n];
  s[threadIdx.x] = sum;
  p[threadIdx.x] = s[n + 1];
  for (int i = 0; i < n; i++) {
    sum += s[n + 2];
    __syncthreads();
  }
  p[threadIdx.x] = sum;
}
int main() {} // no barrier here
`})
	static := &instrument.Static{Sites: []instrument.Verdict{
		{File: main, Line: 6, Kind: "read", ThreadInvariant: true, LoopInvariant: true},
		{File: main, Line: 7, Safe: true},
		{File: main, Line: 8, ThreadInvariant: true, LoopInvariant: true},
		{File: main, Line: 10, LoopInvariant: true},
	}}
	out, res := rewrite(t, main, instrument.Options{Static: static})
	got := text(t, res, "out.cu")
	for _, want := range []string{
		"for (unsigned wgi_i0 = 0, wgi_g0 = 1; wgi_g0--; ) for (int i = 0; i < n; i++)", "sum += wgi_r<7>(0, wgi_i0, s[n]);",
		"sum += wgi_r<2>(2, wgi_i2, s[n + 2]);",
		"\n  s[threadIdx.x] = sum;", "= wgi_r<1>(1, s[n + 1]);",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	build(t, out)
}

// TestLarge: a generated source of one megabyte.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	var s strings.Builder
	kernels := 0
	for ; s.Len() < 1<<20; kernels++ {
		fmt.Fprintf(&s, "__global__ void k%d(float *out) {\n  __shared__ float s[64];\n  int i = threadIdx.x;\n", kernels)
		for j := range 20 {
			fmt.Fprintf(&s, "  s[(i + %d) %% 64] += s[(i * %d) %% 64] * %d.5f; // statement %d of kernel %d\n", j, j+1, j, j, kernels)
		}
		s.WriteString("  __syncthreads();\n  out[i] = s[i];\n}\n")
	}
	s.WriteString("int main() {}\n")
	_, res := rewrite(t, source(t, map[string]string{"a.cu": s.String()}), instrument.Options{})
	if want := kernels * 42; len(res.Sites) != want {
		t.Errorf("%d sites, want %d", len(res.Sites), want)
	}
}
