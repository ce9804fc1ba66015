// Like an SDK sample: helper_cuda.h's shape inside (templates over every error enum), device properties
// printed, timers by events, template kernels with extern shared memory of several types, command-line flags.
#define __DRIVER_TYPES_H__
#include <cassert>
#include <cstdint>
#include <iostream>
#include <iomanip>
#include <string>
#include <vector>
#include <memory>
#include <algorithm>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static const char *_cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
#ifdef __CUDA_RUNTIME_H__
#define HAVE_RT 1
#endif
template <typename T> void check(T result, char const *const func, const char *const file, int const line) {
  if (result) {
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line,
            static_cast<unsigned int>(result), _cudaGetErrorEnum(result), func);
    exit(EXIT_FAILURE);
  }
}
#define checkCudaErrors(val)  check((val), #val, __FILE__, __LINE__)
#define getLastCudaError(msg) __getLastCudaError(msg, __FILE__, __LINE__)
inline void __getLastCudaError(const char *errorMessage, const char *file, const int line) {
  cudaError_t err = cudaGetLastError();
  if (cudaSuccess != err) {
    fprintf(stderr, "%s(%i) : %s : (%d) %s.\n", file, line, errorMessage, (int)err, cudaGetErrorString(err));
    exit(1);
  }
}
inline int gpuGetMaxGflopsDeviceId() {
  int current_device = 0, count = 0, best = 0;
  uint64_t max = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  while (current_device < count) {
    int computeMode = -1, major = 0, minor = 0, mp, clock;
    checkCudaErrors(cudaDeviceGetAttribute(&computeMode, cudaDevAttrComputeMode, current_device));
    checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, current_device));
    checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, current_device));
    if (computeMode != cudaComputeModeProhibited) {
      checkCudaErrors(cudaDeviceGetAttribute(&mp, cudaDevAttrMultiProcessorCount, current_device));
      cudaError_t result = cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, current_device);
      if (result != cudaSuccess) {
        if (result == cudaErrorInvalidValue)
          clock = 1;
        else
          exit(1);
      }
      uint64_t perf = (uint64_t)mp * 64 * clock;
      if (perf > max) {
        max = perf;
        best = current_device;
      }
    }
    ++current_device;
  }
  return best;
}

