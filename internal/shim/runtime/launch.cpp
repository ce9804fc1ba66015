// Kernel launches and what can be asked about kernels.
#include <atomic>
#include <utility>
#include <vector>

#include "capture.h"
#include "client.h"
#include "context.h"
#include "memory.h"
#include "python.h"
#include "registry.h"

namespace warpgrind {
namespace {

struct Configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};

// What cudaSetupArgument has gathered.
thread_local std::vector<char> setupArguments;
constexpr size_t kMaxParams = 4096;

std::atomic<void (*)(uint32_t)> launchObserver{nullptr};

// A stack, because the arguments of one launch may contain another.
thread_local std::vector<Configuration> configurations;

// Whether the last call found none. clang's stub of a kernel launches it even then, with the
// empty grid that it was given; nvcc's does not.
thread_local bool unconfigured;

cudaError_t launch(const void *func, const Configuration &cfg, void **args, const Grouping &grouping) {
  cudaError_t e;
  Function *f = findFunction(func, &e);
  if (!f) return e;
  if (!args && !f->params.empty())
    return invalid("the kernel has parameters but the argument array is null");
  std::vector<char> params = packParams(*f, args);
  if (!grouping.unconfigured && isCapturing(cfg.stream))
    return captureKernel(cfg.stream, *f, func, cfg.grid, cfg.block, cfg.shared, params.data(), grouping);
  return launchFunction(*f, cfg.grid, cfg.block, cfg.shared, cfg.stream, params.data(), grouping);
}

Grouping groupingOf(const cudaLaunchConfig_t &cfg) {
  Grouping g;
  for (unsigned i = 0; i < cfg.numAttrs; i++) {
    const cudaLaunchAttribute &a = cfg.attrs[i];
    if (a.id == cudaLaunchAttributeCooperative) g.cooperative = a.val.cooperative != 0;
    if (a.id == cudaLaunchAttributeProgrammaticStreamSerialization)
      g.programmatic = a.val.programmaticStreamSerializationAllowed != 0;
    if (a.id == cudaLaunchAttributeProgrammaticEvent)
      g.at(a.val.programmaticEvent.triggerAtBlockStart ? Moment::started : Moment::triggered) = a.val.programmaticEvent.event;
    if (a.id == cudaLaunchAttributeLaunchCompletionEvent) g.at(Moment::begun) = a.val.launchCompletionEvent.event;
    if (a.id == cudaLaunchAttributeClusterDimension) g.cluster = dim3(a.val.clusterDim.x, a.val.clusterDim.y, a.val.clusterDim.z);
  }
  return g;
}

cudaError_t check(const void *func) {
  cudaError_t e;
  return findFunction(func, &e) ? cudaSuccess : e;
}

cudaError_t occupancy(const void *func, OccupancyOf what, int blockSize, uint64_t given, uint64_t *out) {
  cudaError_t e;
  Function *f = findFunction(func, &e);
  if (!f) return e;
  Call c{protocol::Occupancy(idOf(*f, &e), what, blockSize, given)};
  if (c.send()) *out = c.reply.value;
  return c.result();
}

} // namespace

// Parameters may be or hold pointers to managed variables and to registered
// host memory, which the device sees elsewhere.
static void translatePointers(std::vector<char> &params) {
  for (size_t i = 0; i + sizeof(uint64_t) <= params.size(); i += sizeof(uint64_t)) {
    uint64_t v;
    memcpy(&v, &params[i], sizeof v);
    v = deviceView(v);
    memcpy(&params[i], &v, sizeof v);
  }
}

std::vector<char> packParams(const Function &f, void **args) {
  std::vector<char> params(f.paramBytes);
  for (size_t i = 0; i < f.params.size(); i++)
    if (f.params[i].size > 0) memcpy(&params[f.params[i].offset], args[i], f.params[i].size);
  if (hasViews()) translatePointers(params);
  return params;
}

const void *extraBytes(void **extra, size_t *size) {
  // CU_LAUNCH_PARAM_END, _BUFFER_POINTER and _BUFFER_SIZE of cuda.h
  enum : uintptr_t { end, buffer, bytes };
  const void *found = nullptr;
  for (; extra && extra[0] != reinterpret_cast<void *>(end); extra += 2) {
    if (extra[0] == reinterpret_cast<void *>(buffer)) found = extra[1];
    if (extra[0] == reinterpret_cast<void *>(bytes)) *size = *static_cast<size_t *>(extra[1]);
  }
  return found;
}

bool mayOverlap;

