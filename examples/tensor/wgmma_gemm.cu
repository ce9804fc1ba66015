// C = A*B^T on Hopper: a warpgroup multiplies tiles that it puts into shared memory by
// ordinary stores, in the 128-byte swizzle that matrix descriptors name. The products are
// asynchronous: fence.proxy.async makes the stores visible to them, wgmma.wait_group ends
// them before the tiles are overwritten and before the results are read. Two buffers let the
// next tiles be stored while the present ones are multiplied.
#include <cuda_fp16.h>

#include "../check.h"

constexpr int M = 128, N = 128, K = 256;
constexpr int BM = 64, BN = 64, BK = 64;  // a row of a tile is 128 bytes, one period of the swizzle
constexpr int kThreads = 128;             // one warpgroup

// A matrix descriptor: start address, stride of 1024 bytes between groups of eight rows, swizzle of 128 bytes.
__device__ unsigned long long descriptor(const void *tile) {
    unsigned long long start = (unsigned)__cvta_generic_to_shared(tile);
    return (start & 0x3ffff) >> 4 | 1ull << 16 | 1024ull >> 4 << 32 | 1ull << 62;
}

__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int n>
__device__ void waitFor() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory");
}

// d += a * b, 64 by 64 by 16.
__device__ void multiply(float (&d)[32], unsigned long long a, unsigned long long b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
        "%32, %33, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
          "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
          "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
          "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
        : "l"(a), "l"(b));
}

struct Tiles {
    half a[BM * BK], b[BN * BK];
};

// store copies 64 rows of 64 elements. Piece c of 16 bytes of row r goes to place c^(r%8).
__device__ void store(half *tile, const half *from) {
    for (int i = threadIdx.x; i < 64 * 8; i += kThreads) {
        int row = i / 8, piece = i % 8;
        *(uint4 *)(tile + row * 64 + (piece ^ row % 8) * 8) = *(const uint4 *)(from + row * K + piece * 8);
    }
}

__global__ void gemm(const half *a, const half *b, float *c) {
    __shared__ __align__(1024) Tiles tiles[2];
    int top = blockIdx.y * BM, left = blockIdx.x * BN;
    float d[32] = {};
    for (int k = 0; k < K; k += BK) {
        Tiles &t = tiles[k / BK % 2];
        store(t.a, a + top * K + k);
        store(t.b, b + left * K + k);
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();
        fence();
        for (int i = 0; i < BK; i += 16) multiply(d, descriptor(t.a + i), descriptor(t.b + i));
        commit();
        waitFor<1>();      // the products on the other buffer have ended
        __syncthreads();   // in all warps
    }
    waitFor<0>();
    int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, col = threadIdx.x % 4 * 2;
    for (int i = 0; i < 32; i++) c[(top + row + i / 2 % 2 * 8) * N + left + col + i / 4 * 8 + i % 2] = d[i];
}

static float value(int i, int j) { return (float)((i * 7 + j * 3) % 13 - 6); }

int main() {
    static half a[M * K], b[N * K];
    static float c[M * N];
    for (int i = 0; i < M * K; i++) a[i] = __float2half(value(i / K, i % K));
    for (int i = 0; i < N * K; i++) b[i] = __float2half(value(i % K, i / K));
    half *da, *db;
    float *dc;
    CHECK(cudaMalloc(&da, sizeof a));
    CHECK(cudaMalloc(&db, sizeof b));
    CHECK(cudaMalloc(&dc, sizeof c));
    CHECK(cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice));
    gemm<<<dim3(N / BN, M / BM), kThreads>>>(da, db, dc);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost));
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            float want = 0;
            for (int k = 0; k < K; k++) want += value(i, k) * value(k, j);
            if (c[i * N + j] != want) {
                printf("c[%d][%d] is %g, not %g\n", i, j, c[i * N + j], want);
                return 1;
            }
        }
    }
    printf("PASS\n");
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
}
