// Host functions in streams ("CUDA Runtime API", cudaLaunchHostFunc). They run
// on a thread of their own, so that one may wait for the thread that gave it.
#pragma once

#include <cstdint>
#include <functional>

#include "cuda_runtime_api.h"

namespace warpgrind {

// Gives a function to a stream. Usually it has run when this returns. Calls for the stream
// with the number wait for it.
cudaError_t enqueueHostFunction(const char *api, cudaStream_t stream, uint64_t number, std::function<void()> f);

// Runs a function whose turn it is.
void runHostFunction(uint64_t number, std::function<void()> f);

// Whether a stream has host functions that have not run; 0 stands for all.
bool hostFunctionsWait(uint64_t stream);

} // namespace warpgrind
