/* Launches in device code and the part of the runtime API that device code
 * has (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", "Programming
 * Interface"). The front end includes this only where device code launches
 * kernels or calls this API; it turns such a launch into a call and __warpgrind_launch. */
#ifndef __WARPGRIND_NESTED_H__
#define __WARPGRIND_NESTED_H__

#ifdef __CUDA_ARCH__
#define __wg_child_global__ \
  __attribute__((host)) __attribute__((device)) __attribute__((used)) __attribute__((section("warpgrind.kernel")))
#endif

#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0x0300000000000000)

extern "C" {
__host__ __device__ void __warpgrind_launch(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);

__device__ void *cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ void *cudaGetParameterBufferV2(void *func, dim3 grid, dim3 block, unsigned int shared);
__device__ cudaError_t cudaLaunchDevice(void *func, void *params, dim3 grid, dim3 block, unsigned int shared,
                                        cudaStream_t stream);
__device__ cudaError_t cudaLaunchDeviceV2(void *params, cudaStream_t stream);

/* Removed for compute_90 and later ("CUDA Dynamic Parallelism",
 * "Synchronization"): there the name is the host's function, which device code
 * cannot call. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900
__device__ cudaError_t cudaDeviceSynchronize(void);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
#endif
__device__ cudaError_t cudaGetLastError(void);
__device__ cudaError_t cudaPeekAtLastError(void);
__device__ cudaError_t cudaGetDevice(int *device);
__device__ cudaError_t cudaGetDeviceCount(int *count);
__device__ cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);
__device__ cudaError_t cudaRuntimeGetVersion(int *version);
__device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
__device__ cudaError_t cudaStreamDestroy(cudaStream_t stream);
__device__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags);
__device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
__device__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
__device__ cudaError_t cudaEventDestroy(cudaEvent_t event);
__device__ cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t n, enum cudaMemcpyKind kind,
                                       cudaStream_t stream);
__device__ cudaError_t cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t stream);
__device__ cudaError_t cudaMalloc(void **p, size_t n);
__device__ cudaError_t cudaFree(void *p);
}

/* The codes that the functions above give, and what they mean. */
#define __WG_DEVICE_ERRORS(__wg_X)                                                                 \
  __wg_X(cudaSuccess, "no error")                                                                  \
  __wg_X(cudaErrorInvalidValue, "invalid argument")                                                \
  __wg_X(cudaErrorMemoryAllocation, "out of memory")                                               \
  __wg_X(cudaErrorInvalidConfiguration, "invalid configuration argument")                          \
  __wg_X(cudaErrorInvalidDevicePointer, "invalid device pointer")                                  \
  __wg_X(cudaErrorLaunchMaxDepthExceeded, "launch would exceed maximum depth of nested launches")  \
  __wg_X(cudaErrorSyncDepthExceeded,                                                               \
    "cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth") \
  __wg_X(cudaErrorInvalidDeviceFunction, "invalid device function")                                \
  __wg_X(cudaErrorInvalidResourceHandle, "invalid resource handle")                                \
  __wg_X(cudaErrorLaunchOutOfResources, "too many resources requested for launch")
__device__ static inline const char *cudaGetErrorString(cudaError_t e) {
#define __WG_CASE(code, text) if (e == code) return text;
  __WG_DEVICE_ERRORS(__WG_CASE)
#undef __WG_CASE
  return "unrecognized error code";
}
__device__ static inline const char *cudaGetErrorName(cudaError_t e) {
#define __WG_CASE(code, text) if (e == code) return #code;
  __WG_DEVICE_ERRORS(__WG_CASE)
#undef __WG_CASE
  return "unrecognized error code";
}

template <class __wg_T> static __inline__ __device__ __attribute__((unused)) cudaError_t cudaMalloc(__wg_T **p, size_t n) {
  return ::cudaMalloc((void **)(void *)p, n);
}
static __inline__ __device__ __attribute__((unused)) cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t n,
                                                                                 enum cudaMemcpyKind kind) {
  return ::cudaMemcpyAsync(dst, src, n, kind, (cudaStream_t)0);
}
static __inline__ __device__ __attribute__((unused)) cudaError_t cudaMemsetAsync(void *p, int value, size_t n) {
  return ::cudaMemsetAsync(p, value, n, (cudaStream_t)0);
}
static __inline__ __device__ __attribute__((unused)) cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e) {
  return ::cudaStreamWaitEvent(s, e, 0);
}
static __inline__ __device__ __attribute__((unused)) cudaError_t cudaEventRecord(cudaEvent_t e) {
  return ::cudaEventRecord(e, (cudaStream_t)0);
}

#endif
