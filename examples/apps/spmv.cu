// Sparse matrix times vector in compressed sparse rows: one thread per row,
// whose loads are scattered, and one warp per row, whose loads are coalesced
// and whose sum goes through shuffles (`--tool coalesce` compares the two).

#include "../check.h"

__global__ void rowPerThread(const int *offsets, const int *columns, const float *values,
                             const float *x, float *y, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int i = offsets[row]; i < offsets[row + 1]; i++) sum += values[i] * x[columns[i]];
    y[row] = sum;
}

__global__ void rowPerWarp(const int *offsets, const int *columns, const float *values,
                           const float *x, float *y, int rows) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int i = offsets[row] + lane; i < offsets[row + 1]; i += 32)
        sum += values[i] * x[columns[i]];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, offset);
    if (lane == 0) y[row] = sum;
}

int main() {
    const int rows = 301, cols = 400;
    Random random;
    std::vector<int> offsets{0}, columns;
    std::vector<float> values, x(cols), want(rows);
    for (float &v : x) v = random.uniform();
    for (int r = 0; r < rows; r++) {
        int count = random.below(r % 50 == 0 ? 150 : 12);
        for (int i = 0; i < count; i++) {
            columns.push_back(random.below(cols));
            values.push_back(random.uniform());
            want[r] += values.back() * x[columns.back()];
        }
        offsets.push_back(columns.size());
    }
    int *dOffsets = toDevice(offsets), *dColumns = toDevice(columns);
    float *dValues = toDevice(values), *dX = toDevice(x), *dY;
    CHECK(cudaMalloc(&dY, rows * sizeof(float)));

    rowPerThread<<<(rows + 127) / 128, 128>>>(dOffsets, dColumns, dValues, dX, dY, rows);
    CHECK_LAUNCH();
    bool ok = same("spmv row per thread", toHost(dY, rows), want, 1e-4);
    CHECK(cudaMemset(dY, 0, rows * sizeof(float)));
    rowPerWarp<<<(rows * 32 + 127) / 128, 128>>>(dOffsets, dColumns, dValues, dX, dY, rows);
    CHECK_LAUNCH();
    ok &= same("spmv row per warp", toHost(dY, rows), want, 1e-4);

    CHECK(cudaFree(dOffsets));
    CHECK(cudaFree(dColumns));
    CHECK(cudaFree(dValues));
    CHECK(cudaFree(dX));
    CHECK(cudaFree(dY));
    return ok ? 0 : 1;
}
