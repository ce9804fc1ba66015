// Graphs of the driver API: nodes of each type, asked for, changed, updated and
// launched; memory operations of streams; objects that graphs hold.
#include <cuda.h>

#include <cstdio>
#include <cstring>
#include <vector>

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

__global__ void add(int *p, int v) { p[threadIdx.x] += v; }

static CUfunction kernel() {
    cudaFunction_t f;
    CHECK(cudaGetFuncBySymbol(&f, (const void *)add));
    return f;
}

static CUDA_KERNEL_NODE_PARAMS kernelParams(void **args) {
    CUDA_KERNEL_NODE_PARAMS k = {};
    k.func = kernel();
    k.gridDimX = k.gridDimY = k.gridDimZ = 1;
    k.blockDimX = 32, k.blockDimY = k.blockDimZ = 1;
    k.kernelParams = args;
    return k;
}

static CUDA_MEMCPY3D copyOf(CUdeviceptr from, int *to) {
    CUDA_MEMCPY3D c = {};
    c.srcMemoryType = CU_MEMORYTYPE_DEVICE, c.srcDevice = from;
    c.dstMemoryType = CU_MEMORYTYPE_HOST, c.dstHost = to;
    c.WidthInBytes = 32 * sizeof(int), c.Height = c.Depth = 1;
    return c;
}

static int called;
static void count(void *n) { called += *static_cast<int *>(n); }
static void destroyed(void *n) { ++*static_cast<int *>(n); }

