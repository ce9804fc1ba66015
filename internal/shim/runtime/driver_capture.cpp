// Stream capture of the driver API.
#include "driver_handles.h"

using namespace warpgrind;

namespace {

cudaStreamCaptureStatus *runtime(CUstreamCaptureStatus *s) { return reinterpret_cast<cudaStreamCaptureStatus *>(s); }

// The pointer to an id of the other API's type, which is as wide.
unsigned long long *idOf(cuuint64_t *id) { return reinterpret_cast<unsigned long long *>(id); }

} // namespace

extern "C" {

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  NEEDS_CONTEXT;
  return result(cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode)));
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph g, const CUgraphNode *from, const CUgraphEdgeData *data,
                                     size_t count, CUstreamCaptureMode mode) {
  NEEDS_CONTEXT;
  return result(cudaStreamBeginCaptureToGraph(stream, runtime(g), runtime(from), runtime(data), count,
                                              static_cast<cudaStreamCaptureMode>(mode)));
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *out) {
  NEEDS_CONTEXT;
  return result(cudaStreamEndCapture(stream, runtime(out)));
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
  NEEDS_CONTEXT;
  return result(cudaStreamIsCapturing(stream, runtime(status)));
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *g,
                                const CUgraphNode **from, size_t *count) {
  NEEDS_CONTEXT;
  return result(cudaStreamGetCaptureInfo_v2(stream, runtime(status), idOf(id), runtime(g),
                                            reinterpret_cast<const cudaGraphNode_t **>(from), count));
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *g,
                                   const CUgraphNode **from, const CUgraphEdgeData **data, size_t *count) {
  DRIVER_CALL;
  if (data) *data = nullptr; // all are plain
  return cuStreamGetCaptureInfo(stream, status, id, g, from, count);
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *list, size_t count, unsigned flags) {
  NEEDS_CONTEXT;
  return result(cudaStreamUpdateCaptureDependencies(stream, runtime(list), count, flags));
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *list, const CUgraphEdgeData *data,
                                              size_t count, unsigned flags) {
  NEEDS_CONTEXT;
  return result(cudaStreamUpdateCaptureDependencies_v2(stream, runtime(list), runtime(data), count, flags));
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  DRIVER_CALL;
  return result(cudaThreadExchangeStreamCaptureMode(reinterpret_cast<cudaStreamCaptureMode *>(mode)));
}

} // extern "C"
