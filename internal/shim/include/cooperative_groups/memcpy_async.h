/* Asynchronous copies by a group ("CUDA C++ Programming Guide", "Cooperative
 * Groups", "memcpy_async"). */
#ifndef _CG_MEMCPY_ASYNC_H_
#define _CG_MEMCPY_ASYNC_H_

#include "../cooperative_groups.h"
#include "../warpgrind/async_copy.h"
#include <cuda/barrier> /* of libcu++ where the program has it */

#if defined(__CUDA__) && defined(__clang__)

namespace cooperative_groups {
namespace __v1 {

#define __WG_D __device__ __forceinline__

template <class Group, class __wg_D, class __wg_S>
__WG_D void memcpy_async(const Group &g, __wg_D *dst, const __wg_S *src, size_t bytes) {
  __wg_copy_group(dst, src, bytes, 1, (unsigned)g.thread_rank(), (unsigned)g.size());
  __wg_copy_commit();
}
template <class Group, class __wg_D, class __wg_S, size_t align>
__WG_D void memcpy_async(const Group &g, __wg_D *dst, const __wg_S *src, const ::cuda::aligned_size_t<align> &bytes) {
  __wg_copy_group(dst, src, bytes, align, (unsigned)g.thread_rank(), (unsigned)g.size());
  __wg_copy_commit();
}
/* With the numbers of elements of both sides: the smaller one counts. */
template <class Group, class __wg_T>
__WG_D void memcpy_async(const Group &g, __wg_T *dst, size_t to, const __wg_T *src, size_t from) {
  memcpy_async(g, dst, src, (to < from ? to : from) * sizeof(__wg_T));
}

/* Waits for all copies of the group's threads but the last n. */
template <unsigned n, class Group> __WG_D void wait_prior(const Group &g) {
  __wg_copy_wait_prior(n);
  g.sync();
}
template <class Group> __WG_D void wait(const Group &g) { wait_prior<0>(g); }

#undef __WG_D

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif
#endif
