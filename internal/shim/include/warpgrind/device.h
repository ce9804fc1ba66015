/* Device-side functions: clang's own headers and what they lack. */
#ifndef __WARPGRIND_DEVICE_H__
#define __WARPGRIND_DEVICE_H__

#define __DEVICE_FUNCTIONS_H__
#define __DEVICE_ATOMIC_FUNCTIONS_H__
#define __SM_20_ATOMIC_FUNCTIONS_H__
#define __SM_32_ATOMIC_FUNCTIONS_H__
#define __SM_35_ATOMIC_FUNCTIONS_H__
#define __SM_60_ATOMIC_FUNCTIONS_H__
#define __SM_20_INTRINSICS_H__
#define __SM_35_INTRINSICS_H__
#define __SM_61_INTRINSICS_H__
#define __MATH_FUNCTIONS_H__
#define __COMMON_FUNCTIONS_H__

#include <stdint.h>

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ void free(void *) __attribute((nothrow));
__device__ void *malloc(size_t) __attribute((nothrow)) __attribute__((malloc));
__device__ void __assertfail(const char *message, const char *file, unsigned line,
                             const char *function, size_t charSize);
__device__ int printf(const char *, ...);
}

/* __assert_fail is one function of both sides, as libraries declare it that
 * call it in such functions, also with NDEBUG. The C library's header declares
 * it once, however often it is included. */
#pragma push_macro("NDEBUG")
#undef NDEBUG
#pragma clang force_cuda_host_device begin
#include <assert.h>
#pragma clang force_cuda_host_device end
#undef assert
#pragma pop_macro("NDEBUG")
#ifdef __CUDA_ARCH__
extern "C" __host__ __device__ inline __attribute__((always_inline)) void
__assert_fail(const char *message, const char *file, unsigned line, const char *function) __THROW {
  __assertfail(message, file, line, function, sizeof(char));
}
#endif

namespace std {
__device__ static inline void free(void *p) { ::free(p); }
__device__ static inline void *malloc(size_t n) { return ::malloc(n); }
} // namespace std

#include "warpgrind/spaces.h"

/* The votes and shuffles without a mask have no instruction from sm_70 on;
 * warpgrind/warp.h defines them by their successors. */
#define __all __clang_legacy_all
#define __any __clang_legacy_any
#define __ballot __clang_legacy_ballot
#define __sincosf __clang_sincosf_fast
#define memcpy __clang_memcpy
#define memset __clang_memset
#include <__clang_cuda_libdevice_declares.h>
#include "warpgrind/libdevice.h"
#include <__clang_cuda_device_functions.h>
#undef __all
#undef __any
#undef __ballot
#undef __sincosf
#undef memcpy
#undef memset

/* Functions with results through pointers: clang's would pass the user's
 * address to an external function, which hides the store. */
#define sincosf __clang_sincosf
#define sincos __clang_sincos
#define sincospif __clang_sincospif
#define sincospi __clang_sincospi
#define frexpf __clang_frexpf
#define frexp __clang_frexp
#define modff __clang_modff
#define modf __clang_modf
#define remquof __clang_remquof
#define remquo __clang_remquo
#include <__clang_cuda_math.h>
#undef sincosf
#undef sincos
#undef sincospif
#undef sincospi
#undef frexpf
#undef frexp
#undef modff
#undef modf
#undef remquof
#undef remquo
#include "warpgrind/math.h"
#include <__clang_cuda_cmath.h>

#define __shfl __clang_legacy_shfl
#define __shfl_up __clang_legacy_shfl_up
#define __shfl_down __clang_legacy_shfl_down
#define __shfl_xor __clang_legacy_shfl_xor
/* Newer versions of clang have these as well; warpgrind/memory.h has more. */
#define __ldcg __clang_ldcg
#define __ldca __clang_ldca
#define __ldcs __clang_ldcs
#define __ldlu __clang_ldlu
#define __ldcv __clang_ldcv
#define __stwb __clang_stwb
#define __stcg __clang_stcg
#define __stcs __clang_stcs
#define __stwt __clang_stwt
#define __nanosleep __clang_nanosleep
/* clang's hand the builtins their operands the wrong way round. */
#define __reduce_add_sync __clang_reduce_add_sync
#define __reduce_min_sync __clang_reduce_min_sync
#define __reduce_max_sync __clang_reduce_max_sync
#define __reduce_or_sync __clang_reduce_or_sync
#define __reduce_and_sync __clang_reduce_and_sync
#define __reduce_xor_sync __clang_reduce_xor_sync
#include <__clang_cuda_intrinsics.h>
#undef __shfl
#undef __shfl_up
#undef __shfl_down
#undef __shfl_xor
#undef __ldcg
#undef __ldca
#undef __ldcs
#undef __ldlu
#undef __ldcv
#undef __stwb
#undef __stcg
#undef __stcs
#undef __stwt
#undef __nanosleep
#undef __reduce_add_sync
#undef __reduce_min_sync
#undef __reduce_max_sync
#undef __reduce_or_sync
#undef __reduce_and_sync
#undef __reduce_xor_sync
#include <__clang_cuda_complex_builtins.h>

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return make_uint3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return make_uint3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return make_uint3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return make_uint3(x, y, z); }

#include "warpgrind/atomics.h"
#include "warpgrind/warp.h"
#include "warpgrind/memory.h"
#include "warpgrind/misc.h"
#include "warpgrind/dpx.h"
#include "warpgrind/builtin_atomics.h"

#endif