cudaError_t launchFunction(Function &f, dim3 grid, dim3 block, size_t shared,
                           cudaStream_t stream, const void *params, const Grouping &grouping) {
  cudaError_t e;
  uint32_t id = idOf(f, &e);
  if (e != cudaSuccess) return e;
  uint32_t number;
  {
    const AtPythonLine line;
    Call c{protocol::Launch(id, grouping.unconfigured, grouping.cooperative, grouping.programmatic, mayOverlap, grouping.cluster, grid, block, shared, stream,
                                 grouping.events[0], grouping.events[1], grouping.events[2], protocol::Blob(params, f.paramBytes))};
    pushManaged();
    c.send();
    pullManaged();
    e = c.result();
    number = c.reply.number;
  }
  if (auto *observer = launchObserver.load(); observer && number) observer(number - 1);
  return e;
}

extern "C" {

// For those who call through an interpreter: it is called with the launch's number in the thread that launches,
// when no lock is held, so that it can look at the interpreter's stack.
void __wg_observeLaunches(void (*observer)(uint32_t)) { launchObserver = observer; }

// Called where cudaLaunchKernelEx is used, before main.
int __wg_launchesMayOverlap(void) { return mayOverlap = true; }

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st *stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  unconfigured = configurations.empty();
  if (unconfigured) {
    if (grid) *grid = dim3(0, 0, 0);
    return recordError(cudaErrorMissingConfiguration);
  }
  const Configuration &c = configurations.back();
  *grid = c.grid;
  *block = c.block;
  *shared = c.shared;
  *static_cast<cudaStream_t *>(stream) = c.stream;
  configurations.pop_back();
  return cudaSuccess;
}

} // extern "C"

namespace core {

// The launch in three calls that CUDA had before version 10.1.
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  __cudaPushCallConfiguration(grid, block, shared, stream);
  setupArguments.clear();
  return cudaSuccess;
}

cudaError_t cudaSetupArgument(const void *arg, size_t size, size_t offset) {
  if (!arg || offset > kMaxParams || size > kMaxParams)
    return invalid("the argument is null or beyond the space for parameters");
  if (setupArguments.size() < offset + size) setupArguments.resize(offset + size);
  memcpy(setupArguments.data() + offset, arg, size);
  return cudaSuccess;
}

cudaError_t cudaLaunch(const void *func) {
  Configuration c;
  cudaError_t e = __cudaPopCallConfiguration(&c.grid, &c.block, &c.shared, &c.stream);
  Function *f = e == cudaSuccess ? findFunction(func, &e) : nullptr;
  if (!f) return e;
  setupArguments.resize(f->paramBytes);
  std::vector<void *> args;
  for (auto &p : f->params) args.push_back(setupArguments.data() + p.offset);
  return launch(func, c, args.data(), false);
}

cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
                             cudaStream_t stream) {
  Grouping grouping;
  grouping.unconfigured = std::exchange(unconfigured, false) && !grid.x;
  if (grouping.unconfigured) block = dim3(0, 0, 0), shared = 0, stream = nullptr;
  return launch(func, {grid, block, shared, stream}, args, grouping);
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
                                        cudaStream_t stream) {
  return launch(func, {grid, block, shared, stream}, args, true);
}

cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams *list, unsigned n, unsigned) {
  if (!list || n != 1) return unsupported("cudaLaunchCooperativeKernelMultiDevice on several devices");
  return launch(list->func, {list->gridDim, list->blockDim, list->sharedMem, list->stream}, list->args, true);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *cfg, const void *func, void **args) {
  if (!cfg) return invalid("the configuration is null");
  const Grouping grouping = groupingOf(*cfg);
  if (!grouping.early()) mayOverlap = false;
  return launch(func, {cfg->gridDim, cfg->blockDim, cfg->dynamicSmemBytes, cfg->stream}, args, grouping);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attr, const void *func) {
  if (!attr) return invalid("the result pointer is null");
  cudaError_t e;
  Function *f = findFunction(func, &e);
  if (!f) return e;
  *attr = f->attributes;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *func, cudaFuncAttribute attr, int value) {
  cudaError_t e;
  Function *f = findFunction(func, &e);
  if (!f) return e;
  if (attr != cudaFuncAttributeMaxDynamicSharedMemorySize && attr != cudaFuncAttributePreferredSharedMemoryCarveout &&
      (attr < cudaFuncAttributeClusterDimMustBeSet || attr >= cudaFuncAttributeMax))
    return invalid("no attribute that can be set");
  if (attr == cudaFuncAttributePreferredSharedMemoryCarveout) {
    if (value < -1 || value > 100)
      return invalid("the carveout is neither a percentage nor the default");
    f->attributes.preferredShmemCarveout = value;
    return cudaSuccess;
  }
  Call c{protocol::FuncAttribute(idOf(*f, &e), static_cast<uint32_t>(attr), value)};
  if (!c.send()) return c.result();
  cudaFuncAttributes &a = f->attributes;
  if (attr == cudaFuncAttributeMaxDynamicSharedMemorySize) a.maxDynamicSharedSizeBytes = value;
  if (attr == cudaFuncAttributeNonPortableClusterSizeAllowed) a.nonPortableClusterSizeAllowed = value != 0;
  if (attr == cudaFuncAttributeClusterDimMustBeSet) a.clusterDimMustBeSet = value != 0;
  return c.result();
}