static bool nodes() {
    CUdeviceptr p;
    int host[32] = {}, one = 1, two = 2, three = 3;
    OK(cuMemAlloc(&p, sizeof host));
    CUgraph g;
    OK(cuGraphCreate(&g, 0));
    CUDA_MEMSET_NODE_PARAMS fill = {p, 0, 5, 4, 32, 1};
    CUgraphNode set, run, copy, call, event, waiter;
    OK(cuGraphAddMemsetNode(&set, g, nullptr, 0, &fill, nullptr));
    void *args[] = {&p, &one};
    CUDA_KERNEL_NODE_PARAMS k = kernelParams(args);
    OK(cuGraphAddKernelNode(&run, g, nullptr, 0, &k));
    OK(cuGraphAddDependencies(g, &set, &run, 1));
    CUDA_MEMCPY3D c = copyOf(p, host);
    OK(cuGraphAddMemcpyNode(&copy, g, &run, 1, &c, nullptr));
    CUDA_HOST_NODE_PARAMS h = {count, &two};
    OK(cuGraphAddHostNode(&call, g, &copy, 1, &h));
    CUevent e;
    OK(cuEventCreate(&e, 0));
    OK(cuGraphAddEventRecordNode(&event, g, &call, 1, e));
    OK(cuGraphAddEventWaitNode(&waiter, g, &event, 1, e));

    size_t n = 0;
    OK(cuGraphGetEdges(g, nullptr, nullptr, &n));
    IS(n == 5);
    CUgraphNode from[5], to[5];
    CUgraphEdgeData data[5];
    OK(cuGraphGetEdges_v2(g, from, to, data, &n));
    IS(from[0] == set && to[0] == run && data[4].type == CU_GRAPH_DEPENDENCY_TYPE_DEFAULT);
    OK(cuGraphGetRootNodes(g, nullptr, &n));
    IS(n == 1);
    CUgraphNode other;
    n = 1;
    OK(cuGraphNodeGetDependencies(copy, &other, &n));
    IS(n == 1 && other == run);
    OK(cuGraphNodeGetDependentNodes(copy, &other, &n));
    IS(other == call);
    CUevent asked;
    OK(cuGraphEventRecordNodeGetEvent(event, &asked));
    IS(asked == e);
    OK(cuGraphEventWaitNodeSetEvent(waiter, e));

    CUDA_KERNEL_NODE_PARAMS k2;
    OK(cuGraphKernelNodeGetParams(run, &k2));
    IS(k2.func == k.func && k2.blockDimX == 32 && *static_cast<int *>(k2.kernelParams[1]) == 1);
    CUDA_MEMCPY3D c2;
    OK(cuGraphMemcpyNodeGetParams(copy, &c2));
    IS(c2.srcMemoryType == CU_MEMORYTYPE_DEVICE && c2.srcDevice == p && c2.dstHost == host && c2.WidthInBytes == 128);
    CUDA_MEMSET_NODE_PARAMS fill2;
    OK(cuGraphMemsetNodeGetParams(set, &fill2));
    IS(fill2.dst == p && fill2.value == 5 && fill2.width == 32);
    CUDA_HOST_NODE_PARAMS h2;
    OK(cuGraphHostNodeGetParams(call, &h2));
    IS(h2.fn == count && h2.userData == &two);

    CUgraph clone;
    CUgraphNode cloned;
    OK(cuGraphClone(&clone, g));
    OK(cuGraphNodeFindInClone(&cloned, run, clone));
    IS(cloned != run);
    OK(cuGraphDestroy(clone));

    CUgraphExec x;
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {};
    OK(cuGraphInstantiateWithParams(&x, g, &params));
    IS(params.result_out == CUDA_GRAPH_INSTANTIATE_SUCCESS);
    OK(cuGraphLaunch(x, nullptr));
    OK(cuCtxSynchronize());
    IS(host[0] == 6 && host[31] == 6 && called == 2);

    args[1] = &three;
    OK(cuGraphExecKernelNodeSetParams(x, run, &k));
    fill.value = 10;
    OK(cuGraphExecMemsetNodeSetParams(x, set, &fill, nullptr));
    unsigned enabled = 1;
    OK(cuGraphNodeSetEnabled(x, call, 0));
    OK(cuGraphNodeGetEnabled(x, call, &enabled));
    IS(enabled == 0);
    OK(cuGraphLaunch(x, nullptr));
    OK(cuCtxSynchronize());
    IS(host[7] == 13 && called == 2);

    OK(cuGraphKernelNodeSetParams(run, &k));
    CUgraphExecUpdateResultInfo info;
    OK(cuGraphExecUpdate(x, g, &info));
    IS(info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
    OK(cuGraphLaunch(x, nullptr)); // 5 and 3
    OK(cuCtxSynchronize());
    IS(host[7] == 8);
    OK(cuGraphRemoveDependencies(g, &call, &event, 1));
    OK(cuGraphDestroyNode(waiter));
    OK(cuGraphDestroyNode(event));
    IS(cuGraphExecUpdate(x, g, &info) == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    IS(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
    OK(cuEventDestroy(e));
    OK(cuMemFree(p));
    return true;
}

static bool memory() {
    CUgraph g;
    OK(cuGraphCreate(&g, 0));
    CUDA_MEM_ALLOC_NODE_PARAMS a = {};
    a.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    a.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    a.bytesize = 128;
    CUgraphNode alloc, set, copy, release;
    OK(cuGraphAddMemAllocNode(&alloc, g, nullptr, 0, &a));
    CUDA_MEM_ALLOC_NODE_PARAMS got;
    OK(cuGraphMemAllocNodeGetParams(alloc, &got));
    IS(got.dptr == a.dptr && got.bytesize == 128);
    cuuint64_t used = 0;
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    IS(used == 128);
    CUgraphNodeParams p = {};
    p.type = CU_GRAPH_NODE_TYPE_MEMSET;
    p.memset.dst = a.dptr, p.memset.value = 9, p.memset.elementSize = 4, p.memset.width = 32, p.memset.height = 1;
    OK(cuGraphAddNode(&set, g, &alloc, 1, &p));
    int host[32] = {};
    CUDA_MEMCPY3D c = copyOf(a.dptr, host);
    OK(cuGraphAddMemcpyNode(&copy, g, &set, 1, &c, nullptr));
    OK(cuGraphAddMemFreeNode(&release, g, &copy, 1, a.dptr));
    CUdeviceptr freed;
    OK(cuGraphMemFreeNodeGetParams(release, &freed));
    IS(freed == a.dptr);
    CUgraphExec x;
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuGraphLaunch(x, nullptr));
    OK(cuCtxSynchronize());
    IS(host[0] == 9 && host[31] == 9);
    OK(cuGraphExecDestroy(x));

    int ended = 0;
    CUuserObject o;
    OK(cuUserObjectCreate(&o, &ended, destroyed, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(cuUserObjectRetain(o, 1));
    OK(cuGraphRetainUserObject(g, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    OK(cuUserObjectRelease(o, 1));
    IS(ended == 0);
    OK(cuGraphDestroy(g));
    IS(ended == 1);
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    IS(used == 0);
    OK(cuDeviceGraphMemTrim(0));
    return true;
}

static bool values() {
    CUstream s;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CUdeviceptr p;
    OK(cuMemAlloc(&p, 16));
    OK(cuMemsetD32Async(p, 0, 4, s));
    OK(cuStreamWriteValue32(s, p, 7, CU_STREAM_WRITE_VALUE_DEFAULT));
    OK(cuStreamWaitValue32(s, p, 7, CU_STREAM_WAIT_VALUE_EQ));
    IS(cuStreamWriteValue64(s, p + 4, 7, 0) == CUDA_ERROR_INVALID_VALUE);
    CUstreamBatchMemOpParams ops[3] = {};
    ops[0].writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_64, p + 8, {}, 0, 0};
    ops[0].writeValue.value64 = 1ull << 40;
    ops[1].operation = CU_STREAM_MEM_OP_BARRIER;
    ops[2].waitValue = {CU_STREAM_MEM_OP_WAIT_VALUE_64, p + 8, {}, CU_STREAM_WAIT_VALUE_GEQ, 0};
    ops[2].waitValue.value64 = 5;
    OK(cuStreamBatchMemOp(s, 3, ops, 0));

    CUgraph g;
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuStreamWriteValue32(s, p, 8, 0));
    CUstreamCaptureStatus status;
    cuuint64_t id;
    const CUgraphNode *last;
    size_t n;
    OK(cuStreamGetCaptureInfo(s, &status, &id, &g, &last, &n));
    IS(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && n == 1);
    CUgraphNodeType type;
    OK(cuGraphNodeGetType(last[0], &type));
    IS(type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
    CUgraphNode empty;
    OK(cuGraphAddEmptyNode(&empty, g, last, n));
    OK(cuStreamUpdateCaptureDependencies(s, &empty, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    OK(cuStreamEndCapture(s, &g));
    CUDA_BATCH_MEM_OP_NODE_PARAMS batch = {nullptr, 3, ops, 0}, got;
    CUgraphNode node;
    OK(cuGraphAddBatchMemOpNode(&node, g, &empty, 1, &batch));
    OK(cuGraphBatchMemOpNodeGetParams(node, &got));
    IS(got.count == 3 && got.paramArray[0].writeValue.address == p + 8);
    CUgraphExec x;
    OK(cuGraphInstantiate(&x, g, 0));
    ops[0].writeValue.value64 = 6;
    OK(cuGraphExecBatchMemOpNodeSetParams(x, node, &batch));
    OK(cuGraphLaunch(x, s));
    unsigned host[4];
    OK(cuMemcpyDtoHAsync(host, p, sizeof host, s));
    OK(cuStreamSynchronize(s));
    IS(host[0] == 8 && host[2] == 6 && host[3] == 0);

    CUstreamAttrValue v = {};
    v.syncPolicy = CU_SYNC_POLICY_SPIN;
    OK(cuStreamSetAttribute(s, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    CUstream t;
    OK(cuStreamCreate(&t, 0));
    OK(cuStreamGetAttribute(t, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    IS(v.syncPolicy == CU_SYNC_POLICY_AUTO);
    OK(cuStreamCopyAttributes(t, s));
    OK(cuStreamGetAttribute(t, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    IS(v.syncPolicy == CU_SYNC_POLICY_SPIN);
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
    OK(cuStreamDestroy(s));
    OK(cuStreamDestroy(t));
    OK(cuMemFree(p));
    return true;
}

int main() {
    CHECK(cudaFree(nullptr)); // the runtime's context
    bool ok = nodes() && memory() && values();
    printf("%s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
