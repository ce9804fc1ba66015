// Kernels that store to tensor memory and never load from it.
// clean: stores looped
// flags: --arch sm_100a
#include <cstdio>
#include <cstring>

#define BEGIN \
    __shared__ unsigned addr; \
    int warp = threadIdx.x / 32; \
    if (warp == 0) asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"((unsigned)__cvta_generic_to_shared(&addr)) : "memory"); \
    __syncthreads(); \
    unsigned at = addr + (warp << 21);
#define END \
    asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); \
    __syncthreads(); \
    if (warp == 0) asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 32;" ::"r"(addr)); \
    out[threadIdx.x] = 1;
__device__ void store(unsigned at, unsigned v) { asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(at), "r"(v)); }  // want(beyond) memory out-of-bounds

__global__ void stores(unsigned *out, int n) {
    BEGIN
    store(at, threadIdx.x);
    END
}
__global__ void looped(unsigned *out, int n) {
    BEGIN
    for (int i = 0; i < n; i++) store(at + i, threadIdx.x + i);
    END
}
__global__ void beyond(unsigned *out, int n) {
    BEGIN
    store(at + 30 + n, threadIdx.x);
    END
}

int main(int, char **argv) {
    unsigned *o;
    cudaMalloc(&o, 512);
#define CASE(k) if (!strcmp(argv[1], #k)) k<<<1, 128>>>(o, 4);
    CASE(stores) CASE(looped) CASE(beyond)
    return cudaDeviceSynchronize();
}
