// The kernels of a module, counted and listed by the driver API.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <cuda.h>
#include <nvrtc.h>

#define CHECK(x) \
  if (int e = (x)) { \
    printf("%s: %d\n", #x, e); \
    return 1; \
  }

int main() {
  std::string source = "__device__ int helper(int x) { return x * 3; }\n";
  for (int i = 0; i < 40; i++)
    source += "extern \"C\" __global__ void k" + std::to_string(i) + "(int *p) { p[threadIdx.x] = helper(p[threadIdx.x]) + " + std::to_string(i) + "; }\n";
  nvrtcProgram program;
  const char *arch = "-arch=sm_80";
  CHECK(nvrtcCreateProgram(&program, source.c_str(), "many.cu", 0, nullptr, nullptr));
  CHECK(nvrtcCompileProgram(program, 1, &arch));
  size_t size;
  CHECK(nvrtcGetCUBINSize(program, &size));
  std::vector<char> image(size);
  CHECK(nvrtcGetCUBIN(program, image.data()));
  CHECK(nvrtcDestroyProgram(&program));

  CUdevice device;
  CUcontext context;
  CUmodule module;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoadData(&module, image.data()));
  unsigned count = 0;
  CHECK(cuModuleGetFunctionCount(&count, module));
  std::vector<CUfunction> kernels(count);
  CHECK(cuModuleEnumerateFunctions(kernels.data(), count, module));
  CUfunction last = nullptr;
  for (CUfunction k : kernels) {
    const char *name;
    CHECK(cuFuncGetName(&name, k));
    if (!strcmp(name, "k39")) last = k;
  }
  CUdeviceptr d;
  int host[32];
  for (int i = 0; i < 32; i++) host[i] = i;
  CHECK(cuMemAlloc(&d, sizeof host));
  CHECK(cuMemcpyHtoD(d, host, sizeof host));
  void *arguments[] = {&d};
  CHECK(cuLaunchKernel(last, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuMemcpyDtoH(host, d, sizeof host));
  CHECK(cuMemFree(d));
  printf(count == 40 && host[31] == 31 * 3 + 39 ? "PASS\n" : "FAIL\n");
}
