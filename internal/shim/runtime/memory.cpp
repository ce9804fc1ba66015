// Allocation, copies and fills. The server checks every address and keeps
// the books; copies are done here, where all memory is in reach.
#include <map>
#include <mutex>

#include "client.h"
#include "registry.h"

using namespace warpgrind;

namespace {

constexpr const char *kNull = "the result pointer is null";
constexpr size_t kPitchAlign = 512;

enum Kind : uint8_t { Device, Pinned, Managed }; // as mem.Kind

cudaError_t allocate(const char *api, Kind kind, void **out, size_t size) {
  if (!out) return misuse(api, cudaErrorInvalidValue, kNull);
  Call c(api, Op::Alloc);
  c.u8(kind).u64(size);
  if (c.send()) *out = c.getPtr();
  return c.result();
}

cudaError_t release(const char *api, void *p, bool host) {
  Call c(api, Op::Free);
  c.ptr(p).u8(host);
  c.send();
  return c.result();
}

// A copy of depth slices of height rows of width bytes. Pitches are the
// bytes from row to row, slices those from slice to slice.
struct Box {
  char *dst;
  const char *src;
  size_t width, height, depth;
  size_t dstPitch, srcPitch, dstSlice, srcSlice;
};

void move(const Box &b) {
  char *dst = static_cast<char *>(accessible(b.dst));
  const char *src = static_cast<const char *>(accessible(b.src));
  for (size_t z = 0; z < b.depth; z++)
    for (size_t y = 0; y < b.height; y++)
      memmove(dst + z * b.dstSlice + y * b.dstPitch, src + z * b.srcSlice + y * b.srcPitch, b.width);
}

cudaError_t copy(const char *api, const Box &b, cudaMemcpyKind kind, bool async, cudaStream_t stream) {
  Call c(api, Op::Copy);
  c.u32(static_cast<uint32_t>(kind)).u8(async).ptr(stream).ptr(b.dst).ptr(b.src);
  c.u64(b.width).u64(b.height).u64(b.depth);
  c.u64(b.dstPitch).u64(b.srcPitch).u64(b.dstSlice).u64(b.srcSlice);
  if (c.send()) move(b);
  return c.result();
}

cudaError_t copy1D(const char *api, void *dst, const void *src, size_t n, cudaMemcpyKind kind, bool async = false,
                   cudaStream_t stream = nullptr) {
  return copy(api, {static_cast<char *>(dst), static_cast<const char *>(src), n, 1, 1, n, n, n, n}, kind, async,
              stream);
}

cudaError_t copy2D(const char *api, void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                   size_t height, cudaMemcpyKind kind, bool async, cudaStream_t stream) {
  if (width > dpitch || width > spitch)
    return misuse(api, cudaErrorInvalidPitchValue, "the width is greater than a pitch");
  return copy(api, {static_cast<char *>(dst), static_cast<const char *>(src), width, height, 1, dpitch, spitch, 0, 0},
              kind, async, stream);
}

const char *at(const cudaPitchedPtr &p, const cudaPos &pos) {
  return static_cast<const char *>(p.ptr) + pos.x + pos.y * p.pitch + pos.z * p.pitch * p.ysize;
}

cudaError_t copy3D(const char *api, const cudaMemcpy3DParms *p, bool async, cudaStream_t stream) {
  if (!p) return misuse(api, cudaErrorInvalidValue, "the parameters are null");
  if (p->srcArray || p->dstArray) return unsupported(api);
  const cudaExtent &e = p->extent;
  if (e.height * e.depth > 1 && (e.width > p->dstPtr.pitch || e.width > p->srcPtr.pitch))
    return misuse(api, cudaErrorInvalidPitchValue, "the width is greater than a pitch");
  Box b{const_cast<char *>(at(p->dstPtr, p->dstPos)), at(p->srcPtr, p->srcPos), e.width, e.height, e.depth,
        p->dstPtr.pitch, p->srcPtr.pitch, p->dstPtr.pitch * p->dstPtr.ysize, p->srcPtr.pitch * p->srcPtr.ysize};
  return copy(api, b, p->kind, async, stream);
}

cudaError_t fill(const char *api, void *dst, size_t pitch, size_t slice, int value, cudaExtent e, bool async,
                 cudaStream_t stream) {
  if (e.width > pitch && e.height > 1)
    return misuse(api, cudaErrorInvalidValue, "the width is greater than the pitch");
  Call c(api, Op::Set);
  c.u8(async).ptr(stream).ptr(dst).u8(static_cast<uint8_t>(value));
  c.u64(e.width).u64(e.height).u64(e.depth).u64(pitch).u64(slice);
  c.send();
  return c.result();
}

// A range of a symbol, or null and the error.
char *symbolRange(const char *api, const void *symbol, size_t count, size_t offset, cudaError_t *error) {
  Variable *v = findVariable(api, symbol, error);
  if (!v) return setLastError(*error), nullptr;
  if (offset > v->size || count > v->size - offset) {
    std::string detail = "copy of " + std::to_string(count) + " bytes at offset " + std::to_string(offset) +
                         " of variable " + v->name + ", which has " + std::to_string(v->size) + " bytes";
    *error = misuse(api, cudaErrorInvalidValue, detail.c_str());
    return nullptr;
  }
  return static_cast<char *>(v->address) + offset;
}

cudaError_t toSymbol(const char *api, const void *symbol, const void *src, size_t count, size_t offset,
                     cudaMemcpyKind kind, bool async, cudaStream_t stream) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return misuse(api, cudaErrorInvalidMemcpyDirection, "a copy to a symbol goes to the device");
  cudaError_t e;
  char *dst = symbolRange(api, symbol, count, offset, &e);
  return dst ? copy1D(api, dst, src, count, kind, async, stream) : e;
}

