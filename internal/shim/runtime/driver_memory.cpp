// The driver API: memory, plain copies, fills and pools.
#include "driver.h"

#include "memory.h"

namespace warpgrind {
namespace {

cudaError_t allocated(cudaError_t e, CUdeviceptr *out, void *p) {
  if (e == cudaSuccess) *out = address(p);
  return e;
}

cudaError_t copy(CUdeviceptr dst, CUdeviceptr src, size_t n, cudaMemcpyKind kind, bool async = false,
                 CUstream stream = nullptr) {
  return copyBytes(pointer(dst), pointer(src), n, kind, async, stream);
}

// Fills rows of width elements of size bytes.
cudaError_t set(CUdeviceptr dst, size_t pitch, uint32_t value, uint8_t size, size_t width, size_t height,
                bool async, CUstream stream) {
  size_t bytes = width * size;
  Area a{pointer(dst), bytes, height, 1, height > 1 ? pitch : bytes, 0, value, size};
  return fillArea(a, async, stream);
}

cudaError_t attribute(void *data, CUpointer_attribute which, CUdeviceptr p) {
  if (!data) return invalid("the result pointer is null");
  PointerInfo i{};
  cudaError_t e = pointerInfo(pointer(p), &i);
  if (e != cudaSuccess) return e;
  if (i.type == cudaMemoryTypeUnregistered) return invalid("not memory of CUDA");
  bool host = i.type == cudaMemoryTypeHost;
  switch (which) {
  case CU_POINTER_ATTRIBUTE_CONTEXT: *static_cast<Context **>(data) = primaryContext(i.device); break;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: *static_cast<unsigned *>(data) = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE; break;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *static_cast<CUdeviceptr *>(data) = deviceView(p); break;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    if (i.type == cudaMemoryTypeDevice) return invalid("the host cannot access device memory");
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
  default: return invalid("no such attribute");
  }
  return cudaSuccess;
}

} // namespace

namespace core {

cudaError_t cuMemAlloc(CUdeviceptr *out, size_t bytes) {
  if (!out || bytes == 0) return invalid("the size is 0 or the result null");
  void *p = pointer(*out);
  cudaError_t e = allocate(kDevice, &p, bytes);
  return allocated(e, out, p);
}

cudaError_t cuMemAllocPitch(CUdeviceptr *out, size_t *pitch, size_t width, size_t height, unsigned elementSize) {
  if (!out || width == 0 || height == 0) return invalid("the size is 0 or the result null");
  if (elementSize != 4 && elementSize != 8 && elementSize != 16)
    return invalid("the element size must be 4, 8 or 16");
  void *p = pointer(*out);
  cudaError_t e = core::cudaMallocPitch(&p, pitch, width, height);
  return allocated(e, out, p);
}

cudaError_t cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr p) {
  PointerInfo i{};
  cudaError_t e = pointerInfo(pointer(p), &i);
  if (e == cudaSuccess && i.type == cudaMemoryTypeUnregistered)
    return misuse(cudaErrorSymbolNotFound, "not memory of CUDA");
  if (base) *base = i.base;
  if (size) *size = i.size;
  return e;
}

cudaError_t cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t n) {
  return copy(dst, src, n, cudaMemcpyDefault);
}

cudaError_t cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream stream) {
  return copy(dst, src, n, cudaMemcpyDefault, true, stream);
}

cudaError_t cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t n) {
  return copy(dst, address(src), n, cudaMemcpyHostToDevice);
}

cudaError_t cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t n) {
  return copy(address(dst), src, n, cudaMemcpyDeviceToHost);
}

cudaError_t cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t n) {
  return copy(dst, src, n, cudaMemcpyDeviceToDevice);
}

cudaError_t cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t n, CUstream stream) {
  return copy(dst, address(src), n, cudaMemcpyHostToDevice, true, stream);
}

cudaError_t cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t n, CUstream stream) {
  return copy(address(dst), src, n, cudaMemcpyDeviceToHost, true, stream);
}

cudaError_t cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream stream) {
  return copy(dst, src, n, cudaMemcpyDeviceToDevice, true, stream);
}

cudaError_t cuMemcpyPeer(CUdeviceptr dst, CUcontext, CUdeviceptr src, CUcontext, size_t n) {
  return copy(dst, src, n, cudaMemcpyDeviceToDevice);
}

cudaError_t cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext, CUdeviceptr src, CUcontext, size_t n, CUstream stream) {
  return copy(dst, src, n, cudaMemcpyDeviceToDevice, true, stream);
}

// cuMemsetD8, D16 and D32, for one row and for several.
#define MEMSET(BITS, TYPE)                                                                                     \
  cudaError_t cuMemsetD##BITS(CUdeviceptr dst, TYPE value, size_t count) {                                     \
    return set(dst, 0, value, BITS / 8, count, 1, false, nullptr);                                   \
  }                                                                                                            \
  cudaError_t cuMemsetD##BITS##Async(CUdeviceptr dst, TYPE value, size_t count, CUstream stream) {             \
    return set(dst, 0, value, BITS / 8, count, 1, true, stream);                                     \
  }                                                                                                            \
  cudaError_t cuMemsetD2D##BITS(CUdeviceptr dst, size_t pitch, TYPE value, size_t width, size_t height) {      \
    return set(dst, pitch, value, BITS / 8, width, height, false, nullptr);                          \
  }                                                                                                            \
  cudaError_t cuMemsetD2D##BITS##Async(CUdeviceptr dst, size_t pitch, TYPE value, size_t width, size_t height, \
                                    CUstream stream) {                                                         \
    return set(dst, pitch, value, BITS / 8, width, height, true, stream);                            \
  }

MEMSET(8, unsigned char)
MEMSET(16, unsigned short)
MEMSET(32, unsigned)

cudaError_t cuPointerGetAttribute(void *data, CUpointer_attribute which, CUdeviceptr p) {
  return attribute(data, which, p);
}

cudaError_t cuPointerGetAttributes(unsigned count, CUpointer_attribute *which, void **data, CUdeviceptr p) {
  if (!which || !data) return invalid("a pointer is null");
  PointerInfo i{};
  cudaError_t e = pointerInfo(pointer(p), &i);
  for (unsigned k = 0; k < count && e == cudaSuccess && i.type != cudaMemoryTypeUnregistered; k++)
    if (cudaError_t r = attribute(data[k], which[k], p)) return r;
  return e;
}

cudaError_t cuPointerSetAttribute(const void *value, CUpointer_attribute which, CUdeviceptr) {
  if (!value || which != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) return invalid("the attribute cannot be set");
  return cudaSuccess; // copies are synchronous
}

} // namespace core
} // namespace warpgrind
