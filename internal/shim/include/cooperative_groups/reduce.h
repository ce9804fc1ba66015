/* Reduction over a group of lanes ("CUDA C++ Programming Guide", "Group
 * Collectives"). */
#ifndef _CG_REDUCE_H_
#define _CG_REDUCE_H_

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "../cooperative_groups.h"

#if defined(__CUDA__) && defined(__clang__)

namespace cooperative_groups {
namespace __v1 {

#define __WG_D __device__ __forceinline__

template <class __wg_T> struct plus {
  __WG_D __wg_T operator()(__wg_T a, __wg_T b) const { return a + b; }
};
template <class __wg_T> struct less {
  __WG_D __wg_T operator()(__wg_T a, __wg_T b) const { return b < a ? b : a; }
};
template <class __wg_T> struct greater {
  __WG_D __wg_T operator()(__wg_T a, __wg_T b) const { return a < b ? b : a; }
};
template <class __wg_T> struct bit_and {
  __WG_D __wg_T operator()(__wg_T a, __wg_T b) const { return a & b; }
};
template <class __wg_T> struct bit_or {
  __WG_D __wg_T operator()(__wg_T a, __wg_T b) const { return a | b; }
};
template <class __wg_T> struct bit_xor {
  __WG_D __wg_T operator()(__wg_T a, __wg_T b) const { return a ^ b; }
};

namespace details {
template <unsigned __wg_N, class __wg_P, bool wide = (__wg_N > 32)> struct tile_reduction {
  template <class __wg_T, class Op> __WG_D static __wg_T of(const thread_block_tile<__wg_N, __wg_P> &g, __wg_T v, Op op) {
    for (unsigned d = __wg_N / 2; d > 0; d /= 2) v = op(v, g.shfl_xor(v, d));
    return v;
  }
};
/* Of several warps: within each, then of the warps' results. */
template <unsigned __wg_N, class __wg_P> struct tile_reduction<__wg_N, __wg_P, true> {
  template <class __wg_T, class Op> __WG_D static __wg_T of(const thread_block_tile<__wg_N, __wg_P> &g, __wg_T v, Op op) {
    return g.combined(tile_reduction<32, __wg_P>::of(thread_block_tile<32, __wg_P>(), v, op), op);
  }
};
} // namespace details

template <unsigned __wg_N, class __wg_P, class __wg_T, class Op>
__WG_D __wg_T reduce(const thread_block_tile<__wg_N, __wg_P> &g, __wg_T v, Op op) {
  return details::tile_reduction<__wg_N, __wg_P>::of(g, v, op);
}
template <unsigned __wg_N, class __wg_P, class __wg_A, class __wg_T, class Op>
__WG_D void reduce_update_async(const thread_block_tile<__wg_N, __wg_P> &g, __wg_A &to, __wg_T v, Op op) {
  __wg_T r = reduce(g, v, op);
  if (g.thread_rank() == 0) {
    __wg_T old = to.load();
    while (!to.compare_exchange_weak(old, op(old, r))) {
    }
  }
}
template <unsigned __wg_N, class __wg_P, class __wg_T, class Op>
__WG_D void reduce_store_async(const thread_block_tile<__wg_N, __wg_P> &g, __wg_T *to, __wg_T v, Op op) {
  __wg_T r = reduce(g, v, op);
  if (g.thread_rank() == 0) *to = r;
}
template <class __wg_T, class Op> __WG_D __wg_T reduce(const coalesced_group &g, __wg_T v, Op op) {
  __wg_T r = g.shfl(v, 0);
  for (unsigned i = 1; i < g.size(); i++) r = op(r, g.shfl(v, i));
  return r;
}

#undef __WG_D

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif
#endif
