// Devices and contexts of the calling thread ("CUDA Driver API", "Context
// Management"). The runtime API uses each device's primary context.
#pragma once

#include "cuda_runtime_api.h"

namespace warpgrind {

// A context: a primary one, which each device has once and the runtime API uses, or one
// that cuCtxCreate made. flags are CUctx_flags.
struct Context {
  int device;
  bool primary;
  unsigned flags = 0;
  int retained = 0; // of a primary context
};

// The thread's current context, or null: before its first runtime call and
// where the driver API left none.
Context *currentContext();

// The stack of the calling thread: setContext replaces its top, popContext returns what
// was there.
void setContext(Context *c);
void pushContext(Context *c);
Context *popContext();

// The primary context of a device, which must exist, and a new one of the device.
Context *primaryContext(int device);
Context *newContext(int device, unsigned flags);

// Makes the primary context current if the thread has none, as the runtime API
// does on its first use.
void useRuntime();

// Whether c is a context that still exists.
bool isContext(const Context *c);

// Ends a context; reports whether it was the last one of its device.
bool destroyContext(Context *c);

// Connects and checks a device's number, from 0; reports cudaErrorInvalidDevice.
cudaError_t checkDevice(int device);

} // namespace warpgrind
