// A reduction over the block that is called twice, one after the other, in a loop, and without a race.
#include <cstdio>
__device__ float block_sum(float *tmp, float v) {
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) tmp[threadIdx.x / 32] = v; // help: add __syncthreads() between line 14 and line 15
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < blockDim.x / 32; w++) v += tmp[w];
    return v;
}
__global__ void variance(const float *x, float *out) {
    __shared__ float tmp[32];
    float a = x[threadIdx.x];
    float s = block_sum(tmp, a);
    float q = block_sum(tmp, a * a);
    if (threadIdx.x == 0) out[0] = s, out[1] = q;
}
__global__ void apart(const float *x, float *out) {
    __shared__ float tmp[32];
    float a = x[threadIdx.x];
    float s = block_sum(tmp, a);
    __syncthreads();
    float q = block_sum(tmp, a * a);
    if (threadIdx.x == 0) out[2] = s, out[3] = q;
}
int main() {
    float *x, *out;
    cudaMallocManaged(&x, 4096);
    cudaMallocManaged(&out, 16);
    for (int i = 0; i < 1024; i++) x[i] = i % 4;
    variance<<<1, 1024>>>(x, out);
    cudaDeviceSynchronize();
    apart<<<1, 1024>>>(x, out);
    cudaDeviceSynchronize();
    printf("%g %g\n", out[0], out[1]);
}
