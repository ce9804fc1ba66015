// Sparse lower triangular systems solved without levels: the warp of each row waits for
// the rows that it depends on, which tell by flags that they are done.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("FAIL %s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); exit(1); } } while (0)

const int WARPS = 4;

__device__ double warp_sum(double v) {
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}

// One warp per row; rows are handed out in order, so that those a row waits for have
// begun.
__global__ void solve_warp(int n, const int *start, const int *column, const double *value, const double *b, double *x,
                           volatile int *done, int *next) {
    __shared__ int first;
    if (threadIdx.x == 0) first = atomicAdd(next, WARPS);
    __syncthreads();
    int row = first + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= n) return;
    double sum = 0;
    int end = start[row + 1] - 1; // the diagonal comes last
    for (int k = start[row] + lane; k < end; k += 32) {
        int c = column[k];
        while (done[c] == 0) {}
        __threadfence();
        sum += value[k] * x[c];
    }
    __syncwarp();
    sum = warp_sum(sum);
    if (lane == 0) {
        x[row] = (b[row] - sum) / value[end];
        __threadfence();
        done[row] = 1;
    }
}

// The same with one thread per row, which gives what it has found to those who wait.
__global__ void solve_thread(int n, const int *start, const int *column, const double *value, const double *b, double *x,
                             volatile int *done) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    double sum = 0;
    int k = start[row], end = start[row + 1] - 1;
    bool solved = false;
    while (!solved) {
        while (k < end && done[column[k]]) {
            __threadfence();
            sum += value[k] * x[column[k]];
            k++;
        }
        if (k == end) {
            x[row] = (b[row] - sum) / value[end];
            __threadfence();
            done[row] = 1;
            solved = true;
        }
    }
}

int main() {
    const int n = 200;
    std::vector<int> start{0}, column;
    std::vector<double> value, b(n), want(n), x(n);
    unsigned seed = 7;
    auto next = [&] { return seed = seed * 1664525u + 1013904223u, seed >> 8; };
    for (int i = 0; i < n; i++) {
        for (int c = i - 1, left = next() % 40; c >= 0 && left > 0; c -= 1 + next() % 9, left--) {
            column.push_back(c);
            value.push_back(0.01 * (next() % 17));
        }
        column.push_back(i);
        value.push_back(1.5 + i % 3);
        start.push_back(column.size());
        b[i] = i % 11;
    }
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = start[i]; k < start[i + 1] - 1; k++) s += value[k] * want[column[k]];
        want[i] = (b[i] - s) / value[start[i + 1] - 1];
    }
    int *d_start, *d_column, *d_done, *d_next;
    double *d_value, *d_b, *d_x;
    CHECK(cudaMalloc(&d_start, start.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_column, column.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_value, value.size() * sizeof(double)));
    CHECK(cudaMalloc(&d_b, n * sizeof(double)));
    CHECK(cudaMalloc(&d_x, n * sizeof(double)));
    CHECK(cudaMalloc(&d_done, n * sizeof(int)));
    CHECK(cudaMalloc(&d_next, sizeof(int)));
    CHECK(cudaMemcpy(d_start, start.data(), start.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_column, column.data(), column.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_value, value.data(), value.size() * sizeof(double), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    bool ok = true;
    for (int variant = 0; variant < 2; variant++) {
        CHECK(cudaMemset(d_done, 0, n * sizeof(int)));
        CHECK(cudaMemset(d_next, 0, sizeof(int)));
        if (variant == 0) solve_warp<<<(n + WARPS - 1) / WARPS, 32 * WARPS>>>(n, d_start, d_column, d_value, d_b, d_x, d_done, d_next);
        else solve_thread<<<(n + 63) / 64, 64>>>(n, d_start, d_column, d_value, d_b, d_x, d_done);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(x.data(), d_x, n * sizeof(double), cudaMemcpyDeviceToHost));
        for (int i = 0; i < n; i++) ok = ok && std::fabs(x[i] - want[i]) <= 1e-9 * (1 + std::fabs(want[i]));
    }
    printf(ok ? "PASS\n" : "FAIL\n");
    cudaFree(d_start); cudaFree(d_column); cudaFree(d_value); cudaFree(d_b); cudaFree(d_x); cudaFree(d_done); cudaFree(d_next);
    return !ok;
}
