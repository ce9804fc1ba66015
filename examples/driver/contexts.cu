// The rest of the driver API, with its results and error codes: contexts,
// memory of each kind, fills, 2D and 3D copies, streams and events, captures
// and graphs, linking, libraries, old-style launches, pools.

#include <cuda.h>

#include <cstring>
#include <string>

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

static int wrong = 0;

static void expect(const char *what, long long got, long long want) {
    if (got == want) return;
    printf("contexts: FAIL: %s: got %lld, want %lld\n", what, got, want);
    wrong++;
}

// addTo: *p += n, with a function of another file in between.
static const char caller[] = R"(
.version 7.0
.target sm_50
.address_size 64
.extern .func (.param .b32 result) twice (.param .b32 x);
.visible .entry addTo(.param .u64 p, .param .u32 n)
{
    .reg .b32 %r<4>;
    .reg .b64 %d<2>;
    ld.param.u64 %d1, [p];
    ld.param.u32 %r1, [n];
    {
        .param .b32 a;
        .param .b32 b;
        st.param.b32 [a], %r1;
        call.uni (b), twice, (a);
        ld.param.b32 %r2, [b];
    }
    ld.global.u32 %r3, [%d1];
    add.u32 %r3, %r3, %r2;
    st.global.u32 [%d1], %r3;
    ret;
}
)";

static const char callee[] = R"(
.version 7.0
.target sm_50
.address_size 64
.visible .func (.param .b32 result) twice (.param .b32 x)
{
    .reg .b32 %r<2>;
    ld.param.b32 %r1, [x];
    add.u32 %r1, %r1, %r1;
    st.param.b32 [result], %r1;
    ret;
}
)";

static void contexts(CUdevice device) {
    CUcontext a, b, primary, current;
    CUdevice of;
    unsigned flags;
    int active;
    size_t value;
    DRIVER(cuCtxCreate(&a, CU_CTX_SCHED_YIELD, device));
    DRIVER(cuCtxGetFlags(&flags));
    expect("context flags", flags, CU_CTX_SCHED_YIELD);
    DRIVER(cuCtxCreate(&b, 0, device));
    DRIVER(cuCtxGetCurrent(&current));
    expect("the newest is current", current == b, 1);
    DRIVER(cuCtxPopCurrent(&current));
    DRIVER(cuCtxGetCurrent(&current));
    expect("then the one before", current == a, 1);
    DRIVER(cuCtxPushCurrent(b));
    DRIVER(cuCtxDestroy(b));
    DRIVER(cuCtxGetCurrent(&current));
    expect("a destroyed one is not current", current == a, 1);
    expect("a destroyed one cannot be", cuCtxSetCurrent(b), CUDA_ERROR_INVALID_CONTEXT);
    DRIVER(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 4 << 20));
    DRIVER(cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE));
    expect("limit", value, 4 << 20);
    DRIVER(cuCtxGetDevice(&of));
    expect("device", of, device);
    DRIVER(cuDevicePrimaryCtxRetain(&primary, device));
    DRIVER(cuDevicePrimaryCtxGetState(device, &flags, &active));
    expect("primary is active", active, 1);
    DRIVER(cuCtxSetCurrent(primary));
    DRIVER(cuDevicePrimaryCtxRelease(device));
    expect("released twice", cuDevicePrimaryCtxRelease(device), CUDA_ERROR_INVALID_VALUE);
    DRIVER(cuCtxPushCurrent(a));
    DRIVER(cuCtxSynchronize());
    DRIVER(cuCtxPopCurrent(nullptr));
    DRIVER(cuCtxDestroy(a));
    DRIVER(cuCtxSetCurrent(primary));
}

