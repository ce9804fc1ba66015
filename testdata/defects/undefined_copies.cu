// Undefined values that asynchronous copies and products of matrices carry on.
// clean: load_filled load_other store_filled store_again product_filled product_beside
// flags: --arch sm_90a
#include <cstdint>
#include <cstdio>
#include <cstring>

__device__ uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

// Loads 64 floats in bulk, and waits for them.
__device__ void load(float *to, const float *from, uint64_t *bar) {
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;\n fence.mbarrier_init.release.cluster;\n fence.proxy.async;" ::"r"(at(bar)) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(at(bar)) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(at(to)), "l"(from), "r"(at(bar)) : "memory");
    }
    __syncthreads();
    asm volatile("{ .reg .pred p;\n WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n @!p bra WAIT; }" ::"r"(at(bar)) : "memory");
}
// Stores 64 floats in bulk.
__device__ void store(float *to, const float *from) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;\n cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::"l"(to), "r"(at(from)) : "memory");
    }
    __syncthreads();
}

__global__ void loads(const float *a, float *c) {
    __shared__ alignas(128) float s[64];
    __shared__ alignas(8) uint64_t bar;
    load(s, a, &bar);
    if (threadIdx.x < 64) c[threadIdx.x] = s[threadIdx.x] + 1;  // want(load) init shared
}
// What comes from uninitialized memory is not used.
__global__ void loads_other(const float *a, float *c) {
    __shared__ alignas(128) float s[64];
    __shared__ alignas(8) uint64_t bar;
    load(s, a, &bar);
    __syncthreads();
    if (threadIdx.x < 64) s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x < 64) c[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void stores(const float *a, float *c, bool again) {
    __shared__ alignas(128) float s[64];
    if (threadIdx.x < 64) s[threadIdx.x] = a[threadIdx.x];
    if (again && threadIdx.x < 64) s[threadIdx.x] = 1;
    store(c, s);
}

// The first 64 by 16 of A are rows of zeros and ones from a; B has ones. Parts that the product does not read stay undefined.
__global__ void products(const uint32_t *a, float *c, int skipped) {
    __shared__ alignas(1024) uint32_t s[1024];
    for (int i = threadIdx.x; i < 1024; i += 128) s[i] = i < 576 && i >= skipped ? 0x3c003c00u : a[i];  // want(product) init
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    // Without swizzling: pieces of 16 bytes, 8 rows of them 128 bytes apart along K and 256 along M.
    uint64_t kind = (uint64_t)(128 >> 4) << 16 | (uint64_t)(256 >> 4) << 32;
    uint64_t left = kind | at(s) >> 4, right = kind | (at(s) + 2048) >> 4;
    float d[4] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;\n"
                 "wgmma.commit_group.sync.aligned;\n wgmma.wait_group.sync.aligned 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(left), "l"(right) : "memory");
    c[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

int main(int argc, char **argv) {
    auto is = [&](const char *name) { return !strcmp(argv[1], name); };
    float *a, *c, h[128];
    bool filled = strstr(argv[1], "filled");
    cudaMalloc(&a, 4096);
    cudaMalloc(&c, 512);
    if (filled) cudaMemset(a, 0, 4096);
    if (is("load") || is("load_filled")) loads<<<1, 128>>>(a, c);
    if (is("load_other")) loads_other<<<1, 128>>>(a, c);
    if (is("store") || is("store_filled")) stores<<<1, 128>>>(a, c, false);
    if (is("store_again")) stores<<<1, 128>>>(a, c, true);
    if (is("product") || is("product_filled")) products<<<1, 128>>>((uint32_t *)a, c, 32);
    if (is("product_beside")) products<<<1, 128>>>((uint32_t *)a, c, 0);
    cudaMemcpy(h, c, 256, cudaMemcpyDeviceToHost);  // want(store) init copied warning
    printf("%g\n", h[3]);
}
