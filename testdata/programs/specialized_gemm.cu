// flags: --arch sm_90
// A matrix product whose warps have different tasks: one fetches tiles by asynchronous
// copies into a ring of stages, the others multiply; mbarriers say which stage is full or
// empty.
#include <cmath>
#include <cstdio>
#include <vector>
#include <cuda/barrier>
#include <cuda_runtime.h>

constexpr int TILE = 32, DEPTH = 16, STAGES = 3, CONSUMERS = 128, THREADS = CONSUMERS + 32;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

struct Stage {
    float a[TILE][DEPTH];
    float b[DEPTH][TILE];
};

__global__ void __launch_bounds__(THREADS) multiply(const float *A, const float *B, float *C, int n, int k) {
    extern __shared__ __align__(16) unsigned char memory[];
    Stage *stage = reinterpret_cast<Stage *>(memory);
    __shared__ Barrier full[STAGES], empty[STAGES];
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++) {
            init(&full[s], THREADS);
            init(&empty[s], THREADS);
        }
    __syncthreads();
    const int row = blockIdx.y * TILE, col = blockIdx.x * TILE, rounds = k / DEPTH;
    if (threadIdx.x >= CONSUMERS) { // the producer
        int lane = threadIdx.x - CONSUMERS;
        for (int r = 0; r < rounds; r++) {
            int s = r % STAGES;
            empty[s].arrive_and_wait();
            for (int i = lane; i < TILE * DEPTH / 4; i += 32) {
                int y = i / (DEPTH / 4), x = i % (DEPTH / 4) * 4;
                cuda::memcpy_async(&stage[s].a[y][x], &A[(row + y) * k + r * DEPTH + x], cuda::aligned_size_t<16>(16), full[s]);
            }
            for (int i = lane; i < TILE * DEPTH / 4; i += 32) {
                int y = i / (TILE / 4), x = i % (TILE / 4) * 4;
                cuda::memcpy_async(&stage[s].b[y][x], &B[(r * DEPTH + y) * n + col + x], cuda::aligned_size_t<16>(16), full[s]);
            }
            (void)full[s].arrive();
        }
        return;
    }
    for (int s = 0; s < STAGES; s++) (void)empty[s].arrive(); // all are empty at first
    const int ty = threadIdx.x / 16, tx = threadIdx.x % 16;   // 4 rows, 2 columns each
    float sum[4][2] = {};
    for (int r = 0; r < rounds; r++) {
        int s = r % STAGES;
        full[s].arrive_and_wait();
        for (int d = 0; d < DEPTH; d++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 2; j++) sum[i][j] += stage[s].a[ty * 4 + i][d] * stage[s].b[d][tx + 16 * j];
        if (r + STAGES < rounds) (void)empty[s].arrive();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) C[(row + ty * 4 + i) * n + col + tx + 16 * j] = sum[i][j];
}

int main() {
    const int m = 64, n = 96, k = 112;
    std::vector<float> a(m * k), b(k * n), c(m * n);
    for (int i = 0; i < m * k; i++) a[i] = (i * 7 % 13) - 6;
    for (int i = 0; i < k * n; i++) b[i] = (i * 5 % 11) - 5;
    float *A, *B, *C;
    cudaMalloc(&A, a.size() * 4);
    cudaMalloc(&B, b.size() * 4);
    cudaMalloc(&C, c.size() * 4);
    cudaMemcpy(A, a.data(), a.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(B, b.data(), b.size() * 4, cudaMemcpyHostToDevice);
    multiply<<<dim3(n / TILE, m / TILE), THREADS, STAGES * sizeof(Stage)>>>(A, B, C, n, k);
    bool ok = cudaDeviceSynchronize() == cudaSuccess;
    cudaMemcpy(c.data(), C, c.size() * 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float want = 0;
            for (int d = 0; d < k; d++) want += a[i * k + d] * b[d * n + j];
            ok = ok && std::fabs(want - c[i * n + j]) < 1e-3f;
        }
    printf(ok ? "PASS\n" : "FAIL\n");
    cudaFree(A); cudaFree(B); cudaFree(C);
    return !ok;
}
