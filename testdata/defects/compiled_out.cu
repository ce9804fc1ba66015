// A library launches its kernels with programmatic stream serialization, but its waits are compiled for other
// architectures only: no code of the program waits.
// flags: --arch sm_90
// clean: fixed default_stream_fixed
#include <cstdio>
#include <cstring>

__device__ void wait_for_grids() {
#if __CUDA_ARCH__ >= 9000
    cudaGridDependencySynchronize();
#endif
}
__global__ void fill(int *p) {
    wait_for_grids();
    p[threadIdx.x] = threadIdx.x;
}
__global__ void transform(const int *p, int *q) {
    wait_for_grids();
    q[threadIdx.x] = p[threadIdx.x] + 1;  // want(broken) race RAW // want(default_stream) race RAW
}

template <class... P, class... A> static void start(bool overlap, cudaStream_t stream, void (*kernel)(P...), A... args) {
    cudaLaunchAttribute a;
    a.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    a.val.programmaticStreamSerializationAllowed = overlap;
    cudaLaunchConfig_t c = {};
    c.gridDim = 1;
    c.blockDim = 64;
    c.stream = stream;
    c.attrs = &a;
    c.numAttrs = 1;
    if (cudaLaunchKernelEx(&c, kernel, args...)) printf("failed\n");
}

int main(int, char **argv) {
    bool fixed = strstr(argv[1], "fixed");
    int *p, *q;
    cudaStream_t s = nullptr;
    cudaMalloc(&p, 256);
    cudaMalloc(&q, 256);
    if (!strstr(argv[1], "default")) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    if (strstr(argv[1], "default")) fill<<<1, 64>>>(p);
    else start(!fixed, s, fill, p);
    start(!fixed, s, transform, (const int *)p, q);
    if (cudaDeviceSynchronize()) printf("failed\n");
}
