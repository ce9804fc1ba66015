/* The C++ side of the runtime API ("CUDA Runtime API", "C++ API Routines"):
 * typed forms of the C functions. */
#ifndef __WARPGRIND_API_H__
#define __WARPGRIND_API_H__

/* Not inlined, so that a call's place is the user's line and not one of this
 * file. Where host code is only read, the arguments are to be seen at the call. */
#ifdef __WG_READ_ONLY__
#define __WG_API static __inline__ __host__ __attribute__((always_inline, unused)) cudaError_t
#else
#define __WG_API static __host__ __attribute__((noinline, unused)) cudaError_t
#endif

template <class __wg_T> __WG_API cudaMalloc(__wg_T **p, size_t n) { return ::cudaMalloc((void **)(void *)p, n); }
template <class __wg_T> __WG_API cudaMallocManaged(__wg_T **p, size_t n, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)(void *)p, n, flags);
}
template <class __wg_T> __WG_API cudaMallocHost(__wg_T **p, size_t n, unsigned int flags = 0) {
  return flags ? ::cudaHostAlloc((void **)(void *)p, n, flags) : ::cudaMallocHost((void **)(void *)p, n);
}
template <class __wg_T> __WG_API cudaHostAlloc(__wg_T **p, size_t n, unsigned int flags) {
  return ::cudaHostAlloc((void **)(void *)p, n, flags);
}
template <class __wg_T> __WG_API cudaHostGetDevicePointer(__wg_T **d, void *h, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void **)(void *)d, h, flags);
}
template <class __wg_T> __WG_API cudaMallocPitch(__wg_T **p, size_t *pitch, size_t w, size_t h) {
  return ::cudaMallocPitch((void **)(void *)p, pitch, w, h);
}
template <class __wg_T> __WG_API cudaMallocAsync(__wg_T **p, size_t n, cudaStream_t stream) {
  return ::cudaMallocAsync((void **)(void *)p, n, stream);
}
template <class __wg_T>
__WG_API cudaMallocFromPoolAsync(__wg_T **p, size_t n, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)p, n, pool, stream);
}

/* Symbols: the host's shadow of a device variable stands for it. */
template <class __wg_T>
__WG_API cudaMemcpyToSymbol(const __wg_T &symbol, const void *src, size_t n, size_t offset = 0,
                            enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void *)&symbol, src, n, offset, kind);
}
template <class __wg_T>
__WG_API cudaMemcpyToSymbolAsync(const __wg_T &symbol, const void *src, size_t n, size_t offset = 0,
                                 enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                 cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, n, offset, kind, stream);
}
template <class __wg_T>
__WG_API cudaMemcpyFromSymbol(void *dst, const __wg_T &symbol, size_t n, size_t offset = 0,
                              enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, n, offset, kind);
}
template <class __wg_T>
__WG_API cudaMemcpyFromSymbolAsync(void *dst, const __wg_T &symbol, size_t n, size_t offset = 0,
                                   enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                   cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, n, offset, kind, stream);
}
template <class __wg_T> __WG_API cudaGetSymbolAddress(void **p, const __wg_T &symbol) {
  return ::cudaGetSymbolAddress(p, (const void *)&symbol);
}
template <class __wg_T> __WG_API cudaGetSymbolSize(size_t *n, const __wg_T &symbol) {
  return ::cudaGetSymbolSize(n, (const void *)&symbol);
}

