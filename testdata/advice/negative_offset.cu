// An index that is negative, as % keeps the sign, before an array in shared memory.
#include <cstdio>
const int Nvalue = 512;
__device__ int hash(int v) { return (v >> 24) % Nvalue; }
__global__ void count(const int *in, int *out) {
    __shared__ int s_error;
    __shared__ int s_value[Nvalue];
    for (int i = threadIdx.x; i < Nvalue; i += blockDim.x) s_value[i] = 0;
    if (threadIdx.x == 0) s_error = 0;
    __syncthreads();
    int i = hash(in[threadIdx.x]);
    atomicAdd(&s_value[i], 1); // help: 512 bytes before the start of shared variable // help: check the index // not: after the end
    __syncthreads();
    out[threadIdx.x] = s_value[threadIdx.x] + s_error;
}
int main() {
    int h[64], *a, *o;
    for (int i = 0; i < 64; i++) h[i] = i == 5 ? 0x80000000 : (i & 31) << 24;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&o, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    count<<<1, 64>>>(a, o);
    cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
}
