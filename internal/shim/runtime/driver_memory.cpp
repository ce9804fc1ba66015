// The driver API: memory, plain copies, fills and pools.
#include "driver.h"

#include "memory.h"

using namespace warpgrind;

namespace {

CUresult allocated(cudaError_t e, CUdeviceptr *out, void *p) {
  if (e == cudaSuccess) *out = address(p);
  return result(e);
}

CUresult copy(const char *api, CUdeviceptr dst, CUdeviceptr src, size_t n, cudaMemcpyKind kind, bool async = false,
              CUstream stream = nullptr) {
  NEEDS_CONTEXT;
  return result(copyBytes(api, pointer(dst), pointer(src), n, kind, async, stream));
}

// Fills rows of width elements of size bytes.
CUresult set(const char *api, CUdeviceptr dst, size_t pitch, uint32_t value, uint8_t size, size_t width, size_t height,
             bool async, CUstream stream) {
  NEEDS_CONTEXT;
  size_t bytes = width * size;
  Area a{pointer(dst), bytes, height, 1, height > 1 ? pitch : bytes, 0, value, size};
  return result(fillArea(api, a, async, stream));
}

CUresult attribute(const char *api, void *data, CUpointer_attribute which, CUdeviceptr p) {
  if (!data) return invalid(api, "the result pointer is null");
  PointerInfo i{};
  cudaError_t e = pointerInfo(api, pointer(p), &i);
  if (e != cudaSuccess) return result(e);
  if (i.type == cudaMemoryTypeUnregistered) return invalid(api, "not memory of CUDA");
  bool host = i.type == cudaMemoryTypeHost;
  switch (which) {
  case CU_POINTER_ATTRIBUTE_CONTEXT: *static_cast<Context **>(data) = primaryContext(i.device); break;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: *static_cast<unsigned *>(data) = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE; break;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *static_cast<CUdeviceptr *>(data) = deviceView(p); break;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    if (i.type == cudaMemoryTypeDevice) return invalid(api, "the host cannot access device memory");
    *static_cast<void **>(data) = pointer(p);
    break;
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: *static_cast<unsigned *>(data) = 1; break;
  case CU_POINTER_ATTRIBUTE_BUFFER_ID: *static_cast<unsigned long long *>(data) = i.base; break;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED: *static_cast<unsigned *>(data) = i.type == cudaMemoryTypeManaged; break;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *static_cast<int *>(data) = i.device; break;
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *static_cast<CUdeviceptr *>(data) = i.base; break;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *static_cast<size_t *>(data) = i.size; break;
  case CU_POINTER_ATTRIBUTE_MAPPED: *static_cast<unsigned char *>(data) = 1; break;
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: *static_cast<int *>(data) = 0; break;
  case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: *static_cast<unsigned long long *>(data) = 0; break;
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    *static_cast<unsigned *>(data) = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE;
    break;
  case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: *static_cast<CUdeviceptr *>(data) = i.base; break;
  case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: *static_cast<size_t *>(data) = i.size; break;
  case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: *static_cast<unsigned long long *>(data) = i.base; break;
  default: return invalid(api, "no such attribute");
  }
  return CUDA_SUCCESS;
}

cudaMemLocation runtime(CUmemLocation l) { return {static_cast<cudaMemLocationType>(l.type), l.id}; }
cudaMemPool_t pool(CUmemoryPool p) { return reinterpret_cast<cudaMemPool_t>(p); }

} // namespace