cudaError_t cudaFuncGetName(const char **name, const void *func) {
  if (!name) return invalid("the result pointer is null");
  cudaError_t e;
  Function *f = findFunction(func, &e);
  if (!f) return e;
  *name = f->name.c_str();
  return cudaSuccess;
}

cudaError_t cudaFuncGetParamInfo(const void *func, size_t index, size_t *offset, size_t *size) {
  if (!offset) return invalid("the result pointer is null");
  cudaError_t e;
  Function *f = findFunction(func, &e);
  if (!f) return e;
  if (index >= f->params.size()) return invalid("the kernel has no such parameter");
  *offset = f->params[index].offset;
  if (size) *size = f->params[index].size;
  return cudaSuccess;
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol) {
  if (!function) return invalid("the result pointer is null");
  cudaError_t e;
  useRuntime();
  Function *f = findFunction(symbol, &e);
  if (f) *function = reinterpret_cast<cudaFunction_t>(f);
  return e;
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *entry) {
  if (!kernel) return invalid("the result pointer is null");
  cudaError_t e;
  useRuntime();
  Function *f = findFunction(entry, &e);
  if (f) *kernel = reinterpret_cast<cudaKernel_t>(f);
  return e;
}

// Since devices have double precision there is nothing to convert.
cudaError_t cudaSetDoubleForDevice(double *) { return cudaSuccess; }
cudaError_t cudaSetDoubleForHost(double *) { return cudaSuccess; }

cudaError_t cudaFuncSetCacheConfig(const void *func, cudaFuncCache) { return check(func); }
cudaError_t cudaFuncSetSharedMemConfig(const void *func, cudaSharedMemConfig) { return check(func); }

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func, int blockSize,
                                                          size_t shared) {
  if (!blocks) return invalid("the result pointer is null");
  uint64_t n = 0;
  cudaError_t e = occupancy(func, OccupancyOf::Blocks, blockSize, shared, &n);
  *blocks = static_cast<int>(n);
  return e;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func, int blockSize,
                                                                   size_t shared, unsigned) {
  return core::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, func, blockSize, shared);
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *func, const cudaLaunchConfig_t *cfg) {
  if (!size || !cfg) return invalid("a pointer is null");
  uint64_t n = 0;
  int threads = static_cast<int>(cfg->blockDim.x * cfg->blockDim.y * cfg->blockDim.z);
  cudaError_t e = occupancy(func, OccupancyOf::Cluster, threads, cfg->dynamicSmemBytes, &n);
  *size = static_cast<int>(n);
  return e;
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *func, const cudaLaunchConfig_t *cfg) {
  if (!clusters || !cfg) return invalid("a pointer is null");
  cudaError_t e;
  Function *f = findFunction(func, &e);
  if (!f) return e;
  dim3 d = groupingOf(*cfg).cluster;
  uint64_t size = static_cast<uint64_t>(d.x) * d.y * d.z, n = 0;
  const cudaFuncAttributes &a = f->attributes;
  if (!size) size = static_cast<uint64_t>(a.requiredClusterWidth) * a.requiredClusterHeight * a.requiredClusterDepth;
  int threads = static_cast<int>(cfg->blockDim.x * cfg->blockDim.y * cfg->blockDim.z);
  e = occupancy(func, OccupancyOf::Blocks, threads, cfg->dynamicSmemBytes, &n);
  *clusters = static_cast<int>(n * caps().multiprocessors / (size ? size : 1));
  return e;
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, const void *func, int blocks, int blockSize) {
  if (!shared) return invalid("the result pointer is null");
  uint64_t n = 0;
  cudaError_t e = occupancy(func, OccupancyOf::Shared, blockSize, static_cast<uint64_t>(blocks), &n);
  *shared = n;
  return e;
}

} // namespace core
} // namespace warpgrind
