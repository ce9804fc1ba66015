// Entry points by name: cuGetProcAddress and cudaGetDriverEntryPoint.
#include <cctype>
#include <string>
#include <unordered_map>

#include "cudaProfiler.h"

#include "callsite.h"
#include "driver.h"

namespace warpgrind {

// The older versions in abi.cpp, whose names stand for the newer ones in cuda.h.
#define OLD(name) extern "C" void old##name() __asm__("cu" #name)
OLD(GetProcAddress);
OLD(GraphExecUpdate);
OLD(GraphInstantiate);
OLD(GraphKernelNodeGetParams);
OLD(StreamGetCaptureInfo);
OLD(StreamGetCaptureInfo_ptsz);
#undef OLD

#define PER_THREAD(name, target) extern "C" void perThread_##name() __asm__(#name);
#include "api.inc"

namespace {

template <class F> void *address(F *function) { return reinterpret_cast<void *>(function); }

const std::unordered_map<std::string, void *> &table() {
  static const auto *t = new std::unordered_map<std::string, void *>{
#define BY_NAME(name) {#name, address(::name)},
#include "api.inc"
  };
  return *t;
}

// The functions with a default stream for each thread, by those that they stand for.
const std::unordered_map<void *, void *> &perThreadTable() {
  static const auto *t = new std::unordered_map<void *, void *>{
      {address(oldStreamGetCaptureInfo), address(oldStreamGetCaptureInfo_ptsz)},
#define PER_THREAD(name, target) {address(::target), address(perThread_##name)},
#include "api.inc"
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

const Version versions[] = {
    {"cuGetProcAddress", 0, address(oldGetProcAddress)},
    {"cuGraphExecUpdate", 0, address(oldGraphExecUpdate)},
    {"cuGraphInstantiate", 0, address(oldGraphInstantiate)},
    {"cuGraphKernelNodeGetParams", 0, address(oldGraphKernelNodeGetParams)},
    {"cuStreamGetCaptureInfo", 0, address(oldStreamGetCaptureInfo)},
#define SINCE(name, since, symbol) {#name, since, address(::symbol)},
#include "api.inc"
};

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

cudaError_t entryPoint(const char *symbol, int version, void **function, unsigned long long flags,
                       cudaDriverEntryPointQueryResult *status) {
  if (!symbol || !function) return invalid("a pointer is null");
  if (flags == cudaEnableDefault && usesPerThreadDefault()) flags = cudaEnablePerThreadDefaultStream;
  *function = find(symbol, version, flags);
  if (status) *status = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  if (*function || status) return cudaSuccess;
  return misuse(cudaErrorSymbolNotFound, symbol);
}

} // namespace

namespace core {

cudaError_t cuGetProcAddress(const char *symbol, void **function, int version, unsigned long long flags,
                          CUdriverProcAddressQueryResult *status) {
  if (!symbol || !function) return invalid("a pointer is null");
  if (!*symbol) { // so begins NVIDIA's runtime library; it wants undocumented tables next
    std::string in = callersFile();
    return unsupported(("NVIDIA's static runtime library" + (in.empty() ? "" : " in " + in) +
                        ", which works with NVIDIA's driver alone; in a stripped file it is replaced from CUDA 12.9 on, but for relocatable device code: keep the symbol table, or link with -cudart shared")
                           .c_str());
  }
  *function = find(symbol, version, flags);
  if (status) *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function || status ? cudaSuccess : cudaErrorSymbolNotFound;
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *status) {
  return entryPoint(symbol, CUDART_VERSION, function, flags, status);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult *status) {
  return entryPoint(symbol, static_cast<int>(version), function, flags, status);
}

} // namespace core
} // namespace warpgrind
