// Addresses of a pair's mbarriers, made by changing the bits of the block's rank.
// clean: plain member called kept other second shuffled own
// flags: --arch sm_100a
#include <cstdint>
#include <cstdio>
#include <cstring>
#define BEGIN(count) \
    __shared__ uint64_t bars[2]; __shared__ uint32_t tm; uint32_t r, ok = 0; \
    const uint32_t b = (uint32_t)__cvta_generic_to_shared(bars) + 8; \
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); \
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\nfence.mbarrier_init.release.cluster;" ::"r"(b), "n"(count) : "memory"); \
    asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"((uint32_t)__cvta_generic_to_shared(&tm)) : "memory"); \
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
#define END \
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory"); \
    asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, 32;" ::"r"(tm) : "memory");
__device__ void arrive(uint32_t a) { asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(a) : "memory"); }
__device__ bool test(uint32_t a) { uint32_t ok; asm volatile("{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}" : "=r"(ok) : "r"(a) : "memory"); return ok; }
constexpr uint32_t peerMask = 0xFEFFFFFF;
struct Bars { uint32_t at; __device__ void leader() { arrive(at & peerMask); } };
__device__ __noinline__ void leaderOf(uint32_t a) { arrive(a & peerMask); }
__global__ void __cluster_dims__(2) plain(int *o) { BEGIN(2) if (threadIdx.x == 0) { arrive(b & 0xFEFFFFFF); while (r == 0 && !test(b)) {} o[blockIdx.x] = 1; } END }
__global__ void __cluster_dims__(2) member(int *o) { BEGIN(2) Bars x{b}; if (threadIdx.x == 0) { x.leader(); while (r == 0 && !test(b)) {} o[blockIdx.x] = 1; } END }
__global__ void __cluster_dims__(2) called(int *o) { BEGIN(2) if (threadIdx.x == 0) { leaderOf(b); while (r == 0 && !test(b)) {} o[blockIdx.x] = 1; } END }
__global__ void __cluster_dims__(2) kept(int *o, int n) { BEGIN(2) uint32_t at[4] = {b, b, b, b}; if (threadIdx.x == 0) { arrive(at[n] & peerMask); while (r == 0 && !test(b)) {} o[blockIdx.x] = 1; } END }
__global__ void __cluster_dims__(2) other(int *o) { BEGIN(1) if (threadIdx.x == 0) { arrive(b ^ 0x1000000); while (!test(b)) {} o[blockIdx.x] = 1; } END }
__global__ void __cluster_dims__(2) second(int *o) { BEGIN(2) if (threadIdx.x == 0) { arrive(b | 0x1000000); while (r == 1 && !test(b)) {} o[blockIdx.x] = 1; } END }
__global__ void __cluster_dims__(2) shuffled(int *o) { BEGIN(2) uint32_t c = __shfl_sync(~0u, b, 0); if (threadIdx.x == 0) { arrive(c & peerMask); while (r == 0 && !test(b)) {} o[blockIdx.x] = 1; } END }
__global__ void __cluster_dims__(2) own(int *o) { BEGIN(1) if (threadIdx.x == 0) { arrive(b & 0xFFFFFF); while (!test(b)) {} o[blockIdx.x] = 1; } END }
// The offset alone is the block's own mbarrier, at which only one thread arrives.
__global__ void __cluster_dims__(2) not_led(int *o) { BEGIN(2) if (threadIdx.x == 0) { arrive(b & 0xFFFFFF); while (r == 0 && !test(b)) {} o[blockIdx.x] = 1; } END }  // want(not_led) hang budget

int main(int, char **v) {
    int *o; cudaMalloc(&o, 8);
#define C(k, ...) if (!strcmp(v[1], #k)) k<<<2, 32>>>(o __VA_ARGS__);
    C(plain) C(member) C(called) C(kept, , 2) C(other) C(second) C(shuffled) C(own) C(not_led)
    return cudaDeviceSynchronize();
}
