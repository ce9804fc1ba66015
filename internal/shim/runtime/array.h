// CUDA arrays: dense rows of elements in device memory, which the program
// sees as opaque handles.
#pragma once

#include <memory>
#include <vector>

#include "cuda_runtime_api.h"

// One array, or one level of a mipmapped array.
struct cudaArray {
  char *base;          // of the first element
  char *allocation;    // that holds it
  cudaChannelFormatDesc desc;
  cudaExtent extent;   // as it was asked for: unused dimensions are 0
  unsigned flags;
  bool level;          // of a mipmapped array, which owns it

  size_t element() const { return static_cast<size_t>(desc.x + desc.y + desc.z + desc.w) / 8; }
  size_t pitch() const { return extent.width * element(); }
  size_t rows() const { return extent.height ? extent.height : 1; }
  size_t slices() const { return extent.depth ? extent.depth : 1; }
  size_t bytes() const { return pitch() * rows() * slices(); }
  bool layered() const { return flags & (cudaArrayLayered | cudaArrayCubemap); }
};

// A mipmapped array: levels of halved extents, the largest first.
struct cudaMipmappedArray {
  char *base;
  std::vector<std::unique_ptr<cudaArray>> levels; // at least one
};

namespace warpgrind {

// Reports and returns an error if the array is not one that the program has.
cudaError_t checkArray(const cudaArray *array);
cudaError_t checkMipmapped(const cudaMipmappedArray *array);

// Whether the channels are ones that arrays and textures can have.
bool validFormat(const cudaChannelFormatDesc &desc);

// Replaces the arrays of a copy by the memory that holds them, and elements by
// bytes. Other parameters stay as they are.
cudaError_t withoutArrays(cudaMemcpy3DParms *p);

// cudaMemcpy3D under the name of another call.
cudaError_t copyParms(const cudaMemcpy3DParms *p, bool async, cudaStream_t stream);

} // namespace warpgrind
