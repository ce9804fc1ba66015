// fix: fixed
// arch: sm_100a
// has: +    __syncthreads();
// not: -        asm
#include <cstdio>
typedef unsigned u32; typedef unsigned long long u64;
__device__ __forceinline__ u32 sa(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void mb_init(u64 *b, u32 n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(sa(b)), "r"(n) : "memory"); }
__device__ __forceinline__ void mb_arrive(u64 *b) { asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(sa(b)) : "memory"); }
__device__ __forceinline__ void mb_wait(u64 *b, u32 ph) {
    asm volatile("{ .reg .pred p;\n W: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n @!p bra W; }" ::"r"(sa(b)), "r"(ph) : "memory");
}
__global__ void k(u32 *out, int n) {
    __shared__ u32 addr;
    int warp = threadIdx.x / 32;
    if (warp == 0) asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"(sa(&addr)) : "memory");
    __syncthreads();
    u32 at = addr + (warp << 21), sum = 0;
    for (int i = 0; i < n; i++)
        asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(at + i), "r"(threadIdx.x + i));
    asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
    for (int i = 0; i < n; i++) {
        u32 v;
        asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(v) : "r"(at + i));
        asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
        sum += v;
    }
    if (warp == 0) {
        asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
        asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 32;" ::"r"(addr));
    }
    out[threadIdx.x] = sum;
}
int main() {
    u32 *o, r;
    cudaMalloc(&o, 512);
    k<<<1, 128>>>(o, 4);
    cudaMemcpy(&r, o + 77, 4, cudaMemcpyDeviceToHost);
    printf("%u\n", r);
    cudaFree(o);
}
