package clang

import (
	"os/exec"
	"testing"
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
cublasStatus_t (*gemm)(...) = cublasDgemm_v2;
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
