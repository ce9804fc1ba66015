// What is rewritten, and how. Where a line changes, its comment has the changed
// line with the hooks' names shortened and without the sites' numbers; lines
// without such a comment stay as they are.
#include <algorithm>
#include <cassert>
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_fp16.h>

#include "accesses.h"

namespace cg = cooperative_groups;

#define AT(a, i) a[(i)]
#define SWAP(x, y)   \
  do {               \
    auto swap_ = x;  \
    x = y;           \
    y = swap_;       \
  } while (0)
#define NAMED(x) note(#x, x)
#define WIDTH 32
#define SYNC __syncthreads()

struct Pair {
  float x, y;
  int v[4];
};
struct Bits {
  unsigned low : 4, high : 28;
};
struct __attribute__((packed)) Packed {
  char c;
  int n;
};
enum Mode { Off, On };
__constant__ int table[8];
__device__ int total;
static const int limit = 7;

extern __shared__ int dynamic[];

__device__ void note(const char *, int) {}

struct Accumulator {
  int sum;
  __device__ void add(int n) { sum += n; } // want: __device__ void add(int n) { u(sum) += n; }
  __device__ int get() const { return sum; } // want: __device__ int get() const { return r(sum); }
  __device__ int &operator[](int) { return sum; }
};

template <class T> struct Box {
  T value;
  __device__ Box &operator=(const T &t) {
    value = t; // want: w(value) = r(t);
    return *this;
  }
  __device__ operator T() const { return value; } // want: __device__ operator T() const { return r(value); }
};

template <class T> __device__ T first(const T *p) {
  if (p)
    return*p; // want: return r(*p);
  else return T();
}

template <class T, int N> __device__ void fill(T (&a)[N], T v) {
  for (int i = 0; i < N; i++) a[i] = v; // want: for (int i = 0; i < N; i++) w(a[i]) = v;
}

template <class T> __device__ void fill(T *p, int n, T v) {
  for (T *end = p + n; p < end; p++) *p = v; // want: for (T *end = p + n; p < end; p++) w(*p) = v;
}

constexpr __host__ __device__ int half_of(const int &n) { return n / 2; } // want: constexpr __host__ __device__ int half_of(const int &n) { return r(n) / 2; }

__device__ int early(int *p, int n) {
  if (n == 0) return 0;
  int local[4] = {1, 2, 3, 4};
  local[n & 3] = p[n]; // want: local[n & 3] = r(p[n]);
  return local[0] + table[n] + total + limit;
}

__global__ void arrays(int *out, const int *__restrict in, int n) {
  __shared__ int s[WIDTH], grid[4][8];
  __shared__ Pair ps[4];
  __shared__ int one;
  int id = threadIdx.x;
  s[id] = in[id]; // want: w(s[id]) = in[id];
  grid[id & 3][id & 7] = 1; // want: w(grid[id & 3][id & 7]) = 1;
  one = 3; // want: w(one) = 3;
  s[s[id] & 31] += s[0]; // want: u(s[r(s[id]) & 31]) += r(s[0]);
  s[id]++; // want: u(s[id])++;
  --s[id]; // want: --u(s[id]);
  ps[0].x = ps[1].v[id & 3]; // want: w(ps[0].x) = r(ps[1].v[id & 3]);
  ps[2] = ps[3]; // want: w(ps[2]) = r(ps[3]);
  Pair copy = ps[1]; // want: Pair copy = r(ps[1]);
  ps[1] = copy; // want: w(ps[1]) = copy;
  int *p = s;
  const int *q = in;
  *p = *q; // want: w(*p) = *q;
  p[1] = p[2] = 5; // want: w(p[1]) = w(p[2]) = 5;
  (id ? s[0] : s[1]) = 2; // want: w((id ? s[0] : s[1])) = 2;
  int both = id ? s[0] : grid[0][0]; // want: int both = r(id ? s[0] : grid[0][0]);
  int &ref = s[id];
  ref = both; // want: w(ref) = both;
  volatile int *vp = s;
  vp[0] = 1; // want: w(vp[0]) = 1;
  int bytes = sizeof(s[0]) + sizeof(decltype(s[1]));
  float4 *wide = (float4 *)s;
  float4 f = wide[id & 7]; // want: float4 f = r(wide[id & 7]);
  wide[0].x = f.y; // want: w(wide[0].x) = f.y;
  atomicAdd(&s[0], 1); // want: atomicAdd(a(&s[0]), 1);
  atomicMax(out, 1);
  fill(s, 1);
  fill(&s[4], 4, 2);
  dynamic[id] = first(s) + early(s, id) + bytes; // want: w(dynamic[id]) = first(s) + early(s, id) + bytes;
  out[id] = std::max(s[1], s[2]); // want: out[id] = std::max(r(s[1]), r(s[2]));
  switch (s[0]) { // want: switch (r(s[0])) {
  case WIDTH: one = On; // want: case WIDTH: w(one) = On;
  }
  if (int got = s[3]) out[0] = got; // want: if (int got = r(s[3])) out[0] = got;
  for (int v : s) out[1] += v; // want: for (int v : each(s)) out[1] += v;
  for (int &v : s) v = 0; // want: for (int &v : s) w(v) = 0;
  auto &[x, y, v] = ps[0];
  x = y; // want: w(x) = r(y);
  constexpr int six = half_of(12);
  out[2] = half_of(s[0]) + six;
  out[3] = (in[0], s[2]); // want: out[3] = r((in[0], s[2]));
  int list[] = {s[0], s[1]}; // want: int list[] = {r(s[0]), r(s[1])};
  out[4] = list[0];
}

