// Allocation, copies and fills of the runtime API.
#include "memory.h"
#include "lasting.h"

#include <mutex>
#include <set>

#include "array.h"
#include "capture.h"
#include "client.h"
#include "hostwatch.h"
#include "registry.h"

namespace warpgrind {
namespace {

constexpr const char *kNull = "the result pointer is null";
constexpr size_t kPitchAlign = 512;

// Sends the bytes of a copy that the server carries out later.
void stage(const Box &b) {
  std::string bytes;
  const char *src = static_cast<const char *>(accessible(b.src));
  for (size_t z = 0; z < b.depth; z++)
    for (size_t y = 0; y < b.height; y++) bytes.append(src + z * b.srcSlice + y * b.srcPitch, b.width);
  Call(protocol::Stage({bytes.data(), bytes.size()})).send();
}

void move(const Box &b) {
  char *dst = static_cast<char *>(accessible(b.dst));
  const char *src = static_cast<const char *>(accessible(b.src));
  for (size_t z = 0; z < b.depth; z++)
    for (size_t y = 0; y < b.height; y++)
      memmove(dst + z * b.dstSlice + y * b.dstPitch, src + z * b.srcSlice + y * b.srcPitch, b.width);
}

cudaError_t copy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                   size_t height, cudaMemcpyKind kind, bool async, cudaStream_t stream) {
  if (width > dpitch || width > spitch)
    return misuse(cudaErrorInvalidPitchValue, "the width is greater than a pitch", MisuseKind::Pitch);
  return copyBox({static_cast<char *>(dst), static_cast<const char *>(src), width, height, 1, dpitch, spitch, 0, 0},
                 kind, async, stream);
}

const char *at(const cudaPitchedPtr &p, const cudaPos &pos) {
  return static_cast<const char *>(p.ptr) + pos.x + pos.y * p.pitch + pos.z * p.pitch * p.ysize;
}

cudaError_t copy3D(const cudaMemcpy3DParms *p, bool async, cudaStream_t stream) {
  Box b;
  cudaError_t e;
  return boxOf(p, &b, &e) ? copyBox(b, p->kind, async, stream) : e;
}

cudaError_t copyPeer(const cudaMemcpy3DPeerParms *p, bool async, cudaStream_t stream) {
  if (!p) return invalid("the parameters are null");
  cudaMemcpy3DParms q{p->srcArray, p->srcPos, p->srcPtr,  p->dstArray,
                      p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDefault};
  return copy3D(&q, async, stream);
}

cudaError_t fillBytes(void *dst, size_t pitch, size_t slice, int value, cudaExtent e, bool async, cudaStream_t stream) {
  return fillArea({dst, e.width, e.height, e.depth, pitch, slice, static_cast<uint8_t>(value), 1}, async, stream);
}

struct GraphBlocks {
  std::mutex mutex;
  std::set<void *> set;
};

GraphBlocks &graphMemory() {
  static Lasting<GraphBlocks> m;
  return m.get();
}

} // namespace

void addGraphMemory(void *p) {
  std::lock_guard<std::mutex> lock(graphMemory().mutex);
  graphMemory().set.insert(p);
}

bool isGraphMemory(void *p) {
  std::lock_guard<std::mutex> lock(graphMemory().mutex);
  return graphMemory().set.count(p) > 0;
}

cudaError_t allocate(MemoryKind kind, void **out, size_t size, const InStream *in, Rows rows) {
  if (!out) return invalid(kNull);
  if (cudaError_t e = forbiddenInCapture()) return e;
  Call c{protocol::Alloc(kind, size, rows.width, rows.pitch, in, in ? in->stream : nullptr, nullptr)};
  if (c.send()) *out = c.reply.address;
  else failedAllocation = {*out, size};
  return c.result();
}

thread_local FailedAllocation failedAllocation;

