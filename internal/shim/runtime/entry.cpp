// Entry points by name: cuGetProcAddress and cudaGetDriverEntryPoint.
#include <cctype>
#include <string>
#include <unordered_map>

#include "cudaProfiler.h"

#include "driver.h"

using namespace warpgrind;

// The older versions in abi.cpp, whose names stand for the newer ones in cuda.h.
#define OLD(name) extern "C" void old##name() __asm__("cu" #name)
OLD(GetProcAddress);
OLD(GraphExecUpdate);
OLD(GraphInstantiate);
OLD(GraphKernelNodeGetParams);
OLD(StreamGetCaptureInfo);
#undef OLD

#define PER_THREAD(name, target) extern "C" void perThread_##name() __asm__(#name);
#include "per_thread_names.inc"
#undef PER_THREAD

namespace {

const std::unordered_map<std::string, void *> &table() {
  static const auto *t = new std::unordered_map<std::string, void *>{
#define FUNCTION(name) {#name, reinterpret_cast<void *>(name)},
#include "driver_names.inc"
#undef FUNCTION
  };
  return *t;
}

// The functions with a default stream for each thread, by those that they stand for.
const std::unordered_map<void *, void *> &perThreadTable() {
  static const auto *t = new std::unordered_map<void *, void *>{
#define PER_THREAD(name, target) {reinterpret_cast<void *>(target), reinterpret_cast<void *>(perThread_##name)},
#include "per_thread_names.inc"
#undef PER_THREAD
  };
  return *t;
}

// Functions that are others since a version of CUDA: a program gets the newest
// that its version knows ("CUDA Driver API", "cuGetProcAddress"). In order.
struct Version {
  const char *name;
  int since;
  void *function;
};

#define SINCE(name, since, symbol) {#name, since, reinterpret_cast<void *>(symbol)}
const Version versions[] = {
    SINCE(cuCtxCreate, 11040, cuCtxCreate_v3),
    SINCE(cuCtxCreate, 12050, cuCtxCreate_v4),
    {"cuGetProcAddress", 0, reinterpret_cast<void *>(oldGetProcAddress)},
    {"cuGetProcAddress", 12000, reinterpret_cast<void *>(cuGetProcAddress_v2)},
    SINCE(cuGraphAddDependencies, 12030, cuGraphAddDependencies_v2),
    SINCE(cuGraphAddNode, 12030, cuGraphAddNode_v2),
    {"cuGraphExecUpdate", 0, reinterpret_cast<void *>(oldGraphExecUpdate)},
    {"cuGraphExecUpdate", 12000, reinterpret_cast<void *>(cuGraphExecUpdate_v2)},
    SINCE(cuGraphGetEdges, 12030, cuGraphGetEdges_v2),
    {"cuGraphInstantiate", 0, reinterpret_cast<void *>(oldGraphInstantiate)},
    {"cuGraphInstantiate", 12000, reinterpret_cast<void *>(cuGraphInstantiateWithFlags)},
    {"cuGraphKernelNodeGetParams", 0, reinterpret_cast<void *>(oldGraphKernelNodeGetParams)},
    {"cuGraphKernelNodeGetParams", 12000, reinterpret_cast<void *>(cuGraphKernelNodeGetParams_v2)},
    SINCE(cuGraphNodeGetDependencies, 12030, cuGraphNodeGetDependencies_v2),
    SINCE(cuGraphNodeGetDependentNodes, 12030, cuGraphNodeGetDependentNodes_v2),
    SINCE(cuGraphRemoveDependencies, 12030, cuGraphRemoveDependencies_v2),
    SINCE(cuMemAdvise, 12020, cuMemAdvise_v2),
    SINCE(cuMemPrefetchAsync, 12020, cuMemPrefetchAsync_v2),
    {"cuStreamGetCaptureInfo", 0, reinterpret_cast<void *>(oldStreamGetCaptureInfo)},
    {"cuStreamGetCaptureInfo", 11030, reinterpret_cast<void *>(cuStreamGetCaptureInfo_v2)},
    {"cuStreamGetCaptureInfo", 12030, reinterpret_cast<void *>(cuStreamGetCaptureInfo_v3)},
    SINCE(cuStreamGetCtx, 12050, cuStreamGetCtx_v2),
    SINCE(cuStreamUpdateCaptureDependencies, 12030, cuStreamUpdateCaptureDependencies_v2),
};
#undef SINCE

// Takes _ptsz or _ptds off a name; reports whether it was there.
bool takeSuffix(std::string &name) {
  for (const char *suffix : {"_ptsz", "_ptds"}) {
    size_t n = strlen(suffix);
    if (name.size() <= n || name.compare(name.size() - n, n, suffix) != 0) continue;
    name.resize(name.size() - n);
    return true;
  }
  return false;
}

// The function of that name, or null. Versions (_v2) are one function here, except
// for those above.
void *findShared(const std::string &name, int version) {
  void *versioned = nullptr;
  for (const Version &v : versions)
    if (name == v.name && v.since <= version) versioned = v.function;
  if (versioned) return versioned;
  size_t n = name.size();
  auto it = table().find(name);
  if (it == table().end() && n > 3 && name[n - 3] == '_' && name[n - 2] == 'v' && isdigit(name[n - 1]))
    it = table().find(name.substr(0, n - 3));
  return it == table().end() ? nullptr : it->second;
}

// The same where the caller may want the default stream of each thread.
void *find(std::string name, int version, unsigned long long flags) {
  bool perThread = takeSuffix(name) || (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
  void *shared = findShared(name, version);
  auto it = perThread ? perThreadTable().find(shared) : perThreadTable().end();
  return it == perThreadTable().end() ? shared : it->second;
}

cudaError_t entryPoint(const char *api, const char *symbol, int version, void **function, unsigned long long flags,
                       cudaDriverEntryPointQueryResult *status) {
  if (!symbol || !function) return misuse(api, cudaErrorInvalidValue, "a pointer is null");
  if (flags == cudaEnableDefault && usesPerThreadDefault()) flags = cudaEnablePerThreadDefaultStream;
  *function = find(symbol, version, flags);
  if (status) *status = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  if (*function || status) return cudaSuccess;
  return misuse(api, cudaErrorSymbolNotFound, symbol);
}

} // namespace

extern "C" {

CUresult cuGetProcAddress(const char *symbol, void **function, int version, unsigned long long flags,
                          CUdriverProcAddressQueryResult *status) {
  DRIVER_CALL;
  if (!symbol || !function) return invalid(__func__, "a pointer is null");
  *function = find(symbol, version, flags);
  if (status) *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *status) {
  return entryPoint(__func__, symbol, CUDART_VERSION, function, flags, status);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult *status) {
  return entryPoint(__func__, symbol, static_cast<int>(version), function, flags, status);
}

} // extern "C"
