// How textures are described to the server.
#pragma once

#include <cstdint>

#include "cuda_runtime_api.h"

namespace warpgrind {

// What cudaDeviceProp says as textureAlignment, in bytes.
constexpr size_t kTextureAlign = 512;

// How far p is after an address that a texture can begin at. Allocations
// begin at such addresses.
size_t textureOffset(const void *p);

// Makes a texture or a surface (texture is null then) of a resource. handle is
// 0 for a new object, whose handle is returned in it, or the address of the
// reference to bind.
cudaError_t describe(const cudaResourceDesc &resource, const cudaTextureDesc *texture,
                     const cudaResourceViewDesc *view, uint64_t *handle);

// Ends what describe made.
cudaError_t undescribe(uint64_t handle, bool surface);

} // namespace warpgrind
