// The driver API.
#include "cuda.h"
#include "fake.h"

int main() {
  CUdevice dev = -1;
  CUcontext ctx;
  CUmodule mod;
  CUfunction f, g;
  CUdeviceptr d, sym;
  char name[100];
  int n = 0, h[64] = {};
  size_t bytes;
  CHECK(0, cuInit(0));
  CHECK(0, cuDeviceGet(&dev, 0));
  CHECK(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&dev, 1));
  CHECK(0, cuDeviceGetName(name, sizeof name, dev));
  CHECK(0, strncmp(name, "warpgrind", 9));
  CHECK(0, cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, dev));
  CHECK(8, n);
  CHECK(0, cuCtxCreate(&ctx, 0, dev));
  CHECK(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&mod, "// not the fake's text"));
  CHECK(0, cuModuleLoadData(&mod, blob().data()));
  CHECK(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&f, mod, "nowhere"));
  CHECK(0, cuModuleGetFunction(&f, mod, "add_one"));
  CHECK(0, cuModuleGetFunction(&g, mod, "bounded"));
  CHECK(0, cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, g));
  CHECK(128, n);
  CHECK(0, cuModuleGetGlobal(&sym, &bytes, mod, "table"));
  CHECK(16, bytes);
  CHECK(0, cuMemcpyDtoH(h, sym, 16));
  CHECK(4, h[3]);
  CHECK(0, cuMemAlloc(&d, sizeof h));
  CHECK(0, cuMemsetD32(d, 41, 61));
  int count = 60;
  void *params[] = {&d, &count};
  CHECK(0, cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, 0, params, nullptr));
  struct {
    CUdeviceptr p;
    int n;
  } packed = {d, 1};
  size_t size = sizeof packed;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  CHECK(0, cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, 0, nullptr, extra));
  CHECK(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 2048, 1, 1, 0, 0, params, nullptr));
  CHECK(0, cuCtxSynchronize());
  CHECK(0, cuMemcpyDtoH(h, d, sizeof h));
  CHECK(43, h[0]);
  CHECK(42, h[59]);
  CHECK(41, h[60]);
  CHECK(0, h[61]);
  const char *text;
  CHECK(0, cuGetErrorName(CUDA_ERROR_INVALID_PTX, &text));
  CHECK(0, strcmp(text, "CUDA_ERROR_INVALID_PTX"));
  CHECK(0, cuMemFree(d));
  CHECK(0, cuModuleUnload(mod));
  CHECK(0, cuCtxDestroy(ctx));
  return finish();
}
