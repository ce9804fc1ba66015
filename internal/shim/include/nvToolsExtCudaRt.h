/* NVTX names of the CUDA runtime's objects: see nvToolsExt.h. */
#ifndef NVTOOLSEXT_CUDART_H_
#define NVTOOLSEXT_CUDART_H_

#include "cuda_runtime_api.h"
#include "nvToolsExt.h"

#define nvtxNameCudaDevice(device, name) ((void)(device), (void)(name))
#define nvtxNameCudaStream(stream, name) wgNvtxNameStream((const void *)(stream), name)
#define nvtxNameCudaEvent(event, name) ((void)(event), (void)(name))
#define nvtxNameCudaDeviceA nvtxNameCudaDevice
#define nvtxNameCudaStreamA nvtxNameCudaStream
#define nvtxNameCudaEventA nvtxNameCudaEvent

#endif
