// Host functions in streams ("CUDA Runtime API", cudaLaunchHostFunc). They run
// on a thread of their own, so that one may wait for the thread that gave it.
#pragma once

#include <functional>

#include "cuda_runtime_api.h"

namespace warpgrind {

// Puts a function into a stream. Usually it has run when this returns.
cudaError_t enqueueHostFunction(cudaStream_t stream, std::function<void()> f);

} // namespace warpgrind
