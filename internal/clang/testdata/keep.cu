// Each line that accesses memory says in a want comment which accesses its
// PTX has, in order. Local and parameter space is not listed. Lines without
// the comment must have none.
#include <algorithm>
#include <cmath>

__global__ void dead_store(int *g) {
  __shared__ int s[64];
  s[threadIdx.x] = 1; // want st.shared.u32
  s[threadIdx.x] = 2; // want st.shared.u32
}

__global__ void unused_load(int *g, float *f) {
  int x = g[threadIdx.x]; // want ld.global.u32
  float y = f[0]; // want ld.global.f32
}

__global__ void both_branches(int *g, int c) {
  __shared__ int s[64];
  if (c > threadIdx.x) {
    s[threadIdx.x] = 5; // want st.shared.u32
  } else {
    s[threadIdx.x] = 5; // want st.shared.u32
  }
  int v;
  if (c > 7)
    v = g[threadIdx.x]; // want ld.global.u32
  else
    v = g[threadIdx.x]; // want ld.global.u32
  s[0] = v; // want st.shared.u32
}

__global__ void reload(float *g) {
  __shared__ float s[64];
  float a = s[threadIdx.x]; // want ld.shared.f32
  float b = s[threadIdx.x]; // want ld.shared.f32
  s[1] = a + b; // want st.shared.f32
  g[0] = s[1]; // want ld.shared.f32 st.global.f32
}

__global__ void forward(float *g) {
  __shared__ float s[64];
  s[threadIdx.x] = g[threadIdx.x]; // want ld.global.f32 st.shared.f32
  g[threadIdx.x] = s[threadIdx.x]; // want ld.shared.f32 st.global.f32
}

__global__ void invariant(int *g, int n) {
  __shared__ int s[64];
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += s[3]; // want ld.shared.u32
  g[0] = sum; // want st.global.u32
}

__global__ void not_unrolled(float *g) {
  float sum = 0;
  for (int i = 0; i < 4; i++)
    sum += g[i * 32]; // want ld.global.f32
  g[0] = sum; // want st.global.f32
}

__global__ void unrolled(float *g) {
  float acc[4];
#pragma unroll
  for (int i = 0; i < 4; i++)
    acc[i] = g[i * 32]; // want ld.global.f32 ld.global.f32 ld.global.f32 ld.global.f32
  g[0] = acc[0] + acc[3]; // want st.global.f32
}

__global__ void not_speculated(int *g, int *h, int c) {
  int x = 0;
  if (c)
    x = g[0]; // want ld.global.u32
  h[0] = x; // want st.global.u32
}

__global__ void spin(int *flag) {
  while (flag[0] == 0) // want ld.global.u32
    ;
}

__global__ void wide(float4 *v, float2 *w, double2 *d, int4 *i, float g, float h) {
  float4 a = v[threadIdx.x]; // want ld.global.v4.f32
  v[threadIdx.x + 1] = a; // want st.global.v4.u32
  float x = v[5].x; // want ld.global.f32
  float2 b = w[threadIdx.x]; // want ld.global.v2.f32
  b.x += x;
  w[0] = b; // want st.global.v2.f32
  double2 e = d[1]; // want ld.global.v2.f64
  e.y = 1;
  d[2] = e; // want st.global.v2.f64
  v[3] = make_float4(g, x, a.z, h); // want st.global.v4.f32
  v[7].w = 3; // want st.global.u32
  i[1] = i[0]; // want ld.global.v4.u32 st.global.v4.u32
}

__global__ void wide_shared(float4 *v) {
  __shared__ float4 s[32];
  s[threadIdx.x] = v[threadIdx.x]; // want ld.global.v4.u32 st.shared.v4.u32
  __syncthreads();
  float4 t = s[threadIdx.x ^ 1]; // want ld.shared.v4.f32
  t.x *= 2;
  v[threadIdx.x] = t; // want st.global.v4.f32
}

struct Pair {
  int a;
  float b;
};
struct alignas(8) Aligned {
  int a;
  float b;
};

__global__ void structs(Pair *p, Aligned *q) {
  Pair t = p[1]; // want ld.global.u32 ld.global.f32
  t.b += 1;
  p[2] = t; // want st.global.u32 st.global.f32
  Aligned u = q[1]; // want ld.global.u64
  q[2] = u; // want st.global.u64
}

