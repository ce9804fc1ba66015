// Barriers in two parts: threads arrive, do other work, and wait.
// clean: block_before block_other block_phases block_early cluster_before grid_before grid_phases grid_flag
// flags: --arch sm_90
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;

const int N = 64;

// Each thread writes its slot before or after it has arrived, and reads its partner's.
template <bool BEFORE> __global__ void in_block(int *out) {
    __shared__ int s[N];
    cg::thread_block block = cg::this_thread_block();
    int t = threadIdx.x;
    if (BEFORE) s[t] = t;
    auto token = block.barrier_arrive();
    if (!BEFORE) s[t] = t;
    block.barrier_wait(std::move(token));
    out[t] = s[N - 1 - t];  // want(block_between) race RAW
}
// The same in global memory.
template <bool BEFORE> __global__ void in_block_global(int *a, int *out) {
    cg::thread_block block = cg::this_thread_block();
    int t = threadIdx.x;
    if (BEFORE) a[t] = t;
    auto token = block.barrier_arrive();
    if (!BEFORE) a[t] = t;
    block.barrier_wait(std::move(token));
    out[t] = a[N - 1 - t];  // want(global_between) race RAW
}
// Between the two each thread uses what is its own.
__global__ void own_work(int *out) {
    __shared__ int s[N], own[N];
    cg::thread_block block = cg::this_thread_block();
    int t = threadIdx.x;
    s[t] = t;
    auto token = block.barrier_arrive();
    own[t] = 3 * t;
    int x = own[t];
    block.barrier_wait(std::move(token));
    out[t] = s[N - 1 - t] + x;
}
// Many phases; what was read before an arrival is written after the wait for it.
template <bool LATE> __global__ void phases(int *out) {
    __shared__ int s[N];
    cg::thread_block block = cg::this_thread_block();
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 5; i++) {
        s[t] = t + i;  // want(late_read) race WAR
        block.sync();
        if (!LATE) sum += s[N - 1 - t];
        auto token = block.barrier_arrive();
        if (LATE) sum += s[N - 1 - t];
        block.barrier_wait(std::move(token));
    }
    out[t] = sum;
}
// A warp that has waited continues, although others have yet to wait.
template <bool WRONG> __global__ void early(int *out) {
    __shared__ int s[N];
    __shared__ volatile int flag;
    cg::thread_block block = cg::this_thread_block();
    int t = threadIdx.x;
    s[t] = t;
    if (t == 0) flag = 0;
    block.sync();
    auto token = block.barrier_arrive();
    if (t < 32) {
        block.barrier_wait(std::move(token));
        out[t] = s[N - 1 - t];  // want(first_warp) race RAW
        __threadfence_block();
        if (t == 0) flag = 1;
    } else {
        if (WRONG) s[t] = -t;
        while (flag == 0) { }
        __threadfence_block();
        block.barrier_wait(std::move(token));
        out[t] = s[N - 1 - t];
    }
}
template <bool BEFORE> __global__ void in_cluster(int *out) {
    __shared__ int s[N];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x;
    if (BEFORE) s[t] = t;
    auto token = cluster.barrier_arrive();
    if (!BEFORE) s[t] = t;
    cluster.barrier_wait(std::move(token));
    int *there = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * N + t] = there[t];  // want(cluster_between) race RAW
    cluster.sync();
}
// Each block reads what the next one wrote.
template <bool BEFORE> __global__ void in_grid(int *a, int *out) {
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    if (BEFORE) a[i] = i;
    auto token = grid.barrier_arrive();
    if (!BEFORE) a[i] = i;
    grid.barrier_wait(std::move(token));
    out[i] = a[(i + blockDim.x) % n];  // want(grid_between) race RAW
}
template <bool BEFORE> __global__ void grid_loop(int *a, int *out) {
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, sum = 0;
    for (int k = 0; k < 3; k++) {
        a[i] = i + k;  // want(grid_late) race WAR
        auto all = grid.barrier_arrive();
        grid.barrier_wait(std::move(all));
        if (BEFORE) sum += a[(i + blockDim.x) % n];
        auto token = grid.barrier_arrive();
        if (!BEFORE) sum += a[(i + blockDim.x) % n];
        grid.barrier_wait(std::move(token));
    }
    out[i] = sum;
}
// A block that has arrived waits for one that continues without it.
__global__ void grid_flag(int *flag, int *out) {
    cg::grid_group grid = cg::this_grid();
    auto token = grid.barrier_arrive();
    if (blockIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0) { }
    }
    grid.barrier_wait(std::move(token));
    if (blockIdx.x == 1 && threadIdx.x == 0) atomicExch(flag, 1);
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
// Behind a barrier in two parts nothing orders the blocks.
__global__ void grid_behind(int *a, int *out) {
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    auto token = grid.barrier_arrive();
    grid.barrier_wait(std::move(token));
    a[i] = i;
    out[i] = a[(i + blockDim.x) % n];  // want(grid_behind) race RAW
}
template <int WHAT> __global__ void misuse(int *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block::arrival_token token;
    if (WHAT != 0) token = block.barrier_arrive();  // want(never_waited) sync split
    if (WHAT == 1) token = block.barrier_arrive();  // want(twice) sync split
    if (WHAT != 2) block.barrier_wait(std::move(token));  // want(never_arrived) sync deadlock
    out[threadIdx.x] = 1;
}
__global__ void not_all(int *out) {
    cg::thread_block block = cg::this_thread_block();
    if (threadIdx.x < 32) {
        auto token = block.barrier_arrive();
        block.barrier_wait(std::move(token));  // want(not_all) sync deadlock
    }
    __syncthreads();
    out[threadIdx.x] = 1;
}

