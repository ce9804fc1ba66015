// y = a * x + y in half precision, with the scalar type and with half2, which
// does two elements in one instruction.

#include "../check.h"
#include <cuda_fp16.h>

__global__ void axpy(__half a, const __half *x, __half *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __hfma(a, x[i], y[i]);
}

__global__ void axpy2(__half2 a, const __half2 *x, __half2 *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __hfma2(a, x[i], y[i]);
}

__global__ void widen(const __half *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __half2float(in[i]);
}

int main() {
    const int n = 2000;
    const float a = 1.5f;
    std::vector<__half> x(n), y(n);
    std::vector<float> want(n);
    for (int i = 0; i < n; i++) { // small multiples of 1/8 are exact in half
        float fx = (i % 64) / 8.0f, fy = (i % 50) / 4.0f;
        x[i] = __float2half(fx);
        y[i] = __float2half(fy);
        want[i] = 2 * a * fx + fy; // both kernels add a * x
    }
    __half *dX = toDevice(x), *dY = toDevice(y);
    float *dOut;
    CHECK(cudaMalloc(&dOut, n * sizeof(float)));

    axpy<<<(n + 127) / 128, 128>>>(__float2half(a), dX, dY, n);
    axpy2<<<(n / 2 + 127) / 128, 128>>>(__float2half2_rn(a), reinterpret_cast<__half2 *>(dX),
                                        reinterpret_cast<__half2 *>(dY), n / 2);
    widen<<<(n + 127) / 128, 128>>>(dY, dOut, n);
    CHECK_LAUNCH();
    bool ok = same("half", toHost(dOut, n), want);
    CHECK(cudaFree(dX));
    CHECK(cudaFree(dY));
    CHECK(cudaFree(dOut));
    return ok ? 0 : 1;
}
