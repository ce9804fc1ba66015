// The driver API from one end to the other: device, context, a module from PTX
// text, its globals, launches by parameter array and by buffer, JIT errors with
// a log, occupancy, entry points by name, unloading.

#include <cuda.h>

#include <cstring>

#include "../check.h"

#define DRIVER(call)                                                              \
    do {                                                                          \
        CUresult status_ = (call);                                                \
        if (status_ != CUDA_SUCCESS) {                                            \
            const char *name_ = "?";                                              \
            cuGetErrorName(status_, &name_);                                      \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name_); \
            exit(2);                                                              \
        }                                                                         \
    } while (0)

// c[i] = a[i] * scale + b[i], with scale a variable of the module.
static const char kernel[] = R"(
.version 7.0
.target sm_50
.address_size 64
.visible .global .align 4 .f32 scale = 0f40000000;
.visible .entry axpy(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u32 pn)
{
    .reg .pred %p;
    .reg .b32 %r<5>;
    .reg .f32 %f<4>;
    .reg .b64 %d<8>;
    ld.param.u64 %d1, [pa];
    ld.param.u64 %d2, [pb];
    ld.param.u64 %d3, [pc];
    ld.param.u32 %r1, [pn];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r2, %r2, %r3, %r4;
    setp.ge.u32 %p, %r2, %r1;
    @%p bra done;
    mul.wide.u32 %d4, %r2, 4;
    add.s64 %d5, %d1, %d4;
    add.s64 %d6, %d2, %d4;
    add.s64 %d7, %d3, %d4;
    ld.global.f32 %f1, [%d5];
    ld.global.f32 %f2, [%d6];
    ld.global.f32 %f3, [scale];
    fma.rn.f32 %f1, %f1, %f3, %f2;
    st.global.f32 [%d7], %f1;
done:
    ret;
}
)";

static const int n = 1000;

static bool correct(CUdeviceptr c, const std::vector<float> &a, const std::vector<float> &b, float scale) {
    std::vector<float> got(n), want(n);
    DRIVER(cuMemcpyDtoH(got.data(), c, n * sizeof(float)));
    for (int i = 0; i < n; i++) want[i] = a[i] * scale + b[i];
    return same("driver", got, want, 1e-6);
}

static void badModule() {
    char log[512] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
    CUmodule m;
    CUresult e = cuModuleLoadDataEx(&m, ".version 7.0\n.target sm_50\n.entry k() { no.such %r1; }\n", 2, options, values);
    if (e != CUDA_ERROR_INVALID_PTX || (!strstr(log, "line 3") && !strstr(log, "3:"))) {
        printf("driver: FAIL: invalid PTX gives %d and the log \"%s\"\n", e, log);
        exit(1);
    }
}

int main() {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction axpy;
    int count = 0;
    if (cuDeviceGetCount(&count) != CUDA_ERROR_NOT_INITIALIZED) return puts("driver: FAIL: no cuInit"), 1;
    DRIVER(cuInit(0));
    DRIVER(cuDeviceGetCount(&count));
    DRIVER(cuDeviceGet(&device, 0));
    CUdeviceptr none;
    if (cuMemAlloc(&none, 16) != CUDA_ERROR_INVALID_CONTEXT) return puts("driver: FAIL: no context"), 1;
    DRIVER(cuCtxCreate(&context, 0, device));
    badModule();
    DRIVER(cuModuleLoadData(&module, kernel));
    DRIVER(cuModuleGetFunction(&axpy, module, "axpy"));
    CUfunction absent;
    if (cuModuleGetFunction(&absent, module, "absent") != CUDA_ERROR_NOT_FOUND) return puts("driver: FAIL: absent"), 1;

    std::vector<float> a(n), b(n);
    Random random(3);
    for (int i = 0; i < n; i++) a[i] = random.uniform(), b[i] = random.uniform();
    CUdeviceptr da, db, dc, dscale;
    size_t bytes = n * sizeof(float), scaleBytes;
    DRIVER(cuMemAlloc(&da, bytes));
    DRIVER(cuMemAlloc(&db, bytes));
    DRIVER(cuMemAlloc(&dc, bytes));
    DRIVER(cuMemcpyHtoD(da, a.data(), bytes));
    DRIVER(cuMemcpyHtoD(db, b.data(), bytes));

    int size = n;
    void *params[] = {&da, &db, &dc, &size};
    DRIVER(cuLaunchKernel(axpy, (n + 127) / 128, 1, 1, 128, 1, 1, 0, nullptr, params, nullptr));
    DRIVER(cuCtxSynchronize());
    bool ok = correct(dc, a, b, 2);

    DRIVER(cuModuleGetGlobal(&dscale, &scaleBytes, module, "scale"));
    float scale = -3;
    ok = ok && scaleBytes == sizeof scale;
    DRIVER(cuMemcpyHtoD(dscale, &scale, sizeof scale));
    DRIVER(cuMemsetD32(dc, 0, n));
    struct {
        CUdeviceptr a, b, c;
        int n;
    } buffer = {da, db, dc, n};
    size_t bufferSize = sizeof buffer;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bufferSize,
                     CU_LAUNCH_PARAM_END};
    DRIVER(cuLaunchKernel(axpy, (n + 127) / 128, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));
    DRIVER(cuCtxSynchronize());
    ok = correct(dc, a, b, scale) && ok;

    int grid = 0, block = 0, blocks = 0;
    DRIVER(cuOccupancyMaxPotentialBlockSize(&grid, &block, axpy, nullptr, 0, 0));
    DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, axpy, block, 0));
    ok = ok && block >= 32 && blocks > 0;
    CUresult (*driverVersion)(int *) = nullptr;
    CUdriverProcAddressQueryResult found;
    DRIVER(cuGetProcAddress("cuDriverGetVersion", reinterpret_cast<void **>(&driverVersion), 12000, 0, &found));
    int version = 0;
    DRIVER(driverVersion(&version));
    ok = ok && found == CU_GET_PROC_ADDRESS_SUCCESS && version >= 12000;

    DRIVER(cuMemFree(da));
    DRIVER(cuMemFree(db));
    DRIVER(cuMemFree(dc));
    DRIVER(cuModuleUnload(module));
    DRIVER(cuCtxDestroy(context));
    printf("driver: %s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
