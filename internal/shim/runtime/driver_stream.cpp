// The driver API: streams, events, captures and graphs.
#include "driver.h"

#include "graph.h"
#include "hostfunc.h"
#include "memory.h"

using namespace warpgrind;

namespace {

cudaGraphNode_t *nodes(CUgraphNode *n) { return reinterpret_cast<cudaGraphNode_t *>(n); }
const cudaGraphNode_t *nodes(const CUgraphNode *n) { return reinterpret_cast<const cudaGraphNode_t *>(n); }
cudaGraphNode_t node(CUgraphNode n) { return reinterpret_cast<cudaGraphNode_t>(n); }
cudaGraph_t graph(CUgraph g) { return reinterpret_cast<cudaGraph_t>(g); }
cudaGraphExec_t exec(CUgraphExec e) { return reinterpret_cast<cudaGraphExec_t>(e); }

CUresult write(const char *api, CUstream stream, CUdeviceptr p, const void *value, size_t bytes) {
  NEEDS_CONTEXT;
  return result(copyBytes(api, pointer(p), value, bytes, cudaMemcpyDefault, true, stream));
}

// All work given before has been done: either the value is there or nothing
// but host code and other streams' later work can bring it.
CUresult wait(const char *api, CUstream stream, CUdeviceptr p, uint64_t value, size_t bytes, unsigned flags) {
  NEEDS_CONTEXT;
  uint64_t now = 0;
  cudaError_t e = copyBytes(api, &now, pointer(p), bytes, cudaMemcpyDefault, true, stream);
  if (e != cudaSuccess) return result(e);
  int64_t difference = bytes == 4 ? static_cast<int32_t>(now - value) : static_cast<int64_t>(now - value);
  bool there = false;
  switch (flags & 3) {
  case CU_STREAM_WAIT_VALUE_GEQ: there = difference >= 0; break;
  case CU_STREAM_WAIT_VALUE_EQ: there = difference == 0; break;
  case CU_STREAM_WAIT_VALUE_AND: there = (now & value) != 0; break;
  case CU_STREAM_WAIT_VALUE_NOR: there = (bytes == 4 ? static_cast<uint32_t>(~(now | value)) : ~(now | value)) != 0; break;
  }
  return there ? CUDA_SUCCESS : result(unsupported((std::string(api) + " for a value that comes later").c_str()));
}

CUresult setKernel(const char *api, Node *n, const CUDA_KERNEL_NODE_PARAMS *p) {
  if (!n || !p || !p->func) return invalid(api, "a pointer is null, or not a kernel node");
  Function &f = *function(p->func);
  size_t size = 0;
  const void *given = extraBytes(p->extra, &size);
  if (!given && !p->kernelParams && !f.params.empty()) return invalid(api, "the kernel has parameters but none are given");
  std::vector<char> bytes(f.paramBytes);
  if (given) memcpy(bytes.data(), given, size < bytes.size() ? size : bytes.size());
  else bytes = packParams(f, p->kernelParams);
  setLaunch(*n, f, nullptr, dim3(p->gridDimX, p->gridDimY, p->gridDimZ), dim3(p->blockDimX, p->blockDimY, p->blockDimZ),
            p->sharedMemBytes, bytes.data(), n->grouping);
  return CUDA_SUCCESS;
}

} // namespace

