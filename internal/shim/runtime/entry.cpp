// Entry points by name: cuGetProcAddress and cudaGetDriverEntryPoint.
#include <cctype>
#include <string>
#include <unordered_map>

#include "driver.h"

using namespace warpgrind;

namespace {

const std::unordered_map<std::string, void *> &table() {
  static const auto *t = new std::unordered_map<std::string, void *>{
#define FUNCTION(name) {#name, reinterpret_cast<void *>(name)},
#include "driver_names.inc"
#undef FUNCTION
  };
  return *t;
}

// The function of that name, or null. Versions (_v2) and variants for the
// per-thread default stream (_ptsz, _ptds) are one function here.
void *find(std::string name) {
  for (const char *suffix : {"_ptsz", "_ptds"}) {
    size_t n = strlen(suffix);
    if (name.size() > n && name.compare(name.size() - n, n, suffix) == 0) name.resize(name.size() - n);
  }
  size_t n = name.size();
  auto it = table().find(name);
  if (it == table().end() && n > 3 && name[n - 3] == '_' && name[n - 2] == 'v' && isdigit(name[n - 1]))
    it = table().find(name.substr(0, n - 3));
  return it == table().end() ? nullptr : it->second;
}

cudaError_t entryPoint(const char *api, const char *symbol, void **function, cudaDriverEntryPointQueryResult *status) {
  if (!symbol || !function) return misuse(api, cudaErrorInvalidValue, "a pointer is null");
  *function = find(symbol);
  if (status) *status = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  if (*function || status) return cudaSuccess;
  return misuse(api, cudaErrorSymbolNotFound, symbol);
}

} // namespace

extern "C" {

CUresult cuGetProcAddress(const char *symbol, void **function, int, unsigned long long,
                          CUdriverProcAddressQueryResult *status) {
  if (!symbol || !function) return invalid(__func__, "a pointer is null");
  *function = find(symbol);
  if (status) *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long,
                                    cudaDriverEntryPointQueryResult *status) {
  return entryPoint(__func__, symbol, function, status);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult *status) {
  return entryPoint(__func__, symbol, function, status);
}

} // extern "C"
