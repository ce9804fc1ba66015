// Operations on single values in memory that a stream or a graph carries out:
// CUstreamBatchMemOpParams as words, since the runtime API has none.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cuda_runtime_api.h"

namespace warpgrind {

// An operation: the words of a CUstreamBatchMemOpParams.
using MemOp = std::array<uint64_t, 6>;

// CU_GRAPH_NODE_TYPE_BATCH_MEM_OP
constexpr auto kMemOpNode = static_cast<cudaGraphNodeType>(12);

// Carries them out one after the other, until one fails.
cudaError_t runMemOps(cudaStream_t stream, const std::vector<MemOp> &ops);

} // namespace warpgrind
