// What the pipelines share: names as in CUTLASS for what <cuda/ptx> lacks, tensor maps, and checks.
#pragma once
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda_fp16.h>
#include <vector>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

#define CHECK(call)                                                \
    do {                                                           \
        if (auto e = (call)) {                                     \
            printf("%s fails with %d\n", #call, static_cast<int>(e)); \
            exit(1);                                               \
        }                                                          \
    } while (0)

__device__ inline uint32_t shared_address(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ inline void mbarrier_wait(uint64_t *bar, uint32_t parity) {
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}
__device__ inline void mbarrier_wait_cluster(uint64_t *bar, uint32_t parity) {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, bar, parity)) {
    }
}
__device__ inline void mbarrier_wait_cta(uint64_t *bar, uint32_t parity) {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, bar, parity)) {
    }
}
__device__ inline void mbarrier_wait_relaxed(uint64_t *bar, uint32_t parity) {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_relaxed, ptx::scope_cluster, bar, parity)) {
    }
}
__device__ inline void mbarrier_arrive_expect_tx(uint64_t *bar, uint32_t bytes) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, bar, bytes);
}

__device__ inline void tma_load(void *to, const CUtensorMap *map, int x, int y, uint64_t *bar) {
    const int32_t at[] = {x, y};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to, map, at, bar);
}
__device__ inline void tma_load_multicast(void *to, const CUtensorMap *map, int x, int y, uint64_t *bar, uint16_t blocks) {
    const int32_t at[] = {x, y};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to, map, at, bar, blocks);
}
__device__ inline void tma_store(const CUtensorMap *map, int x, int y, const void *from) {
    const int32_t at[] = {x, y};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, map, at, from);
}

__device__ inline void warpgroup_arrive() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void warpgroup_commit_batch() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N> __device__ inline void warpgroup_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }

// A descriptor of rows of 128 bytes in the swizzle of 128 bytes; at is a multiple of 32 bytes into a row.
__device__ inline uint64_t matrix(const void *tile, int at) {
    return ((shared_address(tile) + at) & 0x3ffff) >> 4 | 1ull << 16 | 1024ull >> 4 << 32 | 1ull << 62;
}
// d += a * b, 64 by 8 by 16.
__device__ inline void multiply(float (&d)[4], uint64_t a, uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
}
// What a thread of a warpgroup has of such a product.
__device__ inline void put(float *c, int pitch, const float (&d)[4]) {
    int row = threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
    for (int i = 0; i < 4; i++) c[(row + i / 2 * 8) * pitch + column + i % 2] = d[i];
}

// 32 columns of tensor memory.
__device__ inline void tcgen05_alloc(uint32_t *to) {
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"(shared_address(to)) : "memory");
}
__device__ inline void tcgen05_dealloc(uint32_t at) { asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 32;" ::"r"(at)); }
__device__ inline void tcgen05_fence_before_thread_sync() { asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory"); }
__device__ inline void tcgen05_fence_after_thread_sync() { asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory"); }
__device__ inline void tcgen05_wait_ld() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
__device__ inline void tcgen05_commit(uint64_t *bar) {
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(shared_address(bar)) : "memory");
}
// As matrix, for tcgen05.mma.
__device__ inline uint64_t tensor_matrix(const void *tile, int at) {
    return ((shared_address(tile) + at) & 0x3ffff) >> 4 | 1ull << 16 | 1024ull >> 4 << 32 | 1ull << 46 | 2ull << 61;
}
// d = a * b or d += a * b, 128 by 16 by 16.
__device__ inline void tcgen05_multiply(uint32_t d, uint64_t a, uint64_t b, bool adds) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0; tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }"
                 ::"r"(d), "l"(a), "l"(b), "r"(1u << 4 | 2u << 17 | 8u << 24), "r"(unsigned{adds}));
}
// 16 columns of the warp's lanes.
__device__ inline void tcgen05_load(float (&d)[16], uint32_t at) {
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x16.b32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, [%16];"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]), "=f"(d[7]), "=f"(d[8]), "=f"(d[9]),
                   "=f"(d[10]), "=f"(d[11]), "=f"(d[12]), "=f"(d[13]), "=f"(d[14]), "=f"(d[15])
                 : "r"(at));
}

// A map of a matrix with boxes of a size, for elements of 2 or 4 bytes.
template <class T> CUtensorMap map_of(T *data, int columns, int rows, int box_columns, int box_rows, CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE) {
    CUtensorMap map;
    cuuint64_t size[] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows)}, stride[] = {columns * sizeof(T)};
    cuuint32_t box[] = {static_cast<cuuint32_t>(box_columns), static_cast<cuuint32_t>(box_rows)}, step[] = {1, 1};
    CHECK(cuTensorMapEncodeTiled(&map, sizeof(T) == 2 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_INT32, 2,
                                 const_cast<std::remove_const_t<T> *>(data), size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                                 CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    return map;
}

// Memory of the device with a copy on the host.
template <class T> struct Buffer {
    std::vector<T> host;
    T *device = nullptr;
    explicit Buffer(size_t n) : host(n) { CHECK(cudaMalloc(&device, n * sizeof(T))); }
    ~Buffer() { cudaFree(device); }
    void to_device() { CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice)); }
    void to_host() { CHECK(cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost)); }
};

// The operands of a product of m by n by k and its check.
struct Product {
    int m, n, k;
    Buffer<half> a, b;
    Buffer<float> c;
    Product(int m, int n, int k) : m(m), n(n), k(k), a(m * k), b(n * k), c(m * n) {
        for (int i = 0; i < m * k; i++) a.host[i] = __float2half(static_cast<float>((i * 7 + i / k * 3) % 11 - 5));
        for (int i = 0; i < n * k; i++) b.host[i] = __float2half(static_cast<float>((i * 5 + i / k) % 7 - 3));
        a.to_device();
        b.to_device();
    }
    int check() {
        c.to_host();
        int wrong = 0;
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                float want = 0;
                for (int l = 0; l < k; l++) want += __half2float(a.host[i * k + l]) * __half2float(b.host[j * k + l]);
                wrong += c.host[i * n + j] != want;
            }
        }
        printf("%s\n", wrong ? "FAIL" : "PASS");
        return wrong != 0;
    }
};
