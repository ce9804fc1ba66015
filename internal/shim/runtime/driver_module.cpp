// The driver API: modules, functions and launches.
#include "driver_module.h"
#include "lasting.h"

#include <algorithm>

#include "capture.h"
#include "jit.h"

namespace warpgrind {
namespace {

Module *module(CUmodule m) { return reinterpret_cast<Module *>(m); }

// Old launches: shape and parameters are set one by one.
struct OldLaunch {
  dim3 block{1, 1, 1};
  unsigned shared = 0;
  std::vector<char> params;
};

OldLaunch &oldLaunch(CUfunction f) {
  static Lasting<std::map<CUfunction, OldLaunch>> all;
  return all.get()[f];
}

cudaError_t putParam(CUfunction f, int offset, const void *p, size_t bytes) {
  if (!f || offset < 0) return cudaErrorInvalidValue;
  std::vector<char> &params = oldLaunch(f).params;
  if (params.size() < static_cast<size_t>(offset) + bytes) params.resize(static_cast<size_t>(offset) + bytes);
  memcpy(&params[static_cast<size_t>(offset)], p, bytes);
  return cudaSuccess;
}

cudaError_t launch(CUfunction f, dim3 grid, dim3 block, size_t shared, CUstream stream, void **params,
                   void **extra, const Grouping &grouping) {
  if (!f) return misuse(cudaErrorInvalidResourceHandle, "the function is null");
  Function &fn = *function(f);
  cudaError_t e;
  idOf(fn, &e);
  if (e != cudaSuccess) return e;
  if (params && extra) return invalid("both parameters and extra options are given");
  std::vector<char> bytes(fn.paramBytes);
  size_t size = 0;
  if (const void *given = extraBytes(extra, &size)) memcpy(bytes.data(), given, std::min(size, bytes.size()));
  else if (params || fn.params.empty()) bytes = packParams(fn, params);
  else return invalid("the kernel has parameters but none are given");
  if (isCapturing(stream))
    return captureKernel(stream, fn, nullptr, grid, block, shared, bytes.data(), grouping);
  return launchFunction(fn, grid, block, shared, stream, bytes.data(), grouping);
}

Grouping groupingOf(const CUlaunchConfig &c) {
  Grouping grouping;
  for (unsigned i = 0; i < c.numAttrs; i++) {
    const CUlaunchAttribute &a = c.attrs[i];
    if (a.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) grouping.cooperative = a.value.cooperative != 0;
    if (a.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
      grouping.programmatic = a.value.programmaticStreamSerializationAllowed != 0;
    if (a.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT)
      grouping.at(a.value.programmaticEvent.triggerAtBlockStart ? Moment::started : Moment::triggered) =
          reinterpret_cast<cudaEvent_t>(a.value.programmaticEvent.event);
    if (a.id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT)
      grouping.at(Moment::begun) = reinterpret_cast<cudaEvent_t>(a.value.launchCompletionEvent.event);
    if (a.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      grouping.cluster = dim3(a.value.clusterDim.x, a.value.clusterDim.y, a.value.clusterDim.z);
  }
  return grouping;
}

cudaError_t occupancy(CUfunction f, OccupancyOf what, int blockSize, uint64_t given, uint64_t *out) {
  if (!f) return misuse(cudaErrorInvalidResourceHandle, "the function is null");
  cudaError_t e;
  uint32_t id = idOf(*function(f), &e);
  if (e != cudaSuccess) return e;
  Call c{protocol::Occupancy(id, what, blockSize, given)};
  if (c.send()) *out = c.reply.value;
  return c.result();
}

cudaError_t getAttribute(int *value, CUfunction_attribute attribute, const cudaFuncAttributes &a) {
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
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = a.preferredShmemCarveout; break;
  case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: *value = a.clusterDimMustBeSet; break;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH: *value = a.requiredClusterWidth; break;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT: *value = a.requiredClusterHeight; break;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: *value = a.requiredClusterDepth; break;
  case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: *value = a.nonPortableClusterSizeAllowed; break;
  case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: *value = a.clusterSchedulingPolicyPreference; break;
  default: return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

} // namespace

cudaError_t loadModule(CUmodule *out, const void *image, unsigned count, CUjit_option *options, void **values) {
  if (!out || !image || (count > 0 && (!options || !values))) return invalid("a pointer is null");
  Logs logs(count, options, values);
  cudaError_t e;
  std::string log;
  Module *m = loadImage(image, &e, &log);
  logs.write(log);
  if (m) *out = reinterpret_cast<CUmodule>(m);
  return e == cudaErrorNoKernelImageForDevice ? cudaErrorInvalidKernelImage : e;
}

cudaError_t checkModule(CUmodule m) {
  if (m && isModule(module(m))) return cudaSuccess;
  return misuse(cudaErrorInvalidResourceHandle, "not a module, or it is unloaded");
}

cudaError_t functionOf(CUfunction *out, CUmodule m, const char *name) {
  if (!out || !name) return invalid("a pointer is null");
  if (cudaError_t e = checkModule(m)) return e;
  cudaError_t e;
  Function *f = functionOf(module(m), name, &e);
  if (f) *out = reinterpret_cast<CUfunction>(f);
  return e;
}

cudaError_t globalOf(CUdeviceptr *out, size_t *bytes, CUmodule m, const char *name) {
  if (!name) return invalid("the name is null");
  if (cudaError_t e = checkModule(m)) return e;
  cudaError_t e;
  Variable *v = variableOf(module(m), name, &e);
  if (v && out) *out = address(v->placed().address);
  if (v && bytes) *bytes = v->placed().size;
  return e;
}

namespace core {

cudaError_t cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned count, CUjit_option *options, void **values) {
  return loadModule(m, image, count, options, values);
}

cudaError_t cuModuleLoadData(CUmodule *m, const void *image) {
  return loadModule(m, image, 0, nullptr, nullptr);
}

cudaError_t cuModuleLoadFatBinary(CUmodule *m, const void *image) {
  return loadModule(m, image, 0, nullptr, nullptr);
}

cudaError_t cuModuleLoad(CUmodule *m, const char *file) {
  if (!file) return invalid("the file name is null");
  const char *image = content(file);
  if (!image) return misuse(cudaErrorFileNotFound, file);
  return loadModule(m, image, 0, nullptr, nullptr);
}

cudaError_t cuModuleUnload(CUmodule m) {
  if (cudaError_t e = checkModule(m)) return e;
  unloadModule(module(m));
  return cudaSuccess;
}

cudaError_t cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name) {
  return functionOf(f, m, name);
}

cudaError_t cuModuleGetGlobal(CUdeviceptr *out, size_t *bytes, CUmodule m, const char *name) {
  return globalOf(out, bytes, m, name);
}

cudaError_t cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
  if (!mode) return invalid("the result pointer is null");
  *mode = CU_MODULE_LAZY_LOADING;
  return cudaSuccess;
}

cudaError_t cuModuleGetFunctionCount(unsigned *count, CUmodule m) {
  if (!count) return invalid("the result pointer is null");
  if (cudaError_t e = checkModule(m)) return e;
  *count = static_cast<unsigned>(module(m)->kernels.size());
  return cudaSuccess;
}

cudaError_t cuModuleEnumerateFunctions(CUfunction *out, unsigned count, CUmodule m) {
  if (!out) return invalid("the result pointer is null");
  if (cudaError_t e = checkModule(m)) return e;
  const std::vector<std::string> &names = module(m)->kernels;
  for (unsigned i = 0; i < count && i < names.size(); i++)
    if (cudaError_t e = functionOf(&out[i], m, names[i].c_str())) return e;
  return cudaSuccess;
}

cudaError_t cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction f) {
  if (!value || !f) return invalid("a pointer is null");
  return getAttribute(value, attribute, function(f)->attributes);
}

cudaError_t cuFuncSetAttribute(CUfunction f, CUfunction_attribute attribute, int value) {
  if (!f) return misuse(cudaErrorInvalidResourceHandle, "the function is null");
  // Newer attributes are refused as by a driver of this version: programs try them first.
  if (attribute < CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || attribute >= CU_FUNC_ATTRIBUTE_MAX)
    return cudaErrorInvalidValue;
  cudaError_t e;
  Call c{protocol::FuncAttribute(idOf(*function(f), &e), static_cast<uint32_t>(attribute), value)};
  if (!c.send()) return c.result();
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    function(f)->attributes.maxDynamicSharedSizeBytes = value;
  if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
    function(f)->attributes.preferredShmemCarveout = value;
  if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
    function(f)->attributes.nonPortableClusterSizeAllowed = value != 0;
  if (attribute == CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET) function(f)->attributes.clusterDimMustBeSet = value != 0;
  return cudaSuccess;
}

cudaError_t cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { return cudaSuccess; }
cudaError_t cuFuncSetSharedMemConfig(CUfunction, CUsharedconfig) { return cudaSuccess; }

cudaError_t cuFuncGetModule(CUmodule *m, CUfunction f) {
  if (!m || !f) return invalid("a pointer is null");
  *m = reinterpret_cast<CUmodule>(function(f)->module);
  return cudaSuccess;
}

// All functions are there as soon as their module is.
cudaError_t cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction f) {
  if (!state || !f) return invalid("a pointer is null");
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return cudaSuccess;
}

