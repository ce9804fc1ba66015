// flags: --arch sm_35 --race-model lockstep
// Old warp-synchronous code, legacy shuffles and votes, volatile shared memory, asm with single %, printf,
// clock, assert.
#include <stdio.h>
#include <assert.h>
#include <cuda.h>
typedef unsigned int uint;
typedef unsigned char uchar;
template <int N> struct Log2 {
  enum { value = 1 + Log2<N / 2>::value };
};
template <> struct Log2<1> {
  enum { value = 0 };
};
__device__ uint laneid() {
  uint r;
  asm("mov.u32 %0, %laneid;" : "=r"(r));
  return r;
}
__device__ __forceinline__ uint bfe(uint v, uint s, uint n) {
  uint r;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(v), "r"(s), "r"(n));
  return r;
}
__device__ void warpReduce(volatile int *sdata, int tid) {
  sdata[tid] += sdata[tid + 32];
  sdata[tid] += sdata[tid + 16];
  sdata[tid] += sdata[tid + 8];
  sdata[tid] += sdata[tid + 4];
  sdata[tid] += sdata[tid + 2];
  sdata[tid] += sdata[tid + 1];
}
__global__ void sum(int *out, const int *in) {
  __shared__ int s[64 + 32];
  uint t = threadIdx.x;
  s[t] = in[t];
  if (t < 32) s[64 + t] = 0;
  __syncthreads();
  if (t < 32) warpReduce(s, t);
  if (t == 0) out[0] = s[0];
}
__global__ void legacy(int *out) {
  int t = threadIdx.x, v = t;
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor(v, o);
  int up = __shfl_up(t, 1), dn = __shfl_down(t, 1), b = __shfl(t, 5);
  uint bal = __ballot(t & 1);
  int any = __any(t == 31), all = __all(t < 32);
  out[t] = v + up + dn + b + (bal == 0xaaaaaaaau) + any + all + (laneid() == t) + bfe(0xff00, 8, 4) +
           __popc(bal) + __mul24(3, t) + __umul24(2u, t) + __ffs(8) + __clz(1) + __brev(1u << 31) +
           __sad(3, 5, 1) + __float2int_rn(2.5f) + __float_as_int(0.0f) + (int)__fdividef(6.0f, 2.0f) +
           (int)__saturatef(3.0f) + __umulhi(1u << 31, 2) + __byte_perm(0x12, 0, 0);
  if (t == 0) {
    long long c = clock64();
    clock_t k = clock();
    assert(c >= 0 && k >= 0);
    printf("%s %d %5.2f %c %u %lld %p|%-4d|%x%%\n", "str", -5, 1.5, 'c', 7u, 1LL << 40, (void *)0, 3, 255);
  }
}
int main() {
  int h[64], o[64], *d, *e, bad = 0;
  for (int i = 0; i < 64; i++) h[i] = i * i;
  cudaMalloc((void **)&d, 256);
  cudaMalloc((void **)&e, 256);
  cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice);
  sum<<<1, 64>>>(e, d);
  cudaMemcpy(o, e, 4, cudaMemcpyDeviceToHost);
  if (o[0] != 85344) bad++;
  legacy<<<1, 32>>>(e);
  cudaMemcpy(o, e, 128, cudaMemcpyDeviceToHost);
  cudaThreadSynchronize();
  for (int t = 0; t < 32; t++) {
    int w = 496 + (t ? t - 1 : 0) + (t < 31 ? t + 1 : 31) + 5 + 1 + 1 + 1 + 1 + 15 + 16 + 3 * t + 2 * t + 4 +
            31 + 1 + 3 + 2 + 0 + 3 + 1 + 1 + 0x12121212;
    if (o[t] != w) {
      if (bad++ < 3) printf("%d %d %d\n", t, o[t], w);
    }
  }
  cudaFree(d);
  cudaFree(e);
  printf(bad ? "FAIL\n" : "PASS\n");
  cudaThreadExit();
  return bad;
}
