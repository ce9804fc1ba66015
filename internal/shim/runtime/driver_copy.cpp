// The driver API: copies of boxes, between memory and arrays, and batches of
// copies.
#include "driver_handles.h"

#include "array.h"
#include "memory.h"

namespace warpgrind {
namespace {

// One side of a copy: memory, or an array.
struct Side {
  CUmemorytype type;
  const void *host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z, pitch, height;
};

bool fill(const Side &s, const cudaExtent &extent, cudaArray_t *array, cudaPos *pos, cudaPitchedPtr *ptr) {
  *pos = {s.x, s.y, s.z};
  switch (s.type) {
  case CU_MEMORYTYPE_ARRAY:
    *array = runtime(s.array);
    if (checkArray(*array) != cudaSuccess) return false;
    pos->x /= (*array)->element(); // the runtime API counts elements
    return true;
  case CU_MEMORYTYPE_HOST: ptr->ptr = const_cast<void *>(s.host); break;
  case CU_MEMORYTYPE_DEVICE:
  case CU_MEMORYTYPE_UNIFIED: ptr->ptr = pointer(s.device); break;
  default: return false;
  }
  ptr->pitch = s.pitch ? s.pitch : extent.width + s.x;
  ptr->xsize = ptr->pitch;
  ptr->ysize = s.height ? s.height : extent.height;
  return true;
}

cudaError_t parmsOf(const Side &src, const Side &dst, cudaExtent extent, cudaMemcpy3DParms *p) {
  *p = {};
  p->kind = cudaMemcpyDefault;
  p->extent = extent;
  if (!fill(src, extent, &p->srcArray, &p->srcPos, &p->srcPtr) ||
      !fill(dst, extent, &p->dstArray, &p->dstPos, &p->dstPtr))
    return invalid("a side of the copy is neither memory nor an array");
  if (cudaArray_t array = p->srcArray ? p->srcArray : p->dstArray) p->extent.width /= array->element();
  return cudaSuccess;
}

cudaError_t copy(const Side &src, const Side &dst, cudaExtent extent, bool async, CUstream stream) {
  cudaMemcpy3DParms p;
  if (cudaError_t e = parmsOf(src, dst, extent, &p)) return e;
  return copyParms(&p, async, stream);
}

cudaError_t copy2D(const CUDA_MEMCPY2D *c, bool async, CUstream stream) {
  if (!c) return invalid("the parameters are null");
  Side src{c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY, 0, c->srcPitch, 0};
  Side dst{c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY, 0, c->dstPitch, 0};
  return copy(src, dst, {c->WidthInBytes, c->Height, 1}, async, stream);
}

// The sides of CUDA_MEMCPY3D and CUDA_MEMCPY3D_PEER.
template <class C> Side sourceOf(const C &c) {
  return {c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY, c.srcZ, c.srcPitch, c.srcHeight};
}
template <class C> Side targetOf(const C &c) {
  return {c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY, c.dstZ, c.dstPitch, c.dstHeight};
}

template <class C> cudaError_t copy3D(const C *c, bool async, CUstream stream) {
  if (!c) return invalid("the parameters are null");
  return copy(sourceOf(*c), targetOf(*c), {c->WidthInBytes, c->Height, c->Depth}, async, stream);
}

// A side as the driver API describes it.
Side sideOf(cudaArray_t array, const cudaPos &pos, const cudaPitchedPtr &ptr) {
  Side s{};
  s.x = pos.x, s.y = pos.y, s.z = pos.z;
  if (array) {
    s.type = CU_MEMORYTYPE_ARRAY;
    s.array = reinterpret_cast<CUarray>(array);
    s.x *= array->element();
    return s;
  }
  PointerInfo i{};
  pointerInfo(ptr.ptr, &i);
  bool host = i.type == cudaMemoryTypeUnregistered || i.type == cudaMemoryTypeHost;
  s.type = host ? CU_MEMORYTYPE_HOST : i.type == cudaMemoryTypeManaged ? CU_MEMORYTYPE_UNIFIED : CU_MEMORYTYPE_DEVICE;
  s.host = host ? ptr.ptr : nullptr;
  s.device = host ? 0 : address(ptr.ptr);
  s.pitch = ptr.pitch;
  s.height = ptr.ysize;
  return s;
}

} // namespace

cudaError_t parmsOf(const CUDA_MEMCPY3D *c, cudaMemcpy3DParms *out) {
  if (!c) return invalid("the parameters are null");
  return parmsOf(sourceOf(*c), targetOf(*c), {c->WidthInBytes, c->Height, c->Depth}, out);
}

CUDA_MEMCPY3D copyOf(const cudaMemcpy3DParms &p) {
  Side s = sideOf(p.srcArray, p.srcPos, p.srcPtr), d = sideOf(p.dstArray, p.dstPos, p.dstPtr);
  cudaArray_t array = p.srcArray ? p.srcArray : p.dstArray;
  CUDA_MEMCPY3D c{};
  c.srcXInBytes = s.x, c.srcY = s.y, c.srcZ = s.z;
  c.srcMemoryType = s.type, c.srcHost = s.host, c.srcDevice = s.device, c.srcArray = s.array;
  c.srcPitch = s.pitch, c.srcHeight = s.height;
  c.dstXInBytes = d.x, c.dstY = d.y, c.dstZ = d.z;
  c.dstMemoryType = d.type, c.dstHost = const_cast<void *>(d.host), c.dstDevice = d.device, c.dstArray = d.array;
  c.dstPitch = d.pitch, c.dstHeight = d.height;
  c.WidthInBytes = p.extent.width * (array ? array->element() : 1), c.Height = p.extent.height, c.Depth = p.extent.depth;
  return c;
}

namespace core {

cudaError_t cuMemcpy2D(const CUDA_MEMCPY2D *c) { return copy2D(c, false, nullptr); }
cudaError_t cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *c) { return copy2D(c, false, nullptr); }
cudaError_t cuMemcpy2DAsync(const CUDA_MEMCPY2D *c, CUstream stream) {
  return copy2D(c, true, stream);
}

cudaError_t cuMemcpy3D(const CUDA_MEMCPY3D *c) { return copy3D(c, false, nullptr); }
cudaError_t cuMemcpy3DAsync(const CUDA_MEMCPY3D *c, CUstream stream) {
  return copy3D(c, true, stream);
}

cudaError_t cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *c) { return copy3D(c, false, nullptr); }
cudaError_t cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *c, CUstream stream) {
  return copy3D(c, true, stream);
}

static_assert(sizeof(CUmemcpyAttributes) == sizeof(cudaMemcpyAttributes), "the structures differ");
static_assert(sizeof(CUDA_MEMCPY3D_BATCH_OP) == sizeof(cudaMemcpy3DBatchOp), "the structures differ");

} // namespace core
} // namespace warpgrind
