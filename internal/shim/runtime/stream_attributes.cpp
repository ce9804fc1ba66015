// Attributes of streams ("CUDA Runtime API", "cudaStreamSetAttribute"): hints
// that change nothing here, and are kept.
#include <map>
#include <mutex>

#include "client.h"
#include "lasting.h"

namespace warpgrind {
namespace {

using Attributes = std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue>;

std::mutex mutex;
std::map<uint64_t, Attributes> &attributes() {
  static Lasting<std::map<uint64_t, Attributes>> m;
  return m.get();
}

bool known(cudaLaunchAttributeID id) {
  switch (id) {
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeSynchronizationPolicy:
  case cudaLaunchAttributePriority:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain: return true;
  default: return false;
  }
}

// What a stream has that nothing has set.
cudaLaunchAttributeValue initial(cudaLaunchAttributeID id) {
  cudaLaunchAttributeValue v;
  memset(&v, 0, sizeof v);
  if (id == cudaLaunchAttributeSynchronizationPolicy) v.syncPolicy = cudaSyncPolicyAuto;
  if (id == cudaLaunchAttributeMemSyncDomainMap) v.memSyncDomainMap = {0, 1};
  return v;
}

} // namespace

namespace core {

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID id, cudaLaunchAttributeValue *value) {
  if (!value || !known(id)) return invalid("no attribute of streams, or the result pointer is null");
  int priority = 0;
  if (cudaError_t e = core::cudaStreamGetPriority(stream, &priority)) return e; // the stream may not exist
  *value = initial(id);
  if (id == cudaLaunchAttributePriority) value->priority = priority;
  std::lock_guard<std::mutex> lock(mutex);
  const Attributes &all = attributes()[streamNumber(stream)];
  auto it = all.find(id);
  if (it != all.end()) *value = it->second;
  return cudaSuccess;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID id, const cudaLaunchAttributeValue *value) {
  if (!value || !known(id)) return invalid("no attribute of streams, or the value is null");
  int priority;
  if (cudaError_t e = core::cudaStreamGetPriority(stream, &priority)) return e;
  std::lock_guard<std::mutex> lock(mutex);
  attributes()[streamNumber(stream)][id] = *value;
  return cudaSuccess;
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src) {
  int priority;
  if (cudaError_t e = core::cudaStreamGetPriority(dst, &priority)) return e;
  if (cudaError_t e = core::cudaStreamGetPriority(src, &priority)) return e;
  std::lock_guard<std::mutex> lock(mutex);
  attributes()[streamNumber(dst)] = attributes()[streamNumber(src)];
  return cudaSuccess;
}

} // namespace core
} // namespace warpgrind
