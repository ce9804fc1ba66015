// Texture and surface references of the driver API ("CUDA Driver API", "Texture
// Reference Management", deprecated).
#include "texture_driver.h"

#include "array.h"
#include "client.h"
#include "registry.h"
#include "texture.h"

namespace warpgrind {
namespace {

// A reference of a module, or one that the program made, which no kernel reads.
struct Reference {
  uint64_t address = 0; // of the device's variable, or 0
  CUDA_TEXTURE_DESC settings{};
  cudaChannelFormatDesc format{};
  cudaResourceDesc bound{};
  bool isBound = false;
};

cudaError_t null() { return invalid("an argument is null"); }
Reference &reference(CUtexref r) { return *reinterpret_cast<Reference *>(r); }
Reference &reference(CUsurfref r) { return *reinterpret_cast<Reference *>(r); }

Reference *newReference() {
  auto *r = new Reference;
  for (auto &mode : r->settings.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
  r->format = channels(CU_AD_FORMAT_FLOAT, 1);
  return r;
}

template <class R> cudaError_t getReference(R *out, CUmodule module, const char *name) {
  cudaError_t e;
  Variable *v = variableOf(reinterpret_cast<Module *>(module), name, &e);
  if (!v) return e;
  Reference *r = newReference(); // as long as its module, which stays
  r->address = reinterpret_cast<uintptr_t>(v->placed().address);
  *out = reinterpret_cast<R>(r);
  return cudaSuccess;
}

cudaError_t bind(Reference &ref, const cudaResourceDesc &r) {
  cudaError_t e;
  cudaChannelFormatDesc f = channelsOf(r, &e);
  if (e != cudaSuccess) return e;
  cudaTextureDesc t = settingsOf(ref.settings, f);
  uint64_t handle = ref.address;
  if (handle) e = describe(r, &t, nullptr, &handle);
  if (e == cudaSuccess) ref.bound = r, ref.isBound = true, ref.format = f;
  return e;
}

// The resource of a type that a reference is bound to, or null.
const cudaResourceDesc *boundTo(const Reference &r, cudaResourceType type) {
  return r.isBound && r.bound.resType == type ? &r.bound : nullptr;
}

cudaError_t unbound() {
  return invalid("the reference is not bound to such a resource");
}

// Sets a member of the settings; a later binding takes them.
template <class T> cudaError_t set(CUtexref ref, T CUDA_TEXTURE_DESC::*member, T value) {
  if (!ref) return null();
  reference(ref).settings.*member = value;
  return cudaSuccess;
}

template <class T, class Out> cudaError_t get(CUtexref ref, T CUDA_TEXTURE_DESC::*member, Out *out) {
  if (!ref || !out) return null();
  *out = static_cast<Out>(reference(ref).settings.*member);
  return cudaSuccess;
}

} // namespace

namespace core {

cudaError_t cuModuleGetTexRef(CUtexref *ref, CUmodule module, const char *name) {
  if (!ref || !module || !name) return null();
  return getReference(ref, module, name);
}

cudaError_t cuModuleGetSurfRef(CUsurfref *ref, CUmodule module, const char *name) {
  if (!ref || !module || !name) return null();
  return getReference(ref, module, name);
}

cudaError_t cuTexRefSetArray(CUtexref ref, CUarray a, unsigned) {
  if (!ref) return null();
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array(a);
  return bind(reference(ref), r);
}

cudaError_t cuTexRefSetMipmappedArray(CUtexref ref, CUmipmappedArray a, unsigned) {
  if (!ref) return null();
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeMipmappedArray;
  r.res.mipmap.mipmap = array(a);
  return bind(reference(ref), r);
}

cudaError_t cuTexRefSetAddress(size_t *offset, CUtexref ref, CUdeviceptr address, size_t n) {
  if (!ref || !address) return null();
  size_t distance = textureOffset(pointer(address));
  if (offset) *offset = distance;
  else if (distance) return invalid("the address is not a multiple of the texture alignment");
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeLinear;
  r.res.linear = {pointer(address - distance), reference(ref).format, n + distance};
  return bind(reference(ref), r);
}

cudaError_t cuTexRefSetAddress2D(CUtexref ref, const CUDA_ARRAY_DESCRIPTOR *d, CUdeviceptr address, size_t pitch) {
  if (!ref || !d || !address) return null();
  cudaResourceDesc r{};
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D = {pointer(address), channels(d->Format, d->NumChannels), d->Width, d->Height, pitch};
  return bind(reference(ref), r);
}

cudaError_t cuTexRefSetFormat(CUtexref ref, CUarray_format f, int n) {
  if (!ref) return null();
  reference(ref).format = channels(f, static_cast<unsigned>(n));
  return cudaSuccess;
}

cudaError_t cuTexRefSetAddressMode(CUtexref ref, int dim, CUaddress_mode mode) {
  if (!ref || dim < 0 || dim > 2) return invalid("no such dimension");
  reference(ref).settings.addressMode[dim] = mode;
  return cudaSuccess;
}

cudaError_t cuTexRefGetAddressMode(CUaddress_mode *mode, CUtexref ref, int dim) {
  if (!ref || !mode || dim < 0 || dim > 2) return invalid("no such dimension");
  *mode = reference(ref).settings.addressMode[dim];
  return cudaSuccess;
}

cudaError_t cuTexRefSetFilterMode(CUtexref ref, CUfilter_mode mode) {
  return set(ref, &CUDA_TEXTURE_DESC::filterMode, mode);
}

cudaError_t cuTexRefGetFilterMode(CUfilter_mode *mode, CUtexref ref) {
  return get(ref, &CUDA_TEXTURE_DESC::filterMode, mode);
}

cudaError_t cuTexRefSetFlags(CUtexref ref, unsigned flags) {
  return set(ref, &CUDA_TEXTURE_DESC::flags, flags);
}

cudaError_t cuTexRefGetFlags(unsigned *flags, CUtexref ref) {
  return get(ref, &CUDA_TEXTURE_DESC::flags, flags);
}

cudaError_t cuTexRefSetMipmapFilterMode(CUtexref ref, CUfilter_mode mode) {
  return set(ref, &CUDA_TEXTURE_DESC::mipmapFilterMode, mode);
}

cudaError_t cuTexRefGetMipmapFilterMode(CUfilter_mode *mode, CUtexref ref) {
  return get(ref, &CUDA_TEXTURE_DESC::mipmapFilterMode, mode);
}

cudaError_t cuTexRefSetMipmapLevelBias(CUtexref ref, float bias) {
  return set(ref, &CUDA_TEXTURE_DESC::mipmapLevelBias, bias);
}

cudaError_t cuTexRefGetMipmapLevelBias(float *bias, CUtexref ref) {
  return get(ref, &CUDA_TEXTURE_DESC::mipmapLevelBias, bias);
}

cudaError_t cuTexRefSetMipmapLevelClamp(CUtexref ref, float low, float high) {
  cudaError_t e = set(ref, &CUDA_TEXTURE_DESC::minMipmapLevelClamp, low);
  return e != cudaSuccess ? e : set(ref, &CUDA_TEXTURE_DESC::maxMipmapLevelClamp, high);
}

cudaError_t cuTexRefGetMipmapLevelClamp(float *low, float *high, CUtexref ref) {
  cudaError_t e = get(ref, &CUDA_TEXTURE_DESC::minMipmapLevelClamp, low);
  return e != cudaSuccess ? e : get(ref, &CUDA_TEXTURE_DESC::maxMipmapLevelClamp, high);
}

cudaError_t cuTexRefSetMaxAnisotropy(CUtexref ref, unsigned anisotropy) {
  return set(ref, &CUDA_TEXTURE_DESC::maxAnisotropy, anisotropy);
}

cudaError_t cuTexRefGetMaxAnisotropy(int *anisotropy, CUtexref ref) {
  return get(ref, &CUDA_TEXTURE_DESC::maxAnisotropy, anisotropy);
}

cudaError_t cuTexRefSetBorderColor(CUtexref ref, float *color) {
  if (!ref || !color) return null();
  memcpy(reference(ref).settings.borderColor, color, sizeof reference(ref).settings.borderColor);
  return cudaSuccess;
}

cudaError_t cuTexRefGetBorderColor(float *color, CUtexref ref) {
  if (!ref || !color) return null();
  memcpy(color, reference(ref).settings.borderColor, sizeof reference(ref).settings.borderColor);
  return cudaSuccess;
}

cudaError_t cuTexRefGetFormat(CUarray_format *f, int *n, CUtexref ref) {
  if (!ref || !f || !n) return null();
  *f = format(reference(ref).format);
  *n = static_cast<int>(count(reference(ref).format));
  return cudaSuccess;
}

cudaError_t cuTexRefGetAddress(CUdeviceptr *address, CUtexref ref) {
  if (!ref || !address) return null();
  const cudaResourceDesc *linear = boundTo(reference(ref), cudaResourceTypeLinear);
  const cudaResourceDesc *pitched = boundTo(reference(ref), cudaResourceTypePitch2D);
  if (!linear && !pitched) return unbound();
  *address = reinterpret_cast<uintptr_t>(linear ? linear->res.linear.devPtr : pitched->res.pitch2D.devPtr);
  return cudaSuccess;
}

cudaError_t cuTexRefGetArray(CUarray *out, CUtexref ref) {
  if (!ref || !out) return null();
  const cudaResourceDesc *r = boundTo(reference(ref), cudaResourceTypeArray);
  if (!r) return unbound();
  *out = reinterpret_cast<CUarray>(r->res.array.array);
  return cudaSuccess;
}

cudaError_t cuTexRefGetMipmappedArray(CUmipmappedArray *out, CUtexref ref) {
  if (!ref || !out) return null();
  const cudaResourceDesc *r = boundTo(reference(ref), cudaResourceTypeMipmappedArray);
  if (!r) return unbound();
  *out = reinterpret_cast<CUmipmappedArray>(r->res.mipmap.mipmap);
  return cudaSuccess;
}

cudaError_t cuTexRefCreate(CUtexref *ref) {
  if (!ref) return null();
  *ref = reinterpret_cast<CUtexref>(newReference());
  return cudaSuccess;
}

cudaError_t cuTexRefDestroy(CUtexref ref) {
  if (!ref) return null();
  if (!reference(ref).address) delete &reference(ref); // modules keep theirs
  return cudaSuccess;
}

// Kernels read a module's references by their names (docs of CUDA 3.0: the
// unit must be CU_PARAM_TR_DEFAULT).
cudaError_t cuParamSetTexRef(CUfunction f, int unit, CUtexref ref) {
  if (!f || !ref || unit != CU_PARAM_TR_DEFAULT)
    return invalid("an argument is null, or the unit is not CU_PARAM_TR_DEFAULT");
  return cudaSuccess;
}

cudaError_t cuSurfRefSetArray(CUsurfref ref, CUarray a, unsigned) {
  if (!ref) return null();
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array(a);
  uint64_t handle = reference(ref).address;
  cudaError_t e = describe(r, nullptr, nullptr, &handle);
  if (e == cudaSuccess) reference(ref).bound = r, reference(ref).isBound = true;
  return e;
}

cudaError_t cuSurfRefGetArray(CUarray *out, CUsurfref ref) {
  if (!ref || !out) return null();
  if (!reference(ref).isBound) return unbound();
  *out = reinterpret_cast<CUarray>(reference(ref).bound.res.array.array);
  return cudaSuccess;
}

} // namespace core
} // namespace warpgrind
