// Globals of the runtime library that are made at their first use.
#pragma once

#include <atomic>

namespace warpgrind {

// Lasts until the process ends, since destructors of globals and threads that outlive main may
// call CUDA. No lock is held while it is made, as it is for a static variable of a function: a
// child that is forked at that moment would wait for it forever. Threads that come at once each
// make one, of which one is kept; making one has no other effect.
template <class T> class Lasting {
public:
  T &get() {
    T *kept = made_.load(std::memory_order_acquire);
    if (kept) return *kept;
    T *mine = new T;
    if (made_.compare_exchange_strong(kept, mine, std::memory_order_acq_rel)) return *mine;
    delete mine;
    return *kept;
  }

private:
  std::atomic<T *> made_{nullptr};
};

} // namespace warpgrind
