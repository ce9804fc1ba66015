// The driver API: copies between devices' memory, arrays and in batches,
// settings of texture references, entry points by version, and libraries of
// both APIs.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

#include "../../examples/check.h"

#define OK(call)                                                       \
    do {                                                               \
        CUresult e_ = (call);                                          \
        if (e_ != CUDA_SUCCESS) {                                      \
            printf("FAIL line %d: %s: %d\n", __LINE__, #call, e_);     \
            return false;                                              \
        }                                                              \
    } while (0)
#define IS(condition)                                                  \
    do {                                                               \
        if (!(condition)) {                                            \
            printf("FAIL line %d: %s\n", __LINE__, #condition);        \
            return false;                                              \
        }                                                              \
    } while (0)

static bool copies() {
    CUdeviceptr p, q;
    int host[64], back[64] = {};
    for (int i = 0; i < 64; i++) host[i] = i;
    OK(cuMemAlloc(&p, sizeof host));
    OK(cuMemAlloc(&q, sizeof host));
    OK(cuMemcpyHtoD_v2(p, host, sizeof host)); // by the name with a version
    CUcontext c;
    OK(cuCtxGetCurrent(&c));
    CUDA_MEMCPY3D_PEER peer = {};
    peer.srcMemoryType = peer.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    peer.srcDevice = p, peer.dstDevice = q, peer.srcContext = peer.dstContext = c;
    peer.srcPitch = peer.dstPitch = 32, peer.srcXInBytes = 4, peer.WidthInBytes = 16, peer.Height = 8, peer.Depth = 1;
    OK(cuMemsetD8(q, 0, sizeof host));
    OK(cuMemcpy3DPeer(&peer));
    OK(cuMemcpyDtoH(back, q, sizeof back));
    IS(back[0] == 1 && back[3] == 4 && back[4] == 0 && back[8] == 9);

    CUstream s;
    OK(cuStreamCreate(&s, 0));
    CUdeviceptr to[] = {q, q + 128}, from[] = {p + 128, p};
    size_t sizes[] = {128, 64}, index = 0, failed = 0;
    CUmemcpyAttributes how = {};
    how.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    OK(cuMemcpyBatchAsync(to, from, sizes, 2, &how, &index, 1, s));
    OK(cuMemcpyDtoHAsync(back, q, sizeof back, s));
    OK(cuStreamSynchronize(s));
    IS(back[0] == 32 && back[31] == 63 && back[32] == 0 && back[47] == 15);
    IS(cuMemcpyBatchAsync(to, from, sizes, 2, &how, &index, 1, nullptr) == CUDA_ERROR_INVALID_VALUE);

    CUDA_ARRAY_DESCRIPTOR d = {8, 8, CU_AD_FORMAT_SIGNED_INT32, 1};
    CUarray a;
    OK(cuArrayCreate(&a, &d));
    CUDA_MEMCPY3D_BATCH_OP op = {};
    op.src.type = CU_MEMCPY_OPERAND_TYPE_POINTER, op.src.op.ptr.ptr = p;
    op.src.op.ptr.rowLength = 32;
    op.dst.type = CU_MEMCPY_OPERAND_TYPE_ARRAY, op.dst.op.array.array = a, op.dst.op.array.offset = {2, 1, 0};
    op.extent = {4, 4, 1};
    op.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
    OK(cuMemcpy3DBatchAsync(1, &op, &failed, 0, s));
    OK(cuStreamSynchronize(s));
    CUDA_MEMCPY2D out = {};
    out.srcMemoryType = CU_MEMORYTYPE_ARRAY, out.srcArray = a, out.srcXInBytes = 8, out.srcY = 1;
    out.dstMemoryType = CU_MEMORYTYPE_HOST, out.dstHost = back, out.dstPitch = 16, out.WidthInBytes = 16, out.Height = 4;
    OK(cuMemcpy2D(&out));
    IS(back[0] == 0 && back[3] == 3 && back[4] == 8 && back[15] == 27);
    CUDA_ARRAY_MEMORY_REQUIREMENTS need;
    IS(cuArrayGetMemoryRequirements(&need, a, 0) == CUDA_ERROR_INVALID_VALUE); // not deferred
    OK(cuArrayDestroy(a));
    OK(cuStreamDestroy(s));
    OK(cuMemFree(p));
    OK(cuMemFree(q));
    return true;
}

static bool references() {
    CUtexref r;
    OK(cuTexRefCreate(&r));
    CUaddress_mode mode;
    OK(cuTexRefGetAddressMode(&mode, r, 1));
    IS(mode == CU_TR_ADDRESS_MODE_CLAMP);
    OK(cuTexRefSetAddressMode(r, 1, CU_TR_ADDRESS_MODE_WRAP));
    OK(cuTexRefGetAddressMode(&mode, r, 1));
    IS(mode == CU_TR_ADDRESS_MODE_WRAP);
    CUfilter_mode filter;
    OK(cuTexRefSetFilterMode(r, CU_TR_FILTER_MODE_LINEAR));
    OK(cuTexRefGetFilterMode(&filter, r));
    IS(filter == CU_TR_FILTER_MODE_LINEAR);
    unsigned flags;
    OK(cuTexRefSetFlags(r, CU_TRSF_NORMALIZED_COORDINATES));
    OK(cuTexRefGetFlags(&flags, r));
    IS(flags == CU_TRSF_NORMALIZED_COORDINATES);
    float low, high, bias, color[4] = {1, 2, 3, 4}, back[4] = {};
    OK(cuTexRefSetMipmapLevelClamp(r, 1, 2));
    OK(cuTexRefGetMipmapLevelClamp(&low, &high, r));
    OK(cuTexRefSetMipmapLevelBias(r, 0.5f));
    OK(cuTexRefGetMipmapLevelBias(&bias, r));
    OK(cuTexRefSetBorderColor(r, color));
    OK(cuTexRefGetBorderColor(back, r));
    IS(low == 1 && high == 2 && bias == 0.5f && back[3] == 4);
    CUarray_format format;
    int channels;
    OK(cuTexRefSetFormat(r, CU_AD_FORMAT_UNSIGNED_INT16, 2));
    OK(cuTexRefGetFormat(&format, &channels, r));
    IS(format == CU_AD_FORMAT_UNSIGNED_INT16 && channels == 2);
    CUdeviceptr p, at;
    OK(cuMemAlloc(&p, 1024));
    IS(cuTexRefGetAddress(&at, r) == CUDA_ERROR_INVALID_VALUE);
    OK(cuTexRefSetAddress(nullptr, r, p, 1024));
    OK(cuTexRefGetAddress(&at, r));
    IS(at == p);
    OK(cuTexRefDestroy(r));
    OK(cuMemFree(p));
    return true;
}

static bool entries() {
    void *a = nullptr, *b = nullptr;
    CUdriverProcAddressQueryResult found;
    OK(cuGetProcAddress("cuStreamGetCaptureInfo", &a, 11030, 0, &found));
    OK(cuGetProcAddress("cuStreamGetCaptureInfo", &b, 12030, 0, &found));
    IS(a && b && a != b && b == (void *)cuStreamGetCaptureInfo_v3);
    OK(cuGetProcAddress("cuGraphExecUpdate", &a, 11000, 0, &found));
    OK(cuGetProcAddress("cuGraphExecUpdate", &b, 12000, 0, &found));
    IS(a != b);
    OK(cuGetProcAddress("cuMemAlloc", &a, 3020, 0, &found));
    CUdeviceptr p = 0;
    OK(((CUresult(*)(CUdeviceptr *, size_t))a)(&p, 64));
    OK(cuMemFree(p));
    void *self = dlopen("libcuda.so.1", RTLD_NOW);
    IS(self && dlsym(self, "cuMemAlloc") && dlsym(self, "cuMemAlloc_v2") && dlsym(self, "cuCtxCreate_v4"));
    IS(dlsym(self, "cuStreamBatchMemOp_v2") && dlsym(self, "cuGraphAddNode_v2") && dlsym(self, "cuGreenCtxCreate"));
    int no = 1;
    OK(cuDeviceGetExecAffinitySupport(&no, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0));
    IS(no == 0);
    size_t width = 0;
    OK(cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_FLOAT, 1, 0));
    IS(width >= 1 << 27);
    return true;
}

static const char *ptx = R"(
.version 7.8
.target sm_70
.address_size 64
.visible .global .align 4 .u32 step = 3;
.visible .entry twice(.param .u64 p) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<5>;
  ld.param.u64 %rd1, [p];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  ld.global.u32 %r2, [step];
  mul.lo.u32 %r3, %r1, %r2;
  st.global.u32 [%rd1], %r3;
  ret;
}
)";

