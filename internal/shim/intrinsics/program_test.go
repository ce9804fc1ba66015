package intrinsics

import (
	"bytes"
	"fmt"
	"strings"
)

// includes are the headers whose functions are compared.
var includes = []string{"cuda_fp8.h", "cuda_fp6.h", "cuda_fp4.h", "cuComplex.h"}

// wrappers call what is not a function: conversions of classes, in the language.
func wrappers() string {
	var b strings.Builder
	define := func(name, result, param, body string) {
		fmt.Fprintf(&b, "static inline __attribute__((host)) __attribute__((device)) %s %s(%s v) { return %s; }\n", result, name, param, body)
	}
	integers := []string{"signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long"}
	types := []string{"__half", "__nv_bfloat16", "__nv_fp8_e4m3", "__nv_fp8_e5m2", "__nv_fp6_e2m3", "__nv_fp6_e3m2", "__nv_fp4_e2m1"}
	for _, t := range types {
		for _, i := range integers {
			define("cast_"+strings.ReplaceAll(i, " ", "_"), i, t, "("+i+")v")
			if i != "signed char" && i != "unsigned char" {
				define("cast_"+t, t, i, t+"(v)")
			}
		}
		for _, f := range []string{"float", "double"} {
			define("cast_"+t, t, f, t+"(v)")
			define("cast_"+f, f, t, "("+f+")v")
		}
		define("cast_bool", "bool", t, "(bool)v")
	}
	for _, t := range types[2:] {
		for _, h := range types[:2] {
			define("cast_"+t, t, h, t+"(v)")
			define("cast_"+h, h, t, "("+h+")v")
		}
	}
	for _, i := range append(integers[2:], "float", "double", "__half", "__nv_bfloat16") {
		define("e8m0_of", "__nv_fp8_e8m0", i, "__nv_fp8_e8m0(v)")
	}
	define("pair_e4m3", "__nv_fp8x2_e4m3", "double2", "__nv_fp8x2_e4m3(v)")
	define("pair_e4m3", "__nv_fp8x2_e4m3", "__half2", "__nv_fp8x2_e4m3(v)")
	define("quad_e2m1", "__nv_fp4x4_e2m1", "float4", "__nv_fp4x4_e2m1(v)")
	// What ends in _rn is never fused.
	const twice = "static inline __attribute__((device)) %[1]s unfused(%[1]s a, %[1]s b, %[1]s c) { return %[2]s_rn(%[3]s_rn(a, b), c); }\n"
	for _, f := range [][]any{{"float", "__fadd", "__fmul"}, {"double", "__dsub", "__dmul"}, {"__half", "__hadd", "__hmul"}, {"__half2", "__hsub2", "__hmul2"},
		{"__nv_bfloat16", "__hsub", "__hmul"}, {"__nv_bfloat162", "__hadd2", "__hmul2"}} {
		fmt.Fprintf(&b, twice, f...)
	}
	return b.String()
}

// job is a function and the table of its arguments.
type job struct {
	function
	table *table
}

// table is arguments for functions with the same parameters: n values of the
// first one, then of the next.
type table struct {
	params []cType
	n      int
	bytes  []byte
}

// at is the argument with number arg of row.
func (t *table) at(arg, row int) value { return t.params[arg].read(t.bytes[(arg*t.n+row)*slot:]) }

func (t *table) set(arg, row int, v value) { v.write(t.bytes[(arg*t.n+row)*slot:]) }

func newTable(params []cType, n int) *table {
	return &table{params: params, n: n, bytes: make([]byte, max(1, len(params))*n*slot)}
}

const programHead = `
#include <cstdio>
#include <cstdlib>
#include <cstring>
struct alignas(16) V { unsigned long long w[2]; };
template <class T> __host__ __device__ T get(const V *v) { T t; memcpy(&t, v, sizeof t); return t; }
template <class T> __host__ __device__ void put(V *v, T t) { V u = {{0, 0}}; memcpy(&u, &t, sizeof t); *v = u; }
#define K(id, call) \
  __global__ void k##id(const V *a, V *r, int n) { \
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) put(r + i, call); \
  }
#define H(id, call) static void h##id(const V *a, V *r, int n) { for (int i = 0; i < n; i++) put(r + i, call); }
`

const programTail = `
int main(int, char **argv) {
  FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
  for (const Job *j = jobs; j->k; j++) {
    V *a, *r, *host = (V *)malloc(j->args * j->n * sizeof(V)), *got = (V *)malloc(j->n * sizeof(V));
    fseek(in, j->at, SEEK_SET);
    if (fread(host, sizeof(V), j->args * j->n, in) != (size_t)(j->args * j->n)) return 1;
    cudaMalloc(&a, j->args * j->n * sizeof(V));
    cudaMalloc(&r, j->n * sizeof(V));
    cudaMemcpy(a, host, j->args * j->n * sizeof(V), cudaMemcpyHostToDevice);
    j->k<<<(j->n + 255) / 256, 256>>>(a, r, j->n);
    if (cudaMemcpy(got, r, j->n * sizeof(V), cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
    fwrite(got, sizeof(V), j->n, out);
    if (j->h) j->h(host, got, j->n), fwrite(got, sizeof(V), j->n, out);
    cudaFree(a), cudaFree(r), free(host), free(got);
  }
  fclose(out);
}
`

// program is the source that carries out the jobs, and its input.
func program(jobs []job) (source string, input []byte) {
	var b, list bytes.Buffer
	for _, h := range includes {
		fmt.Fprintf(&b, "#include <%s>\n", h)
	}
	b.WriteString(programHead + wrappers())
	at := map[*table]int{}
	for i, j := range jobs {
		if _, known := at[j.table]; !known {
			at[j.table] = len(input)
			input = append(input, j.table.bytes...)
		}
		var args []string
		for k, p := range j.params {
			args = append(args, fmt.Sprintf("get<%s>(a + %d * n + i)", p, k))
		}
		call := fmt.Sprintf("%s(%s)", j.name, strings.Join(args, ", "))
		host := "nullptr"
		fmt.Fprintf(&b, "K(%d, (%s))\n", i, call)
		if j.host {
			host = fmt.Sprintf("h%d", i)
			fmt.Fprintf(&b, "H(%d, (%s))\n", i, call)
		}
		fmt.Fprintf(&list, "  {k%d, %s, %d, %d, %dL},\n", i, host, j.table.n, len(j.params), at[j.table])
	}
	b.WriteString("struct Job { void (*k)(const V *, V *, int); void (*h)(const V *, V *, int); int n, args; long at; };\nstatic const Job jobs[] = {\n")
	b.Write(list.Bytes())
	b.WriteString("  {nullptr, nullptr, 0, 0, 0}};\n" + programTail)
	return b.String(), input
}
