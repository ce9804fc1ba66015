/* "CUDA C++ Programming Guide", "Pipeline Primitives Interface". */
#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include "warpgrind/async_copy.h"
#include "cuda_awbarrier_primitives.h"

#if defined(__CUDA__) && defined(__clang__) && defined(__cplusplus)

/* size is 4, 8 or 16; the last zfill bytes are filled with zeros. */
static __device__ __forceinline__ void __pipeline_memcpy_async(void *__restrict__ dst, const void *__restrict__ src,
                                                               size_t size, size_t zfill = 0) {
  unsigned n = (unsigned)(size - zfill);
  switch (size) {
  case 4:
    if (zfill) __wg_copy_async<4>(dst, src, n);
    else __wg_copy_async<4>(dst, src);
    return;
  case 8:
    if (zfill) __wg_copy_async<8>(dst, src, n);
    else __wg_copy_async<8>(dst, src);
    return;
  case 16:
    if (zfill) __wg_copy_async<16>(dst, src, n);
    else __wg_copy_async<16>(dst, src);
    return;
  default: __trap();
  }
}
static __device__ __forceinline__ void __pipeline_commit() { __wg_copy_commit(); }
static __device__ __forceinline__ void __pipeline_wait_prior(size_t n) { __wg_copy_wait_prior(n); }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
static __device__ __forceinline__ void __pipeline_arrive_on(__mbarrier_t *b) { __wg_mbarrier_track(b); }
#endif

#endif
#endif
