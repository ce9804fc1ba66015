/* Prefix sums over a group of lanes ("CUDA C++ Programming Guide", "Group
 * Collectives"). */
#ifndef _CG_SCAN_H_
#define _CG_SCAN_H_

#include "reduce.h"

#if defined(__CUDA__) && defined(__clang__)

namespace cooperative_groups {

#define __WG_D __device__ __forceinline__

template <class G, class T, class Op> __WG_D T inclusive_scan(const G &g, T v, Op op) {
  for (unsigned d = 1; d < g.size(); d *= 2) {
    T u = g.shfl_up(v, d);
    if (g.thread_rank() >= d) v = op(u, v);
  }
  return v;
}
template <class G, class T> __WG_D T inclusive_scan(const G &g, T v) { return inclusive_scan(g, v, plus<T>()); }
template <class G, class T, class Op> __WG_D T exclusive_scan(const G &g, T v, Op op) {
  T u = g.shfl_up(inclusive_scan(g, v, op), 1);
  return g.thread_rank() == 0 ? T() : u;
}
template <class G, class T> __WG_D T exclusive_scan(const G &g, T v) { return exclusive_scan(g, v, plus<T>()); }

#undef __WG_D

} // namespace cooperative_groups

#endif
#endif
