// Gaussian elimination: one launch computes the column of factors, the next
// subtracts the pivot row from the rows below it. subtract maps threadIdx.x to
// rows, as many programs do: neighboring threads then touch different rows
// (`--tool coalesce`). With -D BY_COLUMN, x is the column and all is well.

#include "../check.h"

__global__ void factors(float *m, const float *a, int n, int k) {
    int row = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) m[row * n + k] = a[row * n + k] / a[k * n + k];
}

__global__ void subtract(const float *m, float *a, float *b, int n, int k) {
#ifdef BY_COLUMN
    int col = k + blockIdx.x * blockDim.x + threadIdx.x;
    int row = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
#else
    int row = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    int col = k + blockIdx.y * blockDim.y + threadIdx.y;
#endif
    if (row >= n || col >= n) return;
    a[row * n + col] -= m[row * n + k] * a[k * n + col];
    if (col == k) b[row] -= m[row * n + k] * b[k];
}

static std::vector<float> substitute(const std::vector<float> &a, const std::vector<float> &b) {
    int n = b.size();
    std::vector<float> x(n);
    for (int r = n - 1; r >= 0; r--) {
        double sum = b[r];
        for (int c = r + 1; c < n; c++) sum -= (double)a[r * n + c] * x[c];
        x[r] = sum / a[r * n + r];
    }
    return x;
}

int main() {
    const int n = 48;
    Random random;
    std::vector<float> a(n * n), b(n), x(n);
    for (float &v : x) v = random.below(10);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
            a[r * n + c] = random.uniform() + (r == c ? n : 0);
            b[r] += a[r * n + c] * x[c];
        }

    float *dA = toDevice(a), *dB = toDevice(b), *dM;
    CHECK(cudaMalloc(&dM, n * n * sizeof(float)));
    dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
    for (int k = 0; k < n - 1; k++) {
        factors<<<(n + 63) / 64, 64>>>(dM, dA, n, k);
        subtract<<<grid, block>>>(dM, dA, dB, n, k);
        CHECK_LAUNCH();
    }
    bool ok = same("gaussian", substitute(toHost(dA, n * n), toHost(dB, n)), x, 1e-3);
    CHECK(cudaFree(dA));
    CHECK(cudaFree(dB));
    CHECK(cudaFree(dM));
    return ok ? 0 : 1;
}
