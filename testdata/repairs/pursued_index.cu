// fix: fixed
// has: +  int c = cuda::atomic_ref<int, cuda::thread_scope_device>(p[v]).load(cuda::memory_order_relaxed);
// has: +    while (c > (next = cuda::atomic_ref<int, cuda::thread_scope_device>(p[c]).load(cuda::memory_order_relaxed))) {
// has: +      cuda::atomic_ref<int, cuda::thread_scope_device>(p[prev]).store(next, cuda::memory_order_relaxed);
// has: +#include <cuda/atomic>
// not: atomicAdd
#include <cstdio>
__device__ int find(int v, int *p) {
  int c = p[v];
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
__global__ void unite(const int *a, const int *b, int *p) {
  int x = find(a[threadIdx.x], p), y = find(b[threadIdx.x], p);
  while (x != y) {
    if (x < y) { int t = x; x = y; y = t; }
    int o = atomicCAS(&p[x], x, y);
    if (o == x) break;
    x = find(o, p);
    y = find(y, p);
  }
}
int main() {
  int n = 128, h[128], g[128], q[128], *a, *b, *p;
  for (int i = 0; i < n; i++) h[i] = i, g[i] = (i * 37 + 5) % n, q[i] = i - (i % 3 == 1);
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof g);
  cudaMalloc(&p, sizeof q);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(b, g, sizeof g, cudaMemcpyHostToDevice);
  cudaMemcpy(p, q, sizeof q, cudaMemcpyHostToDevice);
  unite<<<1, 128>>>(a, b, p);
  printf("%d\n", cudaDeviceSynchronize());
}
