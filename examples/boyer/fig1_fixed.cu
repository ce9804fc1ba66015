extern __shared__ int s[];

__global__ void kernel(int *out) {
    int id = threadIdx.x;
    int nt = blockDim.x;

    s[id] = id;
    __syncthreads();
    out[id] = s[(id + 1) % nt];
}

// Figure 1 of Boyer, Skadron and Weimer, "Automated Dynamic Analysis of CUDA
// Programs" (2008), with the barrier that the text adds: no data race.

#include "../check.h"

int main() {
    const int n = 64;
    int *out;
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    kernel<<<1, n, n * sizeof(int)>>>(out);
    CHECK_LAUNCH();

    std::vector<int> want(n);
    for (int i = 0; i < n; i++) want[i] = (i + 1) % n;
    bool ok = same("fig1_fixed", toHost(out, n), want);
    CHECK(cudaFree(out));
    return ok ? 0 : 1;
}
