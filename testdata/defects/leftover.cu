// Lanes that have nothing left but their exit, while others of their warp name them in a mask and another warp spins.
// clean: shuffled voted synced returned atomic_spin
// flags: --arch sm_90
#include <cstdint>
#include <cstdio>
#include <cstring>

__device__ bool done(uint32_t bar) {
    uint32_t ok;
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}" : "=r"(ok) : "r"(bar) : "memory");
    return ok;
}
__device__ void arrive(uint32_t bar) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory"); }
#define BEGIN \
    __shared__ uint64_t bar; uint32_t b = (uint32_t)__cvta_generic_to_shared(&bar); \
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory"); \
    __syncthreads();

__global__ void shuffled(int *o) {
    BEGIN
    if (threadIdx.x == 32) {
        o[1] = __shfl_sync(~0u, (int)blockIdx.x, 0);
        arrive(b);
    } else if (threadIdx.x < 32) {
        while (!done(b)) {}
        if (threadIdx.x == 0) o[0] = 1;
    }
}
__global__ void voted(int *o) {
    BEGIN
    if (threadIdx.x == 32) {
        if (__any_sync(~0u, o[0] == 0)) arrive(b);
    } else if (threadIdx.x < 32) {
        while (!done(b)) {}
    }
}
__global__ void synced(int *o) {
    BEGIN
    if (threadIdx.x == 32) {
        __syncwarp();
        arrive(b);
    } else if (threadIdx.x < 32) {
        while (!done(b)) {}
    }
}
__global__ void returned(int *o) {
    BEGIN
    if (threadIdx.x > 32) return;
    if (threadIdx.x == 32) {
        o[1] = __shfl_sync(~0u, (int)blockIdx.x, 0);
        arrive(b);
        return;
    }
    while (!done(b)) {}
}
__global__ void atomic_spin(int *o) {
    if (threadIdx.x == 32) {
        int x = __shfl_sync(~0u, 1, 0);
        atomicExch(o, x);
    } else if (threadIdx.x < 32) {
        while (atomicAdd(o, 0) == 0) {}
    }
}
// The others write before they end: they had more to do than their exit.
__global__ void busy(int *o) {
    BEGIN
    if (threadIdx.x == 32) {
        __syncwarp();  // want(busy) sync mask
        arrive(b);
    } else if (threadIdx.x < 32) {
        while (!done(b)) {}
    } else {
        o[threadIdx.x] = 1;
    }
}
// The others wait for what comes after it.
__global__ void never(int *o) {
    BEGIN
    if (threadIdx.x == 32) {
        o[1] = __shfl_sync(~0u, (int)blockIdx.x, 0);
        arrive(b);
    } else {
        while (!done(b)) {}  // want(never) hang budget
        o[0] = 1;
    }
}

int main(int, char **argv) {
    const char *c = argv[1];
    int *o;
    cudaMalloc(&o, 256);
    cudaMemset(o, 0, 256);
#define CASE(k) if (!strcmp(c, #k)) k<<<1, 64>>>(o);
    CASE(shuffled) CASE(voted) CASE(synced) CASE(returned) CASE(atomic_spin) CASE(busy) CASE(never)
    return cudaDeviceSynchronize();
}
