// Containers whose memory is not the program's: a signal handler's access may
// come while the program is within malloc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <sys/mman.h>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpgrind {

// Blocks of powers of two bytes. Those who use it keep signal handlers of their
// thread away meanwhile.
class OwnMemory {
public:
  static void *take(size_t n) {
    OwnMemory &m = instance();
    const int c = classOf(n);
    std::lock_guard<std::mutex> lock(m.mutex_);
    if (Block *b = m.free_[c]) {
      m.free_[c] = b->next;
      return b;
    }
    return m.carve(size_t(1) << c);
  }

  static void give(void *p, size_t n) {
    OwnMemory &m = instance();
    const int c = classOf(n);
    std::lock_guard<std::mutex> lock(m.mutex_);
    m.free_[c] = new (p) Block{m.free_[c]};
  }

private:
  struct Block {
    Block *next;
  };
  static constexpr size_t kPiece = 1 << 18;

  static OwnMemory &instance() {
    static OwnMemory m; // nothing to construct, nothing to destroy
    return m;
  }

  static int classOf(size_t n) { return n <= 16 ? 4 : 64 - __builtin_clzll(n - 1); }

  void *carve(size_t n) {
    if (n > static_cast<size_t>(end_ - at_)) {
      const size_t piece = n > kPiece ? n : kPiece;
      void *p = mmap(nullptr, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (p == MAP_FAILED) throw std::bad_alloc();
      if (n > kPiece) return p;
      at_ = static_cast<char *>(p);
      end_ = at_ + piece;
    }
    void *p = at_;
    at_ += n;
    return p;
  }

  std::mutex mutex_;
  Block *free_[64] = {};
  char *at_ = nullptr, *end_ = nullptr;
};

// The allocator of containers that live in this memory.
template <class T> struct Own {
  using value_type = T;
  Own() = default;
  template <class U> Own(const Own<U> &) {}
  T *allocate(size_t n) { return static_cast<T *>(OwnMemory::take(n * sizeof(T))); }
  void deallocate(T *p, size_t n) { OwnMemory::give(p, n * sizeof(T)); }
  template <class U> bool operator==(const Own<U> &) const { return true; }
  template <class U> bool operator!=(const Own<U> &) const { return false; }
};

// Containers of the standard library that live there.
template <class T> using OwnVector = std::vector<T, Own<T>>;
template <class T> using OwnSet = std::set<T, std::less<T>, Own<T>>;
template <class K, class V> using OwnMap = std::unordered_map<K, V, std::hash<K>, std::equal_to<K>, Own<std::pair<const K, V>>>;

} // namespace warpgrind