cudaError_t fromSymbol(const char *api, void *dst, const void *symbol, size_t count, size_t offset,
                       cudaMemcpyKind kind, bool async, cudaStream_t stream) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return misuse(api, cudaErrorInvalidMemcpyDirection, "a copy from a symbol comes from the device");
  cudaError_t e;
  char *src = symbolRange(api, symbol, count, offset, &e);
  return src ? copy1D(api, dst, src, count, kind, async, stream) : e;
}

struct PointerInfo {
  uint32_t type;
  uint64_t base, size;
};

cudaError_t pointer(const char *api, const void *p, PointerInfo *out) {
  Call c(api, Op::Pointer);
  c.ptr(p);
  if (c.send()) {
    out->type = c.getU32();
    out->base = c.getU64();
    out->size = c.getU64();
  }
  return c.result();
}

// Host memory that the program registered: base to size and flags.
struct Registered {
  size_t size;
  unsigned flags;
};
std::mutex registeredMutex;
std::map<char *, Registered> &registered() {
  static auto *m = new std::map<char *, Registered>;
  return *m;
}

// The registered range that overlaps [p, p+n), or end. The mutex is held.
std::map<char *, Registered>::iterator overlapping(char *p, size_t n) {
  auto &m = registered();
  auto it = m.lower_bound(p + n);
  if (it == m.begin()) return m.end();
  --it;
  return it->first + it->second.size > p ? it : m.end();
}

} // namespace

