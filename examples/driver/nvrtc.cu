// NVRTC: a template kernel compiled at run time with a header of its own, its
// mangled name, a launch, and the log of a source that does not compile.

#include <cuda.h>
#include <nvrtc.h>

#include <cstring>
#include <string>

#include "../check.h"

#define NVRTC(call)                                                                                \
    do {                                                                                           \
        nvrtcResult status_ = (call);                                                              \
        if (status_ != NVRTC_SUCCESS) {                                                            \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, nvrtcGetErrorString(status_)); \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

static const char source[] = R"(
#include "power.h"
template <typename T, int K>
__global__ void raise(T *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = power<K>(data[i]) + OFFSET;
}
__constant__ int unused[4] = {1, 2, 3, 4};
)";

static const char header[] = R"(
template <int K, typename T> __device__ T power(T x) {
    T y = 1;
    for (int k = 0; k < K; k++) y *= x;
    return y;
}
)";

static std::string logOf(nvrtcProgram p) {
    size_t size;
    NVRTC(nvrtcGetProgramLogSize(p, &size));
    std::string log(size, ' ');
    NVRTC(nvrtcGetProgramLog(p, &log[0]));
    return log;
}

static bool badSource() {
    nvrtcProgram p;
    NVRTC(nvrtcCreateProgram(&p, "__global__ void k() {\n  undeclared = 1;\n}\n", "bad.cu", 0, nullptr, nullptr));
    nvrtcResult e = nvrtcCompileProgram(p, 0, nullptr);
    std::string log = logOf(p);
    NVRTC(nvrtcDestroyProgram(&p));
    return e == NVRTC_ERROR_COMPILATION && log.find("bad.cu") != std::string::npos &&
           log.find("undeclared") != std::string::npos;
}

int main() {
    const char *headers[] = {header}, *names[] = {"power.h"};
    const char *options[] = {"--gpu-architecture=compute_80", "-std=c++14", "-DOFFSET=5"};
    const char *expression = "raise<float, 3>";
    nvrtcProgram program;
    NVRTC(nvrtcCreateProgram(&program, source, "raise.cu", 1, headers, names));
    NVRTC(nvrtcAddNameExpression(program, expression));
    nvrtcResult e = nvrtcCompileProgram(program, 3, options);
    if (e != NVRTC_SUCCESS) return printf("nvrtc: FAIL\n%s\n", logOf(program).c_str()), 1;
    const char *lowered;
    NVRTC(nvrtcGetLoweredName(program, expression, &lowered));
    size_t size;
    NVRTC(nvrtcGetPTXSize(program, &size));
    std::string ptx(size, ' ');
    NVRTC(nvrtcGetPTX(program, &ptx[0]));

    CUmodule module;
    CUfunction kernel;
    CHECK(cudaFree(nullptr)); // makes the primary context current
    if (cuModuleLoadData(&module, ptx.c_str()) || cuModuleGetFunction(&kernel, module, lowered))
        return puts("nvrtc: FAIL: load"), 1;

    const int n = 300;
    std::vector<float> data(n), want(n);
    for (int i = 0; i < n; i++) data[i] = i * 0.125f, want[i] = data[i] * data[i] * data[i] + 5;
    float *device = toDevice(data);
    int count = n;
    void *args[] = {&device, &count};
    if (cuLaunchKernel(kernel, 3, 1, 1, 128, 1, 1, 0, nullptr, args, nullptr)) return puts("nvrtc: FAIL: launch"), 1;
    CHECK(cudaDeviceSynchronize());
    bool ok = same("nvrtc", toHost(device, n), want, 1e-6) && badSource();
    CHECK(cudaFree(device));
    NVRTC(nvrtcDestroyProgram(&program));
    printf("nvrtc: %s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
