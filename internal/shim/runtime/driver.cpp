// The driver API on top of the runtime API. Most error numbers are the same
// in both.
#include "cuda.h"

#include <cstdio>
#include <fstream>
#include <iterator>

#include "client.h"
#include "registry.h"

using namespace warpgrind;

namespace {

CUresult result(cudaError_t e) {
  switch (e) {
  case cudaErrorInvalidConfiguration:
  case cudaErrorInvalidPitchValue:
  case cudaErrorInvalidMemcpyDirection: return CUDA_ERROR_INVALID_VALUE;
  case cudaErrorInvalidSymbol:
  case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_NOT_FOUND;
  default: return static_cast<CUresult>(e);
  }
}

void *pointer(CUdeviceptr p) { return reinterpret_cast<void *>(static_cast<uintptr_t>(p)); }

// There is one context; the calling thread's stack of contexts is not kept.
CUcontext theContext() { return reinterpret_cast<CUcontext>(uintptr_t{0x1000}); }
thread_local CUcontext current = nullptr;

CUresult enter(CUcontext *context, CUdevice device) {
  cudaError_t e = cudaSetDevice(device);
  if (e == cudaSuccess) *context = current = theContext();
  return result(e);
}

CUresult allocated(cudaError_t e, CUdeviceptr *out, void *p) {
  if (e == cudaSuccess) *out = reinterpret_cast<uintptr_t>(p);
  return result(e);
}

CUresult copy(CUdeviceptr dst, CUdeviceptr src, size_t n, cudaMemcpyKind kind) {
  return result(cudaMemcpy(pointer(dst), pointer(src), n, kind));
}

// Fills count values of size bytes each. Only the first pass is a fill; the
// others double what is there.
CUresult fill(CUdeviceptr dst, const void *value, size_t size, size_t count) {
  if (count == 0) return CUDA_SUCCESS;
  cudaError_t e = cudaMemset(pointer(dst), 0, size * count); // checks the range
  if (e != cudaSuccess) return result(e);
  e = cudaMemcpy(pointer(dst), value, size, cudaMemcpyHostToDevice);
  for (size_t done = 1; e == cudaSuccess && done < count; done *= 2) {
    size_t n = done < count - done ? done : count - done;
    e = cudaMemcpy(pointer(dst + done * size), pointer(dst), n * size, cudaMemcpyDeviceToDevice);
  }
  return result(e);
}

const Function &function(CUfunction f) { return *reinterpret_cast<Function *>(f); }

// The parameter bytes that extra names, or null.
const void *extraBytes(void **extra, size_t *size) {
  const void *bytes = nullptr;
  for (; extra && *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) bytes = extra[1];
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) *size = *static_cast<size_t *>(extra[1]);
  }
  return bytes;
}

} // namespace

