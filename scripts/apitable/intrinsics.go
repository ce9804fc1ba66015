package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// The device functions of CUDA that are in intrinsics.txt, one a line by its
// declaration; what is not a type among the parameters is passed as it stands.
const (
	intrinsicList = "scripts/apitable/intrinsics.txt"
	// callsFile is a program that calls each of them once, made from the list;
	// the tests run it as they do the other programs.
	callsFile = "testdata/programs/intrinsic_calls.cu"
)

// intrinsic is a device function.
type intrinsic struct {
	group, result, name string
	params              []string
}

var signature = regexp.MustCompile(`^(.+?) (\w+)\((.*)\)$`)

func intrinsics() ([]intrinsic, error) {
	text, err := os.ReadFile(intrinsicList)
	if err != nil {
		return nil, err
	}
	var out []intrinsic
	group := ""
	for i, line := range strings.Split(string(text), "\n") {
		if title, ok := strings.CutPrefix(line, "# "); ok || line == "" {
			if ok {
				group = title
			}
			continue
		}
		m := signature.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("%s:%d: no declaration: %s", intrinsicList, i+1, line)
		}
		f := intrinsic{group: group, result: m[1], name: m[2]}
		if m[3] != "" {
			f.params = strings.Split(m[3], ", ")
		}
		out = append(out, f)
	}
	return out, nil
}

// valueType matches a parameter that is a type.
var valueType = regexp.MustCompile(`^(?:bool|char|signed char|short|int|long|long long|unsigned|unsigned (?:char|short|long|long long)|float|double|size_t|__half\w*|__nv_[a-z]\w+|cu\w+Complex|[a-z]+[1-4])$`)

// call is a statement of the generated program: arguments come from memory
// after m, the result goes to o.
func (f intrinsic) call(offset int) string {
	var args []string
	for i, p := range f.params {
		switch {
		case strings.HasPrefix(p, "const ") && strings.HasSuffix(p, "*"):
			p = "(" + p + ")(m + 64)" // which nothing writes: __ldg may read it
		case strings.HasSuffix(p, "*"):
			p = "(" + p + ")m"
		case valueType.MatchString(p):
			p = fmt.Sprintf("value<%s>(m, %d)", p, i)
		}
		args = append(args, p)
	}
	c := f.name + "(" + strings.Join(args, ", ") + ");"
	if f.result == "void" {
		return c
	}
	return fmt.Sprintf("*(%s *)(o + %d) = %s", f.result, offset, c)
}

// perKernel is the calls in one kernel of the generated program, resultBytes
// the room for a result.
const (
	perKernel   = 40
	resultBytes = 32
)

// calls is the generated program.
func calls(list []intrinsic) string {
	var b, launches strings.Builder
	b.WriteString(`// Calls each device function of scripts/apitable/intrinsics.txt. Made by
// go run ./scripts/apitable; do not edit.
#include <cstdio>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

template <class T> __device__ T value(const char *m, int i) {
  T v;
  memcpy(&v, m + 16 * (i & 1), sizeof v);
  return v;
}
`)
	for i, some := range slices.Collect(slices.Chunk(list, perKernel)) {
		fmt.Fprintf(&b, "\n__global__ void calls%d(char *m, char *o) {\n", i)
		for k, f := range some {
			fmt.Fprintf(&b, "  %s\n", f.call(k*resultBytes))
		}
		b.WriteString("}\n")
		fmt.Fprintf(&launches, "  cudaMemset(m, 0, size);\n  calls%d<<<1, 1>>>(m, o);\n", i)
	}
	fmt.Fprintf(&b, `
int main() {
  const size_t size = %d;
  char *m, *o;
  cudaMalloc(&m, size);
  cudaMalloc(&o, size);
%s  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(m);
  cudaFree(o);
  printf("%%s\n", e == cudaSuccess ? "PASS" : cudaGetErrorString(e));
  return e;
}
`, perKernel*resultBytes, launches.String())
	return b.String()
}

// deviceFunction is a call in the text of a program.
var deviceFunction = regexp.MustCompile(`\b(\w+)\s*(?:<[^<>;()]*>)?\(`)

// writeIntrinsics writes the tables of the device functions: by name, since
// those that are overloaded are so for many types.
func writeIntrinsics(page *strings.Builder, list []intrinsic) error {
	callers, err := programs(deviceFunction)
	if err != nil {
		return err
	}
	math, err := os.ReadFile("docs/results/MATH.md")
	if err != nil {
		return err
	}
	var rows strings.Builder
	group, names, tested := "", 0, 0
	seen := map[string]bool{}
	for _, f := range list {
		if f.group != group {
			group = f.group
			fmt.Fprintf(&rows, "\n### %s\n\n| function | overloads | results checked in |\n| --- | --- | --- |\n", group)
		}
		if seen[group+f.name] {
			continue
		}
		seen[group+f.name] = true
		where := callers[f.name]
		if where == "" && strings.Contains(string(math), "`"+f.name+"`") || strings.Contains(string(math), "| "+f.name+" |") {
			where = "docs/results/MATH.md"
		}
		names++
		if where != "" {
			tested++
		}
		n := len(slices.DeleteFunc(slices.Clone(list), func(o intrinsic) bool { return o.name != f.name || o.group != group }))
		fmt.Fprintf(&rows, "| `%s` | %d | %s |\n", f.name, n, where)
	}
	fmt.Fprintf(page, `
## Device functions

%d functions in %d forms. All are compiled and run by [intrinsic_calls.cu](../../%s), which is made from the same list; the
results of %d are checked by name elsewhere.
%s`, names, len(list), callsFile, tested, rows.String())
	return nil
}