extern "C" {

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  NEEDS_CONTEXT;
  return result(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  NEEDS_CONTEXT;
  return result(cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamDestroy(CUstream stream) {
  NEEDS_CONTEXT;
  return result(cudaStreamDestroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream) {
  NEEDS_CONTEXT;
  return result(cudaStreamSynchronize(stream));
}

CUresult cuStreamQuery(CUstream stream) {
  NEEDS_CONTEXT;
  return result(cudaStreamQuery(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  NEEDS_CONTEXT;
  return result(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuStreamGetPriority(CUstream stream, int *priority) { return result(cudaStreamGetPriority(stream, priority)); }
CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) { return result(cudaStreamGetFlags(stream, flags)); }
CUresult cuStreamGetId(CUstream stream, unsigned long long *id) { return result(cudaStreamGetId(stream, id)); }

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  NEEDS_CONTEXT;
  if (!context) return invalid(__func__, "the result pointer is null");
  int device;
  cudaError_t e = cudaStreamGetDevice(stream, &device);
  if (e != cudaSuccess) return result(e);
  Context *c = currentContext()->device == device ? currentContext() : primaryContext(device);
  *context = reinterpret_cast<CUcontext>(c);
  return CUDA_SUCCESS;
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *userData, unsigned flags) {
  NEEDS_CONTEXT; // cudaError_t and CUresult are passed alike
  return result(cudaStreamAddCallback(stream, reinterpret_cast<cudaStreamCallback_t>(callback), userData, flags));
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn fn, void *userData) {
  NEEDS_CONTEXT;
  return result(cudaLaunchHostFunc(stream, fn, userData));
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr p, size_t bytes, unsigned flags) {
  NEEDS_CONTEXT;
  return result(cudaStreamAttachMemAsync(stream, pointer(p), bytes, flags));
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr p, unsigned value, unsigned) {
  return write(__func__, stream, p, &value, sizeof value);
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr p, unsigned long long value, unsigned) {
  return write(__func__, stream, p, &value, sizeof value);
}

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr p, unsigned value, unsigned flags) {
  return wait(__func__, stream, p, value, sizeof value, flags);
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr p, unsigned long long value, unsigned flags) {
  return wait(__func__, stream, p, value, sizeof value, flags);
}

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  NEEDS_CONTEXT;
  return result(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventDestroy(CUevent event) {
  NEEDS_CONTEXT;
  return result(cudaEventDestroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  NEEDS_CONTEXT;
  return result(cudaEventRecord(event, stream));
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  NEEDS_CONTEXT;
  return result(cudaEventRecordWithFlags(event, stream, flags));
}

CUresult cuEventQuery(CUevent event) { return result(cudaEventQuery(event)); }
CUresult cuEventSynchronize(CUevent event) { return result(cudaEventSynchronize(event)); }

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end) {
  return result(cudaEventElapsedTime(ms, start, end));
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  NEEDS_CONTEXT;
  return result(cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode)));
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *out) {
  NEEDS_CONTEXT;
  return result(cudaStreamEndCapture(stream, reinterpret_cast<cudaGraph_t *>(out)));
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
  NEEDS_CONTEXT;
  return result(cudaStreamIsCapturing(stream, reinterpret_cast<cudaStreamCaptureStatus *>(status)));
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  return result(cudaThreadExchangeStreamCaptureMode(reinterpret_cast<cudaStreamCaptureMode *>(mode)));
}

CUresult cuGraphCreate(CUgraph *out, unsigned flags) {
  if (!initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  return result(cudaGraphCreate(reinterpret_cast<cudaGraph_t *>(out), flags));
}

CUresult cuGraphDestroy(CUgraph g) { return result(cudaGraphDestroy(graph(g))); }

CUresult cuGraphClone(CUgraph *out, CUgraph g) {
  return result(cudaGraphClone(reinterpret_cast<cudaGraph_t *>(out), graph(g)));
}

CUresult cuGraphAddKernelNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS *p) {
  if (!out) return invalid(__func__, "the result pointer is null");
  cudaError_t e;
  Node *n = addNode(__func__, graph(g), nodes(from), count, cudaGraphNodeTypeKernel, &e);
  if (!n) return result(e);
  CUresult r = setKernel(__func__, n, p);
  if (r == CUDA_SUCCESS) *out = reinterpret_cast<CUgraphNode>(n);
  else cudaGraphDestroyNode(handle(n));
  return r;
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec ge, CUgraphNode of, const CUDA_KERNEL_NODE_PARAMS *p) {
  GraphExec *e = execOf(exec(ge));
  Node *original = nodeOf(node(of));
  return setKernel(__func__, e && original ? findClone(*e->graph, original) : nullptr, p);
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count,
                              const CUDA_MEMCPY3D *c, CUcontext) {
  if (!c) return invalid(__func__, "the parameters are null");
  if (c->srcMemoryType == CU_MEMORYTYPE_ARRAY || c->dstMemoryType == CU_MEMORYTYPE_ARRAY)
    return result(unsupported("cuGraphAddMemcpyNode with arrays"));
  cudaMemcpy3DParms p{};
  const void *src = c->srcMemoryType == CU_MEMORYTYPE_HOST ? c->srcHost : pointer(c->srcDevice);
  void *dst = c->dstMemoryType == CU_MEMORYTYPE_HOST ? c->dstHost : pointer(c->dstDevice);
  size_t width = c->WidthInBytes;
  p.srcPtr = {const_cast<void *>(src), c->srcPitch ? c->srcPitch : width, width, c->srcHeight ? c->srcHeight : c->Height};
  p.dstPtr = {dst, c->dstPitch ? c->dstPitch : width, width, c->dstHeight ? c->dstHeight : c->Height};
  p.srcPos = {c->srcXInBytes, c->srcY, c->srcZ};
  p.dstPos = {c->dstXInBytes, c->dstY, c->dstZ};
  p.extent = {width, c->Height, c->Depth};
  p.kind = cudaMemcpyDefault;
  return result(cudaGraphAddMemcpyNode(nodes(out), graph(g), nodes(from), count, &p));
}

CUresult cuGraphAddMemsetNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS *p, CUcontext) {
  if (!p) return invalid(__func__, "the parameters are null");
  cudaMemsetParams m{pointer(p->dst), p->pitch, p->value, p->elementSize, p->width, p->height};
  return result(cudaGraphAddMemsetNode(nodes(out), graph(g), nodes(from), count, &m));
}

CUresult cuGraphAddHostNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count,
                            const CUDA_HOST_NODE_PARAMS *p) {
  if (!p) return invalid(__func__, "the parameters are null");
  cudaHostNodeParams h{p->fn, p->userData};
  return result(cudaGraphAddHostNode(nodes(out), graph(g), nodes(from), count, &h));
}

CUresult cuGraphAddEmptyNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count) {
  return result(cudaGraphAddEmptyNode(nodes(out), graph(g), nodes(from), count));
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count, CUgraph child) {
  return result(cudaGraphAddChildGraphNode(nodes(out), graph(g), nodes(from), count, graph(child)));
}

CUresult cuGraphNodeGetType(CUgraphNode n, CUgraphNodeType *type) {
  return result(cudaGraphNodeGetType(node(n), reinterpret_cast<cudaGraphNodeType *>(type)));
}

CUresult cuGraphGetNodes(CUgraph g, CUgraphNode *out, size_t *count) {
  return result(cudaGraphGetNodes(graph(g), nodes(out), count));
}

CUresult cuGraphInstantiate(CUgraphExec *out, CUgraph g, unsigned long long flags) {
  return result(cudaGraphInstantiate(reinterpret_cast<cudaGraphExec_t *>(out), graph(g), flags));
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph g, unsigned long long flags) {
  return cuGraphInstantiate(out, g, flags);
}

CUresult cuGraphLaunch(CUgraphExec e, CUstream stream) {
  NEEDS_CONTEXT;
  return result(cudaGraphLaunch(exec(e), stream));
}

CUresult cuGraphUpload(CUgraphExec e, CUstream stream) { return result(cudaGraphUpload(exec(e), stream)); }
CUresult cuGraphExecDestroy(CUgraphExec e) { return result(cudaGraphExecDestroy(exec(e))); }

} // extern "C"
