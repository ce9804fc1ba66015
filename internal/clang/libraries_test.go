package clang

import (
	"debug/elf"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestLibraryHeaders: what host code expects of the headers of CUDA's libraries:
// the macros by which programs tell that one is included, the types that come
// with it, names with a version, and the states of random numbers.
func TestLibraryHeaders(t *testing.T) {
	src := write(t, "a.cpp", `
#include <cublas_v2.h>
#include <cufft.h>
#include <curand_kernel.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <cudaTypedefs.h>
#include <cublasXt.h>
#include <cufftXt.h>
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
#if !defined(CUBLAS_API_H_) || !defined(_CUFFT_H_) || !defined(CUSPARSEAPI) || !defined(CUSOLVER_COMMON_H_) || !defined(CURAND_H_)
#error "programs test for these"
#endif
__half h = __float2half(1.0f);
__nv_bfloat16 b = __float2bfloat16(1.0f);
curandState states[2];
curandStatePhilox4_32_10_t philox;
cublasStatus_t (*gemm)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const double *, const double *, int,
                       const double *, int, const double *, double *, int) = cublasDgemm;
cublasStatus_t (*axpy)(cublasHandle_t, int, const float *, const float *, int, float *, int) = cublasSaxpy_v2;
cufftResult result = CUFFT_NVSHMEM_FAILURE;
PFN_cuTensorMapEncodeTiled encode;
PFN_cuCtxCreate_v3020 create;
cufftCallbackLoadC load;
cudaLibXtDesc *parts;
cublasXtHandle_t several;
csrqrInfoHost_t qr;
cusolverStatus_t (*refactor)(...) = cusolverRfRefactor;
int main() { return cusparseGetMatIndexBase(0) == 0; }
`)
	for _, std := range []string{"c++11", "c++17"} {
		out, err := exec.Command(toolchain(t).Clang, "-std="+std, "-w", "-fsyntax-only", "-I", "../shim/include", src).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", std, err, out)
		}
	}
}

// TestClosedLibraries: the replacements for NVIDIA's libraries have the functions that the table of the
// API says are supported, and no others.
func TestClosedLibraries(t *testing.T) {
	tooltest.NeedsClang(t)
	table, err := os.ReadFile("../shim/api.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cublas", "cufft", "cusparse", "cusolver", "nccl"} {
		path, err := toolchain(t).Library(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for line := range strings.Lines(string(table)) {
			if words := strings.Fields(line); len(words) > 0 && strings.HasPrefix(words[0], name) && !slices.Contains(words, "none") && !slices.Contains(words, "direct") {
				want = append(want, words[0])
			}
		}
		slices.Sort(want) // a library's functions may be in several sections
		if got := functionsOf(t, path, name); !slices.Equal(got, want) {
			t.Errorf("%s has other functions than the table: %s", name, difference(got, want))
		}
	}
}

// functionsOf lists a shared library's functions with a prefix, in order.
func functionsOf(t *testing.T, path, prefix string) []string {
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF && strings.HasPrefix(s.Name, prefix) {
			names = append(names, s.Name)
		}
	}
	slices.Sort(names)
	return names
}

// difference names what only one of two lists has.
func difference(got, want []string) string {
	var out []string
	for _, g := range got {
		if !slices.Contains(want, g) {
			out = append(out, "+"+g)
		}
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			out = append(out, "-"+w)
		}
	}
	return strings.Join(out, " ")
}
