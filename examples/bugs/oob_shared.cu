// A halo cell that the shared array has no room for: thread 63 writes s[65].

#include "../check.h"

const int N = 64;

__global__ void halo(const int *in, int *out) {
    __shared__ int s[N + 1];
    int t = threadIdx.x;
    s[t + 1] = in[t];
    if (t == 0) s[0] = 0;
    if (t == N - 1) s[t + 2] = 0; // want memory
    __syncthreads();
    out[t] = s[t] + s[t + 1];
}

int main() {
    std::vector<int> in(N, 1);
    int *dIn = toDevice(in), *dOut;
    CHECK(cudaMalloc(&dOut, N * sizeof(int)));
    halo<<<1, N>>>(dIn, dOut);
    cudaDeviceSynchronize();
    cudaFree(dIn);
    cudaFree(dOut);
    return 0;
}
