/* Bulk copies with cuda::barrier ("libcu++", "cuda::device::memcpy_async_tx"; "CUDA C++
 * Programming Guide", "Asynchronous Data Copies using the Tensor Memory Accelerator"). */
#ifndef __WARPGRIND_BULK_COPY_H__
#define __WARPGRIND_BULK_COPY_H__

#include "barrier.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#include <cuda.h>
#include <cuda/ptx>

namespace cuda {
namespace device {

#define __WG_D static __device__ __forceinline__

__WG_D void barrier_expect_tx(barrier<thread_scope_block> &b, ptrdiff_t bytes) {
  ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, (uint64_t *)b.__wg_word(), (uint32_t)bytes);
}

template <class __wg_T, size_t __wg_A>
__WG_D void memcpy_async_tx(__wg_T *dst, const __wg_T *src, aligned_size_t<__wg_A> n, barrier<thread_scope_block> &b) {
  static_assert(__wg_A >= 16, "memcpy_async_tx needs an alignment of 16 bytes");
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, dst, src, (uint32_t)n, (uint64_t *)b.__wg_word());
}

namespace experimental {

__WG_D void cp_async_bulk_global_to_shared(void *dst, const void *src, uint32_t n, barrier<thread_scope_block> &b) {
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, dst, src, n, (uint64_t *)b.__wg_word());
}
__WG_D void cp_async_bulk_shared_to_global(void *dst, const void *src, uint32_t n) { ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, dst, src, n); }

#define __WG_TENSOR(n, params, list)                                                                                      \
  __WG_D void cp_async_bulk_tensor_##n##d_global_to_shared(void *dst, const CUtensorMap *map, __WG_LIST params,           \
                                                           barrier<thread_scope_block> &b) {                              \
    const int32_t at[] = {__WG_LIST list};                                                                                \
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, dst, map, at, (uint64_t *)b.__wg_word());            \
  }                                                                                                                       \
  __WG_D void cp_async_bulk_tensor_##n##d_shared_to_global(const CUtensorMap *map, __WG_LIST params, const void *src) {   \
    const int32_t at[] = {__WG_LIST list};                                                                                \
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, map, at, src);                                        \
  }
#define __WG_LIST(...) __VA_ARGS__
__WG_TENSOR(1, (int c0), (c0))
__WG_TENSOR(2, (int c0, int c1), (c0, c1))
__WG_TENSOR(3, (int c0, int c1, int c2), (c0, c1, c2))
__WG_TENSOR(4, (int c0, int c1, int c2, int c3), (c0, c1, c2, c3))
__WG_TENSOR(5, (int c0, int c1, int c2, int c3, int c4), (c0, c1, c2, c3, c4))
#undef __WG_TENSOR
#undef __WG_LIST

__WG_D void fence_proxy_async_shared_cta() { ptx::fence_proxy_async(ptx::space_shared); }
__WG_D void cp_async_bulk_commit_group() { ptx::cp_async_bulk_commit_group(); }
template <int __wg_N> __WG_D void cp_async_bulk_wait_group_read() { ptx::cp_async_bulk_wait_group_read(ptx::n32_t<__wg_N>()); }

} // namespace experimental

#undef __WG_D

} // namespace device
} // namespace cuda
#endif
#endif
