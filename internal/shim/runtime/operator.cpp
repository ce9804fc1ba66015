// For frameworks whose operators the host executes on memory of the device
// (shim/python): where that memory is accessible, and what an operator did, as work of a stream.
#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "client.h"
#include "lasting.h"

using namespace warpgrind;

namespace {

std::atomic<void (*)(const char *)> operatorObserver{nullptr};

// Lines that calls came from.
struct Places {
  std::mutex mutex;
  std::set<std::string> all;
};

Places &places() {
  static Lasting<Places> p;
  return p.get();
}

protocol::Batch<protocol::Extent> extents(const uint64_t *given, size_t n) {
  protocol::Batch<protocol::Extent> out;
  for (size_t i = 0; i < n; i++) out.add(protocol::Extent(given[2 * i], given[2 * i + 1]));
  return out;
}

} // namespace

extern "C" {

void *__wg_hostAddress(const void *address) { return accessible(address); }

// Waits until the work before has run, without that the host counts as having waited.
cudaError_t __wg_beginOperator(cudaStream_t stream) {
  Call c{protocol::Settle(stream)};
  c.send();
  return c.result();
}

// Each list is of n pairs: the first address, and the one after the last.
cudaError_t __wg_endOperator(const char *name, const char *where, cudaStream_t stream, const uint64_t *reads, size_t nReads,
                             const uint64_t *writes, size_t nWrites, const uint64_t *marks, size_t nMarks) {
  const CallName as(name);
  Call c{protocol::Operator(std::string_view(name), std::string_view(where), stream, extents(reads, nReads), extents(writes, nWrites),
                            extents(marks, nMarks))};
  c.send();
  if (auto *observer = operatorObserver.load()) observer(where);
  return c.result();
}

// Calls of this thread come from a line of the interpreter's program, file:line, until it is called with null.
void __wg_setPlace(const char *place) {
  if (!place || !*place) return setPlace(nullptr);
  Places &p = places();
  std::lock_guard<std::mutex> lock(p.mutex);
  setPlace(p.all.insert(place).first->c_str());
}

// As __wg_observeLaunches: it is called with the place of each operator.
void __wg_observeOperators(void (*observer)(const char *)) { operatorObserver = observer; }

} // extern "C"
