// What texture objects and texture references of the driver API share.
#pragma once

#include "cuda.h"

#include "cuda_runtime_api.h"

namespace warpgrind {

// Handles of the driver API as the core has them.
inline void *pointer(CUdeviceptr p) { return reinterpret_cast<void *>(static_cast<uintptr_t>(p)); }
inline cudaArray_t array(CUarray a) { return reinterpret_cast<cudaArray_t>(a); }
inline cudaMipmappedArray_t array(CUmipmappedArray a) { return reinterpret_cast<cudaMipmappedArray_t>(a); }

// Channels, and the format and number of channels of them.
cudaChannelFormatDesc channels(CUarray_format format, unsigned n);
CUarray_format format(const cudaChannelFormatDesc &d);
unsigned count(const cudaChannelFormatDesc &d);

// The settings of a texture with these channels.
cudaTextureDesc settingsOf(const CUDA_TEXTURE_DESC &d, const cudaChannelFormatDesc &format);

// The channels of a resource; those of an array that is none are empty.
cudaChannelFormatDesc channelsOf(const cudaResourceDesc &r, cudaError_t *error);

} // namespace warpgrind