static void memory() {
    CUdeviceptr p, base;
    size_t size, pitch;
    unsigned type;
    int ordinal;
    DRIVER(cuMemAllocPitch(&p, &pitch, 100, 10, 4));
    DRIVER(cuMemsetD2D32(p, pitch, 0x01020304, 25, 10));
    DRIVER(cuMemsetD2D8(p, pitch, 9, 4, 1));
    DRIVER(cuMemsetD16(p + pitch, 0x0506, 2));
    unsigned host[25 * 10] = {};
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE, copy.srcDevice = p, copy.srcPitch = pitch;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST, copy.dstHost = host, copy.dstPitch = 100;
    copy.WidthInBytes = 100, copy.Height = 10;
    DRIVER(cuMemcpy2D(&copy));
    expect("fill of rows", host[249], 0x01020304);
    expect("fill of bytes", host[0], 0x09090909);
    expect("fill of halves", host[25], 0x05060506);
    expect("misaligned fill", cuMemsetD32(p + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
    DRIVER(cuMemGetAddressRange(&base, &size, p + 5));
    expect("base", base, p);
    DRIVER(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    expect("memory type", type, CU_MEMORYTYPE_DEVICE);
    CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_RANGE_SIZE};
    void *data[] = {&ordinal, &size};
    DRIVER(cuPointerGetAttributes(2, attributes, data, p));
    expect("attributes", ordinal == 0 && size >= 10 * pitch, 1);
    CUdeviceptr q;
    DRIVER(cuMemAlloc(&q, 100 * 10));
    CUDA_MEMCPY3D box = {};
    box.srcMemoryType = box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    box.srcDevice = p, box.srcPitch = pitch, box.srcHeight = 10;
    box.dstDevice = q, box.dstPitch = 100, box.dstHeight = 10;
    box.WidthInBytes = 100, box.Height = 10, box.Depth = 1;
    DRIVER(cuMemcpy3D(&box));
    DRIVER(cuMemcpyDtoH(host, q, 1000));
    expect("3D copy", host[26], 0x01020304);
    DRIVER(cuMemcpyDtoD(q, p, 100));
    DRIVER(cuMemFree(p));
    DRIVER(cuMemFree(q));

    int *pinned;
    DRIVER(cuMemHostAlloc(reinterpret_cast<void **>(&pinned), 64, CU_MEMHOSTALLOC_DEVICEMAP));
    DRIVER(cuMemHostGetDevicePointer(&p, pinned, 0));
    DRIVER(cuMemsetD32(p, 77, 16));
    expect("mapped memory", pinned[15], 77);
    DRIVER(cuMemFreeHost(pinned));
    DRIVER(cuMemAllocManaged(&p, 64, CU_MEM_ATTACH_GLOBAL));
    DRIVER(cuMemsetD8(p, 1, 64));
    expect("managed memory", *reinterpret_cast<int *>(p), 0x01010101);
    DRIVER(cuMemFree(p));

    CUmemoryPool pool;
    unsigned long long used = 1;
    DRIVER(cuDeviceGetDefaultMemPool(&pool, 0));
    DRIVER(cuMemAllocAsync(&p, 256, nullptr));
    DRIVER(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    expect("pool", used, 256);
    DRIVER(cuMemFreeAsync(p, nullptr));
}

// Two PTX files linked to one, the same as a library, and launches of it.
static void linked() {
    CUlinkState state;
    CUmodule module;
    CUfunction f;
    CUdeviceptr p;
    void *cubin;
    size_t size;
    int got;
    DRIVER(cuLinkCreate(0, nullptr, nullptr, &state));
    DRIVER(cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char *>(caller), sizeof caller, "caller", 0, nullptr, nullptr));
    DRIVER(cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char *>(callee), sizeof callee, "callee", 0, nullptr, nullptr));
    DRIVER(cuLinkComplete(state, &cubin, &size));
    DRIVER(cuModuleLoadData(&module, cubin));
    CUlibrary library;
    CUkernel kernel;
    unsigned count;
    DRIVER(cuLibraryLoadData(&library, cubin, nullptr, nullptr, 0, nullptr, nullptr, 0));
    DRIVER(cuLinkDestroy(state));
    DRIVER(cuModuleGetFunction(&f, module, "addTo"));
    DRIVER(cuMemAlloc(&p, 4));
    DRIVER(cuMemsetD32(p, 100, 1));

    DRIVER(cuFuncSetBlockShape(f, 1, 1, 1));
    DRIVER(cuParamSetv(f, 0, &p, sizeof p));
    DRIVER(cuParamSeti(f, 8, 3));
    DRIVER(cuParamSetSize(f, 12));
    DRIVER(cuLaunchGrid(f, 1, 1));
    int attribute;
    const char *name;
    DRIVER(cuFuncGetAttribute(&attribute, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
    DRIVER(cuFuncGetName(&name, f));
    expect("name and limit", attribute == 1024 && !strcmp(name, "addTo"), 1);

    DRIVER(cuLibraryGetKernelCount(&count, library));
    expect("kernels of the library", count, 1);
    DRIVER(cuLibraryGetKernel(&kernel, library, "addTo"));
    DRIVER(cuKernelGetFunction(&f, kernel));
    int n = 5;
    void *params[] = {&p, &n};
    CUlaunchConfig config = {};
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    DRIVER(cuLaunchKernelEx(&config, f, params, nullptr));
    DRIVER(cuMemcpyDtoH(&got, p, 4));
    expect("two launches", got, 116);

    CUstream s;
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode node, captured;
    size_t nodes = 1;
    DRIVER(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    DRIVER(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    DRIVER(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, params, nullptr));
    DRIVER(cuStreamEndCapture(s, &graph));
    CUDA_KERNEL_NODE_PARAMS again = {};
    again.func = f, again.kernelParams = params;
    again.gridDimX = again.gridDimY = again.gridDimZ = again.blockDimX = again.blockDimY = again.blockDimZ = 1;
    DRIVER(cuGraphGetNodes(graph, &captured, &nodes));
    DRIVER(cuGraphAddKernelNode(&node, graph, &captured, 1, &again));
    DRIVER(cuGraphInstantiate(&exec, graph, 0));
    DRIVER(cuGraphLaunch(exec, s));
    DRIVER(cuStreamSynchronize(s));
    DRIVER(cuMemcpyDtoH(&got, p, 4));
    expect("graph of a captured and an added launch", got, 136);
    DRIVER(cuGraphExecDestroy(exec));
    DRIVER(cuGraphDestroy(graph));
    DRIVER(cuStreamDestroy(s));
    DRIVER(cuMemFree(p));
    DRIVER(cuModuleUnload(module));
    DRIVER(cuLibraryUnload(library));
}

static void called(CUstream, CUresult status, void *p) { *static_cast<int *>(p) = 1 + status; }

static void streams() {
    CUstream s;
    CUevent start, end;
    CUdeviceptr p;
    int calls = 0, least, greatest, priority;
    unsigned value = 0;
    float ms = -1;
    DRIVER(cuCtxGetStreamPriorityRange(&least, &greatest));
    DRIVER(cuStreamCreateWithPriority(&s, CU_STREAM_DEFAULT, greatest));
    DRIVER(cuStreamGetPriority(s, &priority));
    expect("priority", priority, greatest);
    DRIVER(cuEventCreate(&start, CU_EVENT_DEFAULT));
    DRIVER(cuEventCreate(&end, CU_EVENT_DEFAULT));
    DRIVER(cuMemAlloc(&p, 64));
    DRIVER(cuEventRecord(start, s));
    DRIVER(cuMemsetD32Async(p, 0, 16, s));
    DRIVER(cuStreamWriteValue32(s, p + 8, 42, 0));
    DRIVER(cuStreamWaitValue32(s, p + 8, 40, CU_STREAM_WAIT_VALUE_GEQ));
    DRIVER(cuMemcpyDtoHAsync(&value, p + 8, 4, s));
    DRIVER(cuStreamAddCallback(s, called, &calls, 0));
    DRIVER(cuEventRecord(end, s));
    DRIVER(cuStreamWaitEvent(nullptr, end, 0));
    DRIVER(cuEventSynchronize(end));
    DRIVER(cuEventElapsedTime(&ms, start, end));
    expect("stream results", value == 42 && calls == 1 && ms > 0, 1);
    DRIVER(cuStreamQuery(s));
    DRIVER(cuEventQuery(end));
    DRIVER(cuMemFree(p));
    DRIVER(cuEventDestroy(start));
    DRIVER(cuEventDestroy(end));
    DRIVER(cuStreamDestroy(s));
    expect("a destroyed stream", cuStreamQuery(s), CUDA_ERROR_INVALID_HANDLE);
}

int main() {
    CUdevice device;
    char name[64];
    size_t total, free;
    const char *text;
    DRIVER(cuInit(0));
    DRIVER(cuDeviceGet(&device, 0));
    expect("no such device", cuDeviceGet(&device, 99), CUDA_ERROR_INVALID_DEVICE);
    DRIVER(cuDeviceGetName(name, sizeof name, device));
    DRIVER(cuDeviceTotalMem(&total, device));
    DRIVER(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    expect("error text", strcmp(text, "out of memory"), 0);
    contexts(device);
    DRIVER(cuMemGetInfo(&free, &total));
    memory();
    linked();
    streams();
    printf("contexts: %s\n", wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
