// The smallest complete program: c = a + b, one element per thread, with a
// grid-stride loop so that any grid covers any size.

#include "../check.h"

__global__ void add(const float *a, const float *b, float *c, int n) {
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        c[i] = a[i] + b[i];
}

int main() {
    const int n = 100003;
    Random random;
    std::vector<float> a(n), b(n), want(n);
    for (int i = 0; i < n; i++) {
        a[i] = random.uniform();
        b[i] = random.uniform();
        want[i] = a[i] + b[i];
    }
    float *dA = toDevice(a), *dB = toDevice(b), *dC;
    CHECK(cudaMalloc(&dC, n * sizeof(float)));
    add<<<64, 256>>>(dA, dB, dC, n);
    CHECK_LAUNCH();
    bool ok = same("vecadd", toHost(dC, n), want);
    CHECK(cudaFree(dA));
    CHECK(cudaFree(dB));
    CHECK(cudaFree(dC));
    return ok ? 0 : 1;
}
