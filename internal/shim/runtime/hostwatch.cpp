#include "hostwatch.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <pthread.h>
#include <set>
#include <unordered_map>
#include <vector>

#include "callsite.h"
#include "client.h"

namespace warpgrind {
namespace {

enum Kind : uint8_t { kRead, kWrite, kBoth }; // as trace.Kind

// Which addresses are looked at; nothing while the spans are 0. Other memory
// of the program (registered, managed variables) lies from low to high.
struct Gate {
  std::atomic<uintptr_t> arena{0}, span{0}, low{0}, reach{0};
};
Gate gate;
std::atomic<bool> watched{false};

struct Extent {
  uintptr_t lo, hi;
};

// The accesses of one place.
struct Record {
  Kind kind;
  bool strong, full;
  Site site;
  std::vector<Extent> bytes;
  size_t limit;
};

struct View {
  uintptr_t lo, hi;
  uint64_t arena;
};

constexpr size_t kFirstLimit = 1024, kMostExtents = 1 << 16, kMostFlags = 256, kMostRecords = 1 << 14;

// Strong reads part the records, since what comes after one may know more; of
// each flag the first read does.
struct Log {
  std::mutex mutex;
  std::vector<Record> records;
  std::unordered_map<uintptr_t, size_t> index; // of those since the last strong read
  std::set<uintptr_t> flags;
  bool full = false;
  std::vector<View> views;
  std::set<uint64_t> pending; // streams with work that may not be waited for
};

// Never destroyed: destructors of globals may access such memory.
Log &log() {
  static auto *l = new Log;
  return *l;
}

thread_local bool inside = false; // a signal handler's accesses, and our own

void settle(std::vector<Extent> &v) {
  std::sort(v.begin(), v.end(), [](const Extent &a, const Extent &b) { return a.lo < b.lo; });
  size_t n = 0;
  for (const Extent &x : v) {
    if (n > 0 && x.lo <= v[n - 1].hi)
      v[n - 1].hi = std::max(v[n - 1].hi, x.hi);
    else
      v[n++] = x;
  }
  v.resize(n);
}

void add(Record &r, Extent x) {
  if (!r.bytes.empty()) {
    Extent &last = r.bytes.back();
    if (x.lo <= last.hi && x.hi >= last.lo) {
      last = {std::min(last.lo, x.lo), std::max(last.hi, x.hi)};
      return;
    }
  }
  if (r.bytes.size() >= r.limit) {
    settle(r.bytes);
    r.limit = 2 * r.bytes.size() + kFirstLimit;
    if (r.bytes.size() >= kMostExtents) {
      r.full = true;
      return;
    }
  }
  r.bytes.push_back(x);
}

// The place of an access, from the return address of its call on.
Site siteOf(uintptr_t counter) {
  void *stack[kMaxFrames + 8];
  int n = returnAddresses(stack, kMaxFrames + 8), from = 0;
  while (from < n && reinterpret_cast<uintptr_t>(stack[from]) != counter) from++;
  Site s;
  if (from == n) return addFrame(s, counter), s;
  for (int i = from; i < n && s.count < kMaxFrames; i++) addFrame(s, reinterpret_cast<uintptr_t>(stack[i]));
  return s;
}

// The record of a place; null where there are too many.
Record *recordOf(Log &l, uintptr_t counter, Kind kind, bool strong) {
  auto found = l.index.emplace(counter << 2 | kind, l.records.size());
  if (!found.second) return &l.records[found.first->second];
  if (l.records.size() >= kMostRecords) {
    l.index.erase(found.first);
    l.full = true;
    return nullptr;
  }
  l.records.push_back({kind, strong, false, siteOf(counter), {}, kFirstLimit});
  return &l.records.back();
}

// Translates an address of the program's own memory to the device's; 0 for one
// that the device does not see. n is cut to what it does.
uintptr_t seen(const Log &l, uintptr_t a, size_t &n) {
  for (const View &v : l.views)
    if (a < v.hi && a + n > v.lo) {
      uintptr_t lo = std::max(a, v.lo), hi = std::min(a + n, v.hi);
      n = hi - lo;
      return v.arena + (lo - v.lo);
    }
  return 0;
}

__attribute__((noinline)) void note(uintptr_t a, size_t n, Kind kind, bool strong, uintptr_t counter) {
  if (inside || n == 0) return;
  inside = true;
  {
    Log &l = log();
    std::lock_guard<std::mutex> lock(l.mutex);
    if (a - gate.arena >= gate.span) a = seen(l, a, n);
    if (a != 0 && strong && kind != kWrite && l.flags.size() < kMostFlags && l.flags.insert(a).second) l.index.clear();
    Record *r = a != 0 ? recordOf(l, counter, kind, strong) : nullptr;
    if (r) add(*r, {a, a + n});
  }
  inside = false;
}

inline bool looked(uintptr_t a, size_t n) {
  const auto relaxed = std::memory_order_relaxed;
  if (a - gate.arena.load(relaxed) < gate.span.load(relaxed)) return true;
  const uintptr_t first = a - gate.low.load(relaxed), reach = gate.reach.load(relaxed);
  return first < reach || first + n - 1 < reach;
}

inline __attribute__((always_inline)) void touch(const volatile void *p, size_t n, Kind kind, bool strong) {
  auto a = reinterpret_cast<uintptr_t>(p);
  if (__builtin_expect(looked(a, n), 0))
    note(a, n, kind, strong, reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
}

void close() { gate.span = gate.reach = 0; }

// Looks at the device's memory that the host sees. The log's mutex is held.
void openGate(const Log &l) {
  gate.arena = caps().hostBase;
  gate.span = caps().arenaBase + caps().arenaSize - caps().hostBase;
  uintptr_t lo = UINTPTR_MAX, hi = 0;
  for (const View &v : l.views) lo = std::min(lo, v.lo), hi = std::max(hi, v.hi);
  gate.reach = 0;
  gate.low = lo;
  if (hi > lo) gate.reach = hi - lo;
}

template <class T> void put(std::string &s, T v) { s.append(reinterpret_cast<const char *>(&v), sizeof v); }

void encode(std::string &s, Record &r) {
  settle(r.bytes);
  put<uint8_t>(s, r.kind);
  put<uint8_t>(s, r.strong);
  put<uint8_t>(s, r.full);
  put<uint8_t>(s, r.site.count);
  for (int i = 0; i < r.site.count; i++) put(s, r.site.frames[i]);
  put(s, static_cast<uint32_t>(r.bytes.size()));
  for (const Extent &x : r.bytes) {
    put<uint64_t>(s, x.lo);
    put<uint64_t>(s, x.hi - x.lo);
  }
}

} // namespace

bool hostIsWatched() { return watched; }

void noteWork(Op op, uint64_t stream) {
  if (!watched) return;
  Log &l = log();
  std::lock_guard<std::mutex> lock(l.mutex);
  switch (op) {
  case Op::Launch:
  case Op::Copy:
  case Op::Set:
    l.pending.insert(stream);
    openGate(l);
    return;
  case Op::StreamSync: l.pending.erase(stream); break;
  case Op::DeviceSync:
  case Op::Free:
  case Op::Reset:
    if (caps().devices == 1) l.pending.clear();
    break;
  default: return;
  }
  if (l.pending.empty()) close();
}

void watchRange(const void *begin, size_t size, uint64_t arena) {
  Log &l = log();
  std::lock_guard<std::mutex> lock(l.mutex);
  auto lo = reinterpret_cast<uintptr_t>(begin);
  l.views.push_back({lo, lo + size, arena});
  if (!l.pending.empty()) openGate(l);
}

void forgetRange(const void *begin) {
  Log &l = log();
  std::lock_guard<std::mutex> lock(l.mutex);
  auto lo = reinterpret_cast<uintptr_t>(begin);
  auto gone = std::remove_if(l.views.begin(), l.views.end(), [=](const View &v) { return v.lo == lo; });
  l.views.erase(gone, l.views.end());
  if (!l.pending.empty()) openGate(l);
}

std::string takeTouches() {
  Log &l = log();
  std::lock_guard<std::mutex> lock(l.mutex);
  std::string s;
  if (l.records.empty()) return s;
  put(s, static_cast<uint32_t>(l.records.size()));
  if (l.full) l.records.back().full = true;
  for (Record &r : l.records) encode(s, r);
  l.records.clear();
  l.index.clear();
  l.flags.clear();
  l.full = false;
  return s;
}

} // namespace warpgrind

// The callbacks ("ThreadSanitizer", llvm/lib/Transforms/Instrumentation; the
// arguments of the atomic ones are those of the C library's __atomic_
// functions). They are weak: a program that brings the real library keeps it.
#define HOOK extern "C" __attribute__((weak)) void

using namespace warpgrind;

HOOK __tsan_init() {
  if (watched.exchange(true)) return;
  pthread_atfork(nullptr, nullptr, close); // a child has no device
}
HOOK __tsan_func_entry(void *) {}
HOOK __tsan_func_exit() {}
HOOK __tsan_ignore_thread_begin() {}
HOOK __tsan_ignore_thread_end() {}
HOOK __tsan_vptr_update(void **p, void *) { touch(p, sizeof *p, kWrite, false); }
HOOK __tsan_vptr_read(void **p) { touch(p, sizeof *p, kRead, false); }

#define PLAIN(name, n)                                                \
  HOOK __tsan_read##name(void *p) { touch(p, n, kRead, false); }      \
  HOOK __tsan_write##name(void *p) { touch(p, n, kWrite, false); }    \
  HOOK __tsan_read_write##name(void *p) { touch(p, n, kBoth, false); } \
  HOOK __tsan_volatile_read##name(void *p) { touch(p, n, kRead, true); } \
  HOOK __tsan_volatile_write##name(void *p) { touch(p, n, kWrite, true); }
#define UNALIGNED(n)                                                           \
  HOOK __tsan_unaligned_read##n(void *p) { touch(p, n, kRead, false); }        \
  HOOK __tsan_unaligned_write##n(void *p) { touch(p, n, kWrite, false); }      \
  HOOK __tsan_unaligned_read_write##n(void *p) { touch(p, n, kBoth, false); }  \
  HOOK __tsan_unaligned_volatile_read##n(void *p) { touch(p, n, kRead, true); } \
  HOOK __tsan_unaligned_volatile_write##n(void *p) { touch(p, n, kWrite, true); }
#define SIZE(n) PLAIN(n, n) UNALIGNED(n)
SIZE(1)
SIZE(2)
SIZE(4)
SIZE(8)
SIZE(16)

extern "C" __attribute__((weak)) void *__tsan_memcpy(void *to, const void *from, size_t n) {
  if (n > 0) touch(from, n, kRead, false), touch(to, n, kWrite, false);
  return memcpy(to, from, n);
}
extern "C" __attribute__((weak)) void *__tsan_memmove(void *to, const void *from, size_t n) {
  if (n > 0) touch(from, n, kRead, false), touch(to, n, kWrite, false);
  return memmove(to, from, n);
}
extern "C" __attribute__((weak)) void *__tsan_memset(void *to, int value, size_t n) {
  if (n > 0) touch(to, n, kWrite, false);
  return memset(to, value, n);
}

// Operations of 16 bytes go one at a time: not every machine has them.
namespace {

std::mutex wide;

template <class T> struct Ops {
  static T load(volatile T *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }
  static bool swap(volatile T *p, T *expected, T v) {
    return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
};

template <> struct Ops<__int128> {
  static __int128 load(volatile __int128 *p) {
    std::lock_guard<std::mutex> lock(wide);
    return *p;
  }
  static bool swap(volatile __int128 *p, __int128 *expected, __int128 v) {
    std::lock_guard<std::mutex> lock(wide);
    __int128 old = *p;
    if (old == *expected) {
      *p = v;
      return true;
    }
    *expected = old;
    return false;
  }
};

// Replaces *p by f of it and returns the old value.
template <class T, class F> inline T update(volatile T *p, F f) {
  T old = Ops<T>::load(p);
  while (!Ops<T>::swap(p, &old, f(old))) {
  }
  return old;
}

} // namespace

#define ATOMIC_RMW(T, bits, name, expression)                                                    \
  extern "C" __attribute__((weak)) T __tsan_atomic##bits##_##name(volatile T *p, T v, int) {     \
    touch(p, sizeof(T), kBoth, true);                                                            \
    return update(p, [=](T old) { return static_cast<T>(expression); });                         \
  }
#define ATOMIC(T, bits)                                                                          \
  extern "C" __attribute__((weak)) T __tsan_atomic##bits##_load(const volatile T *p, int) {      \
    T v = Ops<T>::load(const_cast<volatile T *>(p));                                             \
    touch(p, sizeof(T), kRead, true);                                                            \
    return v;                                                                                    \
  }                                                                                              \
  HOOK __tsan_atomic##bits##_store(volatile T *p, T v, int) {                                    \
    touch(p, sizeof(T), kWrite, true);                                                           \
    update(p, [=](T) { return v; });                                                             \
  }                                                                                              \
  extern "C" __attribute__((weak)) T __tsan_atomic##bits##_compare_exchange_val(                 \
      volatile T *p, T expected, T v, int, int) {                                                \
    bool swapped = Ops<T>::swap(p, &expected, v);                                                \
    touch(p, sizeof(T), swapped ? kBoth : kRead, true);                                          \
    return expected;                                                                             \
  }                                                                                              \
  ATOMIC_RMW(T, bits, exchange, (static_cast<void>(old), v))                                     \
  ATOMIC_RMW(T, bits, fetch_add, old + v)                                                        \
  ATOMIC_RMW(T, bits, fetch_sub, old - v)                                                        \
  ATOMIC_RMW(T, bits, fetch_and, old & v)                                                        \
  ATOMIC_RMW(T, bits, fetch_or, old | v)                                                         \
  ATOMIC_RMW(T, bits, fetch_xor, old ^ v)                                                        \
  ATOMIC_RMW(T, bits, fetch_nand, ~(old & v))
ATOMIC(uint8_t, 8)
ATOMIC(uint16_t, 16)
ATOMIC(uint32_t, 32)
ATOMIC(uint64_t, 64)
ATOMIC(__int128, 128)

HOOK __tsan_atomic_thread_fence(int) { std::atomic_thread_fence(std::memory_order_seq_cst); }
HOOK __tsan_atomic_signal_fence(int) { std::atomic_signal_fence(std::memory_order_seq_cst); }
