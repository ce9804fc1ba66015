// Arrays, textures and surfaces of the driver API, on top of the runtime's. An
// array is the same object in both.
#include "cuda.h"

#include "array.h"
#include "client.h"
#include "texture.h"
#include "texture_driver.h"

namespace warpgrind {

cudaChannelFormatDesc channels(CUarray_format format, unsigned n) {
  int bits = 0;
  cudaChannelFormatKind kind = cudaChannelFormatKindUnsigned;
  switch (format) {
  case CU_AD_FORMAT_UNSIGNED_INT8: bits = 8; break;
  case CU_AD_FORMAT_UNSIGNED_INT16: bits = 16; break;
  case CU_AD_FORMAT_UNSIGNED_INT32: bits = 32; break;
  case CU_AD_FORMAT_SIGNED_INT8: bits = 8, kind = cudaChannelFormatKindSigned; break;
  case CU_AD_FORMAT_SIGNED_INT16: bits = 16, kind = cudaChannelFormatKindSigned; break;
  case CU_AD_FORMAT_SIGNED_INT32: bits = 32, kind = cudaChannelFormatKindSigned; break;
  case CU_AD_FORMAT_HALF: bits = 16, kind = cudaChannelFormatKindFloat; break;
  case CU_AD_FORMAT_FLOAT: bits = 32, kind = cudaChannelFormatKindFloat; break;
  default: break; // refused, as no array has it
  }
  return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, n > 4 ? cudaChannelFormatKindNone : kind};
}

CUarray_format format(const cudaChannelFormatDesc &d) {
  if (d.f == cudaChannelFormatKindFloat) return d.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
  int size = d.x == 8 ? 0 : d.x == 16 ? 1 : 2;
  return static_cast<CUarray_format>((d.f == cudaChannelFormatKindSigned ? CU_AD_FORMAT_SIGNED_INT8
                                                                        : CU_AD_FORMAT_UNSIGNED_INT8) + size);
}

unsigned count(const cudaChannelFormatDesc &d) { return d.w ? 4 : d.y ? 2 : 1; }

// Integers are read as floats unless the flags say otherwise; this does not
// concern those of 32 bits ("CUDA Driver API", "cuTexObjectCreate").
cudaTextureReadMode readMode(unsigned flags, const cudaChannelFormatDesc &d) {
  bool floats = !(flags & CU_TRSF_READ_AS_INTEGER) && d.x <= 16 && d.f != cudaChannelFormatKindFloat;
  return floats ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
}

