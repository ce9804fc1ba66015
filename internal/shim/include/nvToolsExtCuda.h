/* NVTX names of CUDA's driver objects: see nvToolsExt.h. */
#ifndef NVTOOLSEXT_CUDA_H_
#define NVTOOLSEXT_CUDA_H_

#include "cuda.h"
#include "nvToolsExt.h"

#define nvtxNameCuDevice(device, name) ((void)(device), (void)(name))
#define nvtxNameCuContext(context, name) ((void)(context), (void)(name))
#define nvtxNameCuStream(stream, name) wgNvtxNameStream((const void *)(stream), name)
#define nvtxNameCuEvent(event, name) ((void)(event), (void)(name))
#define nvtxNameCuDeviceA nvtxNameCuDevice
#define nvtxNameCuContextA nvtxNameCuContext
#define nvtxNameCuStreamA nvtxNameCuStream
#define nvtxNameCuEventA nvtxNameCuEvent

#endif
