// Two parts of one shared array overlap, as the offset of the second has a wrong number of elements.
#include <cstdio>
const int Nvalue = 800, Wrong = 600;
extern __shared__ unsigned int shared_array[];
#define set_shared(n) \
    volatile int *xs_error = (int *)&shared_array[0]; \
    volatile int *xs_ndata = (int *)&shared_array[1]; \
    volatile unsigned int *s_data = &shared_array[2]; \
    volatile int *s_ptr = (int *)&s_data[n]
#define shared_size ((3 + 2 * Nvalue) * sizeof(int))
#define s_error xs_error[0]
#define s_ndata xs_ndata[0]
__global__ void wrong(unsigned *out) {
    set_shared(Wrong);
    if (threadIdx.x == 0) s_error = 0, s_ndata = 0;
    for (int i = threadIdx.x; i < Nvalue; i += blockDim.x) {
        s_data[i] = i; // help: s_ptr and s_data overlap // help: the number of elements in its offset // not: __sync
        s_ptr[i] = -i;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < Nvalue; i += blockDim.x) out[i] = s_data[i] + s_ptr[i];
}
__global__ void right(unsigned *out) {
    set_shared(Nvalue);
    if (threadIdx.x == 0) s_error = 0, s_ndata = 0;
    for (int i = threadIdx.x; i < Nvalue; i += blockDim.x) {
        s_data[i] = i;
        s_ptr[i] = -i;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < Nvalue; i += blockDim.x) out[i] = s_data[i] + s_ptr[i];
}
// Memory that is used again: a barrier is missing.
__global__ void reused(unsigned *out) {
    unsigned *all = shared_array, *half = shared_array + 128;
    all[threadIdx.x] = threadIdx.x;
    __syncthreads();
    unsigned v = all[255 - threadIdx.x];
    if (threadIdx.x < 128) half[threadIdx.x] = v; // help: add __syncthreads() between line 38 and line 39
    __syncthreads();
    out[threadIdx.x] = shared_array[threadIdx.x];
}
int main() {
    unsigned *d, h[Nvalue];
    cudaMalloc(&d, sizeof h);
    wrong<<<1, 256, shared_size>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < Nvalue; i++) bad += h[i] != 0;
    right<<<1, 256, shared_size>>>(d);
    reused<<<1, 256, shared_size>>>(d);
    cudaDeviceSynchronize();
    printf("%d wrong\n", bad);
}
