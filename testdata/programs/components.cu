// Connected components by union-find without locks: roots are hooked by compare-and-swap,
// paths are halved on the way, all parents are read and written by relaxed atomics.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Ref = cuda::atomic_ref<int, cuda::thread_scope_device>;

struct Forest {
    int *parent;
    __device__ int load(int v) const { return Ref(parent[v]).load(cuda::memory_order_relaxed); }
    __device__ int find(int v) const {
        int p = load(v);
        while (p != v) {
            int g = load(p);
            if (g != p) Ref(parent[v]).store(g, cuda::memory_order_relaxed); // halve the path
            v = p;
            p = g;
        }
        return v;
    }
    __device__ bool unite(int a, int b) const {
        for (;;) {
            a = find(a);
            b = find(b);
            if (a == b) return false;
            if (a < b) { int t = a; a = b; b = t; }
            int expected = a;
            if (Ref(parent[a]).compare_exchange_strong(expected, b, cuda::memory_order_relaxed)) return true;
        }
    }
};

__global__ void init(Forest f, int n) {
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) f.parent[v] = v;
}

__global__ void hook(Forest f, const int2 *edges, int m, int *joined) {
    int mine = 0;
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < m; e += gridDim.x * blockDim.x)
        mine += f.unite(edges[e].x, edges[e].y);
    mine = __reduce_add_sync(0xffffffffu, mine);
    if (threadIdx.x % 32 == 0 && mine) atomicAdd(joined, mine);
}

__global__ void flatten(Forest f, int n, int *size) {
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
        int root = f.find(v);
        Ref(f.parent[v]).store(root, cuda::memory_order_relaxed);
        atomicAdd(&size[root], 1);
    }
}

int root(std::vector<int> &p, int v) {
    while (p[v] != v) v = p[v] = p[p[v]];
    return v;
}

int main() {
    const int n = 2000, m = 1700;
    std::vector<int2> edges(m);
    unsigned seed = 3;
    auto next = [&] { return seed = seed * 1664525u + 1013904223u, seed >> 9; };
    for (auto &e : edges) e = {int(next() % n), int(next() % n)};
    std::vector<int> p(n);
    std::iota(p.begin(), p.end(), 0);
    int unions = 0;
    for (auto e : edges) {
        int a = root(p, e.x), b = root(p, e.y);
        if (a != b) { p[a > b ? a : b] = a > b ? b : a; unions++; }
    }
    Forest f;
    int2 *d_edges;
    int *d_joined, *d_size;
    cudaMalloc(&f.parent, n * sizeof(int));
    cudaMalloc(&d_edges, m * sizeof(int2));
    cudaMalloc(&d_joined, sizeof(int));
    cudaMalloc(&d_size, n * sizeof(int));
    cudaMemcpy(d_edges, edges.data(), m * sizeof(int2), cudaMemcpyHostToDevice);
    cudaMemset(d_joined, 0, sizeof(int));
    cudaMemset(d_size, 0, n * sizeof(int));
    init<<<4, 128>>>(f, n);
    hook<<<6, 96>>>(f, d_edges, m, d_joined);
    flatten<<<4, 128>>>(f, n, d_size);
    std::vector<int> got(n), size(n), sizes(n);
    int joined = 0;
    cudaMemcpy(got.data(), f.parent, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(size.data(), d_size, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&joined, d_joined, sizeof joined, cudaMemcpyDeviceToHost);
    bool ok = joined == unions && cudaGetLastError() == cudaSuccess;
    for (int v = 0; v < n; v++) sizes[root(p, v)]++;
    for (int v = 0; v < n; v++) ok = ok && got[v] == root(p, v) && size[v] == sizes[v];
    printf(ok ? "PASS\n" : "FAIL\n");
    cudaFree(f.parent); cudaFree(d_edges); cudaFree(d_joined); cudaFree(d_size);
    return !ok;
}