static bool libraries() {
    cudaLibrary_t lib;
    CHECK(cudaLibraryLoadData(&lib, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
    unsigned n = 0;
    CHECK(cudaLibraryGetKernelCount(&n, lib));
    IS(n == 1);
    cudaKernel_t k, again;
    CHECK(cudaLibraryGetKernel(&k, lib, "twice"));
    CHECK(cudaLibraryEnumerateKernels(&again, 1, lib));
    IS(k == again);
    void *step = nullptr;
    size_t bytes = 0;
    CHECK(cudaLibraryGetGlobal(&step, &bytes, lib, "step"));
    IS(bytes == 4);
    int five = 5, host[32] = {};
    CHECK(cudaMemcpy(step, &five, 4, cudaMemcpyHostToDevice));
    int *p;
    CHECK(cudaMalloc(&p, sizeof host));
    void *args[] = {&p};
    CHECK(cudaLaunchKernel((const void *)k, dim3(1), dim3(32), args, 0, nullptr));
    CHECK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    IS(host[1] == 5 && host[31] == 155);
    CUfunction f;
    CUfunctionLoadingState state;
    OK(cuKernelGetFunction(&f, k));
    OK(cuFuncIsLoaded(&state, f));
    IS(state == CU_FUNCTION_LOADING_STATE_LOADED);
    int clusters = 0;
    CUlaunchConfig config = {};
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = 128, config.blockDimY = config.blockDimZ = 1;
    OK(cuOccupancyMaxActiveClusters(&clusters, f, &config));
    IS(clusters > 0);
    CHECK(cudaLibraryUnload(lib));

    // Another kernel of the same name, with more accesses.
    std::string more = ptx;
    const std::string store = "  st.global.u32 [%rd1], %r3;\n";
    more.insert(more.find(store), store + "  add.u32 %r3, %r3, 1;\n" + store + "  add.u32 %r3, %r3, 1;\n");
    CHECK(cudaLibraryLoadData(&lib, more.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    CHECK(cudaLibraryGetKernel(&k, lib, "twice"));
    CHECK(cudaLaunchKernel((const void *)k, dim3(1), dim3(32), args, 0, nullptr));
    CHECK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    IS(host[1] == 5 && host[31] == 95);
    CHECK(cudaLibraryUnload(lib));
    CHECK(cudaFree(p));
    return true;
}

int main() {
    CHECK(cudaFree(nullptr)); // the runtime's context
    bool ok = copies() && references() && entries() && libraries();
    printf("%s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
