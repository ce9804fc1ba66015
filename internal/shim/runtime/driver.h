// What the files of the driver API share. It is built on the runtime API's
// parts; most error numbers are the same in both.
#pragma once

#include "cuda.h"

#include "client.h"
#include "context.h"
#include "registry.h"

namespace warpgrind {

inline void *pointer(CUdeviceptr p) { return reinterpret_cast<void *>(static_cast<uintptr_t>(p)); }
inline CUdeviceptr address(const void *p) { return reinterpret_cast<uintptr_t>(p); }
inline Function *function(CUfunction f) { return reinterpret_cast<Function *>(f); }

} // namespace warpgrind

