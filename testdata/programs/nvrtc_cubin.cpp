// NVRTC's image for an architecture, of a source that includes a header beside it and
// has a static variable.
#include <cstdio>
#include <vector>

#include <cuda.h>
#include <nvrtc.h>

#define CHECK(x) \
  if (int e = (x)) { \
    printf("%s: %d\n", #x, e); \
    return 1; \
  }

const char *source = "#include \"wrapped/nvrtc_part.h\"\n"
                     "static __constant__ int added[1];\n"
                     "extern \"C\" __global__ void scale(int *p) { p[threadIdx.x] = p[threadIdx.x] * FACTOR + added[0]; }\n";

int main() {
  nvrtcProgram program;
  const char *arch = "-arch=sm_80", *without[] = {arch, "--no-source-include"};
  CHECK(nvrtcCreateProgram(&program, source, __FILE__, 0, nullptr, nullptr));
  if (nvrtcCompileProgram(program, 2, without) != NVRTC_ERROR_COMPILATION) return 2;
  CHECK(nvrtcCompileProgram(program, 1, &arch));
  size_t size;
  CHECK(nvrtcGetCUBINSize(program, &size));
  std::vector<char> image(size);
  CHECK(nvrtcGetCUBIN(program, image.data()));
  CHECK(nvrtcDestroyProgram(&program));

  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction scale;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoadData(&module, image.data()));
  CHECK(cuModuleGetFunction(&scale, module, "scale"));
  CUdeviceptr d, added;
  size_t bytes;
  int host[32], seven = 7;
  CHECK(cuModuleGetGlobal(&added, &bytes, module, "added"));
  CHECK(cuMemcpyHtoD(added, &seven, bytes));
  for (int i = 0; i < 32; i++) host[i] = i;
  CHECK(cuMemAlloc(&d, sizeof host));
  CHECK(cuMemcpyHtoD(d, host, sizeof host));
  void *arguments[] = {&d};
  CHECK(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuMemcpyDtoH(host, d, sizeof host));
  CHECK(cuMemFree(d));
  printf(host[31] == 100 ? "PASS\n" : "FAIL\n");
}