extern "C" {

CUresult cuMemGetInfo(size_t *free, size_t *total) {
  NEEDS_CONTEXT;
  return result(cudaMemGetInfo(free, total));
}

CUresult cuMemAlloc(CUdeviceptr *out, size_t bytes) {
  NEEDS_CONTEXT;
  if (!out || bytes == 0) return invalid(__func__, "the size is 0 or the result null");
  void *p = nullptr;
  cudaError_t e = allocate(__func__, kDevice, &p, bytes);
  return allocated(e, out, p);
}

CUresult cuMemAllocPitch(CUdeviceptr *out, size_t *pitch, size_t width, size_t height, unsigned elementSize) {
  NEEDS_CONTEXT;
  if (!out || width == 0 || height == 0) return invalid(__func__, "the size is 0 or the result null");
  if (elementSize != 4 && elementSize != 8 && elementSize != 16)
    return invalid(__func__, "the element size must be 4, 8 or 16");
  void *p = nullptr;
  cudaError_t e = cudaMallocPitch(&p, pitch, width, height);
  return allocated(e, out, p);
}

CUresult cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned flags) {
  NEEDS_CONTEXT;
  if (!out) return invalid(__func__, "the result pointer is null");
  void *p = nullptr;
  cudaError_t e = cudaMallocManaged(&p, bytes, flags);
  return allocated(e, out, p);
}

CUresult cuMemAllocHost(void **p, size_t bytes) {
  NEEDS_CONTEXT;
  return result(allocate(__func__, kPinned, p, bytes));
}

CUresult cuMemHostAlloc(void **p, size_t bytes, unsigned flags) {
  NEEDS_CONTEXT;
  return result(cudaHostAlloc(p, bytes, flags));
}

CUresult cuMemHostRegister(void *p, size_t bytes, unsigned flags) {
  NEEDS_CONTEXT;
  return result(cudaHostRegister(p, bytes, flags));
}

CUresult cuMemHostUnregister(void *p) {
  NEEDS_CONTEXT;
  return result(cudaHostUnregister(p));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *out, void *host, unsigned flags) {
  NEEDS_CONTEXT;
  void *p = nullptr;
  cudaError_t e = cudaHostGetDevicePointer(&p, host, flags);
  return allocated(e, out, p);
}

CUresult cuMemHostGetFlags(unsigned *flags, void *p) { DRIVER_CALL; return result(cudaHostGetFlags(flags, p)); }

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr p) {
  NEEDS_CONTEXT;
  PointerInfo i{};
  cudaError_t e = pointerInfo(__func__, pointer(p), &i);
  if (e == cudaSuccess && i.type == cudaMemoryTypeUnregistered)
    return result(misuse(__func__, cudaErrorSymbolNotFound, "not memory of CUDA"));
  if (base) *base = i.base;
  if (size) *size = i.size;
  return result(e);
}

CUresult cuMemFree(CUdeviceptr p) {
  NEEDS_CONTEXT;
  return result(release(__func__, pointer(p), false));
}

CUresult cuMemFreeHost(void *p) {
  NEEDS_CONTEXT;
  return result(release(__func__, p, true));
}

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t n) {
  DRIVER_CALL;
  return copy(__func__, dst, src, n, cudaMemcpyDefault);
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream stream) {
  DRIVER_CALL;
  return copy(__func__, dst, src, n, cudaMemcpyDefault, true, stream);
}

CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t n) {
  DRIVER_CALL;
  return copy(__func__, dst, address(src), n, cudaMemcpyHostToDevice);
}

CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t n) {
  DRIVER_CALL;
  return copy(__func__, address(dst), src, n, cudaMemcpyDeviceToHost);
}

CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t n) {
  DRIVER_CALL;
  return copy(__func__, dst, src, n, cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t n, CUstream stream) {
  DRIVER_CALL;
  return copy(__func__, dst, address(src), n, cudaMemcpyHostToDevice, true, stream);
}

CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t n, CUstream stream) {
  DRIVER_CALL;
  return copy(__func__, address(dst), src, n, cudaMemcpyDeviceToHost, true, stream);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream stream) {
  DRIVER_CALL;
  return copy(__func__, dst, src, n, cudaMemcpyDeviceToDevice, true, stream);
}

