/* Prefix sums over a group of lanes ("CUDA C++ Programming Guide", "Group
 * Collectives"). */
#ifndef _CG_SCAN_H_
#define _CG_SCAN_H_

#include "reduce.h"

#if defined(__CUDA__) && defined(__clang__)

namespace cooperative_groups {
namespace __v1 {

#define __WG_D __device__ __forceinline__

template <class __wg_G, class __wg_T, class Op> __WG_D __wg_T inclusive_scan(const __wg_G &g, __wg_T v, Op op) {
  for (unsigned d = 1; d < g.size(); d *= 2) {
    __wg_T u = g.shfl_up(v, d);
    if (g.thread_rank() >= d) v = op(u, v);
  }
  return v;
}
template <class __wg_G, class __wg_T> __WG_D __wg_T inclusive_scan(const __wg_G &g, __wg_T v) { return inclusive_scan(g, v, plus<__wg_T>()); }
template <class __wg_G, class __wg_T, class Op> __WG_D __wg_T exclusive_scan(const __wg_G &g, __wg_T v, Op op) {
  __wg_T u = g.shfl_up(inclusive_scan(g, v, op), 1);
  return g.thread_rank() == 0 ? __wg_T() : u;
}
template <class __wg_G, class __wg_T> __WG_D __wg_T exclusive_scan(const __wg_G &g, __wg_T v) { return exclusive_scan(g, v, plus<__wg_T>()); }

#undef __WG_D

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif
#endif
