// half, half2, bf16, fp8: conversions, arithmetic, comparisons, intrinsics, operators, host side use.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cstdio>
#include <cmath>
#include <vector>
#include <cstring>
typedef __nv_bfloat16 bf16;
typedef __half half_t;
template <typename T> __device__ __forceinline__ float to_f(T v) { return static_cast<float>(v); }
template <> __device__ __forceinline__ float to_f<half>(half v) { return __half2float(v); }
template <> __device__ __forceinline__ float to_f<bf16>(bf16 v) { return __bfloat162float(v); }
template <typename T> __device__ T from_f(float);
template <> __device__ half from_f<half>(float f) { return __float2half_rn(f); }
template <> __device__ bf16 from_f<bf16>(float f) { return __float2bfloat16(f); }
template <typename T> __global__ void gelu(T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = to_f(x[i]);
    x[i] = from_f<T>(0.5f * v * (1.0f + tanhf(0.79788456f * (v + 0.044715f * v * v * v))));
  }
}
__global__ void ops(half2 *out, const half2 *a, const half2 *b, half *s) {
  int i = threadIdx.x;
  half2 x = a[i], y = b[i];
  half2 r = __hfma2(x, y, __float2half2_rn(1.0f));
  r = __hadd2(r, __hmul2(x, __hsub2(y, x)));
  r = __hmax2(r, __hneg2(y));
  r = __hmin2(r, __halves2half2(__float2half(100.f), half(200.f)));
  r += x;
  r = r * y - x / __float2half2_rn(2.0f);
  r = h2sqrt(__habs2(r));
  out[i] = r;
  half l = __low2half(r), h = __high2half(r);
  half m = __hgt(l, h) ? l : h;
  if (__hlt(m, half(0.0f)) || __hisnan(m) || __hisinf(m)) m = __int2half_rn(-1);
  m = m + hexp(half(0.0f)) + hlog(half(1.0f)) + hsin(half(0.0f)) + hcos(half(0)) + hrsqrt(half(1.0f)) +
      hrcp(half(2.0f)) + hfloor(half(1.5f)) + hceil(half(0.5f)) + __ushort_as_half(0x3c00);
  m = m - half(1);
  m *= half(2);
  m /= half(2);
  ++m;
  m = -m;
  m = __habs(m);
  unsigned short bits = __half_as_ushort(m);
  s[i] = __ushort_as_half(bits);
  if (__hbeq2(x, x) && !__hbne2(x, x)) s[i] = __hadd(s[i], __half(1.0f));
  s[i] = __hfma(s[i], half(1), half(0));
  s[i] = __shfl_xor_sync(0xffffffffu, s[i], 1);
  s[i] = __shfl_xor_sync(0xffffffffu, s[i], 1);
}
__global__ void reduce_half(const half *x, float *out, half2 *acc) {
  half2 v = *reinterpret_cast<const half2 *>(x + 2 * threadIdx.x);
  for (int o = 16; o; o >>= 1) v = __hadd2(v, __shfl_down_sync(~0u, v, o));
  float2 f = __half22float2(v);
  if (threadIdx.x == 0) *out = f.x + f.y;
  atomicAdd(acc, __floats2half2_rn(1.0f, 2.0f));
}
__global__ void bf(bf16 *out, const bf16 *a, __nv_bfloat162 *o2) {
  int i = threadIdx.x;
  bf16 x = a[i];
  bf16 y = __hadd(x, __float2bfloat16_rn(1.0f));
  y = __hmul(y, y);
  y = __hfma(x, x, y);
  if (__hge(y, x)) y = y - x;
  out[i] = y + bf16(0.5f);
  __nv_bfloat162 p = __floats2bfloat162_rn((float)i, 2.0f);
  p = __hmul2(p, p);
  p = __hadd2(p, __bfloat162bfloat162(bf16(1.0f)));
  o2[i] = p;
  atomicAdd(&out[32], bf16(1.0f));
}
__global__ void fp8(__nv_fp8_e4m3 *o, __nv_fp8_e5m2 *p, const float *in, float *back, __nv_fp8x4_e4m3 *v4) {
  int i = threadIdx.x;
  o[i] = __nv_fp8_e4m3(in[i]);
  p[i] = static_cast<__nv_fp8_e5m2>(in[i]);
  back[i] = float(o[i]) * 1000 + float(p[i]);
  v4[i] = __nv_fp8x4_e4m3(make_float4(in[i], 1, 2, 448));
  __nv_fp8_storage_t st = __nv_cvt_float_to_fp8(in[i], __NV_SATFINITE, __NV_E4M3);
  __half_raw hr = __nv_cvt_fp8_to_halfraw(st, __NV_E4M3);
  if (__half2float(half(hr)) != float(o[i])) back[i] = -1;
  float4 f = static_cast<float4>(v4[i]);
  if (f.w != 448 || f.z != 2) back[i] = -2;
}
// Copies of volatile values: from, to, and between values of the bits.
template <class T> __global__ void through_volatile(T *x) {
  __shared__ volatile T v[32];
  v[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  T a = v[31 - threadIdx.x], b;
  b = v[31 - threadIdx.x];
  x[threadIdx.x] = a + b;
}
int main() {
  int bad = 0;
  const int n = 500;
  std::vector<half> h(n);
  std::vector<bf16> b(n);
  for (int i = 0; i < n; i++) {
    h[i] = __float2half((i - 250) / 100.0f);
    b[i] = __float2bfloat16((i - 250) / 100.0f);
  }
  half *dh;
  bf16 *db;
  cudaMalloc(&dh, n * sizeof(half));
  cudaMalloc(&db, (n) * sizeof(bf16));
  cudaMemcpy(dh, h.data(), n * 2, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), n * 2, cudaMemcpyHostToDevice);
  gelu<half><<<(n + 127) / 128, 128>>>(dh, n);
  gelu<bf16><<<(n + 127) / 128, 128>>>(db, n);
  std::vector<half> h2(n);
  std::vector<bf16> b2(n);
  cudaMemcpy(h2.data(), dh, n * 2, cudaMemcpyDeviceToHost);
  cudaMemcpy(b2.data(), db, n * 2, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) {
    float v = __half2float(h[i]), w = 0.5f * v * (1 + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
    if (fabsf(w - __half2float(h2[i])) > 2e-3f * (1 + fabsf(w))) bad++;
    v = (float)b[i];
    w = 0.5f * v * (1 + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
    if (fabsf(w - (float)b2[i]) > 1e-2f * (1 + fabsf(w))) bad++;
  }
  half2 ha[32], hb[32], ho[32], *da, *dbb, *dout;
  half hs[32], *ds;
  for (int i = 0; i < 32; i++) {
    ha[i] = __floats2half2_rn(i / 8.0f, 1.0f);
    hb[i] = make_half2(half(2.0f), half(i / 16.0f));
  }
  cudaMalloc(&da, sizeof ha);
  cudaMalloc(&dbb, sizeof hb);
  cudaMalloc(&dout, sizeof ho);
  cudaMalloc(&ds, sizeof hs);
  cudaMemcpy(da, ha, sizeof ha, cudaMemcpyHostToDevice);
  cudaMemcpy(dbb, hb, sizeof hb, cudaMemcpyHostToDevice);
  ops<<<1, 32>>>(dout, da, dbb, ds);
  cudaMemcpy(ho, dout, sizeof ho, cudaMemcpyDeviceToHost);
  cudaMemcpy(hs, ds, sizeof hs, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; i++) {
    auto f = [](float x, float y) {
      float r = x * y + 1;
      r += x * (y - x);
      r = fmaxf(r, -y);
      r = fminf(r, 100);
      r += x;
      r = r * y - x / 2;
      return sqrtf(fabsf(r));
    };
    float lo = f(i / 8.0f, 2.0f), hi = f(1.0f, i / 16.0f);
    float2 g = __half22float2(ho[i]);
    if (fabsf(g.x - lo) > 2e-2f * (1 + lo) || fabsf(g.y - hi) > 2e-2f * (1 + hi)) {
      printf("ops %d %g %g %g %g\n", i, g.x, lo, g.y, hi);
      bad++;
    }
    float m = fmaxf(g.x, g.y) + 1 + 0 + 0 + 1 + 1 + 0.5f + 1 + 1 + 1 - 1 + 1 + 1;
    (void)m;
    if (fabsf(__half2float(hs[i]) - (fmaxf(g.x, g.y) + 7.5f)) > 0.1f) {
      printf("m %d %g %g\n", i, __half2float(hs[i]), fmaxf(g.x, g.y) + 7.5f);
      bad++;
    }
  }
  float *df, f;
  half2 *acc, hacc;
  cudaMalloc(&df, 4);
  cudaMalloc(&acc, 4);
  cudaMemset(acc, 0, 4);
  std::vector<half> r(64, __float2half(0.25f));
  cudaMemcpy(dh, r.data(), 128, cudaMemcpyHostToDevice);
  reduce_half<<<1, 32>>>(dh, df, acc);
  cudaMemcpy(&f, df, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(&hacc, acc, 4, cudaMemcpyDeviceToHost);
  if (f != 16 || __low2float(hacc) != 32 || __high2float(hacc) != 64) {
    printf("red %g\n", f);
    bad++;
  }
  __nv_bfloat162 *o2, ho2[32];
  bf16 *bo, hbo[33];
  cudaMalloc(&o2, sizeof ho2);
  cudaMalloc(&bo, sizeof hbo);
  cudaMemset(bo, 0, sizeof hbo);
  bf<<<1, 32>>>(bo, db, o2);
  cudaMemcpy(hbo, bo, sizeof hbo, cudaMemcpyDeviceToHost);
  cudaMemcpy(ho2, o2, sizeof ho2, cudaMemcpyDeviceToHost);
  if ((float)hbo[32] != 32) bad++;
  for (int i = 0; i < 32; i++)
    if (fabsf(__bfloat162float(ho2[i].x) - (i * i + 1)) > 0.01f * (i * i + 1) ||
        __bfloat162float(ho2[i].y) != 5)
      bad++;
  float in[32], back[32], *din, *dback;
  __nv_fp8_e4m3 *d1;
  __nv_fp8_e5m2 *d2;
  __nv_fp8x4_e4m3 *d4;
  for (int i = 0; i < 32; i++) in[i] = (i - 16) * 0.5f;
  cudaMalloc(&din, sizeof in);
  cudaMalloc(&dback, sizeof back);
  cudaMalloc(&d1, 32);
  cudaMalloc(&d2, 32);
  cudaMalloc(&d4, 128);
  cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
  fp8<<<1, 32>>>(d1, d2, din, dback, d4);
  cudaMemcpy(back, dback, sizeof back, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; i++) {
    float a = float(__nv_fp8_e4m3(in[i])), c = float(__nv_fp8_e5m2(in[i]));
    if (back[i] != a * 1000 + c || fabsf(a - in[i]) > fabsf(in[i]) / 16) {
      printf("fp8 %d %g\n", i, back[i]);
      bad++;
    }
  }
  through_volatile<<<1, 32>>>(bo);
  cudaMemcpy(ho2, bo, 64, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; i++)
    if ((float)((bf16 *)ho2)[i] != 2 * (float)hbo[31 - i]) bad++;
  for (void *p :
       {(void *)dh, (void *)db, (void *)da, (void *)dbb, (void *)dout, (void *)ds, (void *)df, (void *)acc,
        (void *)o2, (void *)bo, (void *)din, (void *)dback, (void *)d1, (void *)d2, (void *)d4})
    cudaFree(p);
  printf(bad ? "FAIL %d\n" : "PASS\n", bad);
  return bad != 0;
}
