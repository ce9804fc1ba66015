/* Asynchronous copies from global to shared memory on PTX's cp.async ("CUDA C++
 * Programming Guide", "Asynchronous Data Copies"). Before sm_80 a copy is done
 * at once. Inline assembly keeps each copy in its place. */
#ifndef __WARPGRIND_ASYNC_COPY_H__
#define __WARPGRIND_ASYNC_COPY_H__

#include "../cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__) && defined(__cplusplus)

#define __WG_D static __device__ __forceinline__

__WG_D unsigned __wg_shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

/* Copies n bytes, and zeros up to a total of size: 4, 8 or 16. */
template <int size> __WG_D void __wg_copy_now(void *dst, const void *src, unsigned n) {
  struct __align__(size) chunk { unsigned w[size / 4]; };
  if (n == size) {
    *(chunk *)dst = *(const chunk *)src;
    return;
  }
  for (unsigned i = 0; i < size; i++) ((char *)dst)[i] = i < n ? ((const char *)src)[i] : 0;
}

template <int size> __WG_D void __wg_copy_async(void *dst, const void *src) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
               :: "r"(__wg_shared_address(dst)), "l"(__cvta_generic_to_global(src)), "n"(size) : "memory");
#else
  __wg_copy_now<size>(dst, src, size);
#endif
}

template <int size> __WG_D void __wg_copy_async(void *dst, const void *src, unsigned n) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
               :: "r"(__wg_shared_address(dst)), "l"(__cvta_generic_to_global(src)), "n"(size), "r"(n) : "memory");
#else
  __wg_copy_now<size>(dst, src, n);
#endif
}

__WG_D void __wg_copy_commit() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

template <int n> __WG_D void __wg_copy_wait() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" :: "n"(n) : "memory");
#endif
}

/* Waits for all groups but the last n. The instruction wants a constant;
 * waiting for more groups than that is allowed. */
__WG_D void __wg_copy_wait_prior(size_t n) {
  switch (n) {
  case 0: __wg_copy_wait<0>(); return;
  case 1: __wg_copy_wait<1>(); return;
  case 2: __wg_copy_wait<2>(); return;
  case 3: __wg_copy_wait<3>(); return;
  case 4: __wg_copy_wait<4>(); return;
  case 5: __wg_copy_wait<5>(); return;
  case 6: __wg_copy_wait<6>(); return;
  case 7: __wg_copy_wait<7>(); return;
  default: __wg_copy_wait<8>(); return;
  }
}

/* The part of a copy that the thread with this rank of count does, in chunks. */
template <int size>
__WG_D void __wg_copy_chunks(char *dst, const char *src, size_t n, unsigned rank, unsigned count, bool async) {
  for (size_t i = (size_t)rank * size; i < n; i += (size_t)count * size) {
    if (async) __wg_copy_async<size>(dst + i, src + i);
    else __wg_copy_now<size>(dst + i, src + i, size);
  }
}

/* Copies n bytes by the threads of a group; align is what both addresses and n
 * are known to be multiples of, 1 if nothing is known. What is not aligned to
 * 4 bytes, or does not go from global to shared memory, is copied at once. */
__WG_D void __wg_copy_group(void *dst, const void *src, size_t n, size_t align, unsigned rank, unsigned count) {
  char *d = (char *)dst;
  const char *s = (const char *)src;
  size_t low = align >= 16 ? 0 : ((size_t)d | (size_t)s | n) & 15;
  bool async = __isShared(dst) && __isGlobal(src);
  if (low == 0) __wg_copy_chunks<16>(d, s, n, rank, count, async);
  else if ((low & 7) == 0) __wg_copy_chunks<8>(d, s, n, rank, count, async);
  else if ((low & 3) == 0) __wg_copy_chunks<4>(d, s, n, rank, count, async);
  else
    for (size_t i = rank; i < n; i += count) d[i] = s[i];
}

#undef __WG_D

#endif
#endif
