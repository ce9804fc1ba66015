// exit: 1
// The barrier of a grid in a launch that is not cooperative, and kernels that
// ask first.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void exchange(int *a) {
    cg::grid_group grid = cg::this_grid();
    a[grid.thread_rank()] = grid.block_rank();
    grid.sync(); // want assert trap
    a[grid.size() + grid.thread_rank()] = a[grid.size() - 1 - grid.thread_rank()];
}

__global__ void asks(int *a, bool *valid) {
    auto grid = cg::this_grid();
    if (grid.thread_rank() == 0) *valid = grid.is_valid();
    if (grid.is_valid()) grid.sync();
    a[grid.thread_rank()] = 1;
}

int main() {
    int *a;
    bool *valid, first, second;
    cudaMalloc(&a, 256 * sizeof *a), cudaMalloc(&valid, 1);
    void *args[] = {&a, &valid}, *one[] = {&a};
    asks<<<2, 64>>>(a, valid);
    cudaMemcpy(&first, valid, 1, cudaMemcpyDeviceToHost);
    cudaLaunchCooperativeKernel((void *)asks, 2, 64, args, 0, 0);
    cudaMemcpy(&second, valid, 1, cudaMemcpyDeviceToHost);
    if (first || !second) return 2;
    if (cudaLaunchCooperativeKernel((void *)exchange, 2, 64, one, 0, 0) || cudaDeviceSynchronize()) return 3;
    exchange<<<2, 64>>>(a);
    return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 4;
}
