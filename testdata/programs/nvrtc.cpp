// Driver API with NVRTC, C++ host file compiled by the host compiler only.
#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <cstring>
#define DRV(x)                                                                                               \
  do {                                                                                                       \
    CUresult r = x;                                                                                          \
    if (r != CUDA_SUCCESS) {                                                                                 \
      const char *m, *n;                                                                                     \
      cuGetErrorString(r, &m);                                                                               \
      cuGetErrorName(r, &n);                                                                                 \
      printf("%s: %s %s\n", #x, n, m);                                                                       \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)
#define RTC(x)                                                                                               \
  do {                                                                                                       \
    nvrtcResult r = x;                                                                                       \
    if (r != NVRTC_SUCCESS) {                                                                                \
      printf("%s: %s\n", #x, nvrtcGetErrorString(r));                                                        \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)
static const char *src = R"(
#include "util.h"
template <typename T, int K> __global__ void poly(const T *x, T *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { T v = 0; for (int k = 0; k < K; k++) v = v * x[i] + T(k + 1); y[i] = shift(v); } }
__constant__ int bias; 
__device__ int counter;
extern "C" __global__ void count(const float *x, int n, int above) { extern __shared__ int s[]; int i = blockIdx.x * blockDim.x + threadIdx.x; s[threadIdx.x] = i < n && x[i] > above; __syncthreads(); if (threadIdx.x == 0) { int c = 0; for (int k = 0; k < blockDim.x; k++) c += s[k]; atomicAdd(&counter, c + bias); } }
)";
// A device function without a qualifier, after headers of the host's library, as libcu++ has both.
static const char *util = "#include <algorithm>\n#include <complex>\ntemplate <class T> T shift(T v) { return v + OFFSET; }\n";
int main() {
  DRV(cuInit(0));
  int nd, drv;
  DRV(cuDeviceGetCount(&nd));
  DRV(cuDriverGetVersion(&drv));
  CUdevice dev;
  DRV(cuDeviceGet(&dev, 0));
  char name[256];
  DRV(cuDeviceGetName(name, sizeof name, dev));
  size_t mem;
  DRV(cuDeviceTotalMem(&mem, dev));
  int major, minor;
  DRV(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, dev));
  DRV(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, dev));
  CUcontext ctx;
  DRV(cuCtxCreate(&ctx, 0, dev));
  nvrtcProgram prog;
  const char *hdrs[] = {util}, *names[] = {"util.h"};
  RTC(nvrtcCreateProgram(&prog, src, "poly.cu", 1, hdrs, names));
  RTC(nvrtcAddNameExpression(prog, "poly<float, 4>"));
  RTC(nvrtcAddNameExpression(prog, "poly<double,3>"));
  std::string arch = "--gpu-architecture=compute_" + std::to_string(major * 10 + minor);
  const char *opts[] = {arch.c_str(), "-DOFFSET=10", "--std=c++14", "-lineinfo", "--fmad=false", "--device-as-default-execution-space"};
  nvrtcResult r = nvrtcCompileProgram(prog, 6, opts);
  size_t ls;
  RTC(nvrtcGetProgramLogSize(prog, &ls));
  std::vector<char> log(ls);
  RTC(nvrtcGetProgramLog(prog, log.data()));
  if (r != NVRTC_SUCCESS) {
    printf("log %s\n", log.data());
    return 1;
  }
  size_t ps;
  RTC(nvrtcGetPTXSize(prog, &ps));
  std::vector<char> ptx(ps);
  RTC(nvrtcGetPTX(prog, ptx.data()));
  const char *low;
  RTC(nvrtcGetLoweredName(prog, "poly<float, 4>", &low));
  std::string lf = low;
  RTC(nvrtcGetLoweredName(prog, "poly<double,3>", &low));
  std::string ld = low;
  RTC(nvrtcDestroyProgram(&prog));
  char info[1024] = "", err[1024] = "";
  CUjit_option jo[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
                       CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_MAX_REGISTERS};
  void *jv[] = {info, (void *)1024, err, (void *)1024, (void *)32};
  CUmodule mod;
  DRV(cuModuleLoadDataEx(&mod, ptx.data(), 5, jo, jv));
  CUfunction pf, pd, cf;
  DRV(cuModuleGetFunction(&pf, mod, lf.c_str()));
  DRV(cuModuleGetFunction(&pd, mod, ld.c_str()));
  DRV(cuModuleGetFunction(&cf, mod, "count"));
  if (cuModuleGetFunction(&cf, mod, "absent") != CUDA_ERROR_NOT_FOUND) return 1;
  DRV(cuModuleGetFunction(&cf, mod, "count"));
  // An attribute that only newer drivers have, and one that cannot be set.
  if (cuFuncSetAttribute(cf, (CUfunction_attribute)17, 3) != CUDA_ERROR_INVALID_VALUE) return 1;
  if (cuFuncSetAttribute(cf, CU_FUNC_ATTRIBUTE_NUM_REGS, 32) != CUDA_ERROR_INVALID_VALUE) return 1;
  DRV(cuFuncSetAttribute(cf, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 << 10));
  int n = 300, bad = 0;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; i++) x[i] = i % 5;
  std::vector<double> xd(n), yd(n);
  for (int i = 0; i < n; i++) xd[i] = i % 7;
  CUdeviceptr dx, dy, dxd, dyd;
  DRV(cuMemAlloc(&dx, n * 4));
  DRV(cuMemAlloc(&dy, n * 4));
  DRV(cuMemAlloc(&dxd, n * 8));
  DRV(cuMemAlloc(&dyd, n * 8));
  DRV(cuMemcpyHtoD(dx, x.data(), n * 4));
  CUstream st;
  DRV(cuStreamCreate(&st, CU_STREAM_NON_BLOCKING));
  DRV(cuMemcpyHtoDAsync(dxd, xd.data(), n * 8, st));
  void *a[] = {&dx, &dy, &n};
  DRV(cuLaunchKernel(pf, (n + 63) / 64, 1, 1, 64, 1, 1, 0, 0, a, 0));
  struct {
    CUdeviceptr x, y;
    int n;
  } pack = {dxd, dyd, n};
  size_t psz = sizeof pack;
  psz = 20;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &pack, CU_LAUNCH_PARAM_BUFFER_SIZE, &psz,
                   CU_LAUNCH_PARAM_END};
  DRV(cuLaunchKernel(pd, (n + 63) / 64, 1, 1, 64, 1, 1, 0, st, NULL, extra));
  DRV(cuCtxSynchronize());
  DRV(cuMemcpyDtoH(y.data(), dy, n * 4));
  DRV(cuMemcpyDtoHAsync(yd.data(), dyd, n * 8, st));
  DRV(cuStreamSynchronize(st));
  for (int i = 0; i < n; i++) {
    float v = 0;
    for (int k = 0; k < 4; k++) v = v * x[i] + (k + 1);
    if (y[i] != v + 10) bad++;
    double w = 0;
    for (int k = 0; k < 3; k++) w = w * xd[i] + (k + 1);
    if (yd[i] != w + 10) bad++;
  }
  CUdeviceptr cp, bp;
  size_t cs;
  DRV(cuModuleGetGlobal(&cp, &cs, mod, "counter"));
  DRV(cuModuleGetGlobal(&bp, &cs, mod, "bias"));
  int two = 2, zero = 0, got;
  DRV(cuMemcpyHtoD(bp, &two, 4));
  DRV(cuMemsetD32(cp, zero, 1));
  DRV(cuCtxSynchronize());
  int above = 2;
  void *ca[] = {&dx, &n, &above};
  DRV(cuFuncSetAttribute(cf, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 4096));
  int regs, mt;
  DRV(cuFuncGetAttribute(&regs, CU_FUNC_ATTRIBUTE_NUM_REGS, cf));
  DRV(cuFuncGetAttribute(&mt, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, cf));
  int nb;
  DRV(cuOccupancyMaxActiveBlocksPerMultiprocessor(&nb, cf, 100, 400));
  int mg, bs;
  DRV(cuOccupancyMaxPotentialBlockSize(&mg, &bs, cf, NULL, 1024, 0));
  DRV(cuLaunchKernel(cf, 3, 1, 1, 100, 1, 1, 400, st, ca, NULL));
  DRV(cuStreamSynchronize(st));
  DRV(cuMemcpyDtoH(&got, cp, 4));
  if (got != 120 + 6) {
    printf("count %d\n", got);
    bad++;
  }
  CUevent e1, e2;
  DRV(cuEventCreate(&e1, 0));
  DRV(cuEventCreate(&e2, 0));
  DRV(cuEventRecord(e1, st));
  DRV(cuEventRecord(e2, st));
  DRV(cuEventSynchronize(e2));
  float ms;
  DRV(cuEventElapsedTime(&ms, e1, e2));
  DRV(cuEventDestroy(e1));
  DRV(cuEventDestroy(e2));
  CUcontext cur;
  DRV(cuCtxGetCurrent(&cur));
  if (cur != ctx) bad++;
  DRV(cuMemFree(dx));
  DRV(cuMemFree(dy));
  DRV(cuMemFree(dxd));
  DRV(cuMemFree(dyd));
  DRV(cuStreamDestroy(st));
  DRV(cuModuleUnload(mod));
  DRV(cuCtxDestroy(ctx));
  printf(bad ? "FAIL\n" : "PASS\n");
  return bad;
}