cudaError_t release(void *p, bool host, const InStream *in) {
  if (cudaError_t e = forbiddenInCapture()) return e;
  Call c{protocol::Free(p, host, in, in ? in->stream : nullptr)};
  c.send();
  return c.result();
}

cudaError_t copyBox(const Box &given, cudaMemcpyKind kind, bool async, cudaStream_t stream) {
  Box b = given;
  b.dst = reinterpret_cast<char *>(deviceView(reinterpret_cast<uintptr_t>(b.dst)));
  b.src = reinterpret_cast<char *>(deviceView(reinterpret_cast<uintptr_t>(b.src)));
  if (async && isCapturing(stream)) return captureCopy(stream, b, kind);
  if (cudaError_t e = async ? cudaSuccess : forbiddenInCapture()) return e;
  Call c{protocol::Copy(static_cast<uint32_t>(kind), async, stream, b.dst, b.src, b.width, b.height, b.depth, b.dstPitch,
                             b.srcPitch, b.dstSlice, b.srcSlice)};
  pushManaged();
  if (c.send()) {
    if (c.reply.carrier == Carrier::Now) move(b);
    if (c.reply.carrier == Carrier::Staged) stage(b);
    if (!async && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) noteDone(streamNumber(stream));
  }
  pullManaged();
  return c.result();
}

cudaError_t copyBytes(void *dst, const void *src, size_t n, cudaMemcpyKind kind, bool async, cudaStream_t stream) {
  return copyBox({static_cast<char *>(dst), static_cast<const char *>(src), n, 1, 1, n, n, n, n}, kind, async, stream);
}

cudaError_t copyParms(const cudaMemcpy3DParms *p, bool async, cudaStream_t stream) {
  return copy3D(p, async, stream);
}

bool boxOf(const cudaMemcpy3DParms *given, Box *out, cudaError_t *error) {
  if (!given) {
    *error = invalid("the parameters are null");
    return false;
  }
  cudaMemcpy3DParms parms = *given;
  if ((*error = withoutArrays(&parms)) != cudaSuccess) return false;
  const cudaMemcpy3DParms *p = &parms;
  const cudaExtent &e = p->extent;
  if (e.height * e.depth > 1 && (e.width > p->dstPtr.pitch || e.width > p->srcPtr.pitch)) {
    *error = misuse(cudaErrorInvalidPitchValue, "the width is greater than a pitch", MisuseKind::Pitch);
    return false;
  }
  *out = {const_cast<char *>(at(p->dstPtr, p->dstPos)), at(p->srcPtr, p->srcPos), e.width, e.height, e.depth,
          p->dstPtr.pitch, p->srcPtr.pitch, p->dstPtr.pitch * p->dstPtr.ysize, p->srcPtr.pitch * p->srcPtr.ysize};
  return true;
}

cudaError_t fillArea(const Area &given, bool async, cudaStream_t stream) {
  Area a = given;
  if (a.width > a.pitch && a.height > 1)
    return invalid("the width is greater than the pitch");
  if (reinterpret_cast<uintptr_t>(a.dst) % a.size || a.pitch % a.size)
    return invalid("the address or the pitch is not a multiple of the element size");
  a.dst = reinterpret_cast<void *>(deviceView(reinterpret_cast<uintptr_t>(a.dst)));
  if (async && isCapturing(stream)) return captureFill(stream, a);
  if (cudaError_t e = async ? cudaSuccess : forbiddenInCapture()) return e;
  Call c{protocol::Set(async, stream, a.dst, {&a.value, a.size}, a.width, a.height, a.depth, a.pitch, a.slice)};
  pushManaged();
  c.send();
  pullManaged();
  return c.result();
}

cudaError_t pointerInfo(const void *p, PointerInfo *out) {
  Call c{protocol::PointerInfo(deviceView(reinterpret_cast<uintptr_t>(p)))};
  if (c.send()) {
    out->type = c.reply.type;
    out->base = c.reply.base;
    out->size = c.reply.size;
    out->device = visibleDevice(static_cast<int>(c.reply.device));
  }
  return c.result();
}