cudaTextureDesc settingsOf(const CUDA_TEXTURE_DESC &d, const cudaChannelFormatDesc &format) {
  cudaTextureDesc t{};
  for (int i = 0; i < 3; i++) t.addressMode[i] = static_cast<cudaTextureAddressMode>(d.addressMode[i]);
  t.filterMode = static_cast<cudaTextureFilterMode>(d.filterMode);
  t.readMode = readMode(d.flags, format);
  t.sRGB = (d.flags & CU_TRSF_SRGB) != 0;
  for (int i = 0; i < 4; i++) t.borderColor[i] = d.borderColor[i];
  t.normalizedCoords = (d.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  t.maxAnisotropy = d.maxAnisotropy;
  t.mipmapFilterMode = static_cast<cudaTextureFilterMode>(d.mipmapFilterMode);
  t.mipmapLevelBias = d.mipmapLevelBias;
  t.minMipmapLevelClamp = d.minMipmapLevelClamp;
  t.maxMipmapLevelClamp = d.maxMipmapLevelClamp;
  return t;
}

cudaChannelFormatDesc channelsOf(const cudaResourceDesc &r, cudaError_t *error) {
  *error = cudaSuccess;
  switch (r.resType) {
  case cudaResourceTypeArray:
    *error = checkArray(r.res.array.array);
    return *error == cudaSuccess ? r.res.array.array->desc : cudaChannelFormatDesc{};
  case cudaResourceTypeMipmappedArray:
    *error = checkMipmapped(r.res.mipmap.mipmap);
    return *error == cudaSuccess ? r.res.mipmap.mipmap->levels[0]->desc : cudaChannelFormatDesc{};
  case cudaResourceTypeLinear: return r.res.linear.desc;
  default: return r.res.pitch2D.desc;
  }
}

namespace {

cudaError_t null() { return invalid("an argument is null"); }

cudaResourceDesc resourceOf(const CUDA_RESOURCE_DESC &d) {
  cudaResourceDesc r{};
  r.resType = static_cast<cudaResourceType>(d.resType);
  switch (d.resType) {
  case CU_RESOURCE_TYPE_ARRAY: r.res.array.array = array(d.res.array.hArray); break;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: r.res.mipmap.mipmap = array(d.res.mipmap.hMipmappedArray); break;
  case CU_RESOURCE_TYPE_LINEAR:
    r.res.linear = {pointer(d.res.linear.devPtr), channels(d.res.linear.format, d.res.linear.numChannels),
                    d.res.linear.sizeInBytes};
    break;
  case CU_RESOURCE_TYPE_PITCH2D: {
    const auto &p = d.res.pitch2D;
    r.res.pitch2D = {pointer(p.devPtr), channels(p.format, p.numChannels), p.width, p.height, p.pitchInBytes};
    break;
  }
  }
  return r;
}

CUDA_RESOURCE_DESC resourceOf(const cudaResourceDesc &r) {
  CUDA_RESOURCE_DESC d{};
  d.resType = static_cast<CUresourcetype>(r.resType);
  switch (r.resType) {
  case cudaResourceTypeArray: d.res.array.hArray = reinterpret_cast<CUarray>(r.res.array.array); break;
  case cudaResourceTypeMipmappedArray:
    d.res.mipmap.hMipmappedArray = reinterpret_cast<CUmipmappedArray>(r.res.mipmap.mipmap);
    break;
  case cudaResourceTypeLinear: {
    const auto &l = r.res.linear;
    d.res.linear = {reinterpret_cast<uintptr_t>(l.devPtr), format(l.desc), count(l.desc), l.sizeInBytes};
    break;
  }
  case cudaResourceTypePitch2D: {
    const auto &p = r.res.pitch2D;
    d.res.pitch2D = {reinterpret_cast<uintptr_t>(p.devPtr), format(p.desc), count(p.desc), p.width, p.height,
                     p.pitchInBytes};
    break;
  }
  }
  return d;
}

cudaResourceViewDesc viewOf(const CUDA_RESOURCE_VIEW_DESC &v) {
  return {static_cast<cudaResourceViewFormat>(v.format), v.width, v.height, v.depth, v.firstMipmapLevel, v.lastMipmapLevel, v.firstLayer, v.lastLayer};
}

} // namespace

namespace core {

cudaError_t cuArray3DCreate(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *d) {
  if (!out || !d) return null();
  cudaChannelFormatDesc f = channels(d->Format, d->NumChannels);
  return core::cudaMalloc3DArray(reinterpret_cast<cudaArray_t *>(out), &f, {d->Width, d->Height, d->Depth}, d->Flags);
}

cudaError_t cuArrayCreate(CUarray *out, const CUDA_ARRAY_DESCRIPTOR *d) {
  if (!d) return null();
  CUDA_ARRAY3D_DESCRIPTOR all{d->Width, d->Height, 0, d->Format, d->NumChannels, 0};
  return core::cuArray3DCreate(out, &all);
}

cudaError_t cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray a) {
  if (!d) return null();
  cudaError_t e = checkArray(array(a));
  if (e != cudaSuccess) return e;
  const cudaArray &x = *array(a);
  *d = {x.extent.width, x.extent.height, x.extent.depth, format(x.desc), count(x.desc), x.flags};
  return cudaSuccess;
}

cudaError_t cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *d, CUarray a) {
  if (!d) return null();
  CUDA_ARRAY3D_DESCRIPTOR all;
  cudaError_t e = core::cuArray3DGetDescriptor(&all, a);
  if (e == cudaSuccess) *d = {all.Width, all.Height, all.Format, all.NumChannels};
  return e;
}

cudaError_t cuMipmappedArrayCreate(CUmipmappedArray *out, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels) {
  if (!out || !d) return null();
  cudaChannelFormatDesc f = channels(d->Format, d->NumChannels);
  return core::cudaMallocMipmappedArray(reinterpret_cast<cudaMipmappedArray_t *>(out), &f,
                                         {d->Width, d->Height, d->Depth}, levels, d->Flags);
}

cudaError_t cuMemcpyDtoA(CUarray dst, size_t offset, CUdeviceptr src, size_t n) {
  return core::cudaMemcpyToArray(array(dst), offset, 0, pointer(src), n, cudaMemcpyDeviceToDevice);
}

cudaError_t cuMemcpyAtoD(CUdeviceptr dst, CUarray src, size_t offset, size_t n) {
  return core::cudaMemcpyFromArray(pointer(dst), array(src), offset, 0, n, cudaMemcpyDeviceToDevice);
}

cudaError_t cuMemcpyHtoA(CUarray dst, size_t offset, const void *src, size_t n) {
  return core::cudaMemcpyToArray(array(dst), offset, 0, src, n, cudaMemcpyHostToDevice);
}

cudaError_t cuMemcpyAtoH(void *dst, CUarray src, size_t offset, size_t n) {
  return core::cudaMemcpyFromArray(dst, array(src), offset, 0, n, cudaMemcpyDeviceToHost);
}

cudaError_t cuMemcpyAtoA(CUarray dst, size_t dstOffset, CUarray src, size_t srcOffset, size_t n) {
  return core::cudaMemcpyArrayToArray(array(dst), dstOffset, 0, array(src), srcOffset, 0, n, cudaMemcpyDeviceToDevice);
}

