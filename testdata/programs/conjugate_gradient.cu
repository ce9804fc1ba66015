// Conjugate gradient in one cooperative kernel: grid.sync, cg::reduce, warp-level dot products.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
namespace cg = cooperative_groups;
#define checkCudaErrors(v) do { cudaError_t r_ = (v); if (r_) { fprintf(stderr, "error %d (%s) at %d\n", (int)r_, cudaGetErrorName(r_), __LINE__); exit(1); } } while (0)

__device__ void spmv(const int *I, const int *J, const float *val, int n, const float *x, float *y, cg::grid_group &grid) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
        float s = 0;
        for (int j = I[i]; j < I[i + 1]; j++) s += val[j] * x[J[j]];
        y[i] = s;
    }
}
__device__ void dot(const float *a, const float *b, int n, double *out, const cg::thread_block &cta, cg::grid_group &grid) {
    __shared__ double tmp[32];
    double s = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) s += (double)a[i] * b[i];
    auto tile = cg::tiled_partition<32>(cta);
    s = cg::reduce(tile, s, cg::plus<double>());
    if (tile.thread_rank() == 0) tmp[tile.meta_group_rank()] = s;
    cg::sync(cta);
    if (tile.meta_group_rank() == 0) {
        s = tile.thread_rank() < tile.meta_group_size() ? tmp[tile.thread_rank()] : 0.0;
        s = cg::reduce(tile, s, cg::plus<double>());
        if (tile.thread_rank() == 0) { atomicAdd(out, s); }
    }
    cg::sync(cta);
}
extern "C" __global__ void cgSolve(const int *I, const int *J, const float *val, float *x, float *r, float *p, float *Ap, int n, double *dots, float tol, int maxIter, int *iters) {
    cg::thread_block cta = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) { p[i] = r[i]; }
    cg::sync(grid);
    dot(r, r, n, &dots[0], cta, grid);
    cg::sync(grid);
    double rs = dots[0];
    int k = 0;
    for (; k < maxIter && rs > tol * tol; k++) {
        spmv(I, J, val, n, p, Ap, grid);
        cg::sync(grid);
        dot(p, Ap, n, &dots[1], cta, grid);
        cg::sync(grid);
        float alpha = rs / dots[1];
        for (int i = grid.thread_rank(); i < n; i += grid.size()) { x[i] += alpha * p[i]; r[i] -= alpha * Ap[i]; }
        cg::sync(grid);
        if (grid.thread_rank() == 0) { dots[0] = 0; dots[1] = 0; }
        cg::sync(grid);
        dot(r, r, n, &dots[0], cta, grid);
        cg::sync(grid);
        double rn = dots[0];
        float beta = rn / rs;
        rs = rn;
        for (int i = grid.thread_rank(); i < n; i += grid.size()) p[i] = r[i] + beta * p[i];
        cg::sync(grid);
    }
    if (grid.thread_rank() == 0) *iters = k;
}
int main() {
    cudaDeviceProp prop;
    checkCudaErrors(cudaGetDeviceProperties(&prop, 0));
    if (!prop.cooperativeLaunch) { printf("no cooperative launch, waiving\n"); return 2; }
    int n = 500;
    std::vector<int> I(n + 1), J; std::vector<float> val, b(n), x(n, 0.f);
    for (int i = 0; i < n; i++) {
        I[i] = J.size();
        if (i) { J.push_back(i - 1); val.push_back(-1); }
        J.push_back(i); val.push_back(2.5f + i % 3);
        if (i + 1 < n) { J.push_back(i + 1); val.push_back(-1); }
        b[i] = 1 + i % 4;
    }
    I[n] = J.size();
    int nz = J.size();
    int *dI, *dJ, *iters; float *dv, *dx, *dr, *dp, *dAp; double *dots;
    checkCudaErrors(cudaMallocManaged(&dI, (n + 1) * 4)); checkCudaErrors(cudaMallocManaged(&dJ, nz * 4));
    checkCudaErrors(cudaMallocManaged(&dv, nz * 4)); checkCudaErrors(cudaMallocManaged(&dx, n * 4));
    checkCudaErrors(cudaMalloc(&dr, n * 4));
    checkCudaErrors(cudaMalloc(&dp, n * 4));
    checkCudaErrors(cudaMalloc(&dAp, n * 4));
    checkCudaErrors(cudaMallocManaged(&dots, 16)); checkCudaErrors(cudaMallocManaged(&iters, 4));
    std::copy(I.begin(), I.end(), dI); std::copy(J.begin(), J.end(), dJ); std::copy(val.begin(), val.end(), dv);
    for (int i = 0; i < n; i++) dx[i] = 0;
    dots[0] = dots[1] = 0;
    checkCudaErrors(cudaMemcpy(dr, b.data(), n * 4, cudaMemcpyHostToDevice));
    int threads = 128, perSM = 0;
    checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSM, cgSolve, threads, 0));
    int blocks = std::min(perSM * prop.multiProcessorCount, 3);
    float tol = 1e-5f; int maxIter = 200;
    void *args[] = {&dI, &dJ, &dv, &dx, &dr, &dp, &dAp, &n, &dots, &tol, &maxIter, &iters};
    checkCudaErrors(cudaLaunchCooperativeKernel((void *)cgSolve, blocks, threads, args, 0, 0));
    checkCudaErrors(cudaDeviceSynchronize());
    double err = 0;
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = I[i]; j < I[i + 1]; j++) s += val[j] * dx[J[j]];
        err = fmax(err, fabs(s - b[i]));
    }
    printf("iterations %d residual %g %s\n", *iters, err, err < 1e-3 ? "PASS" : "FAIL");
    return err >= 1e-3;
}