struct Vec {
  float x, y, z;
  __device__ Vec operator+(const Vec &o) const { return {x + o.x, y + o.y, z + o.z}; }
  __device__ Vec &operator+=(const Vec &o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
};

__global__ void local_objects(float *g) {
  Vec a{1, 2, 3}, b{g[0], g[1], g[2]}; // want ld.global.f32 ld.global.f32 ld.global.f32
  a += b;
  Vec c = a + b;
  auto add = [&](float d) { c.x += d; };
  add(g[3]); // want ld.global.f32
  g[4] = c.x + c.y + c.z; // want st.global.f32
}

__device__ float by_reference(float &out, const float *in) {
  out = in[0] * 2; // want ld.global.f32 st.shared.f32
  return out; // want ld.shared.f32
}

__global__ void references(float *g) {
  __shared__ float s[2];
  float t = by_reference(s[threadIdx.x], g);
  g[1] = t; // want st.global.f32
}

__global__ void user_volatile(volatile int *g, float *f) {
  __shared__ volatile float s[64];
  __shared__ volatile double d;
  s[threadIdx.x] = 1; // want st.volatile.shared.f32
  float a = s[threadIdx.x]; // want ld.volatile.shared.f32
  s[0] += s[32]; // want ld.volatile.shared.f32 ld.volatile.shared.f32 st.volatile.shared.f32
  g[0] = 1; // want st.volatile.global.u32
  while (g[1] == 0) // want ld.volatile.global.u32
    ;
  d = 2; // want st.volatile.shared.f64
  f[0] = a + s[1]; // want ld.volatile.shared.f32 st.global.f32
}

__global__ void volatile_bytes(volatile char *c, volatile short *h, volatile long long *l, volatile bool *b) {
  c[0] = c[1]; // want ld.volatile.global.u8 st.volatile.global.u8
  h[0] = h[1]; // want ld.volatile.global.u16 st.volatile.global.u16
  l[0] = l[1]; // want ld.volatile.global.u64 st.volatile.global.u64
  b[0] = !b[1]; // want ld.volatile.global.u8 st.volatile.global.u8
}

__global__ void narrow(char *c, unsigned short *h, bool *b, long long *l, double *d) {
  c[0] = c[1]; // want ld.global.u8 st.global.u8
  h[0] = h[1] + 1; // want ld.global.u16 st.global.u16
  b[0] = !b[1]; // want ld.global.u8 st.global.u8
  l[0] = l[1]; // want ld.global.u64 st.global.u64
  d[0] = d[1]; // want ld.global.f64 st.global.f64
}

__global__ void read_only(const float *__restrict__ f, const float4 *v, float *out) {
  out[0] = __ldg(f + threadIdx.x) + __ldg(f + threadIdx.x); // want ld.global.nc.f32 ld.global.nc.f32 st.global.f32
  float4 a = __ldg(v); // want ld.global.nc.v4.u32
  out[1] = a.x + a.w; // want st.global.f32
  __ldg(f); // want ld.global.nc.f32
}

__constant__ float table[16];
__device__ int counter;

__global__ void constant(float *g) {
  float a = table[3]; // want ld.const.f32
  float b = table[3]; // want ld.const.f32
  g[0] = a + b; // want st.global.f32
  counter = 1; // want st.global.u32
  int c = counter; // want ld.global.u32
}

__global__ void atomics(int *g, unsigned *u, float *f, unsigned long long *l) {
  __shared__ int s[2];
  atomicAdd(g, 1); // want atom.global.add.u32
  atomicAdd(g, 0); // want atom.global.or.b32
  atomicAdd(&s[0], 1); // want atom.shared.add.u32
  int old = atomicCAS(&s[1], 0, 1); // want atom.shared.cas.b32
  atomicMax(g + 1, old); // want atom.global.max.s32
  atomicExch(f, 1.0f); // want atom.global.exch.b32
  atomicInc(u, 7); // want atom*.inc.u32
  atomicAdd(l, 1ull); // want atom.global.add.u64
  atomicAdd_block(g, 1); // want atom.cta.add.s32
}

__global__ void out_of_bounds(int *g) {
  __shared__ int s[4];
  s[40] = 1; // want st.shared.u32
  g[0] = s[-3]; // want ld.shared.u32 st.global.u32
  *(int *)0 = 3; // want st.u32
  g[1] = 2; // want st.global.u32
}

template <class T> __device__ T twice(T *p) {
  return *p + *p; // want ld.shared.f64 ld.shared.f64
}

__global__ void templates(double *g) {
  __shared__ double s[32];
  g[0] = twice(s + threadIdx.x); // want st.global.f64
}

__global__ void select_address(int *g, int *h, int c) {
  int *p = c ? g : h;
  *p = 1; // want st.global.u32
  int x = c ? g[0] : h[0]; // want ld.global.u32 ld.global.u32
  h[1] = x; // want st.global.u32
}

__global__ void increments(int *g) {
  __shared__ int s[32];
  s[threadIdx.x]++; // want ld.shared.u32 st.shared.u32
  g[0] += s[0]; // want ld.shared.u32 ld.global.u32 st.global.u32
}

struct Big {
  float v[10];
};
__global__ void big_copy(Big *b) {
  __shared__ Big s;
  s = b[0]; // want ld.global.u32*10 st.shared.u32*10
}

__global__ void min_max(int *g, float *f) {
  g[0] = std::min(g[1], g[2]); // want ld.global.u32*3 st.global.u32
  f[0] = fmaxf(f[1], f[2]); // want ld.global.f32*2 st.global.f32
}