cudaError_t cuMemcpyHtoAAsync(CUarray dst, size_t offset, const void *src, size_t n, CUstream stream) {
  return core::cudaMemcpyToArrayAsync(array(dst), offset, 0, src, n, cudaMemcpyHostToDevice, stream);
}

cudaError_t cuMemcpyAtoHAsync(void *dst, CUarray src, size_t offset, size_t n, CUstream stream) {
  return core::cudaMemcpyFromArrayAsync(dst, array(src), offset, 0, n, cudaMemcpyDeviceToHost, stream);
}

cudaError_t cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
                              const CUDA_RESOURCE_VIEW_DESC *view) {
  if (!object || !resource || !texture) return null();
  cudaResourceDesc r = resourceOf(*resource);
  cudaError_t e;
  cudaChannelFormatDesc f = channelsOf(r, &e);
  if (e != cudaSuccess) return e;
  cudaTextureDesc t = settingsOf(*texture, f);
  cudaResourceViewDesc v = view ? viewOf(*view) : cudaResourceViewDesc{};
  return core::cudaCreateTextureObject(object, &r, &t, view ? &v : nullptr);
}

cudaError_t cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *d, CUtexObject object) {
  if (!d) return null();
  cudaResourceDesc r;
  cudaError_t e = core::cudaGetTextureObjectResourceDesc(&r, object);
  if (e == cudaSuccess) *d = resourceOf(r);
  return e;
}

cudaError_t cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *d, CUtexObject object) {
  if (!d) return null();
  cudaTextureDesc t;
  cudaError_t e = core::cudaGetTextureObjectTextureDesc(&t, object);
  if (e != cudaSuccess) return e;
  *d = {};
  for (int i = 0; i < 3; i++) d->addressMode[i] = static_cast<CUaddress_mode>(t.addressMode[i]);
  d->filterMode = static_cast<CUfilter_mode>(t.filterMode);
  d->flags = (t.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0u) |
             (t.normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0u) | (t.sRGB ? CU_TRSF_SRGB : 0u);
  d->maxAnisotropy = t.maxAnisotropy;
  d->mipmapFilterMode = static_cast<CUfilter_mode>(t.mipmapFilterMode);
  d->mipmapLevelBias = t.mipmapLevelBias;
  d->minMipmapLevelClamp = t.minMipmapLevelClamp;
  d->maxMipmapLevelClamp = t.maxMipmapLevelClamp;
  for (int i = 0; i < 4; i++) d->borderColor[i] = t.borderColor[i];
  return cudaSuccess;
}

cudaError_t cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource) {
  if (!object || !resource) return null();
  cudaResourceDesc r = resourceOf(*resource);
  return core::cudaCreateSurfaceObject(object, &r);
}

cudaError_t cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *d, CUsurfObject object) {
  if (!d) return null();
  cudaResourceDesc r;
  cudaError_t e = core::cudaGetSurfaceObjectResourceDesc(&r, object);
  if (e == cudaSuccess) *d = resourceOf(r);
  return e;
}

cudaError_t cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *d, CUtexObject object) {
  if (!d) return null();
  cudaResourceViewDesc v;
  cudaError_t e = core::cudaGetTextureObjectResourceViewDesc(&v, object);
  if (e == cudaSuccess)
    *d = {static_cast<CUresourceViewFormat>(v.format), v.width, v.height, v.depth, v.firstMipmapLevel, v.lastMipmapLevel,
          v.firstLayer, v.lastLayer, {}};
  return e;
}

cudaError_t cuDeviceGetTexture1DLinearMaxWidth(size_t *elements, CUarray_format format, unsigned n, CUdevice device) {
  cudaChannelFormatDesc f = channels(format, n);
  return core::cudaDeviceGetTexture1DLinearMaxWidth(elements, &f, device);
}

static_assert(sizeof(CUDA_ARRAY_MEMORY_REQUIREMENTS) == sizeof(cudaArrayMemoryRequirements), "the structures differ");

cudaError_t cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *out, CUmipmappedArray a, CUdevice device) {
  return 
      core::cudaMipmappedArrayGetMemoryRequirements(reinterpret_cast<cudaArrayMemoryRequirements *>(out), array(a), device);
}

cudaError_t cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *, CUarray a) {
  return core::cudaArrayGetSparseProperties(nullptr, array(a));
}

cudaError_t cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *, CUmipmappedArray a) {
  return core::cudaMipmappedArrayGetSparseProperties(nullptr, array(a));
}

cudaError_t cuArrayGetPlane(CUarray *, CUarray a, unsigned index) {
  return core::cudaArrayGetPlane(nullptr, array(a), index);
}

} // namespace core
} // namespace warpgrind
