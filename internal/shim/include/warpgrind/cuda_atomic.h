/* The classes of <cuda/atomic>. */
#ifndef __WARPGRIND_CUDA_ATOMIC_H__
#define __WARPGRIND_CUDA_ATOMIC_H__

#include "cuda_atomic_ops.h"

namespace cuda {

namespace details {
using namespace __wg_atomic;
}
using details::memory_order;
using details::memory_order_acq_rel;
using details::memory_order_acquire;
using details::memory_order_consume;
using details::memory_order_relaxed;
using details::memory_order_release;
using details::memory_order_seq_cst;

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

#define __WG_HD __host__ __device__ __forceinline__

/* What atomic and atomic_ref share. D gives the object's address by ptr(). Operations are the same on volatile objects. */
namespace details {
template <class __wg_D, class __wg_T, int __wg_S> class atomic_operations {
  __WG_HD __wg_T *at() const volatile { return static_cast<const volatile __wg_D *>(this)->ptr(); }

public:
  using value_type = __wg_T;
  static constexpr bool is_always_lock_free = sizeof(__wg_T) <= 8;
  __WG_HD bool is_lock_free() const volatile noexcept { return is_always_lock_free; }
  __WG_HD __wg_T load(memory_order o = memory_order_seq_cst) const volatile noexcept { return atomic_load<__wg_S>(at(), o); }
  __WG_HD void store(__wg_T v, memory_order o = memory_order_seq_cst) const volatile noexcept { atomic_store<__wg_S>(at(), v, o); }
  __WG_HD operator __wg_T() const volatile noexcept { return load(); }
  __WG_HD __wg_T exchange(__wg_T v, memory_order o = memory_order_seq_cst) const volatile noexcept {
    return atomic_exchange<__wg_S>(at(), v, o);
  }
  __WG_HD bool compare_exchange_strong(__wg_T &c, __wg_T v, memory_order o, memory_order) const volatile noexcept {
    return atomic_compare_exchange<__wg_S>(at(), c, v, o);
  }
  __WG_HD bool compare_exchange_strong(__wg_T &c, __wg_T v, memory_order o = memory_order_seq_cst) const volatile noexcept {
    return atomic_compare_exchange<__wg_S>(at(), c, v, o);
  }
  __WG_HD bool compare_exchange_weak(__wg_T &c, __wg_T v, memory_order o, memory_order) const volatile noexcept {
    return atomic_compare_exchange<__wg_S>(at(), c, v, o);
  }
  __WG_HD bool compare_exchange_weak(__wg_T &c, __wg_T v, memory_order o = memory_order_seq_cst) const volatile noexcept {
    return atomic_compare_exchange<__wg_S>(at(), c, v, o);
  }
#define __WG_FETCH(name)                                                             \
  __WG_HD __wg_T name(__wg_T v, memory_order o = memory_order_seq_cst) const volatile noexcept { return details::name<__wg_S>(at(), v, o); }
  __WG_FETCH(fetch_add)
  __WG_FETCH(fetch_sub)
  __WG_FETCH(fetch_and)
  __WG_FETCH(fetch_or)
  __WG_FETCH(fetch_xor)
  __WG_FETCH(fetch_min)
  __WG_FETCH(fetch_max)
#undef __WG_FETCH
  __WG_HD __wg_T operator++() const volatile noexcept { return fetch_add(1) + 1; }
  __WG_HD __wg_T operator--() const volatile noexcept { return fetch_sub(1) - 1; }
  __WG_HD __wg_T operator++(int) const volatile noexcept { return fetch_add(1); }
  __WG_HD __wg_T operator--(int) const volatile noexcept { return fetch_sub(1); }
  __WG_HD __wg_T operator+=(__wg_T v) const volatile noexcept { return fetch_add(v) + v; }
  __WG_HD __wg_T operator-=(__wg_T v) const volatile noexcept { return fetch_sub(v) - v; }
  __WG_HD __wg_T operator&=(__wg_T v) const volatile noexcept { return fetch_and(v) & v; }
  __WG_HD __wg_T operator|=(__wg_T v) const volatile noexcept { return fetch_or(v) | v; }
  __WG_HD __wg_T operator^=(__wg_T v) const volatile noexcept { return fetch_xor(v) ^ v; }
  __WG_HD void wait(__wg_T old, memory_order o = memory_order_seq_cst) const volatile noexcept {
    while (load(o) == old) {
    }
  }
  __WG_HD void notify_one() const volatile noexcept {}
  __WG_HD void notify_all() const volatile noexcept {}
};
} // namespace details

template <class __wg_T, thread_scope __wg_S = thread_scope_system>
class atomic : public details::atomic_operations<atomic<__wg_T, __wg_S>, __wg_T, __wg_S> {
  mutable __wg_T value_;

public:
  atomic() noexcept = default;
  __WG_HD constexpr atomic(__wg_T v) noexcept : value_(v) {}
  atomic(const atomic &) = delete;
  atomic &operator=(const atomic &) = delete;
  atomic &operator=(const atomic &) volatile = delete;
  __WG_HD __wg_T operator=(__wg_T v) noexcept {
    this->store(v);
    return v;
  }
  __WG_HD __wg_T operator=(__wg_T v) volatile noexcept {
    this->store(v);
    return v;
  }
  __WG_HD __wg_T *ptr() const volatile noexcept { return const_cast<__wg_T *>(&value_); }
};

template <class __wg_T, thread_scope __wg_S = thread_scope_system>
class atomic_ref : public details::atomic_operations<atomic_ref<__wg_T, __wg_S>, __wg_T, __wg_S> {
  __wg_T *at_;

public:
  static constexpr unsigned long required_alignment = sizeof(__wg_T);
  __WG_HD explicit atomic_ref(__wg_T &v) noexcept : at_(&v) {}
  atomic_ref(const atomic_ref &) noexcept = default;
  atomic_ref &operator=(const atomic_ref &) = delete;
  __WG_HD __wg_T operator=(__wg_T v) const volatile noexcept {
    this->store(v);
    return v;
  }
  __WG_HD __wg_T *ptr() const volatile noexcept { return at_; }
};

template <thread_scope __wg_S> class atomic_flag_in {
  atomic<unsigned, __wg_S> set_{0u};

public:
  __WG_HD bool test_and_set(memory_order o = memory_order_seq_cst) volatile noexcept { return set_.exchange(1u, o) != 0; }
  __WG_HD bool test(memory_order o = memory_order_seq_cst) const volatile noexcept { return set_.load(o) != 0; }
  __WG_HD void clear(memory_order o = memory_order_seq_cst) volatile noexcept { set_.store(0u, o); }
};

__WG_HD void atomic_thread_fence(memory_order o, thread_scope s = thread_scope_system) {
  switch (s) {
  case thread_scope_system: details::fence<thread_scope_system>(o); break;
  case thread_scope_device: details::fence<thread_scope_device>(o); break;
  case thread_scope_block: details::fence<thread_scope_block>(o); break;
  case thread_scope_thread: break;
  }
}

namespace std {
using cuda::memory_order;
using cuda::memory_order_acq_rel;
using cuda::memory_order_acquire;
using cuda::memory_order_consume;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;
using cuda::memory_order_seq_cst;
template <class __wg_T> using atomic = cuda::atomic<__wg_T, thread_scope_system>;
template <class __wg_T> using atomic_ref = cuda::atomic_ref<__wg_T, thread_scope_system>;
using atomic_flag = cuda::atomic_flag_in<thread_scope_system>;
using atomic_bool = atomic<bool>;
using atomic_char = atomic<char>;
using atomic_schar = atomic<signed char>;
using atomic_uchar = atomic<unsigned char>;
using atomic_short = atomic<short>;
using atomic_ushort = atomic<unsigned short>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_long = atomic<long>;
using atomic_ulong = atomic<unsigned long>;
using atomic_llong = atomic<long long>;
using atomic_ullong = atomic<unsigned long long>;
using atomic_size_t = atomic<decltype(sizeof 0)>;
__WG_HD void atomic_thread_fence(memory_order o) { cuda::atomic_thread_fence(o); }

/* The operations as functions ([atomics.nonmembers]). A parameter of the form __wg_same<T> does not take part in deduction. */
template <class __wg_T> struct __wg_same_as { using type = __wg_T; };
template <class __wg_T> using __wg_same = typename __wg_same_as<__wg_T>::type;
template <class __wg_T> __WG_HD __wg_T atomic_load(const volatile atomic<__wg_T> *a) noexcept { return a->load(); }
template <class __wg_T> __WG_HD __wg_T atomic_load_explicit(const volatile atomic<__wg_T> *a, memory_order o) noexcept { return a->load(o); }
template <class __wg_T> __WG_HD void atomic_store(volatile atomic<__wg_T> *a, __wg_same<__wg_T> v) noexcept { a->store(v); }
template <class __wg_T> __WG_HD void atomic_store_explicit(volatile atomic<__wg_T> *a, __wg_same<__wg_T> v, memory_order o) noexcept { a->store(v, o); }
template <class __wg_T> __WG_HD void atomic_init(volatile atomic<__wg_T> *a, __wg_same<__wg_T> v) noexcept { a->store(v, memory_order_relaxed); }
#define __WG_FUNCTION(name, member)                                                                                                       \
  template <class __wg_T> __WG_HD __wg_T name(volatile atomic<__wg_T> *a, __wg_same<__wg_T> v) noexcept { return a->member(v); }          \
  template <class __wg_T> __WG_HD __wg_T name##_explicit(volatile atomic<__wg_T> *a, __wg_same<__wg_T> v, memory_order o) noexcept {      \
    return a->member(v, o);                                                                                                               \
  }
__WG_FUNCTION(atomic_exchange, exchange)
__WG_FUNCTION(atomic_fetch_add, fetch_add)
__WG_FUNCTION(atomic_fetch_sub, fetch_sub)
__WG_FUNCTION(atomic_fetch_and, fetch_and)
__WG_FUNCTION(atomic_fetch_or, fetch_or)
__WG_FUNCTION(atomic_fetch_xor, fetch_xor)
#undef __WG_FUNCTION
#define __WG_FUNCTION(name, member)                                                                                                    \
  template <class __wg_T> __WG_HD bool name(volatile atomic<__wg_T> *a, __wg_T *c, __wg_same<__wg_T> v) noexcept {                     \
    return a->member(*c, v);                                                                                                           \
  }                                                                                                                                    \
  template <class __wg_T>                                                                                                              \
  __WG_HD bool name##_explicit(volatile atomic<__wg_T> *a, __wg_T *c, __wg_same<__wg_T> v, memory_order o, memory_order f) noexcept { \
    return a->member(*c, v, o, f);                                                                                                     \
  }
__WG_FUNCTION(atomic_compare_exchange_strong, compare_exchange_strong)
__WG_FUNCTION(atomic_compare_exchange_weak, compare_exchange_weak)
#undef __WG_FUNCTION
} // namespace std

#undef __WG_HD

} // namespace cuda

#endif