extern "C" {

CUresult cuInit(unsigned) { return result(setLastError(connectOnce())); }
CUresult cuDriverGetVersion(int *version) { return result(cudaDriverGetVersion(version)); }

CUresult cuGetErrorName(CUresult error, const char **name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
#define NAME(e) \
  case e: *name = #e; return CUDA_SUCCESS;
  switch (error) {
    NAME(CUDA_SUCCESS) NAME(CUDA_ERROR_INVALID_VALUE) NAME(CUDA_ERROR_OUT_OF_MEMORY)
    NAME(CUDA_ERROR_NOT_INITIALIZED) NAME(CUDA_ERROR_DEINITIALIZED) NAME(CUDA_ERROR_PROFILER_DISABLED)
    NAME(CUDA_ERROR_STUB_LIBRARY) NAME(CUDA_ERROR_DEVICE_UNAVAILABLE) NAME(CUDA_ERROR_NO_DEVICE)
    NAME(CUDA_ERROR_INVALID_DEVICE) NAME(CUDA_ERROR_DEVICE_NOT_LICENSED) NAME(CUDA_ERROR_INVALID_IMAGE)
    NAME(CUDA_ERROR_INVALID_CONTEXT) NAME(CUDA_ERROR_CONTEXT_ALREADY_CURRENT) NAME(CUDA_ERROR_MAP_FAILED)
    NAME(CUDA_ERROR_UNMAP_FAILED) NAME(CUDA_ERROR_ARRAY_IS_MAPPED) NAME(CUDA_ERROR_ALREADY_MAPPED)
    NAME(CUDA_ERROR_NO_BINARY_FOR_GPU) NAME(CUDA_ERROR_ALREADY_ACQUIRED) NAME(CUDA_ERROR_NOT_MAPPED)
    NAME(CUDA_ERROR_ECC_UNCORRECTABLE) NAME(CUDA_ERROR_UNSUPPORTED_LIMIT)
    NAME(CUDA_ERROR_CONTEXT_ALREADY_IN_USE) NAME(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED)
    NAME(CUDA_ERROR_INVALID_PTX) NAME(CUDA_ERROR_JIT_COMPILER_NOT_FOUND)
    NAME(CUDA_ERROR_UNSUPPORTED_PTX_VERSION) NAME(CUDA_ERROR_INVALID_SOURCE) NAME(CUDA_ERROR_FILE_NOT_FOUND)
    NAME(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND) NAME(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED)
    NAME(CUDA_ERROR_OPERATING_SYSTEM) NAME(CUDA_ERROR_INVALID_HANDLE) NAME(CUDA_ERROR_ILLEGAL_STATE)
    NAME(CUDA_ERROR_NOT_FOUND) NAME(CUDA_ERROR_NOT_READY) NAME(CUDA_ERROR_ILLEGAL_ADDRESS)
    NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES) NAME(CUDA_ERROR_LAUNCH_TIMEOUT)
    NAME(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING) NAME(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)
    NAME(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED) NAME(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE)
    NAME(CUDA_ERROR_CONTEXT_IS_DESTROYED) NAME(CUDA_ERROR_ASSERT) NAME(CUDA_ERROR_TOO_MANY_PEERS)
    NAME(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED) NAME(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED)
    NAME(CUDA_ERROR_HARDWARE_STACK_ERROR) NAME(CUDA_ERROR_ILLEGAL_INSTRUCTION)
    NAME(CUDA_ERROR_MISALIGNED_ADDRESS) NAME(CUDA_ERROR_INVALID_ADDRESS_SPACE) NAME(CUDA_ERROR_INVALID_PC)
    NAME(CUDA_ERROR_LAUNCH_FAILED) NAME(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE)
    NAME(CUDA_ERROR_NOT_PERMITTED) NAME(CUDA_ERROR_NOT_SUPPORTED) NAME(CUDA_ERROR_SYSTEM_NOT_READY)
    NAME(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH) NAME(CUDA_ERROR_UNKNOWN)
  }
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  cudaError_t e = cudaSetDevice(ordinal);
  if (e == cudaSuccess && device) *device = ordinal;
  return result(e);
}

CUresult cuDeviceGetCount(int *count) { return result(cudaGetDeviceCount(count)); }

CUresult cuDeviceGetName(char *name, int len, CUdevice device) {
  cudaDeviceProp p;
  cudaError_t e = cudaGetDeviceProperties(&p, device);
  if (e == cudaSuccess && name && len > 0) snprintf(name, static_cast<size_t>(len), "%s", p.name);
  return result(e);
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  cudaDeviceProp p;
  cudaError_t e = cudaGetDeviceProperties(&p, device);
  if (e == cudaSuccess && uuid) memcpy(uuid, &p.uuid, sizeof *uuid);
  return result(e);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  cudaDeviceProp p;
  cudaError_t e = cudaGetDeviceProperties(&p, device);
  if (e == cudaSuccess && bytes) *bytes = p.totalGlobalMem;
  return result(e);
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  return result(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  cudaError_t e = cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device);
  return result(e != cudaSuccess ? e : cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  cudaError_t e = cudaSetDevice(device);
  if (e == cudaSuccess) *context = theContext();
  return result(e);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return result(cudaSetDevice(device)); }
CUresult cuDevicePrimaryCtxReset(CUdevice) { return result(cudaDeviceReset()); }
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned) { return result(cudaSetDevice(device)); }
CUresult cuCtxCreate(CUcontext *context, unsigned, CUdevice device) { return enter(context, device); }

