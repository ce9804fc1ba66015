// Memory and events that processes share ("CUDA C++ Programming Guide", "Interprocess
// Communication"). All processes of one check have the device's memory at the same
// addresses, and events that are made for it under the same numbers, so that a handle
// is the address or the number.
#include <cstring>

#include "client.h"
#include "memory.h"

namespace warpgrind {
namespace {

struct Handle {
  char magic[8];
  uint64_t base; // or number
};
constexpr char kMagic[8] = {'w', 'g', 'm', 'e', 'm', 'o', 'r', 'y'};
constexpr char kEventMagic[8] = {'w', 'g', 'e', 'v', 'e', 'n', 't', 's'};

cudaError_t openEvent(uint64_t number) {
  Call c{protocol::EventOpen(number)};
  c.send();
  return c.result();
}

} // namespace

namespace core {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer) {
  if (!handle) return invalid("the result pointer is null");
  PointerInfo i{};
  if (cudaError_t e = pointerInfo(pointer, &i)) return e;
  if (i.type != cudaMemoryTypeDevice) return invalid("the pointer is not to device memory");
  Handle h;
  memcpy(h.magic, kMagic, sizeof h.magic);
  h.base = i.base;
  memset(handle, 0, sizeof *handle);
  memcpy(handle, &h, sizeof h);
  return cudaSuccess;
}

cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned flags) {
  if (!pointer) return invalid("the result pointer is null");
  if (flags != cudaIpcMemLazyEnablePeerAccess) return invalid("unknown flags");
  Handle h;
  memcpy(&h, &handle, sizeof h);
  if (memcmp(h.magic, kMagic, sizeof h.magic) != 0)
    return invalid("not a handle of cudaIpcGetMemHandle");
  PointerInfo i{};
  void *base = reinterpret_cast<void *>(h.base);
  if (cudaError_t e = pointerInfo(base, &i)) return e;
  if (i.type != cudaMemoryTypeDevice)
    return misuse(cudaErrorMapBufferObjectFailed, "the memory is freed, or of a process that another warpgrind runs");
  *pointer = base;
  return cudaSuccess;
}

cudaError_t cudaIpcCloseMemHandle(void *pointer) {
  PointerInfo i{};
  if (cudaError_t e = pointerInfo(pointer, &i)) return e;
  return cudaSuccess;
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
  if (!handle) return invalid("the result pointer is null");
  Handle h;
  memcpy(h.magic, kEventMagic, sizeof h.magic);
  h.base = reinterpret_cast<uintptr_t>(event);
  memset(handle, 0, sizeof *handle);
  memcpy(handle, &h, sizeof h);
  return openEvent(h.base);
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
  if (!event) return invalid("the result pointer is null");
  Handle h;
  memcpy(&h, &handle, sizeof h);
  if (memcmp(h.magic, kEventMagic, sizeof h.magic) != 0)
    return invalid("not a handle of cudaIpcGetEventHandle");
  cudaError_t e = openEvent(h.base);
  if (e == cudaSuccess) *event = reinterpret_cast<cudaEvent_t>(static_cast<uintptr_t>(h.base));
  return e;
}

} // namespace core
} // namespace warpgrind