CUresult cuMemcpyPeer(CUdeviceptr dst, CUcontext, CUdeviceptr src, CUcontext, size_t n) {
  DRIVER_CALL;
  return copy(__func__, dst, src, n, cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext, CUdeviceptr src, CUcontext, size_t n, CUstream stream) {
  DRIVER_CALL;
  return copy(__func__, dst, src, n, cudaMemcpyDeviceToDevice, true, stream);
}

// cuMemsetD8, D16 and D32, for one row and for several.
#define MEMSET(BITS, TYPE)                                                                                          \
  CUresult cuMemsetD##BITS(CUdeviceptr dst, TYPE value, size_t count) {                                             \
    DRIVER_CALL;                                                                                                    \
    return set(__func__, dst, 0, value, BITS / 8, count, 1, false, nullptr);                                        \
  }                                                                                                                 \
  CUresult cuMemsetD##BITS##Async(CUdeviceptr dst, TYPE value, size_t count, CUstream stream) {                     \
    DRIVER_CALL;                                                                                                    \
    return set(__func__, dst, 0, value, BITS / 8, count, 1, true, stream);                                          \
  }                                                                                                                 \
  CUresult cuMemsetD2D##BITS(CUdeviceptr dst, size_t pitch, TYPE value, size_t width, size_t height) {              \
    DRIVER_CALL;                                                                                                    \
    return set(__func__, dst, pitch, value, BITS / 8, width, height, false, nullptr);                               \
  }                                                                                                                 \
  CUresult cuMemsetD2D##BITS##Async(CUdeviceptr dst, size_t pitch, TYPE value, size_t width, size_t height,         \
                                    CUstream stream) {                                                              \
    DRIVER_CALL;                                                                                                    \
    return set(__func__, dst, pitch, value, BITS / 8, width, height, true, stream);                                 \
  }

MEMSET(8, unsigned char)
MEMSET(16, unsigned short)
MEMSET(32, unsigned)

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute which, CUdeviceptr p) {
  DRIVER_CALL;
  if (!initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  return attribute(__func__, data, which, p);
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *which, void **data, CUdeviceptr p) {
  DRIVER_CALL;
  if (!initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!which || !data) return invalid(__func__, "a pointer is null");
  PointerInfo i{};
  cudaError_t e = pointerInfo(__func__, pointer(p), &i);
  for (unsigned k = 0; k < count && e == cudaSuccess && i.type != cudaMemoryTypeUnregistered; k++)
    if (CUresult r = attribute(__func__, data[k], which[k], p)) return r;
  return result(e);
}

CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute which, CUdeviceptr) {
  DRIVER_CALL;
  if (!value || which != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) return invalid(__func__, "the attribute cannot be set");
  return CUDA_SUCCESS; // copies are synchronous
}

CUresult cuMemPrefetchAsync(CUdeviceptr p, size_t bytes, CUdevice device, CUstream stream) {
  NEEDS_CONTEXT;
  return result(cudaMemPrefetchAsync(pointer(p), bytes, device, stream));
}

CUresult cuMemAdvise(CUdeviceptr p, size_t bytes, CUmem_advise advice, CUdevice device) {
  NEEDS_CONTEXT;
  return result(cudaMemAdvise(pointer(p), bytes, static_cast<cudaMemoryAdvise>(advice), device));
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr p, size_t bytes, CUmemLocation location, unsigned flags, CUstream stream) {
  NEEDS_CONTEXT;
  return result(cudaMemPrefetchAsync_v2(pointer(p), bytes, runtime(location), flags, stream));
}

CUresult cuMemAdvise_v2(CUdeviceptr p, size_t bytes, CUmem_advise advice, CUmemLocation location) {
  NEEDS_CONTEXT;
  return result(cudaMemAdvise_v2(pointer(p), bytes, static_cast<cudaMemoryAdvise>(advice), runtime(location)));
}

CUresult cuMemRangeGetAttributes(void **data, size_t *sizes, CUmem_range_attribute *which, size_t count, CUdeviceptr p,
                                 size_t bytes) {
  NEEDS_CONTEXT;
  return result(cudaMemRangeGetAttributes(data, sizes, reinterpret_cast<cudaMemRangeAttribute *>(which), count,
                                          pointer(p), bytes));
}

