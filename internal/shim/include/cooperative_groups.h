/* Cooperative groups ("CUDA C++ Programming Guide", "Cooperative Groups"):
 * the block, tiles of it, the active threads, and the grid. */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)

namespace cooperative_groups {

#define __WG_D __device__ __forceinline__

namespace details {
__WG_D unsigned lane() { return __nvvm_read_ptx_sreg_laneid(); }
__WG_D unsigned linear_thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__WG_D unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
__WG_D unsigned long long linear_block() {
  return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
__WG_D unsigned long long grid_blocks() {
  return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}
__WG_D unsigned below(unsigned mask) { return __popc(mask & ((1u << lane()) - 1)); }
/* f over the words of any trivially copyable value. */
template <class T, class F> __WG_D T by_words(const T &v, F f) {
  constexpr unsigned words = (sizeof(T) + 3) / 4;
  unsigned w[words] = {};
  __builtin_memcpy(w, &v, sizeof(T));
  for (unsigned i = 0; i < words; i++) w[i] = f(w[i]);
  T r = v;
  __builtin_memcpy(&r, w, sizeof(T));
  return r;
}
/* The lane of the group's member rank. */
__WG_D unsigned nth(unsigned mask, unsigned rank) { return __fns(mask, 0, rank + 1); }
} // namespace details

class thread_block;

/* Any group, by what it needs to synchronise: all threads of the block, the
 * lanes of a mask, or the grid. */
class thread_group {
public:
  enum kind_t { block_kind, lanes_kind, grid_kind };
  __WG_D thread_group(kind_t k, unsigned m) : kind_(k), mask_(m) {}
  __WG_D void sync() const {
    if (kind_ == block_kind) __syncthreads();
    else __syncwarp(mask_);
  }
  __WG_D unsigned size() const { return kind_ == block_kind ? details::block_threads() : __popc(mask_); }
  __WG_D unsigned num_threads() const { return size(); }
  __WG_D unsigned thread_rank() const {
    return kind_ == block_kind ? details::linear_thread() : details::below(mask_);
  }

protected:
  kind_t kind_;
  unsigned mask_;
};

class thread_block : public thread_group {
public:
  static constexpr bool is_block = true;
  struct arrival_token {};
  __WG_D thread_block() : thread_group(block_kind, 0) {}
  __WG_D static void sync() { __syncthreads(); }
  __WG_D arrival_token barrier_arrive() const { return arrival_token(); }
  __WG_D void barrier_wait(arrival_token &&) const { __syncthreads(); }
  __WG_D static unsigned size() { return details::block_threads(); }
  __WG_D static unsigned num_threads() { return details::block_threads(); }
  __WG_D static unsigned thread_rank() { return details::linear_thread(); }
  __WG_D static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __WG_D static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __WG_D static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __WG_D static dim3 dim_threads() { return group_dim(); }
};

__WG_D thread_block this_thread_block() { return thread_block(); }

/* The warp operations of a group of lanes. D gives mask(), lane_of(rank),
 * rank and size. */
template <class D> class lane_operations {
  __WG_D const D &self() const { return *static_cast<const D *>(this); }

public:
  __WG_D void sync() const { __syncwarp(self().mask()); }
  template <class T> __WG_D T shfl(T v, int rank) const {
    unsigned m = self().mask(), from = self().lane_of(rank);
    return details::by_words(v, [=](unsigned w) { return __shfl_sync(m, w, from); });
  }
  __WG_D int any(int p) const { return __any_sync(self().mask(), p); }
  __WG_D int all(int p) const { return __all_sync(self().mask(), p); }
  __WG_D unsigned ballot(int p) const { return self().pack(__ballot_sync(self().mask(), p)); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
  template <class T> __WG_D unsigned match_any(T v) const { return self().pack(__match_any_sync(self().mask(), v)); }
  template <class T> __WG_D unsigned match_all(T v, int &p) const {
    return self().pack(__match_all_sync(self().mask(), v, &p));
  }
#endif
};

template <unsigned N, class Parent> class thread_block_tile;

namespace details {
template <class G> struct threads_in {
  __WG_D static unsigned of() { return block_threads(); }
};
template <unsigned N, class P> struct threads_in<thread_block_tile<N, P>> {
  __WG_D static unsigned of() { return N; }
};
} // namespace details

template <unsigned N, class Parent = thread_block>
class thread_block_tile : public lane_operations<thread_block_tile<N, Parent>> {
  static_assert(N > 0 && N <= 32 && (N & (N - 1)) == 0, "tiles have 1, 2, 4, 8, 16 or 32 threads");

public:
  __WG_D unsigned mask() const {
    return N == 32 ? 0xffffffffu : ((1u << (N & 31)) - 1) << (details::lane() & ~(N - 1));
  }
  __WG_D unsigned lane_of(unsigned rank) const { return (details::lane() & ~(N - 1)) + rank; }
  __WG_D unsigned pack(unsigned bits) const {
    return N == 32 ? bits : bits >> (details::lane() & ~(N - 1)) & ((1u << (N & 31)) - 1);
  }
  __WG_D static constexpr unsigned size() { return N; }
  __WG_D static constexpr unsigned num_threads() { return N; }
  __WG_D static unsigned thread_rank() { return details::linear_thread() & (N - 1); }
  /* Which tile of the parent this is, and how many there are. */
  __WG_D static unsigned meta_group_rank() { return details::linear_thread() % details::threads_in<Parent>::of() / N; }
  __WG_D static unsigned meta_group_size() { return (details::threads_in<Parent>::of() + N - 1) / N; }
  template <class T> __WG_D T shfl(T v, int rank) const {
    unsigned m = mask();
    return details::by_words(v, [=](unsigned w) { return __shfl_sync(m, w, rank, N); });
  }
  template <class T> __WG_D T shfl_up(T v, unsigned d) const {
    unsigned m = mask();
    return details::by_words(v, [=](unsigned w) { return __shfl_up_sync(m, w, d, N); });
  }
  template <class T> __WG_D T shfl_down(T v, unsigned d) const {
    unsigned m = mask();
    return details::by_words(v, [=](unsigned w) { return __shfl_down_sync(m, w, d, N); });
  }
  template <class T> __WG_D T shfl_xor(T v, unsigned x) const {
    unsigned m = mask();
    return details::by_words(v, [=](unsigned w) { return __shfl_xor_sync(m, w, x, N); });
  }
  __WG_D operator thread_group() const { return thread_group(thread_group::lanes_kind, mask()); }
  __WG_D thread_block_tile() = default;
  /* The same lanes whatever the tile was cut from. */
  template <class P> __WG_D thread_block_tile(const thread_block_tile<N, P> &) {}
};

template <unsigned N, class Parent> __WG_D thread_block_tile<N, Parent> tiled_partition(const Parent &) {
  return thread_block_tile<N, Parent>();
}

class coalesced_group : public lane_operations<coalesced_group> {
  unsigned mask_;

public:
  __WG_D explicit coalesced_group(unsigned m) : mask_(m) {}
  __WG_D unsigned mask() const { return mask_; }
  __WG_D unsigned lane_of(unsigned rank) const { return details::nth(mask_, rank); }
  __WG_D unsigned pack(unsigned bits) const {
    unsigned r = 0;
    for (unsigned m = mask_, i = 0; m; m &= m - 1, i++) r |= (bits >> (__ffs(m) - 1) & 1) << i;
    return r;
  }
  __WG_D unsigned size() const { return __popc(mask_); }
  __WG_D unsigned num_threads() const { return __popc(mask_); }
  __WG_D unsigned thread_rank() const { return details::below(mask_); }
  __WG_D unsigned meta_group_rank() const { return 0; }
  __WG_D unsigned meta_group_size() const { return 1; }
  /* A thread without a partner keeps its own value. */
  template <class T> __WG_D T shfl_up(T v, unsigned d) const {
    unsigned r = thread_rank(), m = mask_, from = r >= d ? lane_of(r - d) : details::lane();
    return details::by_words(v, [=](unsigned w) { return __shfl_sync(m, w, from); });
  }
  template <class T> __WG_D T shfl_down(T v, unsigned d) const {
    unsigned r = thread_rank(), m = mask_, from = r + d < size() ? lane_of(r + d) : details::lane();
    return details::by_words(v, [=](unsigned w) { return __shfl_sync(m, w, from); });
  }
  __WG_D operator thread_group() const { return thread_group(thread_group::lanes_kind, mask_); }
};

__WG_D coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* Tiles of a size known at run time. */
__WG_D thread_group tiled_partition(const thread_block &, unsigned n) {
  unsigned base = details::lane() & ~(n - 1);
  return thread_group(thread_group::lanes_kind, n >= 32 ? 0xffffffffu : ((1u << n) - 1) << base);
}
__WG_D coalesced_group tiled_partition(const coalesced_group &g, unsigned n) {
  unsigned first = g.thread_rank() / n * n, m = 0;
  for (unsigned i = first; i < first + n && i < g.size(); i++) m |= 1u << g.lane_of(i);
  return coalesced_group(m);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
template <class G> __WG_D coalesced_group binary_partition(const G &g, bool p) {
  unsigned yes = __ballot_sync(g.mask(), p);
  return coalesced_group(p ? yes : g.mask() & ~yes);
}
template <class G> __WG_D coalesced_group labeled_partition(const G &g, int label) {
  return coalesced_group(__match_any_sync(g.mask(), label));
}
#endif

/* The runtime's grid barrier: arrivals and the generation, one for the
 * cooperative launch that is running. */
namespace details {
__device__ static unsigned grid_arrived;
__device__ static volatile unsigned grid_generation;
/* Not zero if the launch is a cooperative one: it has a place for a barrier
 * then, whose address is in these registers. */
__WG_D unsigned grid_workspace() {
  unsigned high, low;
  asm("mov.b32 %0, %%envreg1;" : "=r"(high));
  asm("mov.b32 %0, %%envreg2;" : "=r"(low));
  return high | low;
}
/* The name of the predicate tells the rule assert why this trap is. */
__WG_D void grid_check() {
  asm volatile("{\n\t.reg .pred not_cooperative;\n\tsetp.eq.u32 not_cooperative, %0, 0;\n\t"
               "@not_cooperative trap;\n\t}" ::"r"(grid_workspace()));
}
} // namespace details

class grid_group {
public:
  __WG_D bool is_valid() const { return details::grid_workspace() != 0; }
  __WG_D void sync() const {
    details::grid_check();
    __syncthreads();
    if (details::linear_thread() == 0) {
      unsigned before = details::grid_generation;
      __threadfence();
      if (atomicAdd(&details::grid_arrived, 1u) == details::grid_blocks() - 1) {
        details::grid_arrived = 0;
        __threadfence();
        details::grid_generation = before + 1;
      } else {
        while (details::grid_generation == before) {
        }
      }
      __threadfence();
    }
    __syncthreads();
  }
  __WG_D unsigned long long size() const { return details::grid_blocks() * details::block_threads(); }
  __WG_D unsigned long long num_threads() const { return size(); }
  __WG_D unsigned long long num_blocks() const { return details::grid_blocks(); }
  __WG_D unsigned long long thread_rank() const {
    return details::linear_block() * details::block_threads() + details::linear_thread();
  }
  __WG_D unsigned long long block_rank() const { return details::linear_block(); }
  __WG_D dim3 group_dim() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __WG_D dim3 dim_blocks() const { return group_dim(); }
  __WG_D dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __WG_D dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  struct arrival_token {};
  __WG_D arrival_token barrier_arrive() const { return arrival_token(); }
  __WG_D void barrier_wait(arrival_token &&) const { sync(); }
};

__WG_D grid_group this_grid() { return grid_group(); }

/* A cluster is one block unless the launch says otherwise. */
class cluster_group {
public:
  __WG_D static void sync() { __syncthreads(); }
  __WG_D static unsigned num_blocks() { return 1; }
  __WG_D static unsigned block_rank() { return 0; }
  __WG_D static dim3 block_index() { return dim3(0, 0, 0); }
  __WG_D static dim3 dim_blocks() { return dim3(1, 1, 1); }
  __WG_D static unsigned num_threads() { return details::block_threads(); }
  __WG_D static unsigned size() { return details::block_threads(); }
  __WG_D static unsigned thread_rank() { return details::linear_thread(); }
  template <class T> __WG_D static T *map_shared_rank(T *p, int) { return p; }
};

__WG_D cluster_group this_cluster() { return cluster_group(); }

/* One thread of the group runs f; all get its result. */
template <class G, class F> __WG_D void invoke_one(const G &g, F &&f) {
  if (g.thread_rank() == 0) f();
}
template <class G, class F> __WG_D auto invoke_one_broadcast(const G &g, F &&f) -> decltype(f()) {
  decltype(f()) r{};
  if (g.thread_rank() == 0) r = f();
  return g.shfl(r, 0);
}

template <class G> __WG_D void sync(const G &g) { g.sync(); }
template <class G> __WG_D unsigned group_size(const G &g) { return g.size(); }
template <class G> __WG_D unsigned thread_rank(const G &g) { return g.thread_rank(); }

#undef __WG_D

} // namespace cooperative_groups

#endif
#endif
