// What the program's own code does to memory that kernels can access: managed,
// page-locked and registered memory. The compiler puts a call at each access
// of host code (clang's -fsanitize=thread; this is not ThreadSanitizer, only
// its callbacks, in hostwatch_hooks.cpp). While work that the host has not
// waited for may be on its way, accesses to such memory are noted here, by
// place, and told to the server before the next request: between two requests
// nothing changes in what is ordered.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include "protocol.h"

namespace warpgrind {

// Makes code of this program heard; once is enough. Whether it is.
void watchHost();
bool hostIsWatched();

// Whether this thread is at work here: a signal handler then must not wait.
bool isNoting();

// The server does not want to hear.
void stopWatchingHost();

// Takes note of work in a stream that a request began or waited for.
void noteWork(Op op, uint64_t stream);

// Takes note that all work of a stream, or of the device, is done.
void noteDone(uint64_t stream);
void noteAllDone();

// A range of the program's own memory that the device sees at address arena.
// Forgetting takes any range away that begins there.
void watchRange(const void *begin, size_t size, uint64_t arena);
void forgetRange(const void *begin);

// Takes what was noted.
using Touches = protocol::Batch<protocol::Touch>;
Touches takeTouches();

// Host functions of streams run on one thread. What it does is told apart, as work of
// the function's stream: beginFunction comes before one runs, takeFunctionTouches
// after it.
void beginFunction(uint64_t stream);
Touches takeFunctionTouches();

// What an access does.
enum Kind : uint8_t { kRead, kWrite, kBoth }; // as trace.Kind

// Which addresses are examined: the arena's, and those that the program's own
// ranges lie between. All lie from low on; nothing is examined while reach is 0.
struct Gate {
  std::atomic<uintptr_t> low{0}, reach{0}, arena{0}, span{0}, own{0}, extent{0};

  bool holds(uintptr_t a) const {
    const auto relaxed = std::memory_order_relaxed;
    if (__builtin_expect(a - low.load(relaxed) >= reach.load(relaxed), 1)) return false;
    return a - arena.load(relaxed) < span.load(relaxed) || a - own.load(relaxed) < extent.load(relaxed);
  }
};
extern __attribute__((visibility("hidden"))) Gate gate;

// Notes an access of n bytes by the code that the call at counter returns to.
void note(uintptr_t a, size_t n, Kind kind, bool strong, uintptr_t counter);

// An access by the code that calls the function that this is inlined into.
inline __attribute__((always_inline)) void touch(const volatile void *p, size_t n, Kind kind, bool strong = false) {
  auto a = reinterpret_cast<uintptr_t>(p);
  if (__builtin_expect(gate.holds(a), 0))
    note(a, n, kind, strong, reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
}

// The same for many bytes, of which the first may be of other memory.
inline __attribute__((always_inline)) void touchMany(const volatile void *p, size_t n, Kind kind) {
  auto a = reinterpret_cast<uintptr_t>(p);
  if (n > 0 && (gate.holds(a) || gate.holds(a + n - 1)))
    note(a, n, kind, false, reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
}

} // namespace warpgrind
