// Aligned barriers of a cluster at two places in one warp, and what only looks like it.
// clean: unaligned whole_warps uniform loop returned groups
// flags: --arch sm_90
#include <cooperative_groups.h>
#include <cstring>

#define BAR(text) asm volatile("barrier.cluster." text ";" ::: "memory")
#define KERNEL __global__ void __cluster_dims__(2, 1, 1)

KERNEL arrives(int *o, int n) {
    if (threadIdx.x % 32 < n) BAR("arrive.release.aligned");  // want(arrives) sync divergent
    else { o[64 * blockIdx.x + threadIdx.x] = n; BAR("arrive.release.aligned"); }
    BAR("wait.acquire.aligned");
}
KERNEL waits(int *o, int n) {
    BAR("arrive.aligned");
    if (threadIdx.x % 32 < n) { BAR("wait.aligned"); o[64 * blockIdx.x + threadIdx.x] = 1; }  // want(waits) sync divergent
    else { BAR("wait.aligned"); o[64 * blockIdx.x + threadIdx.x] = 2; }
}
__device__ void meet() { BAR("arrive.relaxed.aligned"); BAR("wait.aligned"); }  // want(helper) sync divergent
// Once in a helper, once beside it.
KERNEL helper(int *o, int n) {
    if (threadIdx.x % 32 == 0) meet();
    else { BAR("arrive.relaxed.aligned"); BAR("wait.aligned"); }
    o[64 * blockIdx.x + threadIdx.x] = n;
}
KERNEL unaligned(int *o, int n) {
    if (threadIdx.x % 32 < n) { BAR("arrive"); BAR("wait"); o[64 * blockIdx.x + threadIdx.x] = 1; }
    else { BAR("arrive"); BAR("wait"); o[64 * blockIdx.x + threadIdx.x] = 2; }
}
KERNEL whole_warps(int *o, int n) {
    if (threadIdx.x < 32) { BAR("arrive.aligned"); o[64 * blockIdx.x + threadIdx.x] = n; BAR("wait.aligned"); }
    else { BAR("arrive.aligned"); BAR("wait.aligned"); }
}
KERNEL uniform(int *o, int n) {
    BAR("arrive.aligned");
    if (threadIdx.x % 2) o[64 * blockIdx.x + threadIdx.x] = n;
    BAR("wait.aligned");
    BAR("arrive.aligned");
    BAR("wait.aligned");
}
KERNEL loop(int *o, int n) {
    for (int i = 0; i < n; i++) {
        if (threadIdx.x % 3 == i) o[64 * blockIdx.x + threadIdx.x] = i;
        meet();
    }
    meet();
}
KERNEL returned(int *o, int n) {
    if (threadIdx.x % 32 >= n) return;
    meet();
    o[64 * blockIdx.x + threadIdx.x] = n;
}
KERNEL groups(int *o, int n) {
    auto c = cooperative_groups::this_cluster();
    for (int i = 0; i < n; i++) { o[64 * blockIdx.x + threadIdx.x] = i; c.sync(); }
}

int main(int, char **argv) {
    int *o;
    cudaMalloc(&o, 512);
#define CASE(k) if (!strcmp(argv[1], #k)) k<<<2, 64>>>(o, 5);
    CASE(arrives) CASE(waits) CASE(helper) CASE(unaligned) CASE(whole_warps) CASE(uniform) CASE(loop) CASE(returned) CASE(groups)
    return cudaDeviceSynchronize();
}
