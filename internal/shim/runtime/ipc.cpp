// Memory that processes share ("CUDA C++ Programming Guide", "Interprocess
// Communication"). All processes of one check have the device's memory at the
// same addresses, so that a handle is the address.
#include <cstring>

#include "client.h"
#include "memory.h"

using namespace warpgrind;

namespace {

struct Handle {
  char magic[8];
  uint64_t base;
};
constexpr char kMagic[8] = {'w', 'g', 'm', 'e', 'm', 'o', 'r', 'y'};

} // namespace

extern "C" {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer) {
  if (!handle) return misuse(__func__, cudaErrorInvalidValue, "the result pointer is null");
  PointerInfo i{};
  if (cudaError_t e = pointerInfo(__func__, pointer, &i)) return e;
  if (i.type != cudaMemoryTypeDevice) return misuse(__func__, cudaErrorInvalidValue, "the pointer is not to device memory");
  Handle h;
  memcpy(h.magic, kMagic, sizeof h.magic);
  h.base = i.base;
  memset(handle, 0, sizeof *handle);
  memcpy(handle, &h, sizeof h);
  return cudaSuccess;
}

cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned flags) {
  if (!pointer) return misuse(__func__, cudaErrorInvalidValue, "the result pointer is null");
  if (flags != cudaIpcMemLazyEnablePeerAccess) return misuse(__func__, cudaErrorInvalidValue, "unknown flags");
  Handle h;
  memcpy(&h, &handle, sizeof h);
  if (memcmp(h.magic, kMagic, sizeof h.magic) != 0)
    return misuse(__func__, cudaErrorInvalidValue, "not a handle of cudaIpcGetMemHandle");
  PointerInfo i{};
  void *base = reinterpret_cast<void *>(h.base);
  if (cudaError_t e = pointerInfo(__func__, base, &i)) return e;
  if (i.type != cudaMemoryTypeDevice)
    return misuse(__func__, cudaErrorMapBufferObjectFailed, "the memory is freed, or of a process that another warpgrind runs");
  *pointer = base;
  return cudaSuccess;
}

cudaError_t cudaIpcCloseMemHandle(void *pointer) {
  PointerInfo i{};
  if (cudaError_t e = pointerInfo(__func__, pointer, &i)) return e;
  return cudaSuccess;
}

} // extern "C"
