// Pools, pitched and 3-D memory, managed variables, limits, pointer attributes.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CK(x)                                                                                                \
  do {                                                                                                       \
    cudaError_t e_ = (x);                                                                                    \
    if (e_ != cudaSuccess) {                                                                                 \
      printf("%s:%d %s -> %s\n", __FILE__, __LINE__, #x, cudaGetErrorName(e_));                              \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)
__global__ void fill(int *p, int n, int v) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] = v + i;
}
__global__ void pitched(const char *base, size_t pitch, int w, int h, float *sum) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < w && y < h) {
    const float *row = (const float *)(base + y * pitch);
    atomicAdd(sum, row[x]);
  }
}
__global__ void vol(cudaPitchedPtr p, cudaExtent e, float *out) {
  int x = threadIdx.x;
  if (x >= e.width / sizeof(float)) return;
  for (int z = 0; z < e.depth; z++)
    for (int y = 0; y < e.height; y++) {
      float *row = (float *)((char *)p.ptr + z * p.pitch * e.height + y * p.pitch);
      out[(z * e.height + y) * (e.width / sizeof(float)) + x] = row[x] + 1;
    }
}
__managed__ int counter = 5;
__device__ __managed__ float table[4] = {1, 2, 3, 4};
__global__ void touch() {
  atomicAdd(&counter, 1);
  if (threadIdx.x < 4) table[threadIdx.x] *= 2;
}
int main() {
  int bad = 0, supported = 0;
  CK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  if (!supported) bad++;
  if (counter != 5 || table[3] != 4) {
    printf("managed before\n");
    bad++;
  }
  counter = 7;
  touch<<<1, 64>>>();
  CK(cudaDeviceSynchronize());
  if (counter != 71 || table[2] != 6) {
    printf("managed %d %g\n", counter, table[2]);
    bad++;
  }
  cudaStream_t s;
  CK(cudaStreamCreate(&s));
  cudaMemPool_t pool, own;
  CK(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long thr = ~0ull;
  CK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &thr));
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = 0;
  CK(cudaMemPoolCreate(&own, &props));
  int *a, *b;
  CK(cudaMallocAsync(&a, 4000, s));
  CK(cudaMallocFromPoolAsync(&b, 4000, own, s));
  fill<<<2, 128, 0, s>>>(a, 1000, 3);
  CK(cudaMemcpyAsync(b, a, 4000, cudaMemcpyDefault, s));
  std::vector<int> h(1000);
  CK(cudaMemcpyAsync(h.data(), b, 4000, cudaMemcpyDefault, s));
  CK(cudaFreeAsync(a, s));
  CK(cudaFreeAsync(b, s));
  CK(cudaStreamSynchronize(s));
  for (int i = 0; i < 1000; i++)
    if (h[i] != 3 + i) {
      bad++;
      break;
    }
  unsigned long long used;
  CK(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used));
  if (used) bad++;
  CK(cudaMemPoolTrimTo(pool, 0));
  CK(cudaMemPoolDestroy(own));
  size_t pitch;
  char *p;
  CK(cudaMallocPitch((void **)&p, &pitch, 100 * sizeof(float), 20));
  std::vector<float> hp(100 * 20, 0.5f);
  CK(cudaMemcpy2D(p, pitch, hp.data(), 400, 400, 20, cudaMemcpyHostToDevice));
  float *ds, hs;
  CK(cudaMalloc(&ds, 4));
  CK(cudaMemset(ds, 0, 4));
  pitched<<<20, 128>>>(p, pitch, 100, 20, ds);
  CK(cudaMemcpy(&hs, ds, 4, cudaMemcpyDeviceToHost));
  if (hs != 1000) bad++;
  CK(cudaMemset2D(p, pitch, 0, 400, 20));
  CK(cudaMemcpy2DAsync(hp.data(), 400, p, pitch, 400, 20, cudaMemcpyDeviceToHost, s));
  CK(cudaStreamSynchronize(s));
  for (float f : hp)
    if (f != 0) bad++;
  cudaExtent e = make_cudaExtent(8 * sizeof(float), 5, 3);
  cudaPitchedPtr pp;
  CK(cudaMalloc3D(&pp, e));
  CK(cudaMemset3D(pp, 0, e));
  std::vector<float> hv(120);
  for (int i = 0; i < 120; i++) hv[i] = i;
  cudaMemcpy3DParms mp = {0};
  mp.srcPtr = make_cudaPitchedPtr(hv.data(), 32, 8, 5);
  mp.dstPtr = pp;
  mp.extent = e;
  mp.kind = cudaMemcpyHostToDevice;
  CK(cudaMemcpy3D(&mp));
  float *dv;
  CK(cudaMalloc(&dv, 480));
  vol<<<1, 32>>>(pp, e, dv);
  std::vector<float> ov(120);
  CK(cudaMemcpy(ov.data(), dv, 480, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 120; i++)
    if (ov[i] != i + 1) {
      bad++;
      break;
    }
  int *m;
  CK(cudaMallocManaged(&m, 4096, cudaMemAttachGlobal));
  CK(cudaMemAdvise(m, 4096, cudaMemAdviseSetPreferredLocation, 0));
  CK(cudaMemPrefetchAsync(m, 4096, 0, s));
  fill<<<4, 64, 0, s>>>(m, 1024, 0);
  CK(cudaMemPrefetchAsync(m, 4096, cudaCpuDeviceId, s));
  CK(cudaStreamSynchronize(s));
  for (int i = 0; i < 1024; i++)
    if (m[i] != i) {
      bad++;
      break;
    }
  cudaPointerAttributes at;
  CK(cudaPointerGetAttributes(&at, m));
  if (at.type != cudaMemoryTypeManaged) bad++;
  CK(cudaPointerGetAttributes(&at, ds));
  if (at.type != cudaMemoryTypeDevice || at.device != 0) bad++;
  CK(cudaPointerGetAttributes(&at, h.data()));
  if (at.type != cudaMemoryTypeUnregistered) bad++;
  size_t fr, tot;
  CK(cudaMemGetInfo(&fr, &tot));
  if (fr > tot || !fr) bad++;
  size_t lim;
  CK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  CK(cudaDeviceGetLimit(&lim, cudaLimitMallocHeapSize));
  if (lim < (1 << 20)) bad++;
  void *big = nullptr;
  if (cudaMalloc(&big, (size_t)1 << 50) != cudaErrorMemoryAllocation) bad++;
  if (cudaGetLastError() != cudaErrorMemoryAllocation) bad++;
  CK(cudaFree(p));
  CK(cudaFree(ds));
  CK(cudaFree(pp.ptr));
  CK(cudaFree(dv));
  CK(cudaFree(m));
  CK(cudaStreamDestroy(s));
  CK(cudaFree(0));
  printf(bad ? "FAIL\n" : "PASS\n");
  return bad;
}
