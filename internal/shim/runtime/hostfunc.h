// Host functions in streams ("CUDA Runtime API", cudaLaunchHostFunc). They run
// on a thread of their own, so that one may wait for the thread that gave it.
#pragma once

#include <cstdint>
#include <functional>

namespace warpgrind {

// Gives a function to a stream. Usually it has run when this returns.
void enqueueHostFunction(uint64_t stream, std::function<void()> f);

// Whether a stream has host functions that have not run; 0 stands for all.
bool hostFunctionsWait(uint64_t stream);

} // namespace warpgrind
