// flags: --devices 2
// Two devices: peer access and copies, one copy of each variable per device.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <mutex>
#include <thread>
#define CK(x)                                                                                                \
  do {                                                                                                       \
    cudaError_t e_ = (x);                                                                                    \
    if (e_ != cudaSuccess) {                                                                                 \
      printf("%d %s -> %s\n", __LINE__, #x, cudaGetErrorName(e_));                                           \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)
__device__ int perDevice = 3;
__constant__ int konst[2];
__global__ void copyK(const float *src, float *dst, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dst[i] = src[i] * 2;
}
__global__ void mark(int *o) {
  *o = perDevice + konst[1];
  perDevice = 100;
}
int main() {
  int nd, bad = 0;
  CK(cudaGetDeviceCount(&nd));
  if (nd < 2) {
    printf("FAIL devices %d\n", nd);
    return 1;
  }
  const int n = 1024;
  float *d[2];
  cudaStream_t s[2];
  int can;
  for (int i = 0; i < 2; i++) {
    CK(cudaSetDevice(i));
    cudaDeviceProp p;
    CK(cudaGetDeviceProperties(&p, i));
    if (!p.unifiedAddressing) bad++;
    CK(cudaDeviceCanAccessPeer(&can, i, 1 - i));
    if (!can) bad++;
    CK(cudaDeviceEnablePeerAccess(1 - i, 0));
    if (cudaDeviceEnablePeerAccess(1 - i, 0) != cudaErrorPeerAccessAlreadyEnabled) bad++;
    cudaGetLastError();
    CK(cudaMalloc(&d[i], n * 4));
    CK(cudaStreamCreate(&s[i]));
  }
  std::vector<float> h(n);
  for (int i = 0; i < n; i++) h[i] = i;
  CK(cudaSetDevice(0));
  CK(cudaMemcpy(d[0], h.data(), n * 4, cudaMemcpyHostToDevice));
  CK(cudaMemcpyPeerAsync(d[1], 1, d[0], 0, n * 4, s[0]));
  cudaEvent_t e;
  CK(cudaEventCreate(&e));
  CK(cudaEventRecord(e, s[0]));
  CK(cudaSetDevice(1));
  CK(cudaStreamWaitEvent(s[1], e, 0));
  copyK<<<n / 256, 256, 0, s[1]>>>(d[1], d[0], n);
  CK(cudaStreamSynchronize(s[1]));
  CK(cudaMemcpyPeer(d[1], 1, d[0], 0, n * 4));
  CK(cudaMemcpy(h.data(), d[1], n * 4, cudaMemcpyDefault));
  for (int i = 0; i < n; i++)
    if (h[i] != 2 * i) {
      bad++;
      break;
    }
  int vals[2], *o[2];
  std::vector<std::thread> ts;
  std::mutex turn; // the report is the same in any order of whole threads
  for (int i = 0; i < 2; i++)
    ts.emplace_back([&, i] {
      std::lock_guard<std::mutex> lock(turn);
      cudaSetDevice(i);
      int k[2] = {0, 10 * (i + 1)};
      cudaMemcpyToSymbol(konst, k, sizeof k);
      cudaMalloc(&o[i], 4);
      mark<<<1, 1>>>(o[i]);
      cudaMemcpy(&vals[i], o[i], 4, cudaMemcpyDeviceToHost);
      cudaFree(o[i]);
    });
  for (auto &t : ts) t.join();
  if (vals[0] != 13 || vals[1] != 23) {
    printf("vals %d %d\n", vals[0], vals[1]);
    bad++;
  }
  int *m;
  CK(cudaMallocManaged(&m, 4));
  *m = 0;
  for (int i = 0; i < 2; i++) {
    cudaSetDevice(i);
    mark<<<1, 1>>>(m);
    CK(cudaDeviceSynchronize());
    if (*m != 100 + 10 * (i + 1)) {
      printf("m %d\n", *m);
      bad++;
    }
  }
  int cur;
  CK(cudaGetDevice(&cur));
  if (cur != 1) bad++;
  cudaPointerAttributes at;
  CK(cudaPointerGetAttributes(&at, d[0]));
  if (at.device != 0) bad++;
  CK(cudaEventDestroy(e));
  for (int i = 0; i < 2; i++) {
    CK(cudaSetDevice(i));
    CK(cudaDeviceDisablePeerAccess(1 - i));
    CK(cudaFree(d[i]));
    CK(cudaStreamDestroy(s[i]));
  }
  CK(cudaFree(m));
  printf(bad ? "FAIL\n" : "PASS\n");
  return bad;
}
