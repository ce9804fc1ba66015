// The driver API: modules, functions and launches.
#include "driver_module.h"

#include <algorithm>

#include "capture.h"
#include "jit.h"

using namespace warpgrind;

namespace {

Module *module(CUmodule m) { return reinterpret_cast<Module *>(m); }

// Old launches: shape and parameters are set one by one.
struct OldLaunch {
  dim3 block{1, 1, 1};
  unsigned shared = 0;
  std::vector<char> params;
};

OldLaunch &oldLaunch(CUfunction f) {
  static auto *all = new std::map<CUfunction, OldLaunch>;
  return (*all)[f];
}

CUresult putParam(CUfunction f, int offset, const void *p, size_t bytes) {
  if (!f || offset < 0) return CUDA_ERROR_INVALID_VALUE;
  std::vector<char> &params = oldLaunch(f).params;
  if (params.size() < static_cast<size_t>(offset) + bytes) params.resize(static_cast<size_t>(offset) + bytes);
  memcpy(&params[static_cast<size_t>(offset)], p, bytes);
  return CUDA_SUCCESS;
}

CUresult launch(const char *api, CUfunction f, dim3 grid, dim3 block, size_t shared, CUstream stream, void **params,
                void **extra, const Grouping &grouping) {
  NEEDS_CONTEXT;
  if (!f) return result(misuse(api, cudaErrorInvalidResourceHandle, "the function is null"));
  Function &fn = *function(f);
  cudaError_t e;
  idOf(api, fn, &e);
  if (e != cudaSuccess) return result(e);
  if (params && extra) return invalid(api, "both parameters and extra options are given");
  std::vector<char> bytes(fn.paramBytes);
  size_t size = 0;
  if (const void *given = extraBytes(extra, &size)) memcpy(bytes.data(), given, std::min(size, bytes.size()));
  else if (params || fn.params.empty()) bytes = packParams(fn, params);
  else return invalid(api, "the kernel has parameters but none are given");
  if (isCapturing(stream))
    return result(captureKernel(api, stream, fn, nullptr, grid, block, shared, bytes.data(), grouping));
  return result(launchFunction(api, fn, grid, block, shared, stream, bytes.data(), grouping));
}

Grouping groupingOf(const CUlaunchConfig &c) {
  Grouping grouping;
  for (unsigned i = 0; i < c.numAttrs; i++) {
    const CUlaunchAttribute &a = c.attrs[i];
    if (a.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) grouping.cooperative = a.value.cooperative != 0;
    if (a.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
      grouping.programmatic = a.value.programmaticStreamSerializationAllowed != 0;
    if (a.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT)
      grouping.triggered = reinterpret_cast<cudaEvent_t>(a.value.programmaticEvent.event);
    if (a.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      grouping.cluster = dim3(a.value.clusterDim.x, a.value.clusterDim.y, a.value.clusterDim.z);
  }
  return grouping;
}

CUresult occupancy(const char *api, CUfunction f, OccupancyOf what, int blockSize, uint64_t given, uint64_t *out) {
  NEEDS_CONTEXT;
  if (!f) return result(misuse(api, cudaErrorInvalidResourceHandle, "the function is null"));
  cudaError_t e;
  uint32_t id = idOf(api, *function(f), &e);
  if (e != cudaSuccess) return result(e);
  Call c(api, protocol::Occupancy(id, what, blockSize, given));
  if (c.send()) *out = c.reply.value;
  return result(c.result());
}

CUresult getAttribute(int *value, CUfunction_attribute attribute, const cudaFuncAttributes &a) {
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
  default: return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

} // namespace

namespace warpgrind {

CUresult loadModule(const char *api, CUmodule *out, const void *image, unsigned count, CUjit_option *options,
              void **values) {
  if (!out || !image || (count > 0 && (!options || !values))) return invalid(api, "a pointer is null");
  Logs logs(count, options, values);
  cudaError_t e;
  std::string log;
  Module *m = loadImage(api, image, &e, &log);
  logs.write(log);
  if (m) *out = reinterpret_cast<CUmodule>(m);
  return e == cudaErrorNoKernelImageForDevice ? CUDA_ERROR_INVALID_IMAGE : result(e);
}

CUresult checkModule(const char *api, CUmodule m) {
  if (m && isModule(module(m))) return CUDA_SUCCESS;
  return result(misuse(api, cudaErrorInvalidResourceHandle, "not a module, or it is unloaded"));
}

CUresult functionOf(const char *api, CUfunction *out, CUmodule m, const char *name) {
  if (!out || !name) return invalid(api, "a pointer is null");
  if (CUresult e = checkModule(api, m)) return e;
  cudaError_t e;
  Function *f = functionOf(api, module(m), name, &e);
  if (f) *out = reinterpret_cast<CUfunction>(f);
  return result(e);
}

CUresult globalOf(const char *api, CUdeviceptr *out, size_t *bytes, CUmodule m, const char *name) {
  if (!name) return invalid(api, "the name is null");
  if (CUresult e = checkModule(api, m)) return e;
  cudaError_t e;
  Variable *v = variableOf(api, module(m), name, &e);
  if (v && out) *out = address(v->placed().address);
  if (v && bytes) *bytes = v->placed().size;
  return result(e);
}

} // namespace warpgrind

extern "C" {

CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned count, CUjit_option *options, void **values) {
  NEEDS_CONTEXT;
  return loadModule(__func__, m, image, count, options, values);
}

CUresult cuModuleLoadData(CUmodule *m, const void *image) {
  NEEDS_CONTEXT;
  return loadModule(__func__, m, image, 0, nullptr, nullptr);
}

CUresult cuModuleLoadFatBinary(CUmodule *m, const void *image) {
  NEEDS_CONTEXT;
  return loadModule(__func__, m, image, 0, nullptr, nullptr);
}

CUresult cuModuleLoad(CUmodule *m, const char *file) {
  NEEDS_CONTEXT;
  if (!file) return invalid(__func__, "the file name is null");
  const char *image = content(file);
  if (!image) return result(misuse(__func__, cudaErrorFileNotFound, file));
  return loadModule(__func__, m, image, 0, nullptr, nullptr);
}

CUresult cuModuleUnload(CUmodule m) {
  NEEDS_CONTEXT;
  if (CUresult e = checkModule(__func__, m)) return e;
  unloadModule(__func__, module(m));
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name) {
  NEEDS_CONTEXT;
  return functionOf(__func__, f, m, name);
}

CUresult cuModuleGetGlobal(CUdeviceptr *out, size_t *bytes, CUmodule m, const char *name) {
  NEEDS_CONTEXT;
  return globalOf(__func__, out, bytes, m, name);
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
  DRIVER_CALL;
  if (!mode) return invalid(__func__, "the result pointer is null");
  *mode = CU_MODULE_LAZY_LOADING;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule m) {
  DRIVER_CALL;
  if (!count) return invalid(__func__, "the result pointer is null");
  if (CUresult e = checkModule(__func__, m)) return e;
  *count = static_cast<unsigned>(entriesOf(module(m)).size());
  return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction *out, unsigned count, CUmodule m) {
  DRIVER_CALL;
  if (!out) return invalid(__func__, "the result pointer is null");
  if (CUresult e = checkModule(__func__, m)) return e;
  std::vector<std::string> names = entriesOf(module(m));
  for (unsigned i = 0; i < count && i < names.size(); i++)
    if (CUresult e = functionOf(__func__, &out[i], m, names[i].c_str())) return e;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction f) {
  DRIVER_CALL;
  if (!value || !f) return invalid(__func__, "a pointer is null");
  return getAttribute(value, attribute, function(f)->attributes);
}

CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute attribute, int value) {
  NEEDS_CONTEXT;
  if (!f) return result(misuse(__func__, cudaErrorInvalidResourceHandle, "the function is null"));
  cudaError_t e;
  Call c(__func__, protocol::FuncAttribute(idOf(__func__, *function(f), &e), static_cast<uint32_t>(attribute), value));
  if (!c.send()) return result(c.result());
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    function(f)->attributes.maxDynamicSharedSizeBytes = value;
  if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
    function(f)->attributes.preferredShmemCarveout = value;
  if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
    function(f)->attributes.nonPortableClusterSizeAllowed = value != 0;
  if (attribute == CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET) function(f)->attributes.clusterDimMustBeSet = value != 0;
  return CUDA_SUCCESS;
}

CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { DRIVER_CALL; return CUDA_SUCCESS; }
CUresult cuFuncSetSharedMemConfig(CUfunction, CUsharedconfig) { DRIVER_CALL; return CUDA_SUCCESS; }

CUresult cuFuncGetModule(CUmodule *m, CUfunction f) {
  DRIVER_CALL;
  if (!m || !f) return invalid(__func__, "a pointer is null");
  *m = reinterpret_cast<CUmodule>(function(f)->module);
  return CUDA_SUCCESS;
}

// All functions are there as soon as their module is.
CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction f) {
  DRIVER_CALL;
  if (!state || !f) return invalid(__func__, "a pointer is null");
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return CUDA_SUCCESS;
}

CUresult cuFuncLoad(CUfunction f) { DRIVER_CALL; return f ? CUDA_SUCCESS : invalid(__func__, "the function is null"); }

CUresult cuFuncGetName(const char **name, CUfunction f) {
  DRIVER_CALL;
  if (!name || !f) return invalid(__func__, "a pointer is null");
  *name = function(f)->name.c_str();
  return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction f, size_t index, size_t *offset, size_t *size) {
  DRIVER_CALL;
  if (!f || !offset || index >= function(f)->params.size()) return invalid(__func__, "there is no such parameter");
  *offset = function(f)->params[index].offset;
  if (size) *size = function(f)->params[index].size;
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, CUstream stream, void **params, void **extra) {
  DRIVER_CALL;
  return launch(__func__, f, dim3(gx, gy, gz), dim3(bx, by, bz), shared, stream, params, extra, false);
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                   unsigned bz, unsigned shared, CUstream stream, void **params) {
  DRIVER_CALL;
  return launch(__func__, f, dim3(gx, gy, gz), dim3(bx, by, bz), shared, stream, params, nullptr, true);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **params, void **extra) {
  DRIVER_CALL;
  if (!c) return invalid(__func__, "the configuration is null");
  return launch(__func__, f, dim3(c->gridDimX, c->gridDimY, c->gridDimZ), dim3(c->blockDimX, c->blockDimY, c->blockDimZ),
                c->sharedMemBytes, c->hStream, params, extra, groupingOf(*c));
}

CUresult cuFuncSetBlockShape(CUfunction f, int x, int y, int z) {
  DRIVER_CALL;
  if (!f || x <= 0 || y <= 0 || z <= 0) return invalid(__func__, "an extent is not positive");
  oldLaunch(f).block = dim3(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z));
  return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedSize(CUfunction f, unsigned bytes) {
  DRIVER_CALL;
  oldLaunch(f).shared = bytes;
  return CUDA_SUCCESS;
}

CUresult cuParamSetSize(CUfunction f, unsigned bytes) {
  DRIVER_CALL;
  oldLaunch(f).params.resize(bytes);
  return CUDA_SUCCESS;
}

CUresult cuParamSeti(CUfunction f, int offset, unsigned value) {
  DRIVER_CALL;
  return putParam(f, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction f, int offset, float value) {
  DRIVER_CALL;
  return putParam(f, offset, &value, sizeof value);
}

CUresult cuParamSetv(CUfunction f, int offset, void *p, unsigned bytes) {
  DRIVER_CALL;
  return putParam(f, offset, p, bytes);
}

CUresult cuLaunch(CUfunction f) { DRIVER_CALL; return cuLaunchGridAsync(f, 1, 1, nullptr); }
CUresult cuLaunchGrid(CUfunction f, int width, int height) {
  DRIVER_CALL;
  return cuLaunchGridAsync(f, width, height, nullptr);
}

CUresult cuLaunchGridAsync(CUfunction f, int width, int height, CUstream stream) {
  DRIVER_CALL;
  OldLaunch &o = oldLaunch(f);
  size_t size = o.params.size();
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, o.params.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  return launch(__func__, f, dim3(static_cast<unsigned>(width), static_cast<unsigned>(height), 1), o.block, o.shared,
                stream, nullptr, extra, false);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction f, int blockSize, size_t shared) {
  DRIVER_CALL;
  if (!blocks) return invalid(__func__, "the result pointer is null");
  uint64_t n = 0;
  CUresult e = occupancy(__func__, f, OccupancyOf::Blocks, blockSize, shared, &n);
  *blocks = static_cast<int>(n);
  return e;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction f, int blockSize, size_t shared,
                                                              unsigned) {
  DRIVER_CALL;
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, blockSize, shared);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *shared, CUfunction f, int blocks, int blockSize) {
  DRIVER_CALL;
  if (!shared) return invalid(__func__, "the result pointer is null");
  uint64_t n = 0;
  CUresult e = occupancy(__func__, f, OccupancyOf::Shared, blockSize, static_cast<uint64_t>(blocks), &n);
  *shared = n;
  return e;
}

// The larger of two block sizes with equally many resident threads.
CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f, CUoccupancyB2DSize sharedOf,
                                          size_t shared, int limit) {
  DRIVER_CALL;
  if (!grid || !block || !f) return invalid(__func__, "a pointer is null");
  int most = function(f)->attributes.maxThreadsPerBlock, best = 0;
  if (limit <= 0 || limit > most) limit = most;
  for (int b = (limit + 31) / 32 * 32; b > 0; b -= 32) {
    int n = 0, size = std::min(b, limit);
    CUresult e = cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, size, sharedOf ? sharedOf(size) : shared);
    if (e != CUDA_SUCCESS) return e;
    if (n * size <= best) continue;
    best = n * size;
    *block = size;
    *grid = n * static_cast<int>(caps().multiprocessors);
  }
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction f, CUoccupancyB2DSize sharedOf,
                                                   size_t shared, int limit, unsigned) {
  DRIVER_CALL;
  return cuOccupancyMaxPotentialBlockSize(grid, block, f, sharedOf, shared, limit);
}

CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction f, const CUlaunchConfig *c) {
  DRIVER_CALL;
  if (!size || !c) return invalid(__func__, "a pointer is null");
  uint64_t n = 0;
  CUresult e = occupancy(__func__, f, OccupancyOf::Cluster, static_cast<int>(c->blockDimX * c->blockDimY * c->blockDimZ), c->sharedMemBytes, &n);
  *size = static_cast<int>(n);
  return e;
}

CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction f, const CUlaunchConfig *c) {
  DRIVER_CALL;
  if (!clusters || !c) return invalid(__func__, "a pointer is null");
  uint64_t n = 0;
  CUresult e = occupancy(__func__, f, OccupancyOf::Blocks, static_cast<int>(c->blockDimX * c->blockDimY * c->blockDimZ), c->sharedMemBytes, &n);
  if (e != CUDA_SUCCESS) return e;
  dim3 d = groupingOf(*c).cluster;
  const cudaFuncAttributes &a = function(f)->attributes;
  uint64_t size = static_cast<uint64_t>(d.x) * d.y * d.z;
  if (!size) size = static_cast<uint64_t>(a.requiredClusterWidth) * a.requiredClusterHeight * a.requiredClusterDepth;
  *clusters = static_cast<int>(n * caps().multiprocessors / (size ? size : 1));
  return e;
}

CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *list, unsigned n, unsigned) {
  DRIVER_CALL;
  if (!list || n != 1) return result(unsupported("cuLaunchCooperativeKernelMultiDevice on several devices"));
  const CUDA_LAUNCH_PARAMS &p = *list;
  return launch(__func__, p.function, dim3(p.gridDimX, p.gridDimY, p.gridDimZ), dim3(p.blockDimX, p.blockDimY, p.blockDimZ),
                p.sharedMemBytes, p.hStream, p.kernelParams, nullptr, true);
}

} // extern "C"
