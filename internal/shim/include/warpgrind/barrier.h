/* cuda::barrier ("libcu++", "cuda::barrier"): of a block in shared memory from
 * sm_80 on it is an mbarrier, else a word that is changed atomically. */
#ifndef __WARPGRIND_BARRIER_H__
#define __WARPGRIND_BARRIER_H__

#include "cuda_atomic.h"
#include "async_copy.h"
#include "mbarrier.h"

namespace cuda {

#define __WG_HD __host__ __device__ __forceinline__
#define __WG_D __device__ __forceinline__

/* A size that is a multiple of align, as the addresses that go with it are. */
template <size_t align> struct aligned_size_t {
  static constexpr size_t alignment = align;
  size_t value;
  __WG_HD explicit constexpr aligned_size_t(size_t n) : value(n) {}
  __WG_HD constexpr operator size_t() const { return value; }
};

namespace details {

/* What a size is known to be a multiple of. */
template <class Size> struct size_alignment { static constexpr size_t value = 1; };
template <size_t align> struct size_alignment<aligned_size_t<align>> { static constexpr size_t value = align; };

struct no_completion {
  __WG_HD void operator()() const {}
};

/* A barrier in one word: the phase's parity, and 31 bits each of pending and
 * of expected arrivals. */
template <thread_scope __wg_S> struct word_barrier {
  typedef unsigned long long word;
  static constexpr word mask = (1ull << 31) - 1;
  static __WG_HD word pack(word phase, word pending, word expected) { return phase << 62 | pending << 31 | expected; }
  static __WG_HD word phase(word w) { return w >> 62; }

  /* Takes n arrivals off, and with drop off the following phases too. The last
   * one calls f and begins the next phase. */
  template <class __wg_F> static __WG_HD word arrive(word *b, word n, bool drop, __wg_F &f) {
    atomic_ref<word, __wg_S> at(*b);
    word old = at.load(memory_order_relaxed), now;
    do {
      now = pack(phase(old), (old >> 31 & mask) - n, (old & mask) - (drop ? n : 0));
    } while (!at.compare_exchange_weak(old, now, memory_order_acq_rel, memory_order_relaxed));
    if ((now >> 31 & mask) == 0) {
      f();
      at.store(pack(phase(now) ^ 1, now & mask, now & mask), memory_order_release);
    }
    return old;
  }
  static __WG_HD bool passed(const word *b, word parity) {
    atomic_ref<word, __wg_S> at(*const_cast<word *>(b));
    return phase(at.load(memory_order_acquire)) != parity;
  }
};

} // namespace details

template <thread_scope __wg_S, class __wg_F = details::no_completion> class barrier {
  typedef details::word_barrier<__wg_S> generic;
  typedef unsigned long long word;

public:
  class arrival_token {
  public:
    arrival_token() = default;

  private:
    friend class barrier;
    __WG_HD explicit arrival_token(word w) : state_(w) {}
    word state_;
  };

  barrier() = default;
  __WG_HD explicit barrier(ptrdiff_t expected, __wg_F f = __wg_F()) : completion_(f) { start(expected); }
  barrier(const barrier &) = delete;
  barrier &operator=(const barrier &) = delete;

  __WG_HD friend void init(barrier *b, ptrdiff_t expected) { b->start(expected); }
  __WG_HD friend void init(barrier *b, ptrdiff_t expected, __wg_F f) {
    b->completion_ = f;
    b->start(expected);
  }
  static constexpr __WG_HD ptrdiff_t max() noexcept { return (1 << 20) - 1; }

  [[nodiscard]] __WG_HD arrival_token arrive(ptrdiff_t n = 1) {
#if __CUDA_ARCH__ >= 800
    if (native()) return arrival_token(__wg_mbarrier_arrive(&word_, (unsigned)n));
#endif
    return arrival_token(generic::arrive(&word_, (word)n, false, completion_));
  }
  __WG_HD void wait(arrival_token &&t) const {
    while (!try_wait_state(t.state_)) {
    }
  }
  __WG_HD bool try_wait(arrival_token &&t) const { return try_wait_state(t.state_); }
  template <class __wg_D> __WG_HD bool try_wait_for(arrival_token &&t, const __wg_D &) const { return try_wait_state(t.state_); }
  __WG_HD void wait_parity(bool parity) const {
    while (!try_wait_parity(parity)) {
    }
  }
  __WG_HD bool try_wait_parity(bool parity) const {
#if __CUDA_ARCH__ >= 800
    if (native()) return __wg_mbarrier_test_parity(&word_, parity);
#endif
    return generic::passed(&word_, parity);
  }
  __WG_HD void arrive_and_wait() { wait(arrive()); }
  __WG_HD void arrive_and_drop() {
#if __CUDA_ARCH__ >= 800
    if (native()) {
      __wg_mbarrier_arrive_drop(&word_);
      return;
    }
#endif
    generic::arrive(&word_, 1, true, completion_);
  }

  /* For barrier_native_handle and the copies that a barrier tracks. */
  __WG_HD word *__wg_word() { return &word_; }
#if __CUDA_ARCH__ >= 800
  __WG_D bool __wg_native() const { return native(); }
  __WG_D arrival_token __wg_token(word state) const { return arrival_token(state); }
#endif

private:
#if __CUDA_ARCH__ >= 800
  __WG_D bool native() const {
    return __wg_S == thread_scope_block && __is_empty(__wg_F) && __isShared(&word_);
  }
#endif
  __WG_HD void start(ptrdiff_t n) {
#if __CUDA_ARCH__ >= 800
    if (native()) {
      /* libcu++'s destructor is an mbarrier.inval. clang has no variables in shared memory with such
         a destructor, so that this class has none, and the mark says so. */
      asm volatile(".pragma \"warpgrind.silent object\";\n\tmbarrier.init.shared.b64 [%0], %1;"
                   :: "r"(__wg_shared_address(&word_)), "r"((unsigned)n) : "memory");
      return;
    }
#endif
    word_ = generic::pack(0, (word)n, (word)n);
  }
  __WG_HD bool try_wait_state(word state) const {
#if __CUDA_ARCH__ >= 800
    if (native()) return __wg_mbarrier_test(&word_, state);
#endif
    return generic::passed(&word_, generic::phase(state));
  }

  alignas(8) word word_;
  __wg_F completion_;
};

namespace device {
__WG_D unsigned long long *barrier_native_handle(barrier<thread_scope_block> &b) { return b.__wg_word(); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
[[nodiscard]] __WG_D barrier<thread_scope_block>::arrival_token
barrier_arrive_tx(barrier<thread_scope_block> &b, ptrdiff_t n, ptrdiff_t bytes) {
#if __CUDA_ARCH__ >= 800
  return b.__wg_token(__wg_mbarrier_arrive_tx(b.__wg_word(), (unsigned)n, (unsigned)bytes));
#else
  return b.arrive(n);
#endif
}
#endif
} // namespace device

namespace details {
/* Lets a barrier wait for the thread's copies so far as well. */
template <thread_scope __wg_S, class __wg_F> __WG_D void track(barrier<__wg_S, __wg_F> &b) {
#if __CUDA_ARCH__ >= 800
  if (b.__wg_native()) {
    __wg_mbarrier_track(b.__wg_word());
    return;
  }
  __wg_copy_commit();
  __wg_copy_wait<0>();
#endif
}
} // namespace details

/* Copies by one thread, or by all threads of a group. */
template <class __wg_D, class __wg_T, class Size, thread_scope __wg_S, class __wg_F>
__WG_D void memcpy_async(__wg_D *dst, const __wg_T *src, Size n, barrier<__wg_S, __wg_F> &b) {
  __wg_copy_group(dst, src, n, details::size_alignment<Size>::value, 0, 1);
  details::track(b);
}
template <class Group, class __wg_D, class __wg_T, class Size, thread_scope __wg_S, class __wg_F>
__WG_D void memcpy_async(const Group &g, __wg_D *dst, const __wg_T *src, Size n, barrier<__wg_S, __wg_F> &b) {
  __wg_copy_group(dst, src, n, details::size_alignment<Size>::value, (unsigned)g.thread_rank(), (unsigned)g.size());
  details::track(b);
}

#undef __WG_HD
#undef __WG_D

} // namespace cuda

#endif
