// Bulk copies and TMA: sizes, alignments, bounds, bytes that nothing wrote, tensor maps.
// clean: whole outside stored swapped shifted tile_outside in_cluster in_step
// flags: --arch sm_90a
// default order: in_step
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kWords = 256;

__device__ void begin(uint64_t *bar) {
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(bar, 1);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
}
__device__ void end(uint64_t *bar) {
    while (!ptx::mbarrier_try_wait_parity(bar, 0)) {
    }
}

// One copy of n bytes from word from on to byte to of shared memory.
__device__ void copy(const int *in, int *out, int n, int from, int to) {
    __shared__ alignas(128) int part[kWords];
    __shared__ uint64_t bar;
    begin(&bar);
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, n);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, (char *)part + to, in + from, n, &bar);
    }
    end(&bar);
    out[threadIdx.x] = part[threadIdx.x];
}
__global__ void whole(const int *in, int *out) { copy(in, out, 128, 0, 0); }

#define BULK(name, n, from, to) __global__ void name(const int *in, int *out) { __shared__ alignas(128) int part[kWords]; __shared__ uint64_t bar; begin(&bar); \
    if (threadIdx.x == 0) { ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 128); \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"((unsigned)__cvta_generic_to_shared(part) + to), "l"(in + from), "r"(n), "r"((unsigned)__cvta_generic_to_shared(&bar)) : "memory"); } \
    end(&bar); out[threadIdx.x] = part[threadIdx.x]; }

BULK(odd_size, 120, 0, 0)  // want(odd_size) memory misaligned
BULK(odd_source, 128, 1, 0)  // want(odd_source) memory misaligned
BULK(odd_target, 128, 0, 8)  // want(odd_target) memory misaligned
BULK(too_long, 128, kWords - 16, 0)  // want(too_long) memory out-of-bounds
BULK(beyond_shared, 128, 0, 1024)  // want(beyond_shared) memory out-of-bounds

// A tile by TMA; the matrix has 16 rows of 16 words.
__device__ void tile(const CUtensorMap *map, int *out, int x, int y) {
    __shared__ alignas(128) int part[8 * 8];
    __shared__ uint64_t bar;
    begin(&bar);
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof part);
        const unsigned to = __cvta_generic_to_shared(part), at = __cvta_generic_to_shared(&bar);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"  // want(larger) memory out-of-bounds // want(no_map) memory out-of-bounds // want(between) memory misaligned
                     ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(at) : "memory");
    }
    end(&bar);
    out[threadIdx.x] = part[threadIdx.x];
}
__global__ void by_map(const __grid_constant__ CUtensorMap map, int *out, int x, int y) { tile(&map, out, x, y); }

__global__ void stored(int *out) {
    __shared__ alignas(128) int part[32];
    part[threadIdx.x] = threadIdx.x;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, part, sizeof part);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}
__global__ void half_written(int *out) {
    __shared__ alignas(128) int part[32];
    if (threadIdx.x < 16) part[threadIdx.x] = threadIdx.x;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned from = __cvta_generic_to_shared(part);
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(out), "r"(from) : "memory");  // want(half_written) init shared
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

// A tile that is stored may lie past the tensor's end, but not begin before it.
__global__ void tile_stored(const __grid_constant__ CUtensorMap map, int x, int y) {
    __shared__ alignas(128) int part[8 * 8];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) part[i] = i;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        const int at[] = {x, y};
        const unsigned from = __cvta_generic_to_shared(part);
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];"  // want(store_before) memory misaligned
                     ::"l"(&map), "r"(at[0]), "r"(at[1]), "r"(from) : "memory");
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

// Every warp waits for each copy, and one issues them, without a barrier: by the ISA the others might miss a phase, after which
// the parity would be that of the phase before, but a copy takes longer than they need to look.
__global__ void in_step(const int *in, int *out) {
    __shared__ alignas(128) int part[32];
    __shared__ uint64_t bar;
    int sum = 0;
    begin(&bar);
    for (int i = 0; i < 5; i++) {
        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof part);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, part, in + 32 * i, sizeof part, &bar);
        }
        while (!ptx::mbarrier_try_wait_parity(&bar, i % 2)) {
        }
        if (threadIdx.x == 0) sum += part[0];
    }
    if (threadIdx.x == 0) out[0] = sum;
}

// A store by value goes through the cluster's network, which a launch without clusters does not have.
__global__ void by_value(int *out) {
    __shared__ int part[32];
    __shared__ uint64_t bar;
    begin(&bar);
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 4);
        const unsigned to = __cvta_generic_to_shared(part), at = __cvta_generic_to_shared(&bar);
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to), "r"(7), "r"(at) : "memory");  // want(alone) memory out-of-bounds
    }
    end(&bar);
    if (threadIdx.x == 0) out[0] = part[0];
}
void launch_by_value(bool cluster, int *out) {
    cudaLaunchAttribute a{};
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim = {1, 1, 1};
    cudaLaunchConfig_t c{};
    c.gridDim = 1, c.blockDim = 32, c.attrs = &a, c.numAttrs = cluster;
    cudaLaunchKernelEx(&c, by_value, out);
}

int main(int, char **argv) {
    int *in, *out;
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    cudaMalloc(&in, kWords * 4);
    cudaMalloc(&out, kWords * 4);
    cudaMemset(in, 1, kWords * 4);
    cudaMemset(out, 0, kWords * 4);
    if (is("whole")) whole<<<1, 32>>>(in, out);
    if (is("in_step")) in_step<<<1, 128>>>(in, out);
    if (is("odd_size")) odd_size<<<1, 32>>>(in, out);
    if (is("odd_source")) odd_source<<<1, 32>>>(in, out);
    if (is("odd_target")) odd_target<<<1, 32>>>(in, out);
    if (is("too_long")) too_long<<<1, 32>>>(in, out);
    if (is("beyond_shared")) beyond_shared<<<1, 32>>>(in, out);
    if (is("stored")) stored<<<1, 32>>>(out);
    if (is("half_written")) half_written<<<1, 32>>>(out);
    CUtensorMap map;
    memset(&map, 0, sizeof map);
    cuuint64_t size[] = {16, is("larger") ? 32u : 16u}, stride[] = {64};
    cuuint32_t box[] = {8, 8}, step[] = {1, 1};
    if (!is("no_map"))
        cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, in, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                               is("swapped") ? CU_TENSOR_MAP_SWIZZLE_32B : CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (is("outside")) by_map<<<1, 32>>>(map, out, 12, 12);
    if (is("shifted")) by_map<<<1, 32>>>(map, out, -4, -3);
    if (is("between")) by_map<<<1, 32>>>(map, out, 3, 0);
    if (is("tile_outside")) tile_stored<<<1, 32>>>(map, 12, 12);
    if (is("store_before")) tile_stored<<<1, 32>>>(map, 0, -1);
    if (is("in_cluster") || is("alone")) launch_by_value(is("in_cluster"), out);
    if (is("swapped")) by_map<<<1, 32>>>(map, out, 0, 0);
    if (is("larger") || is("no_map")) by_map<<<1, 32>>>(map, out, 0, 16);
    printf("%d\n", cudaDeviceSynchronize());
}
