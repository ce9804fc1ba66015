// Texture and surface objects ("CUDA Runtime API", "Texture Object Management"
// and "Surface Object Management").
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "array.h"
#include "client.h"
#include "lasting.h"
#include "texture.h"

namespace warpgrind {
namespace {

constexpr size_t kMaxLinear = size_t{1} << 28; // texels
constexpr size_t kPitchAlign = 32;

struct Level {
  const char *base;
  size_t width, height, depth, pitch, slice;
};

// What a resource amounts to.
struct Source {
  cudaChannelFormatDesc format;
  const char *allocation = nullptr; // of the array
  bool cube = false;
  size_t layers = 0;
  std::vector<Level> levels;
};

const char *addArray(Source *s, const cudaArray &a) {
  s->format = a.desc;
  s->allocation = a.allocation;
  s->cube = a.flags & cudaArrayCubemap;
  s->layers = a.layered() ? a.extent.depth : 0;
  s->levels.push_back({a.base, a.extent.width, a.extent.height, a.layered() ? 0 : a.extent.depth, a.pitch(),
                       a.pitch() * a.rows()});
  return nullptr;
}

const char *fromLinear(Source *s, const void *p, const cudaChannelFormatDesc &desc, size_t bytes) {
  size_t element = static_cast<size_t>(desc.x + desc.y + desc.z + desc.w) / 8;
  if (!p) return "the memory is a null pointer";
  if (element == 0 || bytes < element) return "the memory holds no element";
  size_t n = bytes / element;
  s->format = desc;
  s->levels.push_back({static_cast<const char *>(p), n < kMaxLinear ? n : kMaxLinear, 0, 0, 0, 0});
  return nullptr;
}

const char *fromPitch(Source *s, const cudaResourceDesc &r) {
  const auto &p = r.res.pitch2D;
  size_t element = static_cast<size_t>(p.desc.x + p.desc.y + p.desc.z + p.desc.w) / 8;
  if (!p.devPtr) return "the memory is a null pointer";
  if (p.width == 0 || p.height == 0) return "the width or height is 0";
  if (p.pitchInBytes % kPitchAlign != 0) return "the pitch is not a multiple of texturePitchAlignment";
  if (p.pitchInBytes < p.width * element) return "the pitch is less than the width";
  s->format = p.desc;
  s->levels.push_back({static_cast<const char *>(p.devPtr), p.width, p.height, 0, p.pitchInBytes, 0});
  return nullptr;
}

// Finds what a resource is made of; reports what is wrong with it. The driver refuses arrays without
// cudaArraySurfaceLoadStore for surface references only: objects are made of any array.
cudaError_t source(const cudaResourceDesc &r, bool surface, bool reference, Source *s) {
  const char *error = nullptr;
  cudaError_t e = cudaSuccess;
  switch (r.resType) {
  case cudaResourceTypeArray:
    if ((e = checkArray(r.res.array.array)) != cudaSuccess) return e;
    if (surface && reference && !(r.res.array.array->flags & cudaArraySurfaceLoadStore))
      return invalid("the array was made without cudaArraySurfaceLoadStore");
    error = addArray(s, *r.res.array.array);
    break;
  case cudaResourceTypeMipmappedArray:
    if ((e = checkMipmapped(r.res.mipmap.mipmap)) != cudaSuccess) return e;
    for (auto &l : r.res.mipmap.mipmap->levels) addArray(s, *l);
    break;
  case cudaResourceTypeLinear:
    error = fromLinear(s, r.res.linear.devPtr, r.res.linear.desc, r.res.linear.sizeInBytes);
    break;
  case cudaResourceTypePitch2D: error = fromPitch(s, r); break;
  default: error = "unknown resource type";
  }
  if (!error && surface && r.resType != cudaResourceTypeArray) error = "a surface is made of a CUDA array";
  if (error) return invalid(error);
  if (!validFormat(s->format))
    return misuse(cudaErrorInvalidChannelDescriptor, "the channels are not 1, 2 or 4 of 8, 16 or 32 bits each");
  return cudaSuccess;
}

// Checks that the settings fit the format ("CUDA Runtime API",
// "cudaCreateTextureObject").
cudaError_t checkSettings(const cudaTextureDesc &t, const cudaResourceDesc &r, const cudaChannelFormatDesc &f) {
  bool integers = f.f != cudaChannelFormatKindFloat;
  bool normalized = t.readMode == cudaReadModeNormalizedFloat;
  if (integers && normalized && f.x == 32)
    return misuse(cudaErrorInvalidNormSetting, "32-bit integers cannot be read as normalized floats");
  bool linear = t.filterMode == cudaFilterModeLinear && r.resType != cudaResourceTypeLinear;
  if (integers && !normalized && linear)
    return misuse(cudaErrorInvalidFilterSetting, "linear filtering of texels that are read as integers");
  return cudaSuccess;
}

// The formats of views, by cudaResourceViewFormat from 1 on.
bool viewFormat(int format, cudaChannelFormatDesc *out) {
  static const struct {
    int bits;
    cudaChannelFormatKind kind;
  } kinds[] = {{8, cudaChannelFormatKindUnsigned},  {8, cudaChannelFormatKindSigned},
               {16, cudaChannelFormatKindUnsigned}, {16, cudaChannelFormatKindSigned},
               {32, cudaChannelFormatKindUnsigned}, {32, cudaChannelFormatKindSigned},
               {16, cudaChannelFormatKindFloat},    {32, cudaChannelFormatKindFloat}};
  if (format < 1 || format > 24) return false;
  auto &k = kinds[(format - 1) / 3];
  int n = (format - 1) % 3; // 1, 2 or 4 channels
  *out = {k.bits, n > 0 ? k.bits : 0, n > 1 ? k.bits : 0, n > 1 ? k.bits : 0, k.kind};
  return true;
}

// Narrows a source to a view: its format, levels and layers.
cudaError_t narrow(const cudaResourceViewDesc &v, Source *s) {
  cudaChannelFormatDesc f = s->format;
  if (v.format > 24) return unsupported("block-compressed textures");
  if (v.format != 0 && !viewFormat(v.format, &f)) return invalid("unknown view format");
  if (f.x + f.y + f.z + f.w != s->format.x + s->format.y + s->format.z + s->format.w)
    return invalid("the view's elements differ in size from the array's");
  if (v.firstMipmapLevel > v.lastMipmapLevel || v.lastMipmapLevel >= s->levels.size())
    return invalid("the view has levels that the array has not");
  s->format = f;
  s->levels = {s->levels.begin() + v.firstMipmapLevel, s->levels.begin() + v.lastMipmapLevel + 1};
  if (s->layers == 0) return cudaSuccess;
  if (v.firstLayer > v.lastLayer || v.lastLayer >= s->layers)
    return invalid("the view has layers that the array has not");
  for (Level &l : s->levels) l.base += v.firstLayer * l.slice;
  s->layers = v.lastLayer - v.firstLayer + 1;
  return cudaSuccess;
}

// The request for a texture; a surface has no settings.
protocol::Texture requestFor(uint64_t handle, const Source &s, cudaResourceType type, const cudaTextureDesc *settings) {
  const cudaTextureDesc t = settings ? *settings : cudaTextureDesc{};
  const int channels = s.format.w ? 4 : s.format.z ? 3 : s.format.y ? 2 : 1;
  auto mode = [&](int i) { return static_cast<uint8_t>(t.addressMode[i]); };
  const bool linear = t.filterMode == cudaFilterModeLinear && type != cudaResourceTypeLinear;
  protocol::Batch<protocol::Level> levels;
  for (const Level &l : s.levels)
    levels.add({l.base, static_cast<uint32_t>(l.width), static_cast<uint32_t>(l.height), static_cast<uint32_t>(l.depth), l.pitch,
                l.slice});
  return protocol::Texture(
      handle, !settings, static_cast<uint8_t>(type), static_cast<uint8_t>(channels), static_cast<uint8_t>(s.format.x),
      static_cast<uint8_t>(s.format.f), s.cube, static_cast<uint32_t>(s.layers), {mode(0), mode(1), mode(2)}, linear,
      t.mipmapFilterMode == cudaFilterModeLinear, t.normalizedCoords != 0, t.readMode == cudaReadModeNormalizedFloat, t.sRGB != 0,
      {t.borderColor[0], t.borderColor[1], t.borderColor[2], t.borderColor[3]}, t.mipmapLevelBias, t.minMipmapLevelClamp,
      t.maxMipmapLevelClamp, s.allocation, levels);
}

// What the program gave for its objects.
struct Description {
  cudaResourceDesc resource;
  cudaTextureDesc texture;
  cudaResourceViewDesc view;
  bool hasView;
};
std::mutex descriptionsMutex;
std::map<uint64_t, Description> &descriptions() {
  static Lasting<std::map<uint64_t, Description>> m;
  return m.get();
}

cudaError_t find(uint64_t handle, Description *out) {
  std::lock_guard<std::mutex> lock(descriptionsMutex);
  auto it = descriptions().find(handle);
  if (it == descriptions().end()) return invalid("no such object");
  *out = it->second;
  return cudaSuccess;
}

void remember(uint64_t handle, const Description &d) {
  std::lock_guard<std::mutex> lock(descriptionsMutex);
  descriptions()[handle] = d;
}

// Nothing is destroyed for the handle 0, without an error, as CUDA has it.
cudaError_t destroy(uint64_t handle, bool surface) {
  if (!handle) return cudaSuccess;
  cudaError_t e = undescribe(handle, surface);
  std::lock_guard<std::mutex> lock(descriptionsMutex);
  if (e == cudaSuccess) descriptions().erase(handle);
  return e;
}

// Whether linear memory lies as textures need it: allocations begin at
// addresses that suit every texture.
cudaError_t checkAlignment(const cudaResourceDesc &r) {
  const void *p = r.resType == cudaResourceTypeLinear    ? r.res.linear.devPtr
                  : r.resType == cudaResourceTypePitch2D ? r.res.pitch2D.devPtr
                                                         : nullptr;
  if (p && textureOffset(p) != 0)
    return invalid("the address is not a multiple of textureAlignment");
  return cudaSuccess;
}

} // namespace

size_t textureOffset(const void *p) {
  Call c{protocol::PointerInfo(p)};
  if (!c.send()) return 0;
  const uint64_t base = c.reply.base;
  return base ? (reinterpret_cast<uintptr_t>(p) - base) % kTextureAlign : 0;
}

cudaError_t describe(const cudaResourceDesc &r, const cudaTextureDesc *t,
                     const cudaResourceViewDesc *v, uint64_t *handle) {
  Source s;
  cudaError_t e = source(r, !t, *handle != 0, &s);
  if (e == cudaSuccess && v) e = narrow(*v, &s);
  if (e == cudaSuccess && t) e = checkSettings(*t, r, s.format);
  if (e != cudaSuccess) return e;
  Call c(requestFor(*handle, s, r.resType, t));
  if (c.send()) *handle = c.reply.handle;
  return c.result();
}

cudaError_t undescribe(uint64_t handle, bool surface) {
  Call c{protocol::TextureFree(handle, surface)};
  c.send();
  return c.result();
}

namespace core {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *texture, const cudaResourceViewDesc *view) {
  if (!object || !resource || !texture) return invalid("an argument is null");
  cudaError_t e = checkAlignment(*resource);
  if (e != cudaSuccess) return e;
  if (view && resource->resType > cudaResourceTypeMipmappedArray)
    return invalid("only arrays can have a view");
  uint64_t handle = 0;
  e = describe(*resource, texture, view, &handle);
  if (e != cudaSuccess) return e;
  remember(handle, {*resource, *texture, view ? *view : cudaResourceViewDesc{}, view != nullptr});
  *object = handle;
  return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return destroy(object, false); }

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *out, cudaTextureObject_t object) {
  if (!out) return invalid("the result pointer is null");
  Description d;
  cudaError_t e = find(object, &d);
  if (e == cudaSuccess) *out = d.resource;
  return e;
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *out, cudaTextureObject_t object) {
  if (!out) return invalid("the result pointer is null");
  Description d;
  cudaError_t e = find(object, &d);
  if (e == cudaSuccess) *out = d.texture;
  return e;
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *out, cudaTextureObject_t object) {
  if (!out) return invalid("the result pointer is null");
  Description d;
  cudaError_t e = find(object, &d);
  if (e != cudaSuccess) return e;
  if (!d.hasView) return invalid("the texture was made without a view");
  *out = d.view;
  return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *resource) {
  if (!object || !resource) return invalid("an argument is null");
  uint64_t handle = 0;
  cudaError_t e = describe(*resource, nullptr, nullptr, &handle);
  if (e != cudaSuccess) return e;
  remember(handle, {*resource, {}, {}, false});
  *object = handle;
  return cudaSuccess;
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return destroy(object, true); }

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *out, cudaSurfaceObject_t object) {
  if (!out) return invalid("the result pointer is null");
  Description d;
  cudaError_t e = find(object, &d);
  if (e == cudaSuccess) *out = d.resource;
  return e;
}

} // namespace core
} // namespace warpgrind
