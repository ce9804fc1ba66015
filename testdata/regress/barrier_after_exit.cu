// exit: 0
// A part of a warp returns before a barrier: reported, and the others continue.
#include <cstdio>

__global__ void next(int *out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= n) return;
    s[t] = t;
    __syncthreads(); // want sync exited
    out[t] = s[(t + 1) % n];
}

int main() {
    int *out, got[64] = {};
    cudaMalloc(&out, sizeof got);
    next<<<1, 64>>>(out, 40);
    if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess) return 2; // want init copied
    for (int i = 0; i < 40; i++)
        if (got[i] != (i + 1) % 40) return 3;
    puts("PASS");
    return 0;
}