namespace core {

cudaError_t cudaMalloc(void **p, size_t size) { return allocate(kDevice, p, size); }
cudaError_t cudaMallocHost(void **p, size_t size) { return allocate(kPinned, p, size); }

cudaError_t cudaMallocManaged(void **p, size_t size, unsigned flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
    return invalid("flags must be cudaMemAttachGlobal or cudaMemAttachHost");
  if (size == 0) return invalid("the size is 0");
  return allocate(kManaged, p, size);
}

cudaError_t cudaHostAlloc(void **p, size_t size, unsigned flags) {
  if (flags > 7) return invalid("unknown flags");
  return allocate(kPinned, p, size);
}

cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height) {
  if (!pitch) return invalid(kNull);
  size_t rounded = (width + kPitchAlign - 1) / kPitchAlign * kPitchAlign;
  if (height && rounded > SIZE_MAX / height) return misuse(cudaErrorMemoryAllocation, "size overflow");
  *pitch = rounded;
  return allocate(kDevice, p, rounded * height, nullptr, {width, rounded});
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *p, cudaExtent e) {
  if (!p) return invalid(kNull);
  size_t rounded = (e.width + kPitchAlign - 1) / kPitchAlign * kPitchAlign, bytes;
  if (__builtin_mul_overflow(rounded, e.height, &bytes) || __builtin_mul_overflow(bytes, e.depth, &bytes))
    return misuse(cudaErrorMemoryAllocation, "size overflow");
  *p = {nullptr, rounded, e.width, e.height};
  return allocate(kDevice, &p->ptr, bytes, nullptr, {e.width, rounded});
}

cudaError_t cudaFree(void *p) { return release(p, false); }
cudaError_t cudaFreeHost(void *p) { return release(p, true); }

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  Call c{protocol::MemInfo()};
  if (c.send()) {
    if (free) *free = c.reply.free;
    if (total) *total = c.reply.total;
  }
  return c.result();
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t n, cudaMemcpyKind kind) {
  return copyBytes(dst, src, n, kind);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t n, cudaMemcpyKind kind, cudaStream_t stream) {
  return copyBytes(dst, src, n, kind, true, stream);
}

cudaError_t cudaMemcpyPeer(void *dst, int, const void *src, int, size_t n) {
  return copyBytes(dst, src, n, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int, const void *src, int, size_t n, cudaStream_t stream) {
  return copyBytes(dst, src, n, cudaMemcpyDeviceToDevice, true, stream);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return copy2D(dst, dpitch, src, spitch, width, height, kind, false, nullptr);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return copy2D(dst, dpitch, src, spitch, width, height, kind, true, stream);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p) {
  return copy3D(p, false, nullptr);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream) {
  return copy3D(p, true, stream);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *p) {
  return copyPeer(p, false, nullptr);
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *p, cudaStream_t stream) {
  return copyPeer(p, true, stream);
}

cudaError_t cudaMemset(void *p, int value, size_t n) {
  return fillBytes(p, n, n, value, {n, 1, 1}, false, nullptr);
}

cudaError_t cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t stream) {
  return fillBytes(p, n, n, value, {n, 1, 1}, true, stream);
}

cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height) {
  return fillBytes(p, pitch, 0, value, {width, height, 1}, false, nullptr);
}

cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return fillBytes(p, pitch, 0, value, {width, height, 1}, true, stream);
}

cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent e) {
  return fillBytes(p.ptr, p.pitch, p.pitch * p.ysize, value, e, false, nullptr);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent e, cudaStream_t stream) {
  return fillBytes(p.ptr, p.pitch, p.pitch * p.ysize, value, e, true, stream);
}

} // namespace core

extern "C" __attribute__((weak)) cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                                             cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

} // namespace warpgrind
