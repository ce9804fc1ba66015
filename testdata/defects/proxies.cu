// Global memory by several proxies: what threads store there, bulk copies read or overwrite, and tensor maps that
// kernels change.
// clean: fenced fenced_by_reader fenced_by_all earlier_launch read_first other_words across_fenced chained overwritten_fenced map_published map_published_in_warp map_in_place map_acquired_by_block map_earlier_launch host_map_each_block host_map_constant
// flags: --arch sm_90a
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;
namespace cg = cooperative_groups;

constexpr int kWords = 64;

struct Tile {
    alignas(128) int words[kWords];
    uint64_t full;
};

__device__ void begin(Tile &t) {
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&t.full, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
}
__device__ void end(Tile &t, int *out, unsigned phase = 0) {
    while (!ptx::mbarrier_try_wait_parity(&t.full, phase)) {
    }
    out[threadIdx.x] = t.words[threadIdx.x];
    __syncthreads();
}
// The calling thread reads the words by a bulk copy.
#define LOAD(t, from)                                                                                                   \
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &(t).full, sizeof(t).words);    \
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, (t).words, from, sizeof(t).words, &(t).full)

enum How { NOT, FENCED, BY_READER, BY_ALL, SHARED_ONLY, BEFORE, ONE_ONLY };

// All threads store, the first one reads it all.
template <How HOW> __global__ void stored(int *words, int *out) {
    __shared__ Tile t;
    begin(t);
    if (HOW == BEFORE) ptx::fence_proxy_async(ptx::space_global);
    words[threadIdx.x] = threadIdx.x;
    if (HOW == FENCED) ptx::fence_proxy_async(ptx::space_global);
    if (HOW == BY_ALL) ptx::fence_proxy_async();
    if (HOW == SHARED_ONLY) ptx::fence_proxy_async(ptx::space_shared);
    if (HOW == ONE_ONLY && threadIdx.x == 0) ptx::fence_proxy_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (HOW == BY_READER) ptx::fence_proxy_async(ptx::space_global);
        LOAD(t, words);  // want(unfenced) race RAW // want(shared_only) race RAW // want(fenced_before) race RAW // want(one_only) race RAW
    }
    end(t, out);
}

// One thread stores and reads.
template <bool FENCE> __global__ void by_one(int *words, int *out) {
    __shared__ Tile t;
    begin(t);
    if (threadIdx.x == 0) {
        for (int i = 0; i < kWords; i++) words[i] = i;
        if (FENCE) ptx::fence_proxy_async(ptx::space_global);
        LOAD(t, words);  // want(alone) race RAW
    }
    end(t, out);
}

// A second round stores the same words: its fence is missing where FENCES is 1.
template <int FENCES> __global__ void rounds(int *words, int *out) {
    __shared__ Tile t;
    begin(t);
    for (int round = 0; round < 2; round++) {
        words[threadIdx.x] = round;
        if (round < FENCES) ptx::fence_proxy_async(ptx::space_global);
        __syncthreads();
        if (threadIdx.x == 0) {
            LOAD(t, words);  // want(second_round) race RAW
        }
        end(t, out, round);
    }
}

// A bulk store of what threads have stored (overwritten), or only read.
template <bool STORES, bool FENCE> __global__ void overwrites(int *words, int *out) {
    __shared__ Tile t;
    t.words[threadIdx.x] = threadIdx.x;
    if (STORES) words[threadIdx.x] = 1; else out[threadIdx.x] = words[threadIdx.x];
    if (FENCE) ptx::fence_proxy_async(); else ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, words, t.words, sizeof t.words);  // want(overwritten) race WAW
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}

// What one block has stored another one reads, behind a barrier of the grid.
template <How HOW> __global__ void across(int *words, int *out) {
    __shared__ Tile t;
    begin(t);
    if (blockIdx.x == 0) {
        words[threadIdx.x] = threadIdx.x;
        if (HOW == FENCED) ptx::fence_proxy_async(ptx::space_global);
    }
    cg::this_grid().sync();
    if (blockIdx.x == 1) {
        if (threadIdx.x == 0) {
            if (HOW == BY_READER) ptx::fence_proxy_async(ptx::space_global);
            LOAD(t, words);  // want(across_unfenced) race RAW
        }
        end(t, out);
    }
}

// Tensor maps in global memory, changed by a kernel.
enum Map { PUBLISHED, IN_WARP, WARP_NOT_ACQUIRED, IN_PLACE, NO_ACQUIRE, OTHER_MAP, NO_RELEASE, BLOCK_ACQUIRES, LATE_ACQUIRE };

