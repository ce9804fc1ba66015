// Union-find with path halving: each thread goes round its own number of times.
#include <cstdio>
__device__ int find(int v, int *p) {
    int c = p[v]; // help: cuda::atomic_ref with cuda::thread_scope_device and cuda::memory_order_relaxed // not: __sync
    if (c != v) {
        int prev = v, next;
        while (c > (next = p[c])) {
            p[prev] = next;
            prev = c;
            c = next;
        }
    }
    return c;
}
__global__ void unite(const int *a, const int *b, int *p, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    int x = find(a[i], p), y = find(b[i], p);
    while (x != y) {
        if (x < y) {
            int t = x;
            x = y;
            y = t;
        }
        int o = atomicCAS(&p[x], x, y);
        if (o == x) break;
        x = find(o, p);
        y = find(y, p);
    }
}
// Pointer jumping goes in rounds, with a barrier in each: a second one is missing.
__global__ void jump(int *next, int rounds) {
    int t = threadIdx.x;
    for (int r = 0; r < rounds; r++) {
        __syncthreads();
        int n = next[next[t]];
        next[t] = n; // help: add __syncthreads() between line 36 and line 37
    }
}
int main() {
    int n = 128, h[128], g[128], q[129], *a, *b, *p;
    for (int i = 0; i < n; i++) h[i] = i, g[i] = (i * 37 + 5) % n;
    for (int i = 0; i <= n; i++) q[i] = i ? i - (i % 3 == 1) : 0;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof g);
    cudaMalloc(&p, sizeof q);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(b, g, sizeof g, cudaMemcpyHostToDevice);
    cudaMemcpy(p, q, sizeof q, cudaMemcpyHostToDevice);
    unite<<<1, 128>>>(a, b, p, n);
    cudaMemcpy(p, q, sizeof q, cudaMemcpyHostToDevice);
    jump<<<1, 128>>>(p, 3);
    printf("%d\n", cudaDeviceSynchronize());
}