__global__ void macros(int *out) {
  __shared__ int s[2 * WIDTH];
  int id = threadIdx.x;
  AT(s, id) = 1; // want: /*AT(s, id)*/ w(s[(id)])  = 1;
  s[WIDTH] = 2; // want: w(s[WIDTH]) = 2;
  SWAP(s[0], s[1]); // want: /*SWAP(s[0], s[1])*/ do { auto swap_ = r(s[0]); w(s[0]) = r(s[1]); w(s[1]) = swap_; } while (0) ;
  NAMED(s[id]); // want: /*NAMED(s[id])*/ note("s[id]", r(s[id])) ;
  int next = id;
  AT(s, next++) = AT(s, AT(s, 0)); // want: /*AT(s, next++)*/ w(s[(next++)])  = /*AT(s, AT(s, 0))*/ r(s[r((s[(0)]))]) ;
  SYNC; // want: /*SYNC*/ (__syncthreads(), barrier()) ;
  out[id] = s[id]; // want: out[id] = r(s[id]);
}

__global__ void classes(int *out) {
  __shared__ Accumulator acc;
  __shared__ Box<int> box;
  __shared__ Bits bits;
  __shared__ Packed packed;
  __shared__ __half h[4];
  acc.sum = 0; // want: w(acc.sum) = 0;
  acc.add(1);
  acc[3] = acc.get(); // want: w(acc[3]) = acc.get();
  box = 4;
  out[0] = box;
  bits.low = 3;
  packed.n = 2;
  h[0] = h[1]; // want: w(h[0]) = r(h[1]);
  auto by = [&](int k) { acc.sum = k; }; // want: auto by = [&](int k) { w(acc.sum) = k; };
  by(2);
  twice(&acc.sum);
  if (out[1]) return;
  __syncthreads(); // want: (__syncthreads(), barrier());
  if (__syncthreads_or(acc.sum > 1)) out[1] = 1; // want: if (barrier_value(__syncthreads_or(r(acc.sum) > 1))) out[1] = 1;
  cg::thread_block block = cg::this_thread_block();
  block.sync(); // want: (block.sync(), barrier());
  cg::sync(block); // want: (cg::sync(block), barrier());
  cg::tiled_partition<32>(block).sync();
  asm volatile("bar.sync 0;" ::: "memory"); // want: do { asm volatile("bar.sync 0;" ::: "memory"); barrier(); } while (0);
}

// Not a kernel that needs anything: no shared memory.
__global__ void plain(int *out) { out[threadIdx.x] = threadIdx.x; }

int main() {
  int *out;
  cudaMalloc(&out, 4096);
  arrays<<< 1, WIDTH, 4 * WIDTH >>>(out, out, 1);
  macros<<<1, WIDTH>>> (out);
  classes<<<1, WIDTH>>>(out);
  plain<<<1, WIDTH>>>(out);
  auto err = cudaDeviceReset(); // want: auto err = (flush(), cudaDeviceReset());
  return err;
}
