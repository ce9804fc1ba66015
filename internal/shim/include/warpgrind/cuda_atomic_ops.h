/* Loads, stores and read-modify-writes with order and scope, for objects of 1
 * to 8 bytes. Scope 0: system, 1: device, 2: block, 3: thread, 4: cluster. Sequential
 * consistency is a fence.sc and then the operation with acquire or release
 * (PTX ISA, "Memory Consistency Model"; the mapping that libcu++ documents). */
#ifndef __WARPGRIND_CUDA_ATOMIC_OPS_H__
#define __WARPGRIND_CUDA_ATOMIC_OPS_H__

namespace __wg_atomic {

enum memory_order {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_consume = __ATOMIC_CONSUME,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
};

#define __WG_HD __host__ __device__ __forceinline__
#define __WG_DEV __device__ __forceinline__

template <int __wg_N> struct bits_of;
template <> struct bits_of<1> { using type = unsigned char; };
template <> struct bits_of<2> { using type = unsigned short; };
template <> struct bits_of<4> { using type = unsigned int; };
template <> struct bits_of<8> { using type = unsigned long long; };
template <class __wg_T> using bits_for = typename bits_of<sizeof(__wg_T)>::type;
template <class __wg_A, class __wg_B> struct is_same_type { static constexpr bool value = false; };
template <class __wg_A> struct is_same_type<__wg_A, __wg_A> { static constexpr bool value = true; };
template <class __wg_T> struct pointee { static constexpr long size = 1; };
template <class __wg_T> struct pointee<__wg_T *> { static constexpr long size = sizeof(__wg_T); };
template <class __wg_T> constexpr bool is_float = is_same_type<__wg_T, float>::value || is_same_type<__wg_T, double>::value;

#if defined(__CUDA_ARCH__)

/* fence_x<S>(): fence.x.scope */
#define __WG_FENCE(name, order)                                                      \
  template <int __wg_S> __WG_DEV void name() {                                       \
    if (__wg_S == 0) asm volatile("fence." order ".sys;" ::: "memory");              \
    else if (__wg_S == 1) asm volatile("fence." order ".gpu;" ::: "memory");         \
    else if (__wg_S == 2) asm volatile("fence." order ".cta;" ::: "memory");         \
    else if (__wg_S == 4) asm volatile("fence." order ".cluster;" ::: "memory");     \
  }
__WG_FENCE(fence_sc, "sc")
__WG_FENCE(fence_acq_rel, "acq_rel")
#undef __WG_FENCE

template <int __wg_S> __WG_DEV void fence(memory_order o) {
  if (o == memory_order_seq_cst) fence_sc<__wg_S>();
  else if (o != memory_order_relaxed) fence_acq_rel<__wg_S>();
}

/* Thread scope needs no more than block scope gives. */
#define __WG_SCOPED(__wg_S, stem, tail, ...)                                         \
  do {                                                                               \
    if (__wg_S == 0) asm volatile(stem ".sys" tail __VA_ARGS__);                     \
    else if (__wg_S == 1) asm volatile(stem ".gpu" tail __VA_ARGS__);                \
    else if (__wg_S == 4) asm volatile(stem ".cluster" tail __VA_ARGS__);            \
    else asm volatile(stem ".cta" tail __VA_ARGS__);                                 \
  } while (0)

#define __WG_LOAD_STORE(__wg_U, type, c, __wg_R)                                     \
  template <int __wg_S> __WG_DEV __wg_U load_bits(const __wg_U *p, bool acquire) {   \
    __wg_R r;                                                                        \
    if (acquire) __WG_SCOPED(__wg_S, "ld.acquire", "." type " %0, [%1];", : "=" c(r) : "l"(p) : "memory");   \
    else __WG_SCOPED(__wg_S, "ld.relaxed", "." type " %0, [%1];", : "=" c(r) : "l"(p) : "memory");      \
    return (__wg_U)r;                                                                \
  }                                                                                  \
  template <int __wg_S> __WG_DEV void store_bits(__wg_U *p, __wg_U v, bool release) {               \
    if (release) __WG_SCOPED(__wg_S, "st.release", "." type " [%0], %1;", : : "l"(p), c((__wg_R)v) : "memory");   \
    else __WG_SCOPED(__wg_S, "st.relaxed", "." type " [%0], %1;", : : "l"(p), c((__wg_R)v) : "memory");           \
  }
__WG_LOAD_STORE(unsigned char, "u8", "h", unsigned short)
__WG_LOAD_STORE(unsigned short, "u16", "h", unsigned short)
__WG_LOAD_STORE(unsigned int, "u32", "r", unsigned int)
__WG_LOAD_STORE(unsigned long long, "u64", "l", unsigned long long)
#undef __WG_LOAD_STORE

template <int __wg_S, class __wg_T> __WG_DEV __wg_T atomic_load(const __wg_T *p, memory_order o) {
  if (o == memory_order_seq_cst) fence_sc<__wg_S>();
  return __builtin_bit_cast(__wg_T, load_bits<__wg_S>((const bits_for<__wg_T> *)p, o != memory_order_relaxed));
}
template <int __wg_S, class __wg_T> __WG_DEV void atomic_store(__wg_T *p, __wg_T v, memory_order o) {
  if (o == memory_order_seq_cst) fence_sc<__wg_S>();
  store_bits<__wg_S>((bits_for<__wg_T> *)p, __builtin_bit_cast(bits_for<__wg_T>, v), o != memory_order_relaxed);
}

/* A read-modify-write: relaxed, acquire, release or both. */
#define __WG_ORDERED_BY(atom, __wg_S, o, tail, ...)                                  \
  do {                                                                               \
    if ((o) == memory_order_seq_cst) fence_sc<__wg_S>();                             \
    if ((o) == memory_order_relaxed) __WG_SCOPED(__wg_S, atom ".relaxed", tail, __VA_ARGS__);     \
    else if ((o) == memory_order_release) __WG_SCOPED(__wg_S, atom ".release", tail, __VA_ARGS__);     \
    else if ((o) == memory_order_acq_rel) __WG_SCOPED(__wg_S, atom ".acq_rel", tail, __VA_ARGS__);     \
    else __WG_SCOPED(__wg_S, atom ".acquire", tail, __VA_ARGS__);                    \
  } while (0)
#define __WG_ORDERED(...) __WG_ORDERED_BY("atom", __VA_ARGS__)

/* PTX has none for a byte; atom.byte is the engine's, so that the bytes around it are not accessed. */
#define __WG_CAS_EXCH(__wg_U, atom, type, c)                                         \
  template <int __wg_S> __WG_DEV __wg_U cas_bits(__wg_U *p, __wg_U e, __wg_U v, memory_order o) {             \
    __wg_U r;                                                                        \
    __WG_ORDERED_BY(atom, __wg_S, o, ".cas." type " %0, [%1], %2, %3;", : "=" c(r) : "l"(p), c(e), c(v) : "memory");  \
    return r;                                                                        \
  }
__WG_CAS_EXCH(unsigned short, "atom", "b16", "h")
__WG_CAS_EXCH(unsigned int, "atom", "b32", "r")
__WG_CAS_EXCH(unsigned long long, "atom", "b64", "l")
#undef __WG_CAS_EXCH
template <int __wg_S> __WG_DEV unsigned char cas_bits(unsigned char *p, unsigned char e, unsigned char v, memory_order o) {
  unsigned short r;
  __WG_ORDERED_BY("atom.byte", __wg_S, o, ".cas.b8 %0, [%1], %2, %3;", : "=h"(r) : "l"(p), "h"((unsigned short)e), "h"((unsigned short)v) : "memory");
  return (unsigned char)r;
}

template <int __wg_S, class __wg_T> __WG_DEV bool atomic_compare_exchange(__wg_T *p, __wg_T &e, __wg_T v, memory_order o) {
  using __wg_U = bits_for<__wg_T>;
  __wg_U want = __builtin_bit_cast(__wg_U, e), seen = cas_bits<__wg_S>((__wg_U *)p, want, __builtin_bit_cast(__wg_U, v), o);
  e = __builtin_bit_cast(__wg_T, seen);
  return seen == want;
}

/* Any update by compare and swap. */
template <int __wg_S, class __wg_T, class __wg_F> __WG_DEV __wg_T update(__wg_T *p, memory_order o, __wg_F f) {
  __wg_T old = atomic_load<__wg_S>(p, memory_order_relaxed);
  while (!atomic_compare_exchange<__wg_S>(p, old, f(old), o)) {
  }
  return old;
}

#define __WG_RMW(name, op, __wg_U, type, c)                                          \
  template <int __wg_S> __WG_DEV __wg_U name(__wg_U *p, __wg_U v, memory_order o) {  \
    __wg_U r;                                                                        \
    __WG_ORDERED(__wg_S, o, "." op "." type " %0, [%1], %2;", : "=" c(r) : "l"(p), c(v) : "memory");  \
    return r;                                                                        \
  }
__WG_RMW(exch_bits, "exch", unsigned int, "b32", "r")
__WG_RMW(exch_bits, "exch", unsigned long long, "b64", "l")
__WG_RMW(add_bits, "add", unsigned int, "u32", "r")
__WG_RMW(add_bits, "add", unsigned long long, "u64", "l")
__WG_RMW(add_bits, "add", float, "f32", "f")
__WG_RMW(add_bits, "add", double, "f64", "d")
__WG_RMW(and_bits, "and", unsigned int, "b32", "r")
__WG_RMW(and_bits, "and", unsigned long long, "b64", "l")
__WG_RMW(or_bits, "or", unsigned int, "b32", "r")
__WG_RMW(or_bits, "or", unsigned long long, "b64", "l")
__WG_RMW(xor_bits, "xor", unsigned int, "b32", "r")
__WG_RMW(xor_bits, "xor", unsigned long long, "b64", "l")
__WG_RMW(min_bits, "min", int, "s32", "r")
__WG_RMW(min_bits, "min", unsigned int, "u32", "r")
__WG_RMW(min_bits, "min", long long, "s64", "l")
__WG_RMW(min_bits, "min", unsigned long long, "u64", "l")
__WG_RMW(max_bits, "max", int, "s32", "r")
__WG_RMW(max_bits, "max", unsigned int, "u32", "r")
__WG_RMW(max_bits, "max", long long, "s64", "l")
__WG_RMW(max_bits, "max", unsigned long long, "u64", "l")
#undef __WG_RMW

template <class __wg_T> constexpr bool has_atom = sizeof(__wg_T) >= 4 && !is_float<__wg_T>;

template <int __wg_S, class __wg_T> __WG_DEV __wg_T atomic_exchange(__wg_T *p, __wg_T v, memory_order o) {
  if constexpr (sizeof(__wg_T) >= 4)
    return __builtin_bit_cast(__wg_T, exch_bits<__wg_S>((bits_for<__wg_T> *)p, __builtin_bit_cast(bits_for<__wg_T>, v), o));
  else
    return update<__wg_S>(p, o, [v](__wg_T) { return v; });
}
template <int __wg_S, class __wg_T, class __wg_V> __WG_DEV __wg_T fetch_add(__wg_T *p, __wg_V v, memory_order o) {
  if constexpr (is_float<__wg_T>) return add_bits<__wg_S>(p, (__wg_T)v, o);
  else if constexpr (has_atom<__wg_T>)
    return (__wg_T)add_bits<__wg_S>((bits_for<__wg_T> *)p, (bits_for<__wg_T>)v * (bits_for<__wg_T>)pointee<__wg_T>::size, o);
  else return update<__wg_S>(p, o, [v](__wg_T a) { return (__wg_T)(a + v); });
}
template <int __wg_S, class __wg_T, class __wg_V> __WG_DEV __wg_T fetch_sub(__wg_T *p, __wg_V v, memory_order o) {
  return fetch_add<__wg_S>(p, (__wg_V)(0 - v), o);
}
#define __WG_BITWISE(name, bits, op)                                                 \
  template <int __wg_S, class __wg_T> __WG_DEV __wg_T name(__wg_T *p, __wg_T v, memory_order o) {             \
    if constexpr (has_atom<__wg_T>) return (__wg_T)bits<__wg_S>((bits_for<__wg_T> *)p, (bits_for<__wg_T>)v, o);  \
    else return update<__wg_S>(p, o, [v](__wg_T a) { return (__wg_T)(a op v); });    \
  }
__WG_BITWISE(fetch_and, and_bits, &)
__WG_BITWISE(fetch_or, or_bits, |)
__WG_BITWISE(fetch_xor, xor_bits, ^)
#undef __WG_BITWISE
template <class __wg_T> struct same_sign { using type = __wg_T; };
template <> struct same_sign<long> { using type = long long; };
template <> struct same_sign<unsigned long> { using type = unsigned long long; };
#define __WG_EXTREME(name, bits, op)                                                 \
  template <int __wg_S, class __wg_T> __WG_DEV __wg_T name(__wg_T *p, __wg_T v, memory_order o) {             \
    using __wg_U = typename same_sign<__wg_T>::type;                                 \
    if constexpr (has_atom<__wg_T>) return (__wg_T)bits<__wg_S>((__wg_U *)p, (__wg_U)v, o);                   \
    else return update<__wg_S>(p, o, [v](__wg_T a) { return v op a ? v : a; });      \
  }
__WG_EXTREME(fetch_min, min_bits, <)
__WG_EXTREME(fetch_max, max_bits, >)
#undef __WG_EXTREME
#undef __WG_ORDERED
#undef __WG_ORDERED_BY
#undef __WG_SCOPED

#else /* host */

template <int __wg_S> __WG_HD void fence(memory_order o) {
  if (o != memory_order_relaxed) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
template <int __wg_S, class __wg_T> __WG_HD __wg_T atomic_load(const __wg_T *p, memory_order) {
  __wg_T r;
  __atomic_load(p, &r, __ATOMIC_SEQ_CST);
  return r;
}
template <int __wg_S, class __wg_T> __WG_HD void atomic_store(__wg_T *p, __wg_T v, memory_order) { __atomic_store(p, &v, __ATOMIC_SEQ_CST); }
template <int __wg_S, class __wg_T> __WG_HD __wg_T atomic_exchange(__wg_T *p, __wg_T v, memory_order) {
  __wg_T r;
  __atomic_exchange(p, &v, &r, __ATOMIC_SEQ_CST);
  return r;
}
template <int __wg_S, class __wg_T> __WG_HD bool atomic_compare_exchange(__wg_T *p, __wg_T &e, __wg_T v, memory_order) {
  return __atomic_compare_exchange(p, &e, &v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
#define __WG_UPDATE(name, expr)                                                      \
  template <int __wg_S, class __wg_T, class __wg_V> __WG_HD __wg_T name(__wg_T *p, __wg_V v, memory_order o) {     \
    __wg_T a = atomic_load<__wg_S>(p, o);                                            \
    while (!atomic_compare_exchange<__wg_S>(p, a, (__wg_T)(expr), o)) {              \
    }                                                                                \
    return a;                                                                        \
  }
__WG_UPDATE(fetch_add, a + v)
__WG_UPDATE(fetch_sub, a - v)
__WG_UPDATE(fetch_and, a & v)
__WG_UPDATE(fetch_or, a | v)
__WG_UPDATE(fetch_xor, a ^ v)
__WG_UPDATE(fetch_min, v < a ? v : a)
__WG_UPDATE(fetch_max, v > a ? v : a)
#undef __WG_UPDATE

#endif

#undef __WG_HD
#undef __WG_DEV

} // namespace __wg_atomic

#endif
