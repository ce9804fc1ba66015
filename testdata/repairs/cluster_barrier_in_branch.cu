// fix: fixed
// arch: sm_90a
// has: +    cooperative_groups::this_cluster().sync();
// not: +        cooperative
// not: barrier.cluster.arrive.aligned; barrier
#include <cstdio>
typedef unsigned u32; typedef unsigned long long u64;
__device__ __forceinline__ u32 sa(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void mb_init(u64 *b, u32 n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(sa(b)), "r"(n) : "memory"); }
__device__ __forceinline__ void mb_arrive(u64 *b) { asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(sa(b)) : "memory"); }
__device__ __forceinline__ void mb_wait(u64 *b, u32 ph) {
    asm volatile("{ .reg .pred p;\n W: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n @!p bra W; }" ::"r"(sa(b)), "r"(ph) : "memory");
}
__device__ void arrive_wait() { asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory"); }
__device__ u32 rank() { u32 r; asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
__device__ u32 mapa(const void *p, u32 r) { u32 a; asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(a) : "r"(sa(p)), "r"(r)); return a; }
__global__ void __cluster_dims__(4, 1, 1) k(int *word, int *out) {
    __shared__ int s[4];
    int v = 0;
    if (threadIdx.x == 0) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(mapa(&s[rank()], (rank() + 1) % 4)), "r"(5) : "memory");
    arrive_wait();
    if (threadIdx.x == 0) v = s[(rank() + 3) % 4];
    out[blockIdx.x * 32 + threadIdx.x] = v;
}
int main() {
    int *w, *o, r;
    cudaMalloc(&w, 4); cudaMalloc(&o, 512); cudaMemset(w, 0, 4);
    k<<<4, 32>>>(w, o);
    cudaMemcpy(&r, o + 33, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", r);
    cudaFree(w); cudaFree(o);
}
