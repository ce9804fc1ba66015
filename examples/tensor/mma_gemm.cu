// C = A*B with the tensor-core instructions themselves, as libraries use them:
// mma.sync m16n8k16 on fragments that ldmatrix fetches from shared memory, where
// cp.async puts the next tiles while the present ones are multiplied.
#include <cuda_fp16.h>

#include "../check.h"

constexpr int M = 128, N = 64, K = 96;
constexpr int BM = 64, BN = 32, BK = 16;   // tile of a block
constexpr int kThreads = 128;              // 4 warps, each 32 by 16 of the tile
constexpr int kPitchA = BK + 8, kPitchB = BN + 8;

__device__ unsigned shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void copy16(half *dst, const half *src) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared(dst)), "l"(src) : "memory");
}

__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

template <int n>
__device__ void waitFor() {
    asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory");
}

__device__ void loadA(unsigned (&r)[4], const half *p) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared(p)) : "memory");
}

__device__ void loadB(unsigned (&r)[2], const half *p) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1]) : "r"(shared(p)) : "memory");
}

__device__ void multiply(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

struct Tiles {
    half a[BM][kPitchA];
    half b[BK][kPitchB];
};

// fetch starts the copy of the tiles at column k of A and row k of B.
__device__ void fetch(Tiles &t, const half *a, const half *b, int top, int left, int k) {
    for (int i = threadIdx.x; i < BM * BK / 8; i += kThreads) {
        int row = i / (BK / 8), col = i % (BK / 8) * 8;
        copy16(&t.a[row][col], &a[(top + row) * K + k + col]);
    }
    for (int i = threadIdx.x; i < BK * BN / 8; i += kThreads) {
        int row = i / (BN / 8), col = i % (BN / 8) * 8;
        copy16(&t.b[row][col], &b[(k + row) * N + left + col]);
    }
    commit();
}

__global__ void __launch_bounds__(kThreads) gemm(const half *a, const half *b, float *c) {
    __shared__ __align__(16) Tiles tiles[2];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int row = warp / 2 * 32, col = warp % 2 * 16;
    int top = blockIdx.y * BM, left = blockIdx.x * BN;
    float acc[2][2][4] = {};

    fetch(tiles[0], a, b, top, left, 0);
    for (int k = 0; k < K; k += BK) {
        int now = k / BK % 2;
        if (k + BK < K) {
            fetch(tiles[1 - now], a, b, top, left, k + BK);
            waitFor<1>();
        } else {
            waitFor<0>();
        }
        __syncthreads();
        unsigned fa[2][4], fb[2][2];
        for (int i = 0; i < 2; i++) loadA(fa[i], &tiles[now].a[row + 16 * i + lane % 16][lane / 16 * 8]);
        for (int j = 0; j < 2; j++) loadB(fb[j], &tiles[now].b[lane % 16][col + 8 * j]);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) multiply(acc[i][j], fa[i], fb[j]);
        __syncthreads();  // the next round overwrites this buffer
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int e = 0; e < 4; e++) {
                int y = top + row + 16 * i + lane / 4 + e / 2 * 8, x = left + col + 8 * j + lane % 4 * 2 + e % 2;
                c[y * N + x] = acc[i][j][e];
            }
}

int main() {
    Random random(3);
    std::vector<half> a(M * K), b(K * N);
    std::vector<float> want(M * N);
    for (auto &x : a) x = __float2half(random.uniform() - 0.5f);
    for (auto &x : b) x = __float2half(random.uniform() - 0.5f);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < K; k++) sum += (double)__half2float(a[i * K + k]) * __half2float(b[k * N + j]);
            want[i * N + j] = (float)sum;
        }
    half *da = toDevice(a), *db = toDevice(b);
    float *dc = nullptr;
    CHECK(cudaMalloc(&dc, want.size() * sizeof(float)));
    gemm<<<dim3(N / BN, M / BM), kThreads>>>(da, db, dc);
    CHECK_LAUNCH();
    bool ok = same("mma gemm", toHost(dc, want.size()), want, 1e-5);
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
    return ok ? 0 : 1;
}
