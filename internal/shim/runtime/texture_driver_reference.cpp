// Texture and surface references of the driver API ("CUDA Driver API", "Texture
// Reference Management", deprecated).
#include "texture_driver.h"

#include "array.h"
#include "client.h"
#include "registry.h"
#include "texture.h"

using namespace warpgrind;

namespace {

// A reference of a module, or one that the program made, which no kernel reads.
struct Reference {
  uint64_t address = 0; // of the device's variable, or 0
  CUDA_TEXTURE_DESC settings{};
  cudaChannelFormatDesc format{};
  cudaResourceDesc bound{};
  bool isBound = false;
};

CUresult result(cudaError_t e) { return textureResult(e); }
CUresult null(const char *api) { return result(misuse(api, cudaErrorInvalidValue, "an argument is null")); }
Reference &reference(CUtexref r) { return *reinterpret_cast<Reference *>(r); }
Reference &reference(CUsurfref r) { return *reinterpret_cast<Reference *>(r); }

Reference *newReference() {
  auto *r = new Reference;
  for (auto &mode : r->settings.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
  r->format = channels(CU_AD_FORMAT_FLOAT, 1);
  return r;
}

template <class R> CUresult getReference(const char *api, R *out, CUmodule module, const char *name) {
  cudaError_t e;
  Variable *v = variableOf(api, reinterpret_cast<Module *>(module), name, &e);
  if (!v) return result(e);
  Reference *r = newReference(); // as long as its module, which stays
  r->address = reinterpret_cast<uintptr_t>(v->placed().address);
  *out = reinterpret_cast<R>(r);
  return CUDA_SUCCESS;
}

CUresult bind(const char *api, Reference &ref, const cudaResourceDesc &r) {
  cudaError_t e;
  cudaChannelFormatDesc f = channelsOf(api, r, &e);
  if (e != cudaSuccess) return result(e);
  cudaTextureDesc t = settingsOf(ref.settings, f);
  uint64_t handle = ref.address;
  if (handle) e = describe(api, r, &t, nullptr, &handle);
  if (e == cudaSuccess) ref.bound = r, ref.isBound = true, ref.format = f;
  return result(e);
}

// The resource of a type that a reference is bound to, or null.
const cudaResourceDesc *boundTo(const Reference &r, cudaResourceType type) {
  return r.isBound && r.bound.resType == type ? &r.bound : nullptr;
}

CUresult unbound(const char *api) {
  return result(misuse(api, cudaErrorInvalidValue, "the reference is not bound to such a resource"));
}

// Sets a member of the settings; a later binding takes them.
template <class T> CUresult set(const char *api, CUtexref ref, T CUDA_TEXTURE_DESC::*member, T value) {
  if (!ref) return null(api);
  reference(ref).settings.*member = value;
  return CUDA_SUCCESS;
}

template <class T, class Out> CUresult get(const char *api, CUtexref ref, T CUDA_TEXTURE_DESC::*member, Out *out) {
  if (!ref || !out) return null(api);
  *out = static_cast<Out>(reference(ref).settings.*member);
  return CUDA_SUCCESS;
}

} // namespace

extern "C" {

CUresult cuModuleGetTexRef(CUtexref *ref, CUmodule module, const char *name) {
  DRIVER_CALL;
  if (!ref || !module || !name) return null(__func__);
  return getReference(__func__, ref, module, name);
}

CUresult cuModuleGetSurfRef(CUsurfref *ref, CUmodule module, const char *name) {
  DRIVER_CALL;
  if (!ref || !module || !name) return null(__func__);
  return getReference(__func__, ref, module, name);
}

CUresult cuTexRefSetArray(CUtexref ref, CUarray a, unsigned) {
  DRIVER_CALL;
  if (!ref) return null(__func__);
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array(a);
  return bind(__func__, reference(ref), r);
}

CUresult cuTexRefSetMipmappedArray(CUtexref ref, CUmipmappedArray a, unsigned) {
  DRIVER_CALL;
  if (!ref) return null(__func__);
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeMipmappedArray;
  r.res.mipmap.mipmap = array(a);
  return bind(__func__, reference(ref), r);
}

CUresult cuTexRefSetAddress(size_t *offset, CUtexref ref, CUdeviceptr address, size_t n) {
  DRIVER_CALL;
  if (!ref || !address) return null(__func__);
  size_t distance = textureOffset(__func__, pointer(address));
  if (offset) *offset = distance;
  else if (distance) return result(misuse(__func__, cudaErrorInvalidValue, "the address is no multiple of the texture alignment"));
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeLinear;
  r.res.linear = {pointer(address - distance), reference(ref).format, n + distance};
  return bind(__func__, reference(ref), r);
}

CUresult cuTexRefSetAddress2D(CUtexref ref, const CUDA_ARRAY_DESCRIPTOR *d, CUdeviceptr address, size_t pitch) {
  DRIVER_CALL;
  if (!ref || !d || !address) return null(__func__);
  cudaResourceDesc r{};
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D = {pointer(address), channels(d->Format, d->NumChannels), d->Width, d->Height, pitch};
  return bind(__func__, reference(ref), r);
}

CUresult cuTexRefSetFormat(CUtexref ref, CUarray_format f, int n) {
  DRIVER_CALL;
  if (!ref) return null(__func__);
  reference(ref).format = channels(f, static_cast<unsigned>(n));
  return CUDA_SUCCESS;
}

CUresult cuTexRefSetAddressMode(CUtexref ref, int dim, CUaddress_mode mode) {
  DRIVER_CALL;
  if (!ref || dim < 0 || dim > 2) return result(misuse(__func__, cudaErrorInvalidValue, "no such dimension"));
  reference(ref).settings.addressMode[dim] = mode;
  return CUDA_SUCCESS;
}

CUresult cuTexRefGetAddressMode(CUaddress_mode *mode, CUtexref ref, int dim) {
  DRIVER_CALL;
  if (!ref || !mode || dim < 0 || dim > 2) return result(misuse(__func__, cudaErrorInvalidValue, "no such dimension"));
  *mode = reference(ref).settings.addressMode[dim];
  return CUDA_SUCCESS;
}

CUresult cuTexRefSetFilterMode(CUtexref ref, CUfilter_mode mode) {
  DRIVER_CALL;
  return set(__func__, ref, &CUDA_TEXTURE_DESC::filterMode, mode);
}

CUresult cuTexRefGetFilterMode(CUfilter_mode *mode, CUtexref ref) {
  DRIVER_CALL;
  return get(__func__, ref, &CUDA_TEXTURE_DESC::filterMode, mode);
}

CUresult cuTexRefSetFlags(CUtexref ref, unsigned flags) {
  DRIVER_CALL;
  return set(__func__, ref, &CUDA_TEXTURE_DESC::flags, flags);
}

CUresult cuTexRefGetFlags(unsigned *flags, CUtexref ref) {
  DRIVER_CALL;
  return get(__func__, ref, &CUDA_TEXTURE_DESC::flags, flags);
}

CUresult cuTexRefSetMipmapFilterMode(CUtexref ref, CUfilter_mode mode) {
  DRIVER_CALL;
  return set(__func__, ref, &CUDA_TEXTURE_DESC::mipmapFilterMode, mode);
}

CUresult cuTexRefGetMipmapFilterMode(CUfilter_mode *mode, CUtexref ref) {
  DRIVER_CALL;
  return get(__func__, ref, &CUDA_TEXTURE_DESC::mipmapFilterMode, mode);
}

CUresult cuTexRefSetMipmapLevelBias(CUtexref ref, float bias) {
  DRIVER_CALL;
  return set(__func__, ref, &CUDA_TEXTURE_DESC::mipmapLevelBias, bias);
}

CUresult cuTexRefGetMipmapLevelBias(float *bias, CUtexref ref) {
  DRIVER_CALL;
  return get(__func__, ref, &CUDA_TEXTURE_DESC::mipmapLevelBias, bias);
}

CUresult cuTexRefSetMipmapLevelClamp(CUtexref ref, float low, float high) {
  DRIVER_CALL;
  CUresult e = set(__func__, ref, &CUDA_TEXTURE_DESC::minMipmapLevelClamp, low);
  return e != CUDA_SUCCESS ? e : set(__func__, ref, &CUDA_TEXTURE_DESC::maxMipmapLevelClamp, high);
}

CUresult cuTexRefGetMipmapLevelClamp(float *low, float *high, CUtexref ref) {
  DRIVER_CALL;
  CUresult e = get(__func__, ref, &CUDA_TEXTURE_DESC::minMipmapLevelClamp, low);
  return e != CUDA_SUCCESS ? e : get(__func__, ref, &CUDA_TEXTURE_DESC::maxMipmapLevelClamp, high);
}

CUresult cuTexRefSetMaxAnisotropy(CUtexref ref, unsigned anisotropy) {
  DRIVER_CALL;
  return set(__func__, ref, &CUDA_TEXTURE_DESC::maxAnisotropy, anisotropy);
}

CUresult cuTexRefGetMaxAnisotropy(int *anisotropy, CUtexref ref) {
  DRIVER_CALL;
  return get(__func__, ref, &CUDA_TEXTURE_DESC::maxAnisotropy, anisotropy);
}

CUresult cuTexRefSetBorderColor(CUtexref ref, float *color) {
  DRIVER_CALL;
  if (!ref || !color) return null(__func__);
  memcpy(reference(ref).settings.borderColor, color, sizeof reference(ref).settings.borderColor);
  return CUDA_SUCCESS;
}

CUresult cuTexRefGetBorderColor(float *color, CUtexref ref) {
  DRIVER_CALL;
  if (!ref || !color) return null(__func__);
  memcpy(color, reference(ref).settings.borderColor, sizeof reference(ref).settings.borderColor);
  return CUDA_SUCCESS;
}

CUresult cuTexRefGetFormat(CUarray_format *f, int *n, CUtexref ref) {
  DRIVER_CALL;
  if (!ref || !f || !n) return null(__func__);
  *f = format(reference(ref).format);
  *n = static_cast<int>(count(reference(ref).format));
  return CUDA_SUCCESS;
}

CUresult cuTexRefGetAddress(CUdeviceptr *address, CUtexref ref) {
  DRIVER_CALL;
  if (!ref || !address) return null(__func__);
  const cudaResourceDesc *linear = boundTo(reference(ref), cudaResourceTypeLinear);
  const cudaResourceDesc *pitched = boundTo(reference(ref), cudaResourceTypePitch2D);
  if (!linear && !pitched) return unbound(__func__);
  *address = reinterpret_cast<uintptr_t>(linear ? linear->res.linear.devPtr : pitched->res.pitch2D.devPtr);
  return CUDA_SUCCESS;
}

CUresult cuTexRefGetArray(CUarray *out, CUtexref ref) {
  DRIVER_CALL;
  if (!ref || !out) return null(__func__);
  const cudaResourceDesc *r = boundTo(reference(ref), cudaResourceTypeArray);
  if (!r) return unbound(__func__);
  *out = reinterpret_cast<CUarray>(r->res.array.array);
  return CUDA_SUCCESS;
}

CUresult cuTexRefGetMipmappedArray(CUmipmappedArray *out, CUtexref ref) {
  DRIVER_CALL;
  if (!ref || !out) return null(__func__);
  const cudaResourceDesc *r = boundTo(reference(ref), cudaResourceTypeMipmappedArray);
  if (!r) return unbound(__func__);
  *out = reinterpret_cast<CUmipmappedArray>(r->res.mipmap.mipmap);
  return CUDA_SUCCESS;
}

CUresult cuTexRefCreate(CUtexref *ref) {
  DRIVER_CALL;
  if (!ref) return null(__func__);
  *ref = reinterpret_cast<CUtexref>(newReference());
  return CUDA_SUCCESS;
}

CUresult cuTexRefDestroy(CUtexref ref) {
  DRIVER_CALL;
  if (!ref) return null(__func__);
  if (!reference(ref).address) delete &reference(ref); // modules keep theirs
  return CUDA_SUCCESS;
}

// Kernels read a module's references by their names (docs of CUDA 3.0: the
// unit must be CU_PARAM_TR_DEFAULT).
CUresult cuParamSetTexRef(CUfunction f, int unit, CUtexref ref) {
  DRIVER_CALL;
  if (!f || !ref || unit != CU_PARAM_TR_DEFAULT)
    return result(misuse(__func__, cudaErrorInvalidValue, "an argument is null, or the unit is not CU_PARAM_TR_DEFAULT"));
  return CUDA_SUCCESS;
}

CUresult cuSurfRefSetArray(CUsurfref ref, CUarray a, unsigned) {
  DRIVER_CALL;
  if (!ref) return null(__func__);
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array(a);
  uint64_t handle = reference(ref).address;
  cudaError_t e = describe(__func__, r, nullptr, nullptr, &handle);
  if (e == cudaSuccess) reference(ref).bound = r, reference(ref).isBound = true;
  return result(e);
}

CUresult cuSurfRefGetArray(CUarray *out, CUsurfref ref) {
  DRIVER_CALL;
  if (!ref || !out) return null(__func__);
  if (!reference(ref).isBound) return unbound(__func__);
  *out = reinterpret_cast<CUarray>(reference(ref).bound.res.array.array);
  return CUDA_SUCCESS;
}

} // extern "C"