extern "C" {

cudaError_t cudaMalloc(void **p, size_t size) { return allocate(__func__, Device, p, size); }
cudaError_t cudaMallocHost(void **p, size_t size) { return allocate(__func__, Pinned, p, size); }

cudaError_t cudaMallocManaged(void **p, size_t size, unsigned flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
    return misuse(__func__, cudaErrorInvalidValue, "flags must be cudaMemAttachGlobal or cudaMemAttachHost");
  if (size == 0) return misuse(__func__, cudaErrorInvalidValue, "the size is 0");
  return allocate(__func__, Managed, p, size);
}

cudaError_t cudaHostAlloc(void **p, size_t size, unsigned flags) {
  if (flags > 7) return misuse(__func__, cudaErrorInvalidValue, "unknown flags");
  return allocate(__func__, Pinned, p, size);
}

cudaError_t cudaMallocAsync(void **p, size_t size, cudaStream_t) { return allocate(__func__, Device, p, size); }

cudaError_t cudaMallocFromPoolAsync(void **p, size_t size, cudaMemPool_t, cudaStream_t) {
  return allocate(__func__, Device, p, size);
}

cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height) {
  if (!pitch) return misuse(__func__, cudaErrorInvalidValue, kNull);
  size_t rounded = (width + kPitchAlign - 1) / kPitchAlign * kPitchAlign;
  if (height && rounded > SIZE_MAX / height) return misuse(__func__, cudaErrorMemoryAllocation, "size overflow");
  *pitch = rounded;
  return allocate(__func__, Device, p, rounded * height);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *p, cudaExtent e) {
  if (!p) return misuse(__func__, cudaErrorInvalidValue, kNull);
  size_t rounded = (e.width + kPitchAlign - 1) / kPitchAlign * kPitchAlign;
  *p = {nullptr, rounded, e.width, e.height};
  return allocate(__func__, Device, &p->ptr, rounded * e.height * e.depth);
}

cudaError_t cudaFree(void *p) { return release(__func__, p, false); }
cudaError_t cudaFreeAsync(void *p, cudaStream_t) { return release(__func__, p, false); }
cudaError_t cudaFreeHost(void *p) { return release(__func__, p, true); }

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  Call c(__func__, Op::MemInfo);
  if (c.send()) {
    size_t f = c.getU64(), t = c.getU64();
    if (free) *free = f;
    if (total) *total = t;
  }
  return c.result();
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t n, cudaMemcpyKind kind) {
  return copy1D(__func__, dst, src, n, kind);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t n, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy1D(__func__, dst, src, n, kind, true, stream);
}

cudaError_t cudaMemcpyPeer(void *dst, int, const void *src, int, size_t n) {
  return copy1D(__func__, dst, src, n, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int, const void *src, int, size_t n, cudaStream_t stream) {
  return copy1D(__func__, dst, src, n, cudaMemcpyDeviceToDevice, true, stream);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return copy2D(__func__, dst, dpitch, src, spitch, width, height, kind, false, nullptr);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return copy2D(__func__, dst, dpitch, src, spitch, width, height, kind, true, stream);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p) { return copy3D(__func__, p, false, nullptr); }

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream) {
  return copy3D(__func__, p, true, stream);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               cudaMemcpyKind kind) {
  return toSymbol(__func__, symbol, src, count, offset, kind, false, nullptr);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return toSymbol(__func__, symbol, src, count, offset, kind, true, stream);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind) {
  return fromSymbol(__func__, dst, symbol, count, offset, kind, false, nullptr);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return fromSymbol(__func__, dst, symbol, count, offset, kind, true, stream);
}

cudaError_t cudaGetSymbolAddress(void **p, const void *symbol) {
  if (!p) return misuse(__func__, cudaErrorInvalidValue, kNull);
  cudaError_t e;
  Variable *v = findVariable(__func__, symbol, &e);
  if (v) *p = v->address;
  return setLastError(e);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
  if (!size) return misuse(__func__, cudaErrorInvalidValue, kNull);
  cudaError_t e;
  Variable *v = findVariable(__func__, symbol, &e);
  if (v) *size = v->size;
  return setLastError(e);
}

cudaError_t cudaMemset(void *p, int value, size_t n) {
  return fill(__func__, p, n, n, value, {n, 1, 1}, false, nullptr);
}

cudaError_t cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t stream) {
  return fill(__func__, p, n, n, value, {n, 1, 1}, true, stream);
}

cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height) {
  return fill(__func__, p, pitch, 0, value, {width, height, 1}, false, nullptr);
}

cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return fill(__func__, p, pitch, 0, value, {width, height, 1}, true, stream);
}

cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent e) {
  return fill(__func__, p.ptr, p.pitch, p.pitch * p.ysize, value, e, false, nullptr);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent e, cudaStream_t stream) {
  return fill(__func__, p.ptr, p.pitch, p.pitch * p.ysize, value, e, true, stream);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *a, const void *p) {
  if (!a) return misuse(__func__, cudaErrorInvalidValue, kNull);
  PointerInfo i{};
  cudaError_t e = pointer(__func__, p, &i);
  if (e != cudaSuccess) return e;
  void *q = const_cast<void *>(p);
  *a = {static_cast<cudaMemoryType>(i.type), 0, q, q};
  if (i.type == cudaMemoryTypeDevice) a->hostPointer = nullptr;
  if (i.type == cudaMemoryTypeUnregistered) *a = {cudaMemoryTypeUnregistered, -2, nullptr, q};
  return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned) {
  if (!device) return misuse(__func__, cudaErrorInvalidValue, kNull);
  {
    std::lock_guard<std::mutex> lock(registeredMutex);
    if (overlapping(static_cast<char *>(host), 1) != registered().end())
      return unsupported("cudaHostGetDevicePointer of memory from cudaHostRegister");
  }
  PointerInfo i{};
  cudaError_t e = pointer(__func__, host, &i);
  if (e != cudaSuccess) return e;
  if (i.type != cudaMemoryTypeHost) return misuse(__func__, cudaErrorInvalidValue, "not page-locked host memory");
  *device = host;
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
  if (!flags) return misuse(__func__, cudaErrorInvalidValue, kNull);
  PointerInfo i{};
  cudaError_t e = pointer(__func__, host, &i);
  *flags = cudaHostAllocMapped;
  if (e != cudaSuccess || i.type == cudaMemoryTypeHost) return e;
  return misuse(__func__, cudaErrorInvalidValue, "not page-locked host memory");
}

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned flags) {
  cudaError_t e = connectOnce();
  if (e != cudaSuccess) return setLastError(e);
  if (!ptr || size == 0) return misuse(__func__, cudaErrorInvalidValue, "the range is empty");
  std::lock_guard<std::mutex> lock(registeredMutex);
  char *p = static_cast<char *>(ptr);
  if (overlapping(p, size) != registered().end())
    return misuse(__func__, cudaErrorHostMemoryAlreadyRegistered, "a part of the range is registered already");
  registered()[p] = {size, flags};
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *ptr) {
  std::lock_guard<std::mutex> lock(registeredMutex);
  if (registered().erase(static_cast<char *>(ptr)) == 0)
    return misuse(__func__, cudaErrorHostMemoryNotRegistered, "not the start of a registered range");
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *p, size_t, int, cudaStream_t) {
  PointerInfo i{};
  cudaError_t e = pointer(__func__, p, &i);
  if (e != cudaSuccess || i.type == cudaMemoryTypeManaged) return e;
  return misuse(__func__, cudaErrorInvalidValue, "not managed memory");
}

cudaError_t cudaMemAdvise(const void *p, size_t, cudaMemoryAdvise, int) {
  PointerInfo i{};
  cudaError_t e = pointer(__func__, p, &i);
  if (e != cudaSuccess || i.type == cudaMemoryTypeManaged) return e;
  return misuse(__func__, cudaErrorInvalidValue, "not managed memory");
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  if (!pool) return misuse(__func__, cudaErrorInvalidValue, kNull);
  *pool = reinterpret_cast<cudaMemPool_t>(0x1);
  return cudaSetDevice(device);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) { return cudaDeviceGetDefaultMemPool(pool, device); }
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t) { return cudaSetDevice(device); }

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *) {
  return cudaDeviceGetDefaultMemPool(pool, 0);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return cudaSetDevice(0); }
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSetDevice(0); }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) { return cudaSetDevice(0); }

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *value) {
  if (!value) return misuse(__func__, cudaErrorInvalidValue, kNull);
  *static_cast<uint64_t *>(value) = 0;
  return cudaSetDevice(0);
}

} // extern "C"