cudaError_t cuFuncLoad(CUfunction f) { return f ? cudaSuccess : invalid("the function is null"); }

cudaError_t cuFuncGetName(const char **name, CUfunction f) {
  if (!name || !f) return invalid("a pointer is null");
  *name = function(f)->name.c_str();
  return cudaSuccess;
}

cudaError_t cuFuncGetParamInfo(CUfunction f, size_t index, size_t *offset, size_t *size) {
  if (!f || !offset) return invalid("a pointer is null");
  if (index >= function(f)->params.size()) return invalid("the parameter index is out of range");
  *offset = function(f)->params[index].offset;
  if (size) *size = function(f)->params[index].size;
  return cudaSuccess;
}

cudaError_t cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                           unsigned shared, CUstream stream, void **params, void **extra) {
  return launch(f, dim3(gx, gy, gz), dim3(bx, by, bz), shared, stream, params, extra, false);
}

cudaError_t cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                      unsigned bz, unsigned shared, CUstream stream, void **params) {
  return launch(f, dim3(gx, gy, gz), dim3(bx, by, bz), shared, stream, params, nullptr, true);
}

cudaError_t cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **params, void **extra) {
  if (!c) return invalid("the configuration is null");
  return launch(f, dim3(c->gridDimX, c->gridDimY, c->gridDimZ), dim3(c->blockDimX, c->blockDimY, c->blockDimZ),
                c->sharedMemBytes, c->hStream, params, extra, groupingOf(*c));
}