__device__ void by_map(Tile &t, const CUtensorMap *map) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &t.full, sizeof t.words);
    const int at[] = {0};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, t.words, map, at, &t.full);  // want(map_not_acquired) race RAW // want(map_warp_not_acquired) race RAW // want(map_other_acquired) race RAW // want(map_not_released) race RAW // want(map_not_released) race RAW // want(map_acquired_late) race RAW
}
template <Map HOW> __global__ void changes(const __grid_constant__ CUtensorMap from, CUtensorMap *maps, int *words, int *out) {
    __shared__ Tile t;
    __shared__ alignas(128) CUtensorMap copy;
    begin(t);
    CUtensorMap *map = maps;
    if (HOW == IN_PLACE || HOW == NO_RELEASE) {
        if (threadIdx.x == 0) {
            *map = from;
            ptx::tensormap_replace_global_address(ptx::space_global, map, words);
            if (HOW == IN_PLACE) ptx::fence_proxy_tensormap_generic(ptx::sem_release, ptx::scope_gpu);
        }
    } else if (threadIdx.x < 32) {
        if (threadIdx.x == 0) {
            copy = from;
            ptx::tensormap_replace_global_address(ptx::space_shared, &copy, words);
        }
        __syncwarp();
        ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_gpu, map, &copy, ptx::n32_t<128>());
        if (HOW == IN_WARP) ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, map, ptx::n32_t<128>());
        if (threadIdx.x == 0) {
            if (HOW == IN_WARP || HOW == WARP_NOT_ACQUIRED) by_map(t, map);
            if (HOW == IN_WARP) ptx::tensormap_replace_global_address(ptx::space_shared, &copy, words);
        }
    }
    if (HOW == BLOCK_ACQUIRES) {
        __syncthreads();
        if (threadIdx.x == 32) ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, map, ptx::n32_t<128>());
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        if (HOW == PUBLISHED || HOW == IN_PLACE || HOW == NO_RELEASE) ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, map, ptx::n32_t<128>());
        if (HOW == OTHER_MAP) ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, map + 1, ptx::n32_t<128>());
        if (HOW != IN_WARP && HOW != WARP_NOT_ACQUIRED) by_map(t, map);
        if (HOW == LATE_ACQUIRE) ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, map, ptx::n32_t<128>());
    }
    end(t, out);
}
__global__ void uses(const CUtensorMap *map, int *out) {
    __shared__ Tile t;
    begin(t);
    if (threadIdx.x == 0) {
        ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_sys, map, ptx::n32_t<128>());
        by_map(t, map);
    }
    end(t, out);
}
__global__ void makes(const __grid_constant__ CUtensorMap from, CUtensorMap *map, int *words) {
    if (threadIdx.x == 0) {
        *map = from;
        ptx::tensormap_replace_global_address(ptx::space_global, map, words);
    }
}

// Tensor maps that the host has put into global memory: each block fences before it uses one.
enum HostMap { EACH_BLOCK, ONE_BLOCK, NO_BLOCK, TOO_LATE, ANOTHER };
template <HostMap HOW> __global__ void by_host_map(const CUtensorMap *map, int *out) {
    __shared__ Tile t;
    begin(t);
    if (HOW == EACH_BLOCK && threadIdx.x == 32) ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_sys, map, ptx::n32_t<128>());
    __syncthreads();
    if (threadIdx.x == 0) {
        if (HOW == ONE_BLOCK && blockIdx.x == 0) ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_sys, map, ptx::n32_t<128>());
        if (HOW == ANOTHER) ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_sys, map - 1, ptx::n32_t<128>());
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &t.full, sizeof t.words);
        const int at[] = {0};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, t.words, map, at, &t.full);  // want(host_map_one_block) sync tensor-map warning // want(host_map_no_block) sync tensor-map warning // want(host_map_too_late) sync tensor-map warning // want(host_map_another) sync tensor-map warning
        if (HOW == TOO_LATE) ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_sys, map, ptx::n32_t<128>());
    }
    end(t, out + kWords * blockIdx.x);
}
__constant__ CUtensorMap constant_map;
__global__ void by_constant_map(int *out) {
    __shared__ Tile t;
    begin(t);
    if (threadIdx.x == 0) by_map(t, &constant_map);
    end(t, out);
}

__global__ void fill(int *words) { words[threadIdx.x] = threadIdx.x; }

