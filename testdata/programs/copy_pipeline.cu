// A tiled product with two buffers by asynchronous copies, and one whose copies are
// made by a warp of its own that hands tiles over by arrivals.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>
constexpr int T = 16, kStages = 3;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void product(const float *a, const float *b, float *c, int n) {
    __shared__ alignas(16) float as[2][T][T], bs[2][T][T];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    auto load = [&](int s, int k) {
        __pipeline_memcpy_async(&as[s][y][x], &a[row * n + k * T + x], 4);
        __pipeline_memcpy_async(&bs[s][y][x], &b[(k * T + y) * n + col], 4);
        __pipeline_commit();
    };
    float sum = 0;
    load(0, 0);
    for (int k = 0; k < n / T; k++) {
        if (k + 1 < n / T) load((k + 1) % 2, k + 1);
        else __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int i = 0; i < T; i++) sum += as[k % 2][y][i] * bs[k % 2][i][x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
__global__ void specialized(const float *in, float *out, int tiles) {
    __shared__ alignas(16) float buffer[kStages][32];
    __shared__ Barrier full[kStages], empty[kStages];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < kStages) {
        init(&full[threadIdx.x], 64);
        init(&empty[threadIdx.x], 64);
    }
    __syncthreads();
    float sum = 0;
    for (int t = 0; t < tiles; t++) {
        int s = t % kStages;
        if (warp == 0) {
            if (t >= kStages) empty[s].arrive_and_wait();
            buffer[s][lane] = in[t * 32 + lane];
            (void)full[s].arrive();
        } else {
            full[s].arrive_and_wait();
            sum += buffer[s][31 - lane] * (lane + 1);
            if (t + kStages < tiles) (void)empty[s].arrive();
        }
    }
    if (warp == 1) out[lane] = sum;
}
int main() {
    const int n = 64, tiles = 10;
    std::vector<float> a(n * n), b(n * n), c(n * n), in(tiles * 32), out(32);
    for (int i = 0; i < n * n; i++) a[i] = i % 7, b[i] = i % 5;
    for (int i = 0; i < tiles * 32; i++) in[i] = i % 11;
    float *da, *db, *dc, *di, *dout;
    cudaMalloc(&da, n * n * 4);
    cudaMalloc(&db, n * n * 4);
    cudaMalloc(&dc, n * n * 4);
    cudaMalloc(&di, tiles * 128);
    cudaMalloc(&dout, 128);
    cudaMemcpy(da, a.data(), n * n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), n * n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(di, in.data(), tiles * 128, cudaMemcpyHostToDevice);
    product<<<dim3(n / T, n / T), dim3(T, T)>>>(da, db, dc, n);
    specialized<<<1, 64>>>(di, dout, tiles);
    cudaMemcpy(c.data(), dc, n * n * 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(out.data(), dout, 128, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
            bad += c[i * n + j] != s;
        }
    for (int l = 0; l < 32; l++) {
        float s = 0;
        for (int t = 0; t < tiles; t++) s += in[t * 32 + 31 - l] * (l + 1);
        bad += out[l] != s;
    }
    for (void *p : {da, db, dc, di, dout}) cudaFree(p);
    printf("%s %d\n", bad ? "FAIL" : "PASS", bad);
}