/* Kernels by function pointer of any type. */
template <class __wg_T> __WG_API cudaSetupArgument(__wg_T arg, size_t offset) {
  return ::cudaSetupArgument((const void *)&arg, sizeof(__wg_T), offset);
}
template <class __wg_T> __WG_API cudaLaunch(__wg_T *f) { return ::cudaLaunch((const void *)f); }
template <class __wg_T>
__WG_API cudaLaunchKernel(__wg_T *f, dim3 grid, dim3 block, void **args, size_t smem = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void *)f, grid, block, args, smem, stream);
}
template <class __wg_T>
__WG_API cudaLaunchCooperativeKernel(__wg_T *f, dim3 grid, dim3 block, void **args, size_t smem = 0,
                                     cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void *)f, grid, block, args, smem, stream);
}
template <class __wg_T> __WG_API cudaFuncGetAttributes(struct cudaFuncAttributes *a, __wg_T *f) {
  return ::cudaFuncGetAttributes(a, (const void *)f);
}
template <class __wg_T> __WG_API cudaFuncSetAttribute(__wg_T *f, enum cudaFuncAttribute a, int v) {
  return ::cudaFuncSetAttribute((const void *)f, a, v);
}
template <class __wg_T> __WG_API cudaFuncSetCacheConfig(__wg_T *f, enum cudaFuncCache c) {
  return ::cudaFuncSetCacheConfig((const void *)f, c);
}
template <class __wg_T> __WG_API cudaFuncSetSharedMemConfig(__wg_T *f, enum cudaSharedMemConfig c) {
  return ::cudaFuncSetSharedMemConfig((const void *)f, c);
}
template <class __wg_T>
__WG_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, __wg_T f, int block, size_t smem) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, (const void *)f, block, smem);
}
template <class __wg_T>
__WG_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, __wg_T f, int block, size_t smem,
                                                                unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(n, (const void *)f, block, smem, flags);
}
template <class __wg_T>
__WG_API cudaOccupancyMaxActiveClusters(int *n, __wg_T f, const cudaLaunchConfig_t *config) {
  return ::cudaOccupancyMaxActiveClusters(n, (const void *)f, config);
}
template <class __wg_T>
__WG_API cudaOccupancyMaxPotentialClusterSize(int *size, __wg_T f, const cudaLaunchConfig_t *config) {
  return ::cudaOccupancyMaxPotentialClusterSize(size, (const void *)f, config);
}
template <class __wg_T>
__WG_API cudaOccupancyAvailableDynamicSMemPerBlock(size_t *smem, __wg_T *f, int blocks, int block) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(smem, (const void *)f, blocks, block);
}

/* The block size, among multiples of a warp, with the most resident threads;
 * the larger of two equal ones. */
template <class __wg_F, class __wg_T>
__WG_API cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, __wg_T f, __wg_F smem, int limit = 0) {
  int dev = 0, sms = 0;
  struct cudaFuncAttributes a;
  cudaError_t err = cudaGetDevice(&dev);
  if (err == cudaSuccess) err = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, dev);
  if (err == cudaSuccess) err = ::cudaFuncGetAttributes(&a, (const void *)f);
  if (err != cudaSuccess) return err;
  if (limit <= 0 || limit > a.maxThreadsPerBlock) limit = a.maxThreadsPerBlock;
  int best = 0;
  for (int b = (limit + 31) / 32 * 32; b > 0; b -= 32) {
    int n = 0, size = b < limit ? b : limit;
    err = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, (const void *)f, size, smem(size));
    if (err != cudaSuccess) return err;
    if (n * size > best) best = n * size, *block = size, *grid = n * sms;
  }
  return cudaSuccess;
}
struct __wg_constant_smem {
  size_t n;
  size_t operator()(int) const { return n; }
};
template <class __wg_T>
__WG_API cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, __wg_T f, size_t smem = 0, int limit = 0) {
  __wg_constant_smem c = {smem};
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, f, c, limit);
}
template <class __wg_T>
__WG_API cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, __wg_T f, size_t smem = 0,
                                                     int limit = 0, unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, f, smem, limit);
}

template <class __wg_F, class __wg_T>
__WG_API cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid, int *block, __wg_T f, __wg_F smem,
                                                                 int limit = 0, unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, f, smem, limit);
}

__WG_API cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