CUresult cuMemRangeGetAttribute(void *data, size_t size, CUmem_range_attribute which, CUdeviceptr p, size_t bytes) {
  NEEDS_CONTEXT;
  return result(cudaMemRangeGetAttribute(data, size, static_cast<cudaMemRangeAttribute>(which), pointer(p), bytes));
}

CUresult cuMemAllocAsync(CUdeviceptr *out, size_t bytes, CUstream stream) {
  NEEDS_CONTEXT;
  void *p = nullptr;
  cudaError_t e = cudaMallocAsync(&p, bytes, stream);
  return allocated(e, out, p);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *out, size_t bytes, CUmemoryPool from, CUstream stream) {
  NEEDS_CONTEXT;
  void *p = nullptr;
  cudaError_t e = cudaMallocFromPoolAsync(&p, bytes, pool(from), stream);
  return allocated(e, out, p);
}

CUresult cuMemFreeAsync(CUdeviceptr p, CUstream stream) {
  NEEDS_CONTEXT;
  return result(cudaFreeAsync(pointer(p), stream));
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *out, CUdevice d) {
  DRIVER_CALL;
  return result(cudaDeviceGetDefaultMemPool(reinterpret_cast<cudaMemPool_t *>(out), d));
}

CUresult cuDeviceGetMemPool(CUmemoryPool *out, CUdevice d) {
  DRIVER_CALL;
  return result(cudaDeviceGetMemPool(reinterpret_cast<cudaMemPool_t *>(out), d));
}

CUresult cuDeviceSetMemPool(CUdevice d, CUmemoryPool p) {
  DRIVER_CALL;
  return result(cudaDeviceSetMemPool(d, pool(p)));
}

// The structures of both APIs are the same in memory.
CUresult cuMemPoolCreate(CUmemoryPool *out, const CUmemPoolProps *props) {
  DRIVER_CALL;
  static_assert(sizeof(CUmemPoolProps) == sizeof(cudaMemPoolProps), "the structures differ");
  return result(cudaMemPoolCreate(reinterpret_cast<cudaMemPool_t *>(out),
                                  reinterpret_cast<const cudaMemPoolProps *>(props)));
}

CUresult cuMemPoolDestroy(CUmemoryPool p) { DRIVER_CALL; return result(cudaMemPoolDestroy(pool(p))); }
CUresult cuMemPoolTrimTo(CUmemoryPool p, size_t keep) { DRIVER_CALL; return result(cudaMemPoolTrimTo(pool(p), keep)); }

CUresult cuMemPoolSetAttribute(CUmemoryPool p, CUmemPool_attribute which, void *value) {
  DRIVER_CALL;
  return result(cudaMemPoolSetAttribute(pool(p), static_cast<cudaMemPoolAttr>(which), value));
}

CUresult cuMemPoolGetAttribute(CUmemoryPool p, CUmemPool_attribute which, void *value) {
  DRIVER_CALL;
  return result(cudaMemPoolGetAttribute(pool(p), static_cast<cudaMemPoolAttr>(which), value));
}

CUresult cuMemPoolSetAccess(CUmemoryPool p, const CUmemAccessDesc *list, size_t count) {
  DRIVER_CALL;
  static_assert(sizeof(CUmemAccessDesc) == sizeof(cudaMemAccessDesc), "the structures differ");
  return result(cudaMemPoolSetAccess(pool(p), reinterpret_cast<const cudaMemAccessDesc *>(list), count));
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool p, CUmemLocation *location) {
  DRIVER_CALL;
  return result(cudaMemPoolGetAccess(reinterpret_cast<cudaMemAccessFlags *>(flags), pool(p),
                                     reinterpret_cast<cudaMemLocation *>(location)));
}

} // extern "C"