template <class T> struct SharedMemory {
  __device__ inline operator T *() {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
  __device__ inline operator const T *() const {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
};
template <> struct SharedMemory<double> {
  __device__ inline operator double *() {
    extern __shared__ double __smem_d[];
    return (double *)__smem_d;
  }
  __device__ inline operator const double *() const {
    extern __shared__ double __smem_d[];
    return (double *)__smem_d;
  }
};

template <class T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce6(T *g_idata, T *g_odata, unsigned int n) {
  cg::thread_block cta = cg::this_thread_block();
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
  unsigned int gridSize = blockSize * 2 * gridDim.x;
  T mySum = 0;
  while (i < n) {
    mySum += g_idata[i];
    if (nIsPow2 || i + blockSize < n) mySum += g_idata[i + blockSize];
    i += gridSize;
  }
  sdata[tid] = mySum;
  cg::sync(cta);
  if ((blockSize >= 512) && (tid < 256)) {
    sdata[tid] = mySum = mySum + sdata[tid + 256];
  }
  cg::sync(cta);
  if ((blockSize >= 256) && (tid < 128)) {
    sdata[tid] = mySum = mySum + sdata[tid + 128];
  }
  cg::sync(cta);
  if ((blockSize >= 128) && (tid < 64)) {
    sdata[tid] = mySum = mySum + sdata[tid + 64];
  }
  cg::sync(cta);
  cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
  if (cta.thread_rank() < 32) {
    if (blockSize >= 64) mySum += sdata[tid + 32];
    for (int offset = tile32.size() / 2; offset > 0; offset /= 2) mySum += tile32.shfl_down(mySum, offset);
  }
  if (cta.thread_rank() == 0) g_odata[blockIdx.x] = mySum;
}

template <class T> int run(const char *name, int n) {
  std::vector<T> h(n);
  T want = 0;
  for (int i = 0; i < n; ++i) {
    h[i] = static_cast<T>(i % 17 - 3);
    want += h[i];
  }
  const int threads = 256, blocks = std::min(64, (n + threads * 2 - 1) / (threads * 2));
  T *d_in, *d_out;
  checkCudaErrors(cudaMalloc(&d_in, n * sizeof(T)));
  checkCudaErrors(cudaMalloc(&d_out, blocks * sizeof(T)));
  checkCudaErrors(cudaMemcpy(d_in, h.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  size_t smem = threads * sizeof(T);
  bool pow2 = (n & (n - 1)) == 0;
  switch (threads) {
  case 512:
    if (pow2)
      reduce6<T, 512, true><<<blocks, threads, smem>>>(d_in, d_out, n);
    else
      reduce6<T, 512, false><<<blocks, threads, smem>>>(d_in, d_out, n);
    break;
  case 256:
    if (pow2)
      reduce6<T, 256, true><<<blocks, threads, smem>>>(d_in, d_out, n);
    else
      reduce6<T, 256, false><<<blocks, threads, smem>>>(d_in, d_out, n);
    break;
  }
  getLastCudaError("Kernel execution failed");
  std::unique_ptr<T[]> out(new T[blocks]);
  checkCudaErrors(cudaMemcpy(out.get(), d_out, blocks * sizeof(T), cudaMemcpyDeviceToHost));
  T got = 0;
  for (int i = 0; i < blocks; i++) got += out[i];
  checkCudaErrors(cudaFree(d_in));
  checkCudaErrors(cudaFree(d_out));
  std::cout << std::setw(8) << name << " " << got << " " << want << std::endl;
  return got == want ? 0 : 1;
}

int main(int argc, char **argv) {
  int dev = gpuGetMaxGflopsDeviceId();
  cudaDeviceProp prop;
  checkCudaErrors(cudaSetDevice(dev));
  checkCudaErrors(cudaGetDeviceProperties(&prop, dev));
  int driver, runtime;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  printf("%s sm_%d%d, %d SMs, %.0f MBytes, clock %d, overlap %d, warp %d, grid %d %d %d\n", prop.name,
         prop.major, prop.minor, prop.multiProcessorCount, (float)prop.totalGlobalMem / 1048576.0f,
         prop.clockRate, prop.deviceOverlap, prop.warpSize, prop.maxGridSize[0], prop.maxGridSize[1],
         prop.maxGridSize[2]);
  printf("%s %s %d %d %d %zu %zu %d %d %d %d\n", prop.concurrentKernels ? "Yes" : "No",
         prop.ECCEnabled ? "Yes" : "No", prop.maxTexture1D, prop.maxTexture2D[1], prop.maxTexture3D[2],
         prop.sharedMemPerBlock, prop.totalConstMem, prop.regsPerBlock, prop.memoryClockRate,
         prop.memoryBusWidth, prop.l2CacheSize);
  printf("%s %d %d %d %d pci %d:%d:%d %d\n", prop.unifiedAddressing ? "uva" : "", prop.managedMemory,
         prop.computePreemptionSupported, prop.cooperativeLaunch, prop.asyncEngineCount, prop.pciDomainID,
         prop.pciBusID, prop.pciDeviceID, prop.kernelExecTimeoutEnabled);
  cudaEvent_t start, stop;
  checkCudaErrors(cudaEventCreate(&start));
  checkCudaErrors(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
  checkCudaErrors(cudaEventRecord(start));
  int bad = run<int>("int", 1 << 14) + run<float>("float", 10000) + run<double>("double", 12345);
  checkCudaErrors(cudaEventRecord(stop, 0));
  checkCudaErrors(cudaEventSynchronize(stop));
  float ms = -1;
  checkCudaErrors(cudaEventElapsedTime(&ms, start, stop));
  bad += !(ms >= 0);
#ifndef HAVE_RT
  bad++;
#endif
  std::cout << (bad ? "FAIL" : "PASS") << std::endl;
  return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
