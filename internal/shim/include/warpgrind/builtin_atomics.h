/* nvcc's atomic functions with order and scope, which are constants ("CUDA C++
 * Programming Guide", "Built-in Atomic Functions"). */
#ifndef __WARPGRIND_BUILTIN_ATOMICS_H__
#define __WARPGRIND_BUILTIN_ATOMICS_H__

#include "cuda_atomic_ops.h"

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_SYSTEM 0
#define __NV_THREAD_SCOPE_DEVICE 1
#define __NV_THREAD_SCOPE_BLOCK 2
#define __NV_THREAD_SCOPE_THREAD 3
#define __NV_THREAD_SCOPE_CLUSTER 4

#define __WG_DEV static __device__ __forceinline__

/* Calls f for a scope; that of a cluster is one from sm_90 on. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define __WG_IN_CLUSTER(f, ...) scope == __NV_THREAD_SCOPE_CLUSTER ? f<4>(__VA_ARGS__) :
#else
#define __WG_IN_CLUSTER(f, ...)
#endif
#define __WG_IN_SCOPE(f, ...)                                                        \
  (scope == __NV_THREAD_SCOPE_SYSTEM ? __wg_atomic::f<0>(__VA_ARGS__) : __WG_IN_CLUSTER(__wg_atomic::f, __VA_ARGS__) \
   scope == __NV_THREAD_SCOPE_DEVICE ? __wg_atomic::f<1>(__VA_ARGS__) : __wg_atomic::f<2>(__VA_ARGS__))
#define __WG_ORDER(o) static_cast<__wg_atomic::memory_order>(o)

/* What a pointer to a volatile object points to, as a value. */
namespace __wg_atomic {
template <class __wg_T> struct plain { using type = __wg_T; };
template <class __wg_T> struct plain<volatile __wg_T> { using type = __wg_T; };
template <class __wg_T> struct plain<const __wg_T> { using type = __wg_T; };
template <class __wg_T> struct plain<const volatile __wg_T> { using type = __wg_T; };
template <class __wg_T> using value_of = typename plain<__wg_T>::type;
} // namespace __wg_atomic

template <class __wg_T> __WG_DEV __wg_atomic::value_of<__wg_T> __nv_atomic_load_n(__wg_T *p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __WG_IN_SCOPE(atomic_load, const_cast<const __wg_atomic::value_of<__wg_T> *>(p), __WG_ORDER(order));
}
template <class __wg_T> __WG_DEV void __nv_atomic_load(__wg_T *p, __wg_atomic::value_of<__wg_T> *to, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *to = __nv_atomic_load_n(p, order, scope);
}
template <class __wg_T>
__WG_DEV void __nv_atomic_store_n(__wg_T *p, __wg_atomic::value_of<__wg_T> v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __WG_IN_SCOPE(atomic_store, const_cast<__wg_atomic::value_of<__wg_T> *>(p), v, __WG_ORDER(order));
}
template <class __wg_T>
__WG_DEV void __nv_atomic_store(__wg_T *p, __wg_atomic::value_of<__wg_T> *v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(p, *v, order, scope);
}
template <class __wg_T>
__WG_DEV __wg_atomic::value_of<__wg_T> __nv_atomic_exchange_n(__wg_T *p, __wg_atomic::value_of<__wg_T> v, int order,
                                                               int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __WG_IN_SCOPE(atomic_exchange, const_cast<__wg_atomic::value_of<__wg_T> *>(p), v, __WG_ORDER(order));
}
template <class __wg_T>
__WG_DEV void __nv_atomic_exchange(__wg_T *p, __wg_atomic::value_of<__wg_T> *v, __wg_atomic::value_of<__wg_T> *old, int order,
                                   int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *old = __nv_atomic_exchange_n(p, *v, order, scope);
}
template <class __wg_T>
__WG_DEV bool __nv_atomic_compare_exchange_n(__wg_T *p, __wg_atomic::value_of<__wg_T> *expected, __wg_atomic::value_of<__wg_T> v, bool /*weak*/,
                                             int order, int /*failure*/, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __WG_IN_SCOPE(atomic_compare_exchange, const_cast<__wg_atomic::value_of<__wg_T> *>(p), *expected, v, __WG_ORDER(order));
}
template <class __wg_T>
__WG_DEV bool __nv_atomic_compare_exchange(__wg_T *p, __wg_atomic::value_of<__wg_T> *expected, __wg_atomic::value_of<__wg_T> *v, bool weak,
                                           int order, int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(p, expected, *v, weak, order, failure, scope);
}

#define __WG_BUILTIN_ATOMIC(name)                                                    \
  template <class __wg_T>                                                            \
  __WG_DEV __wg_atomic::value_of<__wg_T> __nv_atomic_fetch_##name(__wg_T *p, __wg_atomic::value_of<__wg_T> v, int order,  \
                                                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {                 \
    return __WG_IN_SCOPE(fetch_##name, const_cast<__wg_atomic::value_of<__wg_T> *>(p), v, __WG_ORDER(order));             \
  }                                                                                  \
  template <class __wg_T>                                                            \
  __WG_DEV void __nv_atomic_##name(__wg_T *p, __wg_atomic::value_of<__wg_T> v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { \
    __nv_atomic_fetch_##name(p, v, order, scope);                                    \
  }
__WG_BUILTIN_ATOMIC(add)
__WG_BUILTIN_ATOMIC(sub)
__WG_BUILTIN_ATOMIC(and)
__WG_BUILTIN_ATOMIC(or)
__WG_BUILTIN_ATOMIC(xor)
__WG_BUILTIN_ATOMIC(min)
__WG_BUILTIN_ATOMIC(max)
#undef __WG_BUILTIN_ATOMIC

__WG_DEV void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (scope != __NV_THREAD_SCOPE_THREAD) __WG_IN_SCOPE(fence, __WG_ORDER(order));
}

#undef __WG_ORDER
#undef __WG_IN_SCOPE
#undef __WG_IN_CLUSTER
#undef __WG_DEV

#endif
