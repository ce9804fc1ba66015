// Texture and surface references ("CUDA Runtime API", "Texture Reference
// Management", deprecated). The compiler registers the host's variable under
// the name that the device's has.
#include <map>
#include <mutex>
#include <string>

#include "array.h"
#include "client.h"
#include "lasting.h"
#include "registry.h"
#include "texture.h"

namespace warpgrind {
namespace {

struct Reference {
  Module *module;
  std::string name;
  bool floats;       // cudaReadModeNormalizedFloat
  size_t offset = 0; // of the bound memory
};

std::mutex referencesMutex;
std::map<const void *, Reference> &references() {
  static Lasting<std::map<const void *, Reference>> m;
  return m.get();
}

void add(void **handle, const void *host, const char *name, bool floats) {
  std::lock_guard<std::mutex> lock(referencesMutex);
  references()[host] = {reinterpret_cast<Module *>(handle), name, floats};
}

// The reference of a host variable and the address of the device's.
Reference *find(const void *host, cudaError_t none, uint64_t *address, cudaError_t *error) {
  Reference *r = nullptr;
  {
    std::lock_guard<std::mutex> lock(referencesMutex);
    auto it = references().find(host);
    if (it != references().end()) r = &it->second;
  }
  if (!r) {
    *error = misuse(none, "not a texture or surface reference of this program");
    return nullptr;
  }
  Variable *v = variableOf(r->module, r->name.c_str(), error);
  if (!v) return nullptr;
  *address = reinterpret_cast<uintptr_t>(v->placed().address);
  return r;
}

// The settings that a reference has now.
cudaTextureDesc settings(const textureReference &t, bool floats) {
  cudaTextureDesc d{};
  for (int i = 0; i < 3; i++) d.addressMode[i] = t.addressMode[i];
  d.filterMode = t.filterMode;
  d.readMode = floats ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  d.sRGB = t.sRGB;
  d.normalizedCoords = t.normalized;
  d.mipmapFilterMode = t.mipmapFilterMode;
  d.mipmapLevelBias = t.mipmapLevelBias;
  d.minMipmapLevelClamp = t.minMipmapLevelClamp;
  d.maxMipmapLevelClamp = t.maxMipmapLevelClamp;
  return d;
}

cudaError_t bind(const textureReference *t, const cudaResourceDesc &r, size_t offset = 0) {
  cudaError_t e = cudaSuccess;
  uint64_t handle = 0;
  Reference *ref = find(t, cudaErrorInvalidTexture, &handle, &e);
  if (!ref) return e;
  cudaTextureDesc d = settings(*t, ref->floats);
  ref->offset = offset;
  return describe(r, &d, nullptr, &handle);
}

// Begins a resource of linear memory at an address that textures can have and
// tells the distance, which the program must be able to take.
cudaError_t align(const void **p, size_t *offset, size_t *distance) {
  if (!*p) return invalid("the memory is a null pointer");
  *distance = textureOffset(*p);
  if (offset) *offset = *distance;
  else if (*distance) return invalid("the address is not a multiple of textureAlignment, and offset is null");
  *p = static_cast<const char *>(*p) - *distance;
  return cudaSuccess;
}

} // namespace

extern "C" {

void __cudaRegisterTexture(void **handle, const void *host, const void **, const char *name, int, int norm, int) {
  add(handle, host, name, norm != 0);
}

void __cudaRegisterSurface(void **handle, const void *host, const void **, const char *name, int, int) {
  add(handle, host, name, false);
}

} // extern "C"

namespace core {

cudaError_t cudaBindTexture(size_t *offset, const textureReference *t, const void *p, const cudaChannelFormatDesc *desc,
                            size_t size) {
  if (!t || !desc) return invalid("an argument is null");
  size_t distance = 0;
  cudaError_t e = align(&p, offset, &distance);
  if (e != cudaSuccess) return e;
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeLinear;
  r.res.linear = {const_cast<void *>(p), *desc, size + distance};
  return bind(t, r, distance);
}

cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *t, const void *p,
                              const cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch) {
  if (!t || !desc) return invalid("an argument is null");
  size_t distance = 0;
  cudaError_t e = align(&p, offset, &distance);
  if (e != cudaSuccess) return e;
  size_t element = static_cast<size_t>(desc->x + desc->y + desc->z + desc->w) / 8;
  cudaResourceDesc r{};
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D = {const_cast<void *>(p), *desc, width + (element ? distance / element : 0), height, pitch};
  return bind(t, r, distance);
}

// The array's own channels count, which the description must repeat.
cudaError_t cudaBindTextureToArray(const textureReference *t, cudaArray_const_t array, const cudaChannelFormatDesc *) {
  if (!t) return invalid("an argument is null");
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = const_cast<cudaArray_t>(array);
  return bind(t, r);
}

cudaError_t cudaBindTextureToMipmappedArray(const textureReference *t, cudaMipmappedArray_const_t array,
                                            const cudaChannelFormatDesc *) {
  if (!t) return invalid("an argument is null");
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeMipmappedArray;
  r.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
  return bind(t, r);
}

cudaError_t cudaUnbindTexture(const textureReference *t) {
  cudaError_t e = cudaSuccess;
  uint64_t handle = 0;
  return find(t, cudaErrorInvalidTexture, &handle, &e) ? undescribe(handle, false) : e;
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const textureReference *t) {
  if (!offset) return invalid("the result pointer is null");
  cudaError_t e = cudaSuccess;
  uint64_t handle = 0;
  Reference *r = find(t, cudaErrorInvalidTexture, &handle, &e);
  if (r) *offset = r->offset;
  return e;
}

cudaError_t cudaGetTextureReference(const textureReference **out, const void *symbol) {
  if (!out) return invalid("the result pointer is null");
  cudaError_t e = cudaSuccess;
  uint64_t handle = 0;
  if (find(symbol, cudaErrorInvalidTexture, &handle, &e)) *out = static_cast<const textureReference *>(symbol);
  return e;
}

cudaError_t cudaGetSurfaceReference(const surfaceReference **out, const void *symbol) {
  if (!out) return invalid("the result pointer is null");
  cudaError_t e = cudaSuccess;
  uint64_t handle = 0;
  if (find(symbol, cudaErrorInvalidSurface, &handle, &e)) *out = static_cast<const surfaceReference *>(symbol);
  return e;
}

cudaError_t cudaBindSurfaceToArray(const surfaceReference *s, cudaArray_const_t array, const cudaChannelFormatDesc *) {
  cudaError_t e = cudaSuccess;
  uint64_t handle = 0;
  if (!find(s, cudaErrorInvalidSurface, &handle, &e)) return e;
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = const_cast<cudaArray_t>(array);
  return describe(r, nullptr, nullptr, &handle);
}

} // namespace core
} // namespace warpgrind