int main(int, char **argv) {
    int *words, *out;
    CUtensorMap *maps, map;
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    cudaMalloc(&words, kWords * 4);
    cudaMalloc(&out, kWords * 4);
    cudaMalloc(&maps, 2 * sizeof *maps);
    cudaMemset(words, 0, kWords * 4);
    cudaMemset(out, 0, kWords * 4);
    cuuint64_t size[] = {kWords}, stride[] = {0};
    cuuint32_t box[] = {kWords}, step[] = {1};
    cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 1, out, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                           CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (is("unfenced")) stored<NOT><<<1, kWords>>>(words, out);
    if (is("fenced")) stored<FENCED><<<1, kWords>>>(words, out);
    if (is("fenced_by_reader")) stored<BY_READER><<<1, kWords>>>(words, out);
    if (is("fenced_by_all")) stored<BY_ALL><<<1, kWords>>>(words, out);
    if (is("shared_only")) stored<SHARED_ONLY><<<1, kWords>>>(words, out);
    if (is("fenced_before")) stored<BEFORE><<<1, kWords>>>(words, out);
    if (is("one_only")) stored<ONE_ONLY><<<1, kWords>>>(words, out);
    if (is("alone")) by_one<false><<<1, kWords>>>(words, out);
    if (is("chained")) by_one<true><<<1, kWords>>>(words, out), rounds<2><<<1, kWords>>>(words, out);
    if (is("second_round")) rounds<1><<<1, kWords>>>(words, out);
    if (is("other_words")) stored<FENCED><<<1, kWords>>>(words, out), overwrites<true, true><<<1, kWords>>>(words, out);
    if (is("read_first")) overwrites<false, false><<<1, kWords>>>(words, out);
    if (is("overwritten")) overwrites<true, false><<<1, kWords>>>(words, out);
    if (is("overwritten_fenced")) overwrites<true, true><<<1, kWords>>>(words, out);
    void *args[] = {&words, &out};
    if (is("earlier_launch")) fill<<<1, kWords>>>(words), overwrites<false, false><<<1, kWords>>>(words, out);
    if (is("across_fenced")) cudaLaunchCooperativeKernel(across<FENCED>, dim3(2), dim3(kWords), args), cudaLaunchCooperativeKernel(across<BY_READER>, dim3(2), dim3(kWords), args);
    if (is("across_unfenced")) cudaLaunchCooperativeKernel(across<NOT>, dim3(2), dim3(kWords), args);
    if (is("map_published")) changes<PUBLISHED><<<1, kWords>>>(map, maps, words, out);
    if (is("map_published_in_warp")) changes<IN_WARP><<<1, kWords>>>(map, maps, words, out);
    if (is("map_warp_not_acquired")) changes<WARP_NOT_ACQUIRED><<<1, kWords>>>(map, maps, words, out);
    if (is("map_in_place")) changes<IN_PLACE><<<1, kWords>>>(map, maps, words, out);
    if (is("map_not_acquired")) changes<NO_ACQUIRE><<<1, kWords>>>(map, maps, words, out);
    if (is("map_other_acquired")) changes<OTHER_MAP><<<1, kWords>>>(map, maps, words, out);
    if (is("map_not_released")) changes<NO_RELEASE><<<1, kWords>>>(map, maps, words, out);
    if (is("map_acquired_late")) changes<LATE_ACQUIRE><<<1, kWords>>>(map, maps, words, out);
    if (is("map_acquired_by_block")) changes<BLOCK_ACQUIRES><<<1, kWords>>>(map, maps, words, out);
    cudaMemcpy(maps + 1, &map, sizeof map, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(constant_map, &map, sizeof map);
    int *two;
    cudaMalloc(&two, 2 * kWords * 4);
    if (is("host_map_each_block")) by_host_map<EACH_BLOCK><<<2, kWords>>>(maps + 1, two);
    if (is("host_map_constant")) by_constant_map<<<1, kWords>>>(two);
    if (is("host_map_one_block")) by_host_map<ONE_BLOCK><<<2, kWords>>>(maps + 1, two);
    if (is("host_map_no_block")) by_host_map<NO_BLOCK><<<1, kWords>>>(maps + 1, two);
    if (is("host_map_too_late")) by_host_map<TOO_LATE><<<1, kWords>>>(maps + 1, two);
    if (is("host_map_another")) by_host_map<ANOTHER><<<1, kWords>>>(maps + 1, two);
    if (is("map_earlier_launch")) makes<<<1, 32>>>(map, maps, words), uses<<<1, kWords>>>(maps, out);
    printf("%d\n", cudaDeviceSynchronize());
}
