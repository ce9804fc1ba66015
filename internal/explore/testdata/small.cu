// Launches of a few warps, each with what their exploration is to give: "// explored NAME: N executions, M outcomes", and
// the rules that find an error in some order.
#include <cassert>
#include <cooperative_groups.h>
#include <cstdio>

__device__ int la, lb, n, x, y, order[8], flag[8], a[8];
#define ONE if (threadIdx.x) return

__device__ void lock(int *l) {
    while (atomicCAS(l, 0, 1) != 0) {}
    __threadfence();
}
__device__ void unlock(int *l) {
    __threadfence();
    atomicExch(l, 0);
}

// explored reset: 1 executions, 1 outcomes
__global__ void reset() { la = lb = n = x = y = 0; }

// explored alone: 1 executions, 1 outcomes
__global__ void alone() {
    ONE;
    a[blockIdx.x] = 1;
}

// explored plain: 4 executions, 2 outcomes: race
__global__ void plain() {
    ONE;
    int v = n;
    n = v + 1;
}
// explored counted: 6 executions, 6 outcomes
__global__ void counted() {
    ONE;
    order[atomicAdd(&n, 1)] = blockIdx.x;
}
// explored locked: 6 executions, 1 outcomes
__global__ void locked() {
    ONE;
    lock(&la);
    n++;
    unlock(&la);
}
// explored around: 7 executions, 2 outcomes: race
__global__ void around() {
    ONE;
    if (blockIdx.x == 0) x = 1;
    lock(&la);
    n++;
    unlock(&la);
    if (blockIdx.x == 1) x = 2;
}
// Two locks in two orders: a deadlock that the order of the run does not show.
// explored crossed: 19 executions, 2 outcomes: hang
__global__ void crossed() {
    ONE;
    int *first = blockIdx.x ? &lb : &la, *second = blockIdx.x ? &la : &lb;
    lock(first);
    lock(second);
    n++;
    unlock(second);
    unlock(first);
}
// explored uncrossed: 6 executions, 1 outcomes
__global__ void uncrossed() {
    ONE;
    lock(&la);
    lock(&lb);
    n++;
    unlock(&lb);
    unlock(&la);
}
// explored asserted: 2 executions, 2 outcomes: assert
__global__ void asserted() {
    ONE;
    int before = atomicAdd(&y, 1);
    assert(before != 1 || blockIdx.x == 1);
}
// Each block waits for the one before it.
// explored waited: 9 executions, 1 outcomes
__global__ void waited() {
    ONE;
    int sum = blockIdx.x;
    if (blockIdx.x) {
        while (*(volatile int *)&flag[blockIdx.x - 1] == 0) {}
        __threadfence();
        sum += a[blockIdx.x - 1];
    }
    a[blockIdx.x] = sum;
    __threadfence();
    atomicExch(&flag[blockIdx.x], 1);
}
// Warps of a block, with the barrier and without: then one of them, but not both, may read before the other one writes.
// explored exchanged: 1 executions, 1 outcomes
__global__ void exchanged() {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x % 32 == 0) a[threadIdx.x / 32] = s[(threadIdx.x + 32) % 64];
}
// explored unordered: 3 executions, 3 outcomes: race
__global__ void unordered() {
    __shared__ int s[64];
    if (threadIdx.x % 32 == 0) s[threadIdx.x] = threadIdx.x + 1;
    if (threadIdx.x % 32 == 0) a[threadIdx.x / 32] = s[(threadIdx.x + 32) % 64];
}
// explored together: 10 executions, 1 outcomes
__global__ void together() {
    if (threadIdx.x == 0) a[blockIdx.x] = blockIdx.x;
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0) order[blockIdx.x] = a[(blockIdx.x + 1) % gridDim.x];
}

int main() {
    auto again = [] { reset<<<1, 1>>>(); };
    reset<<<1, 1>>>();
    alone<<<4, 32>>>();
    plain<<<2, 32>>>();
    again();
    counted<<<3, 32>>>();
    again();
    locked<<<2, 32>>>();
    around<<<2, 32>>>();
    crossed<<<2, 32>>>();
    uncrossed<<<2, 32>>>();
    asserted<<<2, 32>>>();
    waited<<<3, 32>>>();
    exchanged<<<1, 64>>>();
    unordered<<<1, 64>>>();
    cudaLaunchCooperativeKernel((void *)together, dim3(2), dim3(32), nullptr, 0, 0);
    return cudaDeviceSynchronize() != cudaSuccess;
}