/* The forms of these that CUDA had before version 12. */
__WG_API cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *errorNode, char *log,
                              size_t logSize) {
  if (errorNode) *errorNode = 0;
  if (log && logSize > 0) *log = 0;
  return ::cudaGraphInstantiate(exec, graph, 0);
}
__WG_API cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *errorNode,
                             enum cudaGraphExecUpdateResult *result) {
  cudaGraphExecUpdateResultInfo info;
  cudaError_t err = ::cudaGraphExecUpdate(exec, graph, &info);
  if (errorNode) *errorNode = info.errorNode;
  if (result) *result = info.result;
  return err;
}
template <class __wg_T>
__WG_API cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                        size_t numDeps, const __wg_T &symbol, const void *src, size_t count,
                                        size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, deps, numDeps, (const void *)&symbol, src, count, offset, kind);
}
template <class __wg_T>
__WG_API cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                          size_t numDeps, void *dst, const __wg_T &symbol, size_t count, size_t offset,
                                          enum cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, deps, numDeps, dst, (const void *)&symbol, count, offset,
                                            kind);
}
template <class __wg_T> __WG_API cudaMallocAsync(__wg_T **p, size_t n, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)p, n, pool, stream);
}
template <class __wg_T> __WG_API cudaStreamAttachMemAsync(cudaStream_t stream, __wg_T *p, size_t n = 0, unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, (void *)p, n, flags);
}
template <class __wg_T> __WG_API cudaGetFuncBySymbol(cudaFunction_t *f, __wg_T *symbol) {
  return ::cudaGetFuncBySymbol(f, (const void *)symbol);
}
template <class __wg_T> __WG_API cudaGetKernel(cudaKernel_t *k, __wg_T *entry) { return ::cudaGetKernel(k, (const void *)entry); }

#if __cplusplus >= 201103L
/* Tells the runtime, before the program begins, that launches with attributes may follow. It depends on
   the kernel's parameters, so that only programs that make such launches have it. */
extern "C" int __wg_launchesMayOverlap(void);
template <class... __wg_P> struct __wg_mayOverlap { static const int noted; };
template <class... __wg_P> const int __wg_mayOverlap<__wg_P...>::noted = ::__wg_launchesMayOverlap();

template <class... __wg_P, class... __wg_A>
__WG_API cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(__wg_P...), __wg_A &&...args) {
  (void)&__wg_mayOverlap<__wg_P...>::noted;
  return [&](__wg_P... params) {
    void *list[] = {(void *)&params..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void *)kernel, list);
  }(static_cast<__wg_A &&>(args)...);
}
#endif

/* Channel descriptions of the element types of arrays and textures. */
template <class __wg_T> __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDesc() {
  return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define __WG_CHANNEL(__wg_T, bits, n, kind)                                          \
  template <> __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDesc<__wg_T>() { \
    return ::cudaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,  \
                                   cudaChannelFormatKind##kind);                     \
  }
#define __WG_CHANNELS(__wg_T, __wg_V, bits, kind)                                    \
  __WG_CHANNEL(__wg_T, bits, 1, kind)                                                \
  __WG_CHANNEL(__wg_V##1, bits, 1, kind)                                             \
  __WG_CHANNEL(__wg_V##2, bits, 2, kind)                                             \
  __WG_CHANNEL(__wg_V##4, bits, 4, kind)
__WG_CHANNEL(char, 8, 1, Signed)
__WG_CHANNELS(signed char, char, 8, Signed)
__WG_CHANNELS(unsigned char, uchar, 8, Unsigned)
__WG_CHANNELS(short, short, 16, Signed)
__WG_CHANNELS(unsigned short, ushort, 16, Unsigned)
__WG_CHANNELS(int, int, 32, Signed)
__WG_CHANNELS(unsigned int, uint, 32, Unsigned)
__WG_CHANNELS(float, float, 32, Float)
#undef __WG_CHANNEL
#undef __WG_CHANNELS
#define __WG_HALVES(name, n)                                                         \
  static __inline__ __host__ __attribute__((unused)) cudaChannelFormatDesc name() {  \
    return ::cudaCreateChannelDesc(16, n > 1 ? 16 : 0, n > 2 ? 16 : 0, n > 2 ? 16 : 0, cudaChannelFormatKindFloat);  \
  }
__WG_HALVES(cudaCreateChannelDescHalf, 1)
__WG_HALVES(cudaCreateChannelDescHalf1, 1)
__WG_HALVES(cudaCreateChannelDescHalf2, 2)
__WG_HALVES(cudaCreateChannelDescHalf4, 4)
#undef __WG_HALVES

#undef __WG_API

#endif
