// Links two PTX texts with nvJitLink, loads the result and launches its kernel; and LTO-IR of NVRTC
// likewise. Also: callbacks for the driver's log can be registered.
#include <cuda.h>
#include <nvJitLink.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstring>
#include <vector>

static const char *kernel = R"(.version 7.8
.target sm_80
.address_size 64
.extern .func (.param .b32 r) twice(.param .b32 x);
.visible .entry run(.param .u64 p) {
  .reg .b32 %v;
  .reg .b64 %a;
  ld.param.u64 %a, [p];
  ld.global.u32 %v, [%a];
  {
    .param .b32 x;
    .param .b32 r;
    st.param.b32 [x], %v;
    call (r), twice, (x);
    ld.param.b32 %v, [r];
  }
  st.global.u32 [%a], %v;
  ret;
}
)";

static const char *function = R"(.version 7.8
.target sm_80
.address_size 64
.visible .func (.param .b32 r) twice(.param .b32 x) {
  .reg .b32 %v;
  ld.param.b32 %v, [x];
  add.s32 %v, %v, %v;
  st.param.b32 [r], %v;
  ret;
}
)";

static int failures;
#define IS(x) \
  if (!(x)) printf("%s: FAIL\n", #x), failures++

// Code for link-time optimization, as NVRTC makes it.
static std::vector<char> optimizable(const char *source, bool lto) {
  nvrtcProgram program;
  const char *options[] = {"--relocatable-device-code=true", "-dlto"};
  size_t size = 1;
  IS(nvrtcCreateProgram(&program, source, "part.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
  IS(nvrtcCompileProgram(program, lto ? 2 : 1, options) == NVRTC_SUCCESS);
  IS(nvrtcGetLTOIRSize(program, &size) == NVRTC_SUCCESS && (size > 0) == lto);
  std::vector<char> code(size);
  IS(nvrtcGetLTOIR(program, code.data()) == (lto ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_PROGRAM));
  IS(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
  return code;
}

static std::vector<char> linkedParts() {
  nvJitLinkHandle link;
  const char *options[] = {"-lto", "-arch=sm_80"};
  unsigned major = 0, minor;
  size_t size = 0;
  IS(nvJitLinkVersion(&major, &minor) == NVJITLINK_SUCCESS && major >= 12);
  optimizable("__device__ int twice(int x) { return 2 * x; }", false);
  auto function = optimizable("__device__ int twice(int x) { return 2 * x; }", true);
  auto kernel = optimizable("extern __device__ int twice(int); extern \"C\" __global__ void run(int *p) { *p = twice(*p); }", true);
  IS(nvJitLinkCreate(&link, 2, options) == NVJITLINK_SUCCESS);
  IS(nvJitLinkAddData(link, NVJITLINK_INPUT_LTOIR, function.data(), function.size(), "function") == NVJITLINK_SUCCESS);
  IS(nvJitLinkAddData(link, NVJITLINK_INPUT_LTOIR, kernel.data(), kernel.size(), "kernel") == NVJITLINK_SUCCESS);
  IS(nvJitLinkComplete(link) == NVJITLINK_SUCCESS);
  IS(nvJitLinkGetLinkedCubinSize(link, &size) == NVJITLINK_SUCCESS);
  std::vector<char> cubin(size);
  IS(nvJitLinkGetLinkedCubin(link, cubin.data()) == NVJITLINK_SUCCESS);
  IS(nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);
  return cubin;
}

static void logged(void *, CUlogLevel, char *, size_t) {}

int main() {
  nvJitLinkHandle link;
  const char *arch = "-arch=sm_80", *wrong = "arch";
  IS(nvJitLinkCreate(&link, 0, nullptr) == NVJITLINK_ERROR_MISSING_ARCH);
  IS(nvJitLinkCreate(&link, 1, &wrong) == NVJITLINK_ERROR_UNRECOGNIZED_OPTION);
  IS(nvJitLinkCreate(&link, 1, &arch) == NVJITLINK_SUCCESS);
  size_t size = 0;
  IS(nvJitLinkGetLinkedCubinSize(link, &size) == NVJITLINK_ERROR_FINALIZE);
  IS(nvJitLinkAddData(link, NVJITLINK_INPUT_PTX, kernel, strlen(kernel) + 1, "kernel") == NVJITLINK_SUCCESS);
  IS(nvJitLinkAddData(link, NVJITLINK_INPUT_ANY, function, strlen(function), "function") == NVJITLINK_SUCCESS);
  IS(nvJitLinkComplete(link) == NVJITLINK_SUCCESS);
  IS(nvJitLinkGetErrorLogSize(link, &size) == NVJITLINK_SUCCESS && size == 0);
  IS(nvJitLinkGetInfoLogSize(link, &size) == NVJITLINK_SUCCESS && size == 0);
  IS(nvJitLinkGetLinkedPtxSize(link, &size) == NVJITLINK_SUCCESS && size > strlen(function));
  IS(nvJitLinkGetLinkedLTOIRSize(link, &size) == NVJITLINK_ERROR_LTO_NOT_ENABLED);
  IS(nvJitLinkGetLinkedCubinSize(link, &size) == NVJITLINK_SUCCESS);
  std::vector<char> cubin(size);
  IS(nvJitLinkGetLinkedCubin(link, cubin.data()) == NVJITLINK_SUCCESS);
  IS(nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS && !link);

  CUcontext context;
  CUmodule module;
  CUfunction run;
  CUdeviceptr p;
  int value = 21;
  IS(cuInit(0) == CUDA_SUCCESS && cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
  IS(cuCtxSetCurrent(context) == CUDA_SUCCESS);
  CUlogsCallbackHandle handle;
  IS(cuLogsRegisterCallback(logged, nullptr, &handle) == CUDA_SUCCESS);
  IS(cuLogsUnregisterCallback(handle) == CUDA_SUCCESS);
  IS(cuModuleLoadData(&module, cubin.data()) == CUDA_SUCCESS);
  IS(cuModuleGetFunction(&run, module, "run") == CUDA_SUCCESS);
  IS(cuMemAlloc(&p, sizeof value) == CUDA_SUCCESS && cuMemcpyHtoD(p, &value, sizeof value) == CUDA_SUCCESS);
  void *arguments[] = {&p};
  IS(cuLaunchKernel(run, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
  IS(cuMemcpyDtoH(&value, p, sizeof value) == CUDA_SUCCESS && value == 42);
  IS(cuModuleLoadData(&module, linkedParts().data()) == CUDA_SUCCESS);
  IS(cuModuleGetFunction(&run, module, "run") == CUDA_SUCCESS);
  IS(cuLaunchKernel(run, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
  IS(cuMemcpyDtoH(&value, p, sizeof value) == CUDA_SUCCESS && value == 84);
  IS(cuMemFree(p) == CUDA_SUCCESS);
  printf("nvjitlink: %s\n", failures ? "FAIL" : "PASS");
  return failures != 0;
}
