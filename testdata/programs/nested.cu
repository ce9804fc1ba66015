// Dynamic parallelism: recursion (quicksort), templates, struct parameters, conversions, streams, child grids
// in loops.
#include <cstdio>
#include <vector>
#include <algorithm>
#include <cstdlib>
#define CK(x)                                                                                                \
  do {                                                                                                       \
    cudaError_t e_ = (x);                                                                                    \
    if (e_ != cudaSuccess) {                                                                                 \
      printf("%s -> %s\n", #x, cudaGetErrorName(e_));                                                        \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)
#define MAX_DEPTH      16
#define INSERTION_SORT 16

__device__ void selection_sort(unsigned *data, int left, int right) {
  for (int i = left; i <= right; ++i) {
    unsigned min_val = data[i];
    int min_idx = i;
    for (int j = i + 1; j <= right; ++j) {
      unsigned v = data[j];
      if (v < min_val) {
        min_idx = j;
        min_val = v;
      }
    }
    if (i != min_idx) {
      data[min_idx] = data[i];
      data[i] = min_val;
    }
  }
}
__global__ void cdp_simple_quicksort(unsigned *data, int left, int right, int depth) {
  if (depth >= MAX_DEPTH || right - left <= INSERTION_SORT) {
    selection_sort(data, left, right);
    return;
  }
  unsigned *lptr = data + left, *rptr = data + right, pivot = data[(left + right) / 2];
  while (lptr <= rptr) {
    unsigned lval = *lptr, rval = *rptr;
    while (lval < pivot) {
      lptr++;
      lval = *lptr;
    }
    while (rval > pivot) {
      rptr--;
      rval = *rptr;
    }
    if (lptr <= rptr) {
      *lptr++ = rval;
      *rptr-- = lval;
    }
  }
  int nright = rptr - data, nleft = lptr - data;
  if (left < (rptr - data)) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cdp_simple_quicksort<<<1, 1, 0, s>>>(data, left, nright, depth + 1);
    cudaStreamDestroy(s);
  }
  if ((lptr - data) < right) {
    cudaStream_t s1;
    cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);
    cdp_simple_quicksort<<<1, 1, 0, s1>>>(data, nleft, right, depth + 1);
    cudaStreamDestroy(s1);
  }
}
struct Box {
  double lo[3];
  char tag;
  short n;
};
template <typename T, int K> __global__ void scale(T *x, size_t n, T by, bool neg, Box b, const float4 *q) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * by * (neg ? -1 : 1) + K + T(b.lo[2]) + b.tag + b.n + (T)q->w;
}
template <typename T> __global__ void __launch_bounds__(256) parent(T *x, int n, int chunk, float4 *q) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c * chunk < n) {
    Box b = {{1, 2, 3}, 4, 5};
    int m = min(chunk, n - c * chunk);
    dim3 grid((m + 31) / 32);
    if (c % 2)
      scale<T, 7><<<grid, 32>>>(x + c * chunk, m, T(c), c % 3 == 0, b, q);
    else
      scale<T, 9><<<grid, dim3(32, 1)>>>(x + c * chunk, m, c, false, b, q);
  }
}
__global__ void leaf(int *out, int v) {
  atomicAdd(out, v);
  printf("leaf %d\n", v);
}
__device__ __noinline__ void spawn(int *out, int n) {
  for (int i = 0; i < n; i++) leaf<<<1, 2>>>(out, i);
  cudaMemsetAsync(out + 1, 0x11, 4, 0);
  cudaMemcpyAsync(out + 2, out, 4, cudaMemcpyDeviceToDevice, 0);
}
__global__ void root(int *out) {
  if (threadIdx.x == 3) {
    spawn(out, 4);
    if (cudaGetLastError() != cudaSuccess) out[3] = 1;
  }
}
int main() {
  int bad = 0, n = 1000;
  std::vector<unsigned> h(n);
  for (int i = 0; i < n; i++) h[i] = (i * 7919u) % 1009;
  CK(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, MAX_DEPTH));
  unsigned *d;
  CK(cudaMalloc(&d, n * 4));
  CK(cudaMemcpy(d, h.data(), n * 4, cudaMemcpyHostToDevice));
  cdp_simple_quicksort<<<1, 1>>>(d, 0, n - 1, 0);
  CK(cudaDeviceSynchronize());
  std::vector<unsigned> o(n);
  CK(cudaMemcpy(o.data(), d, n * 4, cudaMemcpyDeviceToHost));
  std::sort(h.begin(), h.end());
  if (o != h) {
    printf("sort\n");
    bad++;
  }
  std::vector<float> f(n, 2.0f);
  float *df;
  CK(cudaMalloc(&df, n * 4));
  CK(cudaMemcpy(df, f.data(), n * 4, cudaMemcpyHostToDevice));
  float4 *q, hq = {0, 0, 0, 0.5f};
  CK(cudaMalloc(&q, sizeof *q));
  CK(cudaMemcpy(q, &hq, sizeof hq, cudaMemcpyHostToDevice));
  parent<float><<<2, 8>>>(df, n, 100, q);
  CK(cudaDeviceSynchronize());
  CK(cudaMemcpy(f.data(), df, n * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    int c = i / 100;
    float w = c % 2 ? 2.0f * c * (c % 3 == 0 ? -1 : 1) + 7 + 3 + 9 + .5f : 2.0f * c + 9 + 3 + 9 + .5f;
    if (f[i] != w) {
      if (bad++ < 3) printf("%d %g %g\n", i, f[i], w);
    }
  }
  Box hb = {{0, 0, 1}, 1, 1};
  scale<float, 1><<<1, 32>>>(df, 32, 0.0f, true, hb, q);
  CK(cudaMemcpy(f.data(), df, 4, cudaMemcpyDeviceToHost));
  if (f[0] != 4.5f) {
    printf("host launch %g\n", f[0]);
    bad++;
  }
  int *c, hc[4];
  CK(cudaMalloc(&c, 16));
  CK(cudaMemset(c, 0, 16));
  root<<<1, 32>>>(c);
  CK(cudaMemcpy(hc, c, 16, cudaMemcpyDeviceToHost));
  if (hc[0] != 12 || hc[1] != 0x11111111 || hc[2] != 12 || hc[3]) {
    printf("root %d %x %d %d\n", hc[0], hc[1], hc[2], hc[3]);
    bad++;
  }
  cudaFree(d);
  cudaFree(df);
  cudaFree(q);
  cudaFree(c);
  printf(bad ? "FAIL\n" : "PASS\n");
  return bad;
}
