// A load of 8 bytes and a store to half of them, both relaxed.
// flags: --arch sm_70
#include <cuda/atomic>
#include <cstdio>
using ull = unsigned long long;
__global__ void mixed(ull *m, int n, int *out) {
    int t = threadIdx.x + blockIdx.x * blockDim.x, s = 0;
    for (int i = 0; i < n; i++) {
        ull v = ((cuda::atomic<ull> *)&m[(t + i) % n])->load(cuda::memory_order_relaxed);
        int hi = (int)(v >> 32);
        if (hi < t) ((cuda::atomic<int> *)((int *)&m[(t + i + 1) % n] + 1))->store(t, cuda::memory_order_relaxed); // help: different sizes, 8 and 4 bytes // help: by atomics of one size // not: two launches
        s += hi;
    }
    out[t] = s;
}
__global__ void one_size(ull *m, int n, int *out) {
    int t = threadIdx.x + blockIdx.x * blockDim.x, s = 0;
    for (int i = 0; i < n; i++) {
        ull v = ((cuda::atomic<ull> *)&m[(t + i) % n])->load(cuda::memory_order_relaxed);
        ((cuda::atomic<ull> *)&m[(t + i + 1) % n])->store(v + t, cuda::memory_order_relaxed);
        s += (int)v;
    }
    out[t] = s;
}
int main() {
    ull *m;
    int *o;
    cudaMalloc(&m, 64 * 8);
    cudaMalloc(&o, 128 * 4);
    cudaMemset(m, 0, 64 * 8);
    mixed<<<2, 64>>>(m, 64, o);
    one_size<<<2, 64>>>(m, 64, o);
    printf("%d\n", cudaDeviceSynchronize());
}
