// The driver API's handles and parameters as those of the runtime API, which
// are the same in memory or made from them.
#pragma once

#include "driver.h"

#include "graph.h"

namespace warpgrind {

// Handles are the same in memory.
inline cudaGraphNode_t *runtime(CUgraphNode *n) { return reinterpret_cast<cudaGraphNode_t *>(n); }
inline const cudaGraphNode_t *runtime(const CUgraphNode *n) { return reinterpret_cast<const cudaGraphNode_t *>(n); }
inline cudaGraphNode_t runtime(CUgraphNode n) { return reinterpret_cast<cudaGraphNode_t>(n); }
inline cudaGraph_t runtime(CUgraph g) { return reinterpret_cast<cudaGraph_t>(g); }
inline cudaGraph_t *runtime(CUgraph *g) { return reinterpret_cast<cudaGraph_t *>(g); }
inline cudaGraphExec_t runtime(CUgraphExec e) { return reinterpret_cast<cudaGraphExec_t>(e); }
inline cudaArray_t runtime(CUarray a) { return reinterpret_cast<cudaArray_t>(a); }
inline cudaUserObject_t runtime(CUuserObject o) { return reinterpret_cast<cudaUserObject_t>(o); }

// The data of edges ("CUDA Runtime API", "cudaGraphEdgeData").
static_assert(sizeof(CUgraphEdgeData) == sizeof(cudaGraphEdgeData), "the structures differ");
inline const cudaGraphEdgeData *runtime(const CUgraphEdgeData *d) { return reinterpret_cast<const cudaGraphEdgeData *>(d); }
inline cudaGraphEdgeData *runtime(CUgraphEdgeData *d) { return reinterpret_cast<cudaGraphEdgeData *>(d); }

// A copy in the runtime API's terms, which counts elements of arrays where the
// driver API counts bytes; the error is reported.
cudaError_t parmsOf(const CUDA_MEMCPY3D *c, cudaMemcpy3DParms *out);

// And the other way.
CUDA_MEMCPY3D copyOf(const cudaMemcpy3DParms &p);

} // namespace warpgrind
