// The callbacks of instrumented host code (LLVM, "ThreadSanitizer" in
// lib/Transforms/Instrumentation; the arguments of the atomic ones are those of
// the C library's __atomic_ functions). They are weak: a program that brings
// the real library keeps it.
#include "hostwatch.h"

#include <cstring>
#include <mutex>

using namespace warpgrind;

#define HOOK extern "C" __attribute__((weak)) void

HOOK __tsan_init() { watchHost(); }
HOOK __tsan_func_entry(void *) {}
HOOK __tsan_func_exit() {}
HOOK __tsan_ignore_thread_begin() {}
HOOK __tsan_ignore_thread_end() {}
HOOK __tsan_vptr_update(void **p, void *) { touch(p, sizeof *p, kWrite); }
HOOK __tsan_vptr_read(void **p) { touch(p, sizeof *p, kRead); }

#define PLAIN(name, n)                                                   \
  HOOK __tsan_read##name(void *p) { touch(p, n, kRead); }                \
  HOOK __tsan_write##name(void *p) { touch(p, n, kWrite); }              \
  HOOK __tsan_read_write##name(void *p) { touch(p, n, kBoth); }          \
  HOOK __tsan_volatile_read##name(void *p) { touch(p, n, kRead, true); } \
  HOOK __tsan_volatile_write##name(void *p) { touch(p, n, kWrite, true); }
#define UNALIGNED(n)                                                            \
  HOOK __tsan_unaligned_read##n(void *p) { touch(p, n, kRead); }                \
  HOOK __tsan_unaligned_write##n(void *p) { touch(p, n, kWrite); }              \
  HOOK __tsan_unaligned_read_write##n(void *p) { touch(p, n, kBoth); }          \
  HOOK __tsan_unaligned_volatile_read##n(void *p) { touch(p, n, kRead, true); } \
  HOOK __tsan_unaligned_volatile_write##n(void *p) { touch(p, n, kWrite, true); }
#define SIZE(n) PLAIN(n, n) UNALIGNED(n)
SIZE(1)
SIZE(2)
SIZE(4)
SIZE(8)
SIZE(16)

extern "C" __attribute__((weak)) void *__tsan_memcpy(void *to, const void *from, size_t n) {
  touchMany(from, n, kRead);
  touchMany(to, n, kWrite);
  return memcpy(to, from, n);
}
extern "C" __attribute__((weak)) void *__tsan_memmove(void *to, const void *from, size_t n) {
  touchMany(from, n, kRead);
  touchMany(to, n, kWrite);
  return memmove(to, from, n);
}
extern "C" __attribute__((weak)) void *__tsan_memset(void *to, int value, size_t n) {
  touchMany(to, n, kWrite);
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
