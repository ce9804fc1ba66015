// CUDA arrays ("CUDA Runtime API", "Memory Management").
#include "array.h"
#include "lasting.h"

#include <mutex>
#include <set>
#include <string>

#include "client.h"

namespace warpgrind {
namespace {

// The arrays that the program has.
struct Arrays {
  std::mutex mutex;
  std::set<const cudaArray *> arrays;
  std::set<const cudaMipmappedArray *> mipmapped;
};

Arrays &all() {
  static Lasting<Arrays> a;
  return a.get();
}

// What is wrong with an array's shape, or null.
const char *shapeError(const cudaExtent &e, unsigned flags) {
  constexpr unsigned known = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather |
                             cudaArrayColorAttachment;
  if (flags & ~known) return "unknown flags";
  if (e.width == 0) return "the width is 0";
  if (e.width > 131072 || e.height > 65536 || e.depth > 16384) return "the array is larger than the device allows";
  if (flags & cudaArrayCubemap) {
    if (e.width != e.height) return "the width and height of a cubemap differ";
    if (flags & cudaArrayLayered ? e.depth == 0 || e.depth % 6 != 0 : e.depth != 6)
      return "the depth of a cubemap is 6, that of a layered one a multiple of 6";
  } else if (flags & cudaArrayLayered) {
    if (e.depth == 0) return "a layered array has no layers";
    if (e.depth > 2048) return "more layers than the device allows";
  } else if (e.depth != 0 && e.height == 0) {
    return "an array with a depth needs a height";
  }
  if (flags & cudaArrayTextureGather && (e.height == 0 || e.depth != 0))
    return "only two-dimensional arrays can be gathered from";
  return nullptr;
}

cudaError_t checkShape(const cudaChannelFormatDesc *desc, const cudaExtent &e, unsigned flags) {
  if (!desc) return invalid("the channel description is null");
  if (!validFormat(*desc))
    return misuse(cudaErrorInvalidChannelDescriptor, "the channels are not 1, 2 or 4 of 8, 16 or 32 bits each");
  if (const char *error = shapeError(e, flags)) return invalid(error);
  return cudaSuccess;
}

cudaError_t allocateBytes(size_t n, char **out) {
  Call c{protocol::Alloc(0, n, 0, 0, false, 0ul, nullptr)};
  if (c.send()) *out = c.reply.address;
  return c.result();
}

cudaError_t freeBytes(const void *p) {
  Call c{protocol::Free(p, false, false, 0ul)};
  c.send();
  return c.result();
}

cudaError_t create(cudaArray_t *out, const cudaChannelFormatDesc *desc, cudaExtent e, unsigned flags) {
  if (!out) return invalid("the result pointer is null");
  cudaError_t error = checkShape(desc, e, flags);
  if (error != cudaSuccess) return error;
  std::unique_ptr<cudaArray> a(new cudaArray{nullptr, nullptr, *desc, e, flags, false});
  error = allocateBytes(a->bytes(), &a->allocation);
  if (error != cudaSuccess) return error;
  a->base = a->allocation;
  std::lock_guard<std::mutex> lock(all().mutex);
  all().arrays.insert(a.get());
  *out = a.release();
  return cudaSuccess;
}

// The extent of the next level: half in each dimension, but layers stay.
cudaExtent half(const cudaExtent &e, unsigned flags) {
  auto h = [](size_t n) { return n > 1 ? n / 2 : n; };
  return {h(e.width), h(e.height), flags & (cudaArrayLayered | cudaArrayCubemap) ? e.depth : h(e.depth)};
}

size_t mostLevels(const cudaExtent &e, unsigned flags) {
  size_t n = e.width > e.height ? e.width : e.height;
  if (!(flags & (cudaArrayLayered | cudaArrayCubemap)) && e.depth > n) n = e.depth;
  size_t levels = 1;
  for (; n > 1; n /= 2) levels++;
  return levels;
}

// A copy of rows of bytes between an array and memory, or two arrays.
struct Rows {
  const cudaArray *array;
  size_t x, y; // bytes and rows
};

const char *outside(const Rows &r, size_t width, size_t height) {
  size_t pitch = r.array->pitch(), rows = r.array->rows() * r.array->slices();
  if (r.x > pitch || width > pitch - r.x) return "the copy goes beyond the rows of the array";
  if (r.y > rows || height > rows - r.y) return "the copy goes beyond the last row of the array";
  return nullptr;
}

cudaPitchedPtr pitched(const Rows &r) {
  return {r.array->base + r.y * r.array->pitch() + r.x, r.array->pitch(), r.array->pitch(), r.array->rows()};
}

cudaPitchedPtr pitched(const void *p, size_t pitch, size_t height) {
  return {const_cast<void *>(p), pitch, pitch, height};
}

cudaError_t move(cudaPitchedPtr dst, cudaPitchedPtr src, size_t width, size_t height,
                 cudaMemcpyKind kind, bool async, cudaStream_t stream) {
  cudaMemcpy3DParms p{};
  p.dstPtr = dst;
  p.srcPtr = src;
  p.extent = {width, height, 1};
  p.kind = kind;
  return copyParms(&p, async, stream);
}

cudaError_t toArray(Rows dst, const void *src, size_t spitch, size_t width, size_t height,
                    cudaMemcpyKind kind, bool async = false, cudaStream_t stream = nullptr) {
  cudaError_t e = checkArray(dst.array);
  if (e != cudaSuccess) return e;
  if (width > spitch && height > 1) return misuse(cudaErrorInvalidPitchValue, "the width is greater than the pitch", MisuseKind::Pitch);
  if (const char *error = outside(dst, width, height)) return invalid(error);
  return move(pitched(dst), pitched(src, spitch, height), width, height, kind, async, stream);
}

cudaError_t fromArray(void *dst, size_t dpitch, Rows src, size_t width, size_t height,
                      cudaMemcpyKind kind, bool async = false, cudaStream_t stream = nullptr) {
  cudaError_t e = checkArray(src.array);
  if (e != cudaSuccess) return e;
  if (width > dpitch && height > 1) return misuse(cudaErrorInvalidPitchValue, "the width is greater than the pitch", MisuseKind::Pitch);
  if (const char *error = outside(src, width, height)) return invalid(error);
  return move(pitched(dst, dpitch, height), pitched(src), width, height, kind, async, stream);
}

// The bytes from a place in an array to its end; rows follow each other.
size_t rest(const Rows &r) {
  size_t at = r.y * r.array->pitch() + r.x;
  return r.x < r.array->pitch() && at < r.array->bytes() ? r.array->bytes() - at : 0;
}

cudaPitchedPtr flat(const Rows &r, size_t n) { return pitched(r.array->base + r.y * r.array->pitch() + r.x, n, 1); }

constexpr const char *kBeyond = "the copy goes beyond the array";

cudaError_t toArray1D(Rows dst, const void *src, size_t n, cudaMemcpyKind kind, bool async = false,
                      cudaStream_t stream = nullptr) {
  cudaError_t e = checkArray(dst.array);
  if (e != cudaSuccess) return e;
  if (n > rest(dst)) return invalid(kBeyond);
  return move(flat(dst, n), pitched(src, n, 1), n, 1, kind, async, stream);
}

cudaError_t fromArray1D(void *dst, Rows src, size_t n, cudaMemcpyKind kind, bool async = false,
                        cudaStream_t stream = nullptr) {
  cudaError_t e = checkArray(src.array);
  if (e != cudaSuccess) return e;
  if (n > rest(src)) return invalid(kBeyond);
  return move(pitched(dst, n, 1), flat(src, n), n, 1, kind, async, stream);
}

// Moves one side of a 3D copy from its array to memory.
cudaError_t resolve(cudaArray_t *array, cudaPos *pos, cudaPitchedPtr *ptr, const cudaExtent &e) {
  if (!*array) return cudaSuccess;
  cudaError_t error = checkArray(*array);
  if (error != cudaSuccess) return error;
  const cudaArray &a = **array;
  bool inside = pos->x <= a.extent.width && e.width <= a.extent.width - pos->x && pos->y <= a.rows() &&
                e.height <= a.rows() - pos->y && pos->z <= a.slices() && e.depth <= a.slices() - pos->z;
  if (!inside) return invalid(kBeyond);
  *ptr = {a.base, a.pitch(), a.pitch(), a.rows()};
  pos->x *= a.element();
  *array = nullptr;
  return cudaSuccess;
}

} // namespace

cudaError_t checkArray(const cudaArray *array) {
  std::lock_guard<std::mutex> lock(all().mutex);
  if (array && all().arrays.count(array)) return cudaSuccess;
  return misuse(cudaErrorInvalidResourceHandle, "not a CUDA array of this program, or one that is freed");
}

cudaError_t checkMipmapped(const cudaMipmappedArray *array) {
  std::lock_guard<std::mutex> lock(all().mutex);
  if (array && all().mipmapped.count(array)) return cudaSuccess;
  return misuse(cudaErrorInvalidResourceHandle, "not a mipmapped array of this program, or one that is freed");
}

bool validFormat(const cudaChannelFormatDesc &d) {
  if (d.x != 8 && d.x != 16 && d.x != 32) return false;
  if ((d.y && d.y != d.x) || d.z != d.w || (d.z && (d.z != d.x || !d.y))) return false;
  switch (d.f) {
  case cudaChannelFormatKindSigned:
  case cudaChannelFormatKindUnsigned: return true;
  case cudaChannelFormatKindFloat: return d.x != 8;
  default: return false;
  }
}

cudaError_t withoutArrays(cudaMemcpy3DParms *p) {
  if (!p->srcArray && !p->dstArray) return cudaSuccess;
  if (p->srcArray && p->srcPtr.ptr) return invalid("the source is both an array and memory");
  if (p->dstArray && p->dstPtr.ptr) return invalid("the destination is both an array and memory");
  cudaArray_t one = p->srcArray ? p->srcArray : p->dstArray;
  cudaArray_t other = p->srcArray && p->dstArray ? p->dstArray : one;
  cudaError_t e = checkArray(one);
  if (e == cudaSuccess) e = checkArray(other);
  if (e != cudaSuccess) return e;
  size_t element = one->element();
  if (other->element() != element) return invalid("the elements of the arrays differ in size");
  e = resolve(&p->srcArray, &p->srcPos, &p->srcPtr, p->extent);
  if (e == cudaSuccess) e = resolve(&p->dstArray, &p->dstPos, &p->dstPtr, p->extent);
  p->extent.width *= element;
  return e;
}

namespace core {

cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *desc, size_t width, size_t height,
                            unsigned flags) {
  return create(array, desc, {width, height, 0}, flags);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *desc, cudaExtent extent,
                              unsigned flags) {
  return create(array, desc, extent, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  if (!array) return connectOnce();
  cudaError_t e = checkArray(array);
  if (e != cudaSuccess) return e;
  if (array->level) return invalid("the array is a level of a mipmapped array");
  e = freeBytes(array->allocation);
  std::lock_guard<std::mutex> lock(all().mutex);
  all().arrays.erase(array);
  delete array;
  return e;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *out, const cudaChannelFormatDesc *desc, cudaExtent e,
                                     unsigned levels, unsigned flags) {
  if (!out) return invalid("the result pointer is null");
  cudaError_t error = checkShape(desc, e, flags);
  if (error != cudaSuccess) return error;
  size_t most = mostLevels(e, flags);
  if (levels == 0) levels = 1;
  if (levels > most) levels = static_cast<unsigned>(most); // documented: clamped
  std::unique_ptr<cudaMipmappedArray> m(new cudaMipmappedArray{});
  size_t total = 0;
  std::vector<size_t> offsets;
  for (unsigned i = 0; i < levels; i++, e = half(e, flags)) {
    m->levels.emplace_back(new cudaArray{nullptr, nullptr, *desc, e, flags, true});
    offsets.push_back(total);
    total += (m->levels[i]->bytes() + 511) / 512 * 512;
  }
  error = allocateBytes(total, &m->base);
  if (error != cudaSuccess) return error;
  std::lock_guard<std::mutex> lock(all().mutex);
  for (unsigned i = 0; i < levels; i++) {
    m->levels[i]->allocation = m->base;
    m->levels[i]->base = m->base + offsets[i];
    all().arrays.insert(m->levels[i].get());
  }
  all().mipmapped.insert(m.get());
  *out = m.release();
  return cudaSuccess;
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level, cudaMipmappedArray_const_t array, unsigned i) {
  if (!level) return invalid("the result pointer is null");
  cudaError_t e = checkMipmapped(array);
  if (e != cudaSuccess) return e;
  if (i >= array->levels.size()) return invalid("the mipmapped array has no such level");
  *level = array->levels[i].get();
  return cudaSuccess;
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  if (!array) return connectOnce();
  cudaError_t e = checkMipmapped(array);
  if (e != cudaSuccess) return e;
  e = freeBytes(array->base);
  std::lock_guard<std::mutex> lock(all().mutex);
  for (auto &l : array->levels) all().arrays.erase(l.get());
  all().mipmapped.erase(array);
  delete array;
  return e;
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *desc, cudaExtent *extent, unsigned *flags, cudaArray_t array) {
  cudaError_t e = checkArray(array);
  if (e != cudaSuccess) return e;
  if (desc) *desc = array->desc;
  if (extent) *extent = array->extent;
  if (flags) *flags = array->flags;
  return cudaSuccess;
}

// No array has sparse or late memory or several planes: the device's attributes
// say so, and arrays with these flags are refused.
cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements *, cudaArray_t array, int) {
  cudaError_t e = checkArray(array);
  return e != cudaSuccess ? e : invalid("the array was made without cudaArrayDeferredMapping");
}

cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements *, cudaMipmappedArray_t array, int) {
  cudaError_t e = checkMipmapped(array);
  return e != cudaSuccess ? e : invalid("the array was made without cudaArrayDeferredMapping");
}

cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties *, cudaArray_t array) {
  cudaError_t e = checkArray(array);
  return e != cudaSuccess ? e : invalid("the array was made without cudaArraySparse");
}

cudaError_t cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties *, cudaMipmappedArray_t array) {
  cudaError_t e = checkMipmapped(array);
  return e != cudaSuccess ? e : invalid("the array was made without cudaArraySparse");
}

cudaError_t cudaArrayGetPlane(cudaArray_t *, cudaArray_t array, unsigned) {
  cudaError_t e = checkArray(array);
  return e != cudaSuccess ? e : invalid("the array's format has one plane");
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *desc, cudaArray_const_t array) {
  if (!desc) return invalid("the result pointer is null");
  cudaError_t e = checkArray(array);
  if (e == cudaSuccess) *desc = array->desc;
  return e;
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t n, cudaMemcpyKind kind) {
  return toArray1D({dst, x, y}, src, n, kind);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t n, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  return toArray1D({dst, x, y}, src, n, kind, true, stream);
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t n, cudaMemcpyKind kind) {
  return fromArray1D(dst, {src, x, y}, n, kind);
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t n,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return fromArray1D(dst, {src, x, y}, n, kind, true, stream);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t dx, size_t dy, cudaArray_const_t src, size_t sx, size_t sy,
                                   size_t n, cudaMemcpyKind) {
  cudaError_t e = checkArray(src);
  if (e != cudaSuccess) return e;
  if (n > rest({src, sx, sy})) return invalid(kBeyond);
  return toArray1D({dst, dx, dy}, flat({src, sx, sy}, n).ptr, n, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t spitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  return toArray({dst, x, y}, src, spitch, width, height, kind);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t spitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return toArray({dst, x, y}, src, spitch, width, height, kind, true, stream);
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind) {
  return fromArray(dst, dpitch, {src, x, y}, width, height, kind);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return fromArray(dst, dpitch, {src, x, y}, width, height, kind, true, stream);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dx, size_t dy, cudaArray_const_t src, size_t sx,
                                     size_t sy, size_t width, size_t height, cudaMemcpyKind) {
  cudaError_t e = checkArray(src);
  if (e != cudaSuccess) return e;
  Rows from{src, sx, sy};
  if (const char *error = outside(from, width, height)) return invalid(error);
  return toArray({dst, dx, dy}, pitched(from).ptr, src->pitch(), width, height, cudaMemcpyDeviceToDevice);
}

} // namespace core
} // namespace warpgrind
