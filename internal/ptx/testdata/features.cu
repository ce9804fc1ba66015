// Source of the features.*.ptx files: device code in many styles.
// Made with (once per N, and with -g for debug.ptx):
//   clang++ -x cuda --cuda-device-only -nocudainc -nocudalib -S -ON --cuda-gpu-arch=sm_80
//     --cuda-feature=+ptx78 -gline-tables-only -ffile-prefix-map=$PWD=/src features.cu
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

struct Vec { float x, y, z; };
struct Node { Node *next; double value; int tag[3]; };

__constant__ float coeffs[4] = {0.5f, -1.25f, 3e10f, 1e-40f};
__constant__ double table64[2][2] = {{1, 2}, {3, -0.0}};
__device__ int counters[8] = {1, 2, 3};
__device__ int *cursor = &counters[2];
__device__ const char *names[2] = {"first", "second \"quoted\""};
__device__ Node head = {nullptr, 2.5, {1, 2, 3}};
__device__ Node *chain[2] = {&head, nullptr};
__device__ long long zeroed;
extern __shared__ float dynamic[];

extern "C" __device__ int printf(const char *, ...);
extern "C" __device__ void *malloc(unsigned long);

__device__ inline unsigned tid() { return __nvvm_read_ptx_sreg_tid_x(); }
__device__ inline void sync() { asm volatile("bar.sync 0;" ::: "memory"); }
__device__ inline float square(float x) { return x * x; }
__device__ inline float squares(float x) { return square(x) + square(x + 1); }
__device__ __attribute__((noinline)) float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ __attribute__((noinline)) float other(Vec a, Vec b) { return a.x - b.x; }
typedef float (*Fn)(Vec, Vec);
__device__ Fn functions[2] = {dot, other};
__device__ __attribute__((noinline)) Vec make(float f) { return Vec{f, f + 1, f + 2}; }

__global__ void __launch_bounds__(256, 2) reduce(const float *in, float *out, int n) {
  __shared__ float part[256];
  unsigned t = tid();
  part[t] = (int)t < n ? squares(in[t]) : 0;
  sync();
  for (unsigned s = 128; s > 0; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    sync();
  }
  dynamic[t] = part[t] * coeffs[t & 3];
  if (t == 0) *out = part[0] + dynamic[n];
}

__global__ void calls(Vec *v, float *out, int which, int n) {
  unsigned t = tid();
  Vec a = v[t], b = make(n);
  out[t] = functions[which](a, b) + dot(b, a);
  switch (n) {
  case 0: out[0] = 1; break;
  case 1: out[1] = 2; break;
  case 2: out[2] = 4; break;
  case 3: out[3] = 8; break;
  case 4: out[n] = squares(out[5]); break;
  }
  if (n > 7) printf("%d %f %s\n", n, out[t], names[n & 1]);
}

__global__ void atomics(int *p, float *f, unsigned *u, unsigned long long *q, double *d) {
  __nvvm_atom_add_gen_i(p, 1);
  __nvvm_atom_add_gen_f(f, 2.0f);
  q[1] = __nvvm_atom_cas_gen_ll((long long *)q, 3, 4);
  u[1] = __nvvm_atom_inc_gen_ui(u, 5);
  __nvvm_atom_add_gen_d(d, 1.5);
  p[2] = __nvvm_atom_max_gen_i(cursor, 7);
  __atomic_fetch_add(&zeroed, 1, __ATOMIC_RELAXED);
  volatile int *vp = p;
  vp[3] = vp[4];
}

__global__ void warp(int *p, unsigned mask) {
  int x = p[tid()];
  x += __nvvm_shfl_sync_bfly_i32(mask, x, 16, 31);
  x += __nvvm_vote_ballot_sync(mask, x > 3);
  x += __nvvm_match_any_sync_i32(mask, x);
  x += __nvvm_fns(mask, x, 1) + __builtin_popcount(x) + __builtin_clz(x);
  unsigned lane;
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %1, 0;\n\t@p mov.u32 %0, %%laneid;\n\t@!p mov.u32 %0, 0;\n\t}" : "=r"(lane) : "r"(x));
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.u32 %0, [%1];" : "=r"(x) : "l"(p + lane));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;\n cp.async.commit_group;\n cp.async.wait_group 0;" ::"r"(x), "l"(p));
  p[tid()] = x;
  __nvvm_membar_gl();
}

__global__ void halves(__fp16 *h, double *d, long long *l, unsigned char *c) {
  unsigned t = tid();
  h[t] = (__fp16)((float)h[t] * 1.5f + (float)d[t]);
  d[t] = __nvvm_sqrt_rn_d(d[t]) / (double)l[t];
  l[t] = l[t] * l[t + 1] % 10 + (l[t] << 3);
  c[t] = (unsigned char)(c[t] >> 1 ^ c[t + 1]);
  float2_: d[t + 1] = t ? __builtin_fma(d[t], table64[t & 1][0], 1.0) : __nvvm_ex2_approx_f((float)d[0]);
  if (d[t] > 1e300) goto float2_;
}

struct alignas(16) F4 { float x, y, z, w; };
__global__ void vectors(F4 *a, F4 by_value, Node n) {
  F4 v = a[tid()];
  float local[10];
  for (int i = 0; i < 10; i++) local[i] = v.x * i;
  a[tid() + 1] = F4{local[(int)v.y & 7], by_value.w, (float)n.value, v.z};
  Node *m = (Node *)malloc(sizeof(Node));
  *m = n;
  chain[1] = m;
  if (!m) __builtin_trap();
}
