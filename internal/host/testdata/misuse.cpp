// Every kind of misuse, with the code that CUDA gives.
#include <cuda.h>

#include "fake.h"

int main() {
  int h[4] = {}, *d, *m, *p;
  size_t n;
  CHECK(0, cudaMalloc((void **)&d, 64));
  CHECK(0, cudaMallocManaged((void **)&m, 64));
  CHECK(0, cudaMallocHost((void **)&p, 64));

  // Copies.
  CHECK(cudaErrorInvalidValue, cudaMemcpy(h, d, 16, cudaMemcpyHostToDevice));
  CHECK(cudaErrorInvalidValue, cudaPeekAtLastError());
  CHECK(cudaErrorInvalidValue, cudaGetLastError());
  CHECK(cudaSuccess, cudaGetLastError());
  CHECK(cudaErrorInvalidValue, cudaMemcpy(d, h, 16, cudaMemcpyDeviceToHost));
  CHECK(cudaErrorInvalidValue, cudaMemcpy(d, d + 8, 16, cudaMemcpyHostToDevice));
  CHECK(cudaErrorInvalidValue, cudaMemcpy(d, h, 65, cudaMemcpyHostToDevice));
  CHECK(cudaErrorInvalidValue, cudaMemcpy(d + 15, h, 8, cudaMemcpyHostToDevice));
  CHECK(cudaErrorInvalidValue, cudaMemcpy(d - 2, h, 8, cudaMemcpyHostToDevice));
  CHECK(cudaErrorInvalidValue, cudaMemcpy(nullptr, h, 8, cudaMemcpyHostToDevice));
  CHECK(cudaErrorInvalidMemcpyDirection, cudaMemcpy(d, h, 8, (cudaMemcpyKind)7));
  CHECK(cudaErrorInvalidPitchValue, cudaMemcpy2D(d, 4, h, 4, 8, 2, cudaMemcpyHostToDevice));
  CHECK(cudaErrorInvalidValue, cudaMemcpy2D(d, 32, h, 4, 4, 3, cudaMemcpyHostToDevice));
  CHECK(cudaErrorInvalidValue, cudaMemset(h, 0, 16));
  CHECK(cudaErrorInvalidValue, cudaMemset(d, 0, 65));
  CHECK(cudaErrorInvalidValue, cudaMemset(d, 0, ~(size_t)0));

  // Symbols.
  CHECK(cudaErrorInvalidSymbol, cudaMemcpyToSymbol("counter", h, 4));
  CHECK(cudaErrorInvalidValue, cudaMemcpyToSymbol(&counter, h, 8));
  CHECK(cudaErrorInvalidValue, cudaMemcpyFromSymbol(h, table, 4, 16));
  CHECK(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(table, h, 4, 0, cudaMemcpyDeviceToHost));
  CHECK(cudaErrorInvalidSymbol, cudaGetSymbolSize(&n, h));

  // Frees.
  CHECK(cudaErrorInvalidValue, cudaFree(h));
  CHECK(cudaErrorInvalidValue, cudaFree(d + 1));
  CHECK(cudaErrorInvalidValue, cudaFree(p));
  CHECK(cudaErrorInvalidValue, cudaFreeHost(d));
  CHECK(cudaErrorInvalidValue, cudaFreeHost(m));
  CHECK(cudaSuccess, cudaFree(d));
  CHECK(cudaErrorInvalidValue, cudaFree(d));
  CHECK(cudaErrorInvalidValue, cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost));
  CHECK(cudaErrorMemoryAllocation, cudaMalloc((void **)&d, (size_t)1 << 45));
  CHECK(cudaErrorMemoryAllocation, cudaMalloc((void **)&d, ~(size_t)0));
  CHECK(cudaErrorInvalidValue, cudaMalloc(nullptr, 4));
  CHECK(cudaErrorInvalidValue, cudaMallocManaged((void **)&d, 0));

  // Handles.
  cudaStream_t s;
  cudaEvent_t e, f;
  float ms;
  CHECK(0, cudaStreamCreate(&s));
  CHECK(0, cudaStreamDestroy(s));
  CHECK(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(s));
  CHECK(cudaErrorInvalidResourceHandle, cudaStreamDestroy(s));
  CHECK(cudaErrorInvalidResourceHandle, cudaStreamDestroy(0));
  CHECK(cudaErrorInvalidResourceHandle, launch(count, 1, 1, 0, s));
  CHECK(cudaErrorInvalidResourceHandle, cudaMemsetAsync(m, 0, 4, s));
  CHECK(0, cudaEventCreate(&e));
  CHECK(0, cudaEventCreateWithFlags(&f, cudaEventDisableTiming));
  CHECK(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, e, e));
  CHECK(0, cudaEventRecord(e, 0));
  CHECK(0, cudaEventRecord(f, 0));
  CHECK(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, e, f));
  CHECK(0, cudaEventDestroy(e));
  CHECK(cudaErrorInvalidResourceHandle, cudaEventDestroy(e));
  CHECK(cudaErrorInvalidResourceHandle, cudaEventRecord(e, 0));

  // Devices.
  CHECK(cudaErrorInvalidDevice, cudaSetDevice(1));
  CHECK(cudaErrorInvalidDevice, cudaSetDevice(-1));
  int v;
  CHECK(cudaErrorInvalidValue, cudaDeviceGetAttribute(&v, (cudaDeviceAttr)100000, 0));

  // Launches.
  CHECK(cudaErrorInvalidConfiguration, launch(count, 1, 1025, 0, 0));
  CHECK(cudaErrorInvalidConfiguration, cudaGetLastError());
  CHECK(cudaErrorInvalidConfiguration, launch(count, 0, 32, 0, 0));
  CHECK(cudaErrorInvalidConfiguration, launch(count, 1, 0, 0, 0));
  CHECK(cudaErrorInvalidConfiguration, launch(count, 1, dim3(1, 1, 65), 0, 0));
  CHECK(cudaErrorInvalidConfiguration, launch(count, dim3(1, 65536), 32, 0, 0));
  CHECK(cudaErrorInvalidValue, launch(count, 1, 32, 49153, 0));
  CHECK(cudaErrorInvalidValue, launch(bounded, 1, 32, 48129, 0));
  CHECK(cudaErrorInvalidValue, launch(bounded, 1, 129, 0, 0));
  CHECK(cudaErrorInvalidDeviceFunction, launch((void (*)())main, 1, 1, 0, 0));
  CHECK(cudaErrorInvalidDeviceFunction, launch(absent, 1, 1, 0, 0));
  CHECK(cudaErrorInvalidValue,
        cudaFuncSetAttribute((const void *)bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 163 << 10));
  CHECK(cudaErrorCooperativeLaunchTooLarge,
        cudaLaunchCooperativeKernel((const void *)count, 100000, 32, nullptr, 0, 0));
  CHECK(cudaErrorMissingConfiguration, __cudaPopCallConfiguration(nullptr, nullptr, nullptr, nullptr));

  // A call of the driver that a function of the runtime API executes.
  CUarray a;
  CUDA_ARRAY_DESCRIPTOR none{};
  none.Format = CU_AD_FORMAT_FLOAT;
  none.NumChannels = 3;
  CUdevice device;
  CUcontext context;
  CHECK(0, cuInit(0));
  CHECK(0, cuDeviceGet(&device, 0));
  CHECK(0, cuDevicePrimaryCtxRetain(&context, device));
  CHECK(0, cuCtxPushCurrent(context));
  CHECK(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&a, &none));

  // None of it is sticky.
  cudaGetLastError();
  CHECK(0, launch(count, 1, 32, 0, 0));
  CHECK(0, cudaDeviceSynchronize());
  CHECK(0, cudaFree(m));
  CHECK(0, cudaFreeHost(p));
  return finish();
}
