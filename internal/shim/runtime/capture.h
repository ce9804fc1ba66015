// Stream capture ("CUDA C++ Programming Guide", "Creating a Graph Using Stream
// Capture"): work given to a capturing stream becomes nodes of a graph.
#pragma once

#include <vector>

#include "cuda_runtime_api.h"
#include "memops.h"
#include "memory.h"
#include "registry.h"

namespace warpgrind {

// Whether a stream captures.
bool isCapturing(cudaStream_t stream);

// Takes a stream that is going to be destroyed out of the capture that it has joined;
// the error where the capture began in it.
cudaError_t leaveCapture(cudaStream_t stream);

// The error of a call that is not permitted while a stream captures
// (cudaErrorStreamCaptureUnsupported or cudaErrorStreamCaptureImplicit), reported; cudaSuccess where none does that would forbid it.
cudaError_t forbiddenInCapture();

// The error of synchronizing with, or asking for the state of, a stream that
// captures (0: with the whole device).
cudaError_t syncInCapture(cudaStream_t stream);

// Each adds a node to the graph that a stream captures.
cudaError_t captureKernel(cudaStream_t stream, Function &f, const void *host, dim3 grid, dim3 block,
                          size_t shared, const void *params, const Grouping &grouping);
cudaError_t captureCopy(cudaStream_t stream, const Box &b, cudaMemcpyKind kind);
cudaError_t captureFill(cudaStream_t stream, const Area &a);
cudaError_t captureHost(cudaStream_t stream, cudaHostFn_t fn, void *userData);
cudaError_t captureAlloc(cudaStream_t stream, void **out, size_t size);
cudaError_t captureFree(cudaStream_t stream, void *p);
cudaError_t captureGraph(cudaStream_t stream, cudaGraphExec_t exec);
cudaError_t captureMemOps(cudaStream_t stream, std::vector<MemOp> ops);
cudaError_t captureExternal(cudaStream_t stream, cudaEvent_t event, bool record);

// The next node in the stream may begin at that moment of one that it depends on.
void captureEarly(cudaStream_t stream, cudaGraphNode_t node, Moment moment);

// An event recorded in a capturing stream stands for what the stream holds; a
// stream that waits for such an event joins the capture. They report whether
// the capture took the call; if so the result is *error.
bool captureRecord(cudaStream_t stream, cudaEvent_t event, cudaError_t *error);
bool captureWait(cudaStream_t stream, cudaEvent_t event, cudaError_t *error);

// Whether an event was last recorded in a capturing stream.
bool isCaptured(cudaEvent_t event);

} // namespace warpgrind