cudaError_t cuFuncSetBlockShape(CUfunction f, int x, int y, int z) {
  if (!f || x <= 0 || y <= 0 || z <= 0) return invalid("an extent is not positive");
  oldLaunch(f).block = dim3(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z));
  return cudaSuccess;
}

cudaError_t cuFuncSetSharedSize(CUfunction f, unsigned bytes) {
  oldLaunch(f).shared = bytes;
  return cudaSuccess;
}

cudaError_t cuParamSetSize(CUfunction f, unsigned bytes) {
  oldLaunch(f).params.resize(bytes);
  return cudaSuccess;
}

cudaError_t cuParamSeti(CUfunction f, int offset, unsigned value) {
  return putParam(f, offset, &value, sizeof value);
}

cudaError_t cuParamSetf(CUfunction f, int offset, float value) {
  return putParam(f, offset, &value, sizeof value);
}

cudaError_t cuParamSetv(CUfunction f, int offset, void *p, unsigned bytes) {
  return putParam(f, offset, p, bytes);
}

cudaError_t cuLaunch(CUfunction f) { return core::cuLaunchGridAsync(f, 1, 1, nullptr); }
cudaError_t cuLaunchGrid(CUfunction f, int width, int height) {
  return core::cuLaunchGridAsync(f, width, height, nullptr);
}