CUresult cuCtxDestroy(CUcontext) {
  current = nullptr;
  return result(cudaDeviceReset());
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = current;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  current = context;
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context) { return cuCtxSetCurrent(context); }

CUresult cuCtxPopCurrent(CUcontext *context) {
  if (context) *context = current;
  current = nullptr;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) { return result(cudaGetDevice(device)); }
CUresult cuCtxSynchronize(void) { return result(cudaDeviceSynchronize()); }

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned, CUjit_option *, void **) {
  cudaError_t e;
  Module *m = loadImage(__func__, image, &e);
  if (m) *module = reinterpret_cast<CUmodule>(m);
  return result(e);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}

CUresult cuModuleLoad(CUmodule *module, const char *file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return CUDA_ERROR_FILE_NOT_FOUND;
  auto *text = new std::string(std::istreambuf_iterator<char>(in), {}); // a blob is used in place
  return cuModuleLoadData(module, text->c_str());
}

CUresult cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  cudaError_t e;
  Function *f = functionOf(__func__, reinterpret_cast<Module *>(module), name, &e);
  if (f) *function = reinterpret_cast<CUfunction>(f);
  return result(e);
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  cudaError_t e;
  Variable *v = variableOf(__func__, reinterpret_cast<Module *>(module), name, &e);
  if (v && address) *address = reinterpret_cast<uintptr_t>(v->address);
  if (v && bytes) *bytes = v->size;
  return result(e);
}

CUresult cuMemGetInfo(size_t *free, size_t *total) { return result(cudaMemGetInfo(free, total)); }

CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes) {
  if (!address || bytes == 0) return result(misuse(__func__, cudaErrorInvalidValue, "the size is 0 or the result null"));
  void *p = nullptr;
  cudaError_t e = cudaMalloc(&p, bytes);
  return allocated(e, address, p);
}

CUresult cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned) {
  void *p = nullptr;
  cudaError_t e = cudaMallocPitch(&p, pitch, width, height);
  return allocated(e, address, p);
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
  void *p = nullptr;
  cudaError_t e = cudaMallocManaged(&p, bytes, flags);
  return allocated(e, address, p);
}

CUresult cuMemAllocHost(void **p, size_t bytes) { return result(cudaMallocHost(p, bytes)); }
CUresult cuMemHostAlloc(void **p, size_t bytes, unsigned flags) { return result(cudaHostAlloc(p, bytes, flags)); }

CUresult cuMemHostGetDevicePointer(CUdeviceptr *address, void *host, unsigned flags) {
  void *p = nullptr;
  cudaError_t e = cudaHostGetDevicePointer(&p, host, flags);
  return allocated(e, address, p);
}

CUresult cuMemFree(CUdeviceptr address) { return result(cudaFree(pointer(address))); }
CUresult cuMemFreeHost(void *p) { return result(cudaFreeHost(p)); }

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t n) { return copy(dst, src, n, cudaMemcpyDefault); }

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream stream) {
  return result(cudaMemcpyAsync(pointer(dst), pointer(src), n, cudaMemcpyDefault, stream));
}

CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t n) {
  return result(cudaMemcpy(pointer(dst), src, n, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t n) {
  return result(cudaMemcpy(dst, pointer(src), n, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t n) {
  return copy(dst, src, n, cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t n, CUstream stream) {
  return result(cudaMemcpyAsync(pointer(dst), src, n, cudaMemcpyHostToDevice, stream));
}

CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t n, CUstream stream) {
  return result(cudaMemcpyAsync(dst, pointer(src), n, cudaMemcpyDeviceToHost, stream));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream stream) {
  return result(cudaMemcpyAsync(pointer(dst), pointer(src), n, cudaMemcpyDeviceToDevice, stream));
}

CUresult cuMemsetD8(CUdeviceptr dst, unsigned char value, size_t count) {
  return result(cudaMemset(pointer(dst), value, count));
}

CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t count, CUstream stream) {
  return result(cudaMemsetAsync(pointer(dst), value, count, stream));
}

CUresult cuMemsetD16(CUdeviceptr dst, unsigned short value, size_t count) { return fill(dst, &value, 2, count); }
CUresult cuMemsetD32(CUdeviceptr dst, unsigned value, size_t count) { return fill(dst, &value, 4, count); }

CUresult cuMemsetD32Async(CUdeviceptr dst, unsigned value, size_t count, CUstream) {
  return fill(dst, &value, 4, count);
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags) { return result(cudaStreamCreateWithFlags(stream, flags)); }
CUresult cuStreamDestroy(CUstream stream) { return result(cudaStreamDestroy(stream)); }
CUresult cuStreamSynchronize(CUstream stream) { return result(cudaStreamSynchronize(stream)); }
CUresult cuStreamQuery(CUstream stream) { return result(cudaStreamQuery(stream)); }

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return result(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuEventCreate(CUevent *event, unsigned flags) { return result(cudaEventCreateWithFlags(event, flags)); }
CUresult cuEventDestroy(CUevent event) { return result(cudaEventDestroy(event)); }
CUresult cuEventRecord(CUevent event, CUstream stream) { return result(cudaEventRecord(event, stream)); }
CUresult cuEventQuery(CUevent event) { return result(cudaEventQuery(event)); }
CUresult cuEventSynchronize(CUevent event) { return result(cudaEventSynchronize(event)); }

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end) {
  return result(cudaEventElapsedTime(ms, start, end));
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction f) {
  if (!value || !f) return CUDA_ERROR_INVALID_VALUE;
  const cudaFuncAttributes &a = function(f).attributes;
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = a.maxThreadsPerBlock; break;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = static_cast<int>(a.sharedSizeBytes); break;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = static_cast<int>(a.constSizeBytes); break;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = static_cast<int>(a.localSizeBytes); break;
  case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = a.numRegs; break;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = a.ptxVersion; break;
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = a.binaryVersion; break;
  case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = 0; break;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = a.maxDynamicSharedSizeBytes; break;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = -1; break;
  default: return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute attribute, int value) {
  Call c(__func__, Op::FuncAttribute);
  c.u32(function(f).id).u32(static_cast<uint32_t>(attribute)).u32(static_cast<uint32_t>(value));
  c.send();
  return result(c.result());
}

CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { return CUDA_SUCCESS; }

CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, CUstream stream, void **params, void **extra) {
  if (!f) return result(misuse(__func__, cudaErrorInvalidResourceHandle, "the function is null"));
  const Function &fn = function(f);
  std::vector<char> bytes(fn.paramBytes);
  size_t size = 0;
  if (const void *given = extraBytes(extra, &size))
    memcpy(bytes.data(), given, size < bytes.size() ? size : bytes.size());
  else if (params || fn.params.empty())
    bytes = packParams(fn, params);
  else
    return result(misuse(__func__, cudaErrorInvalidValue, "the kernel has parameters but none are given"));
  return result(launchFunction(__func__, fn, dim3(gx, gy, gz), dim3(bx, by, bz), shared, stream, bytes.data(), false));
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                   unsigned bz, unsigned shared, CUstream stream, void **params) {
  if (!f) return result(misuse(__func__, cudaErrorInvalidResourceHandle, "the function is null"));
  const Function &fn = function(f);
  std::vector<char> bytes = packParams(fn, params);
  return result(launchFunction(__func__, fn, dim3(gx, gy, gz), dim3(bx, by, bz), shared, stream, bytes.data(), true));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction f, int blockSize, size_t shared) {
  if (!blocks || !f) return CUDA_ERROR_INVALID_VALUE;
  Call c(__func__, Op::Occupancy);
  c.u32(function(f).id).u8(0).u32(static_cast<uint32_t>(blockSize)).u64(shared);
  if (c.send()) *blocks = static_cast<int>(c.getU64());
  return result(c.result());
}

CUresult cuProfilerStart(void) { return result(cudaProfilerStart()); }
CUresult cuProfilerStop(void) { return result(cudaProfilerStop()); }

} // extern "C"