template <class... A> static void together(void (*kernel)(A...), A... a) {
    void *args[] = {&a...};
    cudaLaunchCooperativeKernel((void *)kernel, dim3(4), dim3(N), args, 0, nullptr);
}
static void in_clusters(void (*kernel)(int *), int *out) {
    cudaLaunchConfig_t c = {};
    c.gridDim = 4;
    c.blockDim = N;
    cudaLaunchAttribute a;
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim.x = 2;
    a.val.clusterDim.y = a.val.clusterDim.z = 1;
    c.attrs = &a;
    c.numAttrs = 1;
    cudaLaunchKernelEx(&c, kernel, out);
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    int *a, *out;
    cudaMalloc(&a, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(a, 0, 4096);
    if (is("block_before")) in_block<true><<<1, N>>>(out);
    if (is("block_between")) in_block<false><<<1, N>>>(out);
    if (is("block_before")) in_block_global<true><<<1, N>>>(a, out);
    if (is("global_between")) in_block_global<false><<<1, N>>>(a, out);
    if (is("block_other")) own_work<<<1, N>>>(out);
    if (is("block_phases")) phases<false><<<1, N>>>(out);
    if (is("late_read")) phases<true><<<1, N>>>(out);
    if (is("block_early")) early<false><<<1, N>>>(out);
    if (is("first_warp")) early<true><<<1, N>>>(out);
    if (is("cluster_before")) in_clusters(in_cluster<true>, out);
    if (is("cluster_between")) in_clusters(in_cluster<false>, out);
    if (is("grid_before")) together(in_grid<true>, a, out);
    if (is("grid_between")) together(in_grid<false>, a, out);
    if (is("grid_phases")) together(grid_loop<true>, a, out);
    if (is("grid_late")) together(grid_loop<false>, a, out);
    if (is("grid_behind")) together(grid_behind, a, out);
    if (is("grid_flag")) together(grid_flag, a, out);
    if (is("never_arrived")) misuse<0><<<1, N>>>(out);
    if (is("twice")) misuse<1><<<1, N>>>(out);
    if (is("never_waited")) misuse<2><<<1, N>>>(out);
    if (is("not_all")) not_all<<<1, N>>>(out);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(out);
    return 0;
}