cudaError_t cuLaunchGridAsync(CUfunction f, int width, int height, CUstream stream) {
  OldLaunch &o = oldLaunch(f);
  size_t size = o.params.size();
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, o.params.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  return launch(f, dim3(static_cast<unsigned>(width), static_cast<unsigned>(height), 1), o.block, o.shared,
                stream, nullptr, extra, false);
}

cudaError_t cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction f, int blockSize, size_t shared) {
  if (!blocks) return invalid("the result pointer is null");
  uint64_t n = 0;
  cudaError_t e = occupancy(f, OccupancyOf::Blocks, blockSize, shared, &n);
  *blocks = static_cast<int>(n);
  return e;
}

cudaError_t cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction f, int blockSize, size_t shared,
                                                                 unsigned) {
  return core::cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, blockSize, shared);
}

cudaError_t cuOccupancyAvailableDynamicSMemPerBlock(size_t *shared, CUfunction f, int blocks, int blockSize) {
  if (!shared) return invalid("the result pointer is null");
  uint64_t n = 0;
  cudaError_t e = occupancy(f, OccupancyOf::Shared, blockSize, static_cast<uint64_t>(blocks), &n);
  *shared = n;
  return e;
}

// The larger of two block sizes with equally many resident threads.
cudaError_t cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f, CUoccupancyB2DSize sharedOf,
                                             size_t shared, int limit) {
  if (!grid || !block || !f) return invalid("a pointer is null");
  int most = function(f)->attributes.maxThreadsPerBlock, best = 0;
  if (limit <= 0 || limit > most) limit = most;
  for (int b = (limit + 31) / 32 * 32; b > 0; b -= 32) {
    int n = 0, size = std::min(b, limit);
    cudaError_t e = core::cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, size, sharedOf ? sharedOf(size) : shared);
    if (e != cudaSuccess) return e;
    if (n * size <= best) continue;
    best = n * size;
    *block = size;
    *grid = n * static_cast<int>(caps().multiprocessors);
  }
  return cudaSuccess;
}

cudaError_t cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction f, CUoccupancyB2DSize sharedOf,
                                                      size_t shared, int limit, unsigned) {
  return core::cuOccupancyMaxPotentialBlockSize(grid, block, f, sharedOf, shared, limit);
}

cudaError_t cuOccupancyMaxPotentialClusterSize(int *size, CUfunction f, const CUlaunchConfig *c) {
  if (!size || !c) return invalid("a pointer is null");
  uint64_t n = 0;
  cudaError_t e = occupancy(f, OccupancyOf::Cluster, static_cast<int>(c->blockDimX * c->blockDimY * c->blockDimZ), c->sharedMemBytes, &n);
  *size = static_cast<int>(n);
  return e;
}

cudaError_t cuOccupancyMaxActiveClusters(int *clusters, CUfunction f, const CUlaunchConfig *c) {
  if (!clusters || !c) return invalid("a pointer is null");
  uint64_t n = 0;
  cudaError_t e = occupancy(f, OccupancyOf::Blocks, static_cast<int>(c->blockDimX * c->blockDimY * c->blockDimZ), c->sharedMemBytes, &n);
  if (e != cudaSuccess) return e;
  dim3 d = groupingOf(*c).cluster;
  const cudaFuncAttributes &a = function(f)->attributes;
  uint64_t size = static_cast<uint64_t>(d.x) * d.y * d.z;
  if (!size) size = static_cast<uint64_t>(a.requiredClusterWidth) * a.requiredClusterHeight * a.requiredClusterDepth;
  *clusters = static_cast<int>(n * caps().multiprocessors / (size ? size : 1));
  return e;
}

cudaError_t cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *list, unsigned n, unsigned) {
  if (!list || n != 1) return unsupported("cuLaunchCooperativeKernelMultiDevice on several devices");
  const CUDA_LAUNCH_PARAMS &p = *list;
  return launch(p.function, dim3(p.gridDimX, p.gridDimY, p.gridDimZ), dim3(p.blockDimX, p.blockDimY, p.blockDimZ),
                p.sharedMemBytes, p.hStream, p.kernelParams, nullptr, true);
}

} // namespace core
} // namespace warpgrind
