// C = A*B on tensor cores with nvcuda::wmma: each warp computes a tile of 16 by
// 16 of C, and the block's warps share tiles of A and B in shared memory. A and
// B are half, C is float.
#include <cuda_fp16.h>
#include <mma.h>

#include "../check.h"

using namespace nvcuda;

constexpr int M = 64, N = 96, K = 80;
constexpr int kWarps = 4;              // 2 by 2 tiles
constexpr int kTile = 16;
constexpr int kRows = 2 * kTile;       // of a block
constexpr int kPitch = kTile + 8;      // skews the rows over the banks

__global__ void gemm(const half *a, const half *b, float *c) {
    __shared__ __align__(32) half sa[kRows][kPitch];
    __shared__ __align__(32) half sb[kTile][kRows + 8];
    int warp = threadIdx.x / 32;
    int row = warp / 2 * kTile, col = warp % 2 * kTile;
    int top = blockIdx.y * kRows, left = blockIdx.x * kRows;

    wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    for (int k = 0; k < K; k += kTile) {
        for (int i = threadIdx.x; i < kRows * kTile; i += blockDim.x) {
            sa[i / kTile][i % kTile] = a[(top + i / kTile) * K + k + i % kTile];
            sb[i / kRows][i % kRows] = b[(k + i / kRows) * N + left + i % kRows];
        }
        __syncthreads();
        wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, half, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, half, wmma::row_major> fb;
        wmma::load_matrix_sync(fa, &sa[row][0], kPitch);
        wmma::load_matrix_sync(fb, &sb[0][col], kRows + 8);
        wmma::mma_sync(acc, fa, fb, acc);
        __syncthreads();
    }
    for (int i = 0; i < acc.num_elements; i++) acc.x[i] *= 0.5f;
    wmma::store_matrix_sync(&c[(top + row) * N + left + col], acc, N, wmma::mem_row_major);
}

int main() {
    Random random(7);
    std::vector<half> a(M * K), b(K * N);
    std::vector<float> want(M * N);
    for (auto &x : a) x = __float2half(random.below(17) - 8.0f);
    for (auto &x : b) x = __float2half(random.uniform() - 0.5f);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < K; k++) sum += (double)__half2float(a[i * K + k]) * __half2float(b[k * N + j]);
            want[i * N + j] = (float)(sum / 2);
        }
    half *da = toDevice(a), *db = toDevice(b);
    float *dc = nullptr;
    CHECK(cudaMalloc(&dc, want.size() * sizeof(float)));
    gemm<<<dim3(N / kRows, M / kRows), 32 * kWarps>>>(da, db, dc);
    CHECK_LAUNCH();
    bool ok = same("wmma gemm", toHost(dc, want.size()), want, 1e-5);
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
    return ok ? 0 : 1;
}
