// exit: 1
// A shuffle that reads lanes which its mask leaves out, as the last step of published
// reductions does: their values are undefined, and lane 0 stores their sum.
#include <cstdio>

__global__ void sum(float *out) {
    __shared__ float part[4];
    float v = 1;
    for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffffu, v, o);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    unsigned some = __ballot_sync(0xffffffffu, threadIdx.x < 4);
    if (threadIdx.x < 4) {
        v = part[threadIdx.x];
        for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(some, v, o); // want init lane
        if (threadIdx.x == 0) *out = v;
    }
}

int main() {
    float *out, got = 0;
    cudaMalloc(&out, sizeof *out);
    sum<<<1, 128>>>(out);
    cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
    printf("%g\n", got);
    return got != 128;
}
