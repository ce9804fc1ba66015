/* Reduction over a group of lanes ("CUDA C++ Programming Guide", "Group
 * Collectives"). */
#ifndef _CG_REDUCE_H_
#define _CG_REDUCE_H_

#include "../cooperative_groups.h"

#if defined(__CUDA__) && defined(__clang__)

namespace cooperative_groups {

#define __WG_D __device__ __forceinline__

template <class T> struct plus {
  __WG_D T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  __WG_D T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  __WG_D T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
  __WG_D T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
  __WG_D T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
  __WG_D T operator()(T a, T b) const { return a ^ b; }
};

template <unsigned N, class P, class T, class Op>
__WG_D T reduce(const thread_block_tile<N, P> &g, T v, Op op) {
  for (unsigned d = N / 2; d > 0; d /= 2) v = op(v, g.shfl_xor(v, d));
  return v;
}
template <unsigned N, class P, class A, class T, class Op>
__WG_D void reduce_update_async(const thread_block_tile<N, P> &g, A &to, T v, Op op) {
  T r = reduce(g, v, op);
  if (g.thread_rank() == 0) {
    T old = to.load();
    while (!to.compare_exchange_weak(old, op(old, r))) {
    }
  }
}
template <unsigned N, class P, class T, class Op>
__WG_D void reduce_store_async(const thread_block_tile<N, P> &g, T *to, T v, Op op) {
  T r = reduce(g, v, op);
  if (g.thread_rank() == 0) *to = r;
}
template <class T, class Op> __WG_D T reduce(const coalesced_group &g, T v, Op op) {
  T r = g.shfl(v, 0);
  for (unsigned i = 1; i < g.size(); i++) r = op(r, g.shfl(v, i));
  return r;
}

#undef __WG_D

} // namespace cooperative_groups

#endif
#endif
