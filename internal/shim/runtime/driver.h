// What the functions of the driver API share that are not those of the runtime API too.
#pragma once

#include "cuda.h"

#include "client.h"
#include "context.h"
#include "registry.h"

namespace warpgrind {

// Addresses and handles of the driver API as the core has them.
inline void *pointer(CUdeviceptr p) { return reinterpret_cast<void *>(static_cast<uintptr_t>(p)); }
inline CUdeviceptr address(const void *p) { return reinterpret_cast<uintptr_t>(p); }
inline Function *function(CUfunction f) { return reinterpret_cast<Function *>(f); }

} // namespace warpgrind

