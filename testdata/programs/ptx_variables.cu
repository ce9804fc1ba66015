// What inline PTX declares: variables of every space and vector registers; memory of the
// stack whose size is known at run time.
#include <cstdio>

__device__ int table(int *s, int i) {
  unsigned at = (unsigned)__cvta_generic_to_shared(s);
  int r;
  asm volatile("{ .global .align 16 .b32 tab[4] = {11, 22, 33, 44};\n .reg .u64 q;\n"
               " ld.global.u32 %0, [tab+4];\n cp.async.ca.shared.global [%1], [tab+8], 4;\n cp.async.wait_all;\n"
               " mov.u64 q, tab; cp.async.ca.shared.global [%1+4], [q+12], 4; cp.async.wait_all; }"
               : "=r"(r)
               : "r"(at)
               : "memory");
  return r + s[0] + s[1]; // 22 + 33 + 44
}

__device__ __noinline__ int own_word(int v) {
  int r;
  asm volatile("{ .shared .b32 word[64]; .reg .u32 a, t; mov.u32 t, %%tid.x; shl.b32 t, t, 2; mov.u32 a, word; add.u32 a, a, t; st.shared.u32 [a], %1; ld.shared.u32 %0, [a]; }"
               : "=r"(r)
               : "r"(v)
               : "memory");
  return r;
}

__device__ __noinline__ int other_word(int v) {
  int r;
  asm volatile("{ .shared .b32 word[64]; .reg .u32 a, t; mov.u32 t, %%tid.x; shl.b32 t, t, 2; mov.u32 a, word; add.u32 a, a, t; st.shared.u32 [a], %1; }"
               " { .shared .b32 word[64]; .reg .u32 a, t; mov.u32 t, %%tid.x; shl.b32 t, t, 2; mov.u32 a, word; add.u32 a, a, t; st.shared.u32 [a], 7; ld.shared.u32 %0, [a]; }"
               : "=r"(r)
               : "r"(v)
               : "memory");
  return r;
}

__device__ int vectors(uint4 *p) {
  int r;
  asm volatile("{ .reg .v4 .u32 v; .reg .u32 s; ld.v4.u32 v, [%1]; mov.u32 v.a, 100; st.v4.u32 [%1], v; add.u32 s, v.x, v.g; add.u32 %0, s, v.w; }"
               : "=r"(r)
               : "l"(p)
               : "memory");
  return r;
}

__device__ int stack(int n) {
  int *p = (int *)__builtin_alloca(n * sizeof(int)), sum = 0;
  for (int i = 0; i < n; i++) p[i] = i;
  for (int i = 0; i < n; i++) sum += p[n - 1 - i];
  return sum;
}

__global__ void k(int *out, uint4 *q) {
  __shared__ int s[2 * 64];
  int t = threadIdx.x, kept = own_word(1000);
  out[t] = table(s + 2 * t, t) + vectors(q + t) + stack(t) + kept + other_word(3);
}

int main() {
  int *d, h[64];
  uint4 *q, hq[64];
  for (unsigned i = 0; i < 64; i++) hq[i] = make_uint4(i, 2, 3, 4);
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&q, sizeof hq);
  cudaMemcpy(q, hq, sizeof hq, cudaMemcpyHostToDevice);
  k<<<1, 64>>>(d, q);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(hq, q, sizeof hq, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < 64; i++) {
    int want = 99 + i + 102 + i * (i - 1) / 2 + 1000 + 7;
    if (h[i] != want || hq[i].w != 100 || hq[i].z != 3) bad++;
  }
  cudaFree(d);
  cudaFree(q);
  printf(bad ? "FAIL %d %d\n" : "PASS\n", bad, h[1]);
}
