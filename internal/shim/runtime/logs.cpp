// Callbacks for the driver's log messages ("CUDA Driver API", "Error Log Management
// Functions"). The emulated driver writes none: what it has to say is in the report.
#include <mutex>
#include <set>

#include "client.h"
#include "driver.h"
#include "lasting.h"

namespace warpgrind {
namespace {

struct Callbacks {
  std::mutex mutex;
  uintptr_t last = 0;
  std::set<uintptr_t> registered;
};

Callbacks &callbacks() {
  static Lasting<Callbacks> c;
  return c.get();
}

} // namespace

namespace core {

cudaError_t cuLogsRegisterCallback(CUlogsCallback callback, void *, CUlogsCallbackHandle *handle) {
  if (!callback) return invalid("the callback is null");
  std::lock_guard<std::mutex> lock(callbacks().mutex);
  uintptr_t id = ++callbacks().last;
  callbacks().registered.insert(id);
  if (handle) *handle = reinterpret_cast<CUlogsCallbackHandle>(id);
  return cudaSuccess;
}

cudaError_t cuLogsUnregisterCallback(CUlogsCallbackHandle handle) {
  std::lock_guard<std::mutex> lock(callbacks().mutex);
  if (callbacks().registered.erase(reinterpret_cast<uintptr_t>(handle)) == 0) return invalid("not a registered callback");
  return cudaSuccess;
}

} // namespace core
} // namespace warpgrind
