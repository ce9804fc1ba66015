// Matrix product C = A * B: once straight from global memory, once through
// 16x16 tiles in shared memory. The tiled kernel takes any size: tiles that
// stick out are filled with zeros.

#include "../check.h"

const int TILE = 16;

__global__ void multiply(const float *a, const float *b, float *c, int m, int k, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n) return;
    float sum = 0;
    for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

__global__ void multiplyTiled(const float *a, const float *b, float *c, int m, int k, int n) {
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y;
    int col = blockIdx.x * TILE + x;

    float sum = 0;
    for (int t = 0; t < k; t += TILE) {
        as[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0.0f;
        bs[y][x] = t + y < k && col < n ? b[(t + y) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; i++) sum += as[y][i] * bs[i][x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

int main() {
    const int m = 100, k = 72, n = 90;
    Random random;
    std::vector<float> a(m * k), b(k * n), want(m * n);
    for (float &v : a) v = random.uniform() - 0.5f;
    for (float &v : b) v = random.uniform() - 0.5f;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++) sum += a[i * k + l] * b[l * n + j];
            want[i * n + j] = sum;
        }

    float *dA = toDevice(a), *dB = toDevice(b), *dC;
    CHECK(cudaMalloc(&dC, m * n * sizeof(float)));
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);

    multiply<<<grid, block>>>(dA, dB, dC, m, k, n);
    CHECK_LAUNCH();
    bool ok = same("matmul", toHost(dC, m * n), want, 1e-4);

    CHECK(cudaMemset(dC, 0, m * n * sizeof(float)));
    multiplyTiled<<<grid, block>>>(dA, dB, dC, m, k, n);
    CHECK_LAUNCH();
    ok &= same("matmul tiled", toHost(dC, m * n), want, 1e-4);

    CHECK(cudaFree(dA));
    CHECK(cudaFree(dB));
    CHECK(cudaFree(dC));
    return ok ? 0 : 1;
}
