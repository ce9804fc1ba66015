// What the files of the driver API share. It is built on the runtime API's
// parts; most error numbers are the same in both.
#pragma once

#include "cuda.h"

#include "client.h"
#include "context.h"
#include "registry.h"

namespace warpgrind {

// The driver's number for a runtime error.
CUresult result(cudaError_t e);

// The error of a call that needs cuInit or a current context; CUDA_SUCCESS
// where it may go on.
CUresult ready();

// An invalid argument, reported.
CUresult invalid(const char *api, const char *detail);

inline void *pointer(CUdeviceptr p) { return reinterpret_cast<void *>(static_cast<uintptr_t>(p)); }
inline CUdeviceptr address(const void *p) { return reinterpret_cast<uintptr_t>(p); }
inline Function *function(CUfunction f) { return reinterpret_cast<Function *>(f); }

} // namespace warpgrind

// Begins a driver function that needs a context.
#define NEEDS_CONTEXT \
  DRIVER_CALL;        \
  if (CUresult notReady = warpgrind::ready()) return notReady
