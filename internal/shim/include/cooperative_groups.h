/* Cooperative groups ("CUDA C++ Programming Guide", "Cooperative Groups"):
 * the block, tiles of it, the active threads, and the grid. */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)

/* The two parts of a barrier, which PTX has for clusters only: the engine provides
 * those of the block and of the grid. */
extern "C" {
__device__ void __wg_block_arrive();
__device__ void __wg_block_wait();
__device__ void __wg_grid_arrive();
__device__ void __wg_grid_wait();
}

/* In __v1, where NVIDIA's are: libcu++ and some programs declare the classes there themselves. */
namespace cooperative_groups {
namespace __v1 {

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
template <class __wg_T, class __wg_F> __WG_D __wg_T by_words(const __wg_T &v, __wg_F f) {
  constexpr unsigned words = (sizeof(__wg_T) + 3) / 4;
  unsigned w[words] = {};
  __builtin_memcpy(w, &v, sizeof(__wg_T));
  for (unsigned i = 0; i < words; i++) w[i] = f(w[i]);
  __wg_T r = v;
  __builtin_memcpy(&r, w, sizeof(__wg_T));
  return r;
}
/* The lane of the group's member rank. */
__WG_D unsigned nth(unsigned mask, unsigned rank) { return __fns(mask, 0, rank + 1); }
} // namespace details

class thread_block;

/* Any group, by what it needs to synchronize: all threads of the block, the
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
  friend __WG_D thread_group tiled_partition(const thread_group &g, unsigned n);

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
  __WG_D arrival_token barrier_arrive() const {
    __wg_block_arrive();
    return arrival_token();
  }
  __WG_D void barrier_wait(arrival_token &&) const { __wg_block_wait(); }
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
template <class __wg_D> class lane_operations {
  __WG_D const __wg_D &self() const { return *static_cast<const __wg_D *>(this); }

public:
  __WG_D void sync() const { __syncwarp(self().mask()); }
  template <class __wg_T> __WG_D __wg_T shfl(__wg_T v, int rank) const {
    unsigned m = self().mask(), from = self().lane_of(rank);
    return details::by_words(v, [=](unsigned w) { return __shfl_sync(m, w, from); });
  }
  __WG_D int any(int p) const { return __any_sync(self().mask(), p); }
  __WG_D int all(int p) const { return __all_sync(self().mask(), p); }
  __WG_D unsigned ballot(int p) const { return self().pack(__ballot_sync(self().mask(), p)); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
  template <class __wg_T> __WG_D unsigned match_any(__wg_T v) const { return self().pack(__match_any_sync(self().mask(), v)); }
  template <class __wg_T> __WG_D unsigned match_all(__wg_T v, int &p) const {
    return self().pack(__match_all_sync(self().mask(), v, &p));
  }
#endif
};

template <unsigned __wg_N, class Parent> class thread_block_tile;

namespace details {
template <class __wg_G> struct threads_in {
  __WG_D static unsigned of() { return block_threads(); }
};
template <unsigned __wg_N, class __wg_P> struct threads_in<thread_block_tile<__wg_N, __wg_P>> {
  __WG_D static unsigned of() { return __wg_N; }
};
template <class __wg_P> struct only_erased;
template <> struct only_erased<void> { typedef int type; };

/* Which tile of its parent a tile is, and how many there are: as the parent's type says, or kept where that is erased. */
template <unsigned __wg_N, class Parent> struct place_in {
  __WG_D static unsigned meta_group_rank() { return linear_thread() % threads_in<Parent>::of() / __wg_N; }
  __WG_D static unsigned meta_group_size() { return (threads_in<Parent>::of() + __wg_N - 1) / __wg_N; }
};
template <unsigned __wg_N> struct place_in<__wg_N, void> {
  unsigned __wg_rank = place_in<__wg_N, thread_block>::meta_group_rank(), __wg_size = place_in<__wg_N, thread_block>::meta_group_size();
  __WG_D place_in() {}
  template <class __wg_P> __WG_D place_in(const place_in<__wg_N, __wg_P> &from) : __wg_rank(from.meta_group_rank()), __wg_size(from.meta_group_size()) {}
  __WG_D unsigned meta_group_rank() const { return __wg_rank; }
  __WG_D unsigned meta_group_size() const { return __wg_size; }
};
} // namespace details

/* A tile whose parent is void was converted from one with another parent. */
template <unsigned __wg_N, class Parent = void>
class thread_block_tile : public lane_operations<thread_block_tile<__wg_N, Parent>>, public details::place_in<__wg_N, Parent> {
  static_assert(__wg_N > 0 && __wg_N <= 32 && (__wg_N & (__wg_N - 1)) == 0, "tiles have a power of two of threads, up to 512");

public:
  __WG_D unsigned mask() const {
    return __wg_N == 32 ? 0xffffffffu : ((1u << (__wg_N & 31)) - 1) << (details::lane() & ~(__wg_N - 1));
  }
  __WG_D unsigned lane_of(unsigned rank) const { return (details::lane() & ~(__wg_N - 1)) + rank; }
  __WG_D unsigned pack(unsigned bits) const {
    return __wg_N == 32 ? bits : bits >> (details::lane() & ~(__wg_N - 1)) & ((1u << (__wg_N & 31)) - 1);
  }
  __WG_D static constexpr unsigned size() { return __wg_N; }
  __WG_D static constexpr unsigned num_threads() { return __wg_N; }
  __WG_D static unsigned thread_rank() { return details::linear_thread() & (__wg_N - 1); }
  template <class __wg_T> __WG_D __wg_T shfl(__wg_T v, int rank) const {
    unsigned m = mask();
    return details::by_words(v, [=](unsigned w) { return __shfl_sync(m, w, rank, __wg_N); });
  }
  template <class __wg_T> __WG_D __wg_T shfl_up(__wg_T v, unsigned d) const {
    unsigned m = mask();
    return details::by_words(v, [=](unsigned w) { return __shfl_up_sync(m, w, d, __wg_N); });
  }
  template <class __wg_T> __WG_D __wg_T shfl_down(__wg_T v, unsigned d) const {
    unsigned m = mask();
    return details::by_words(v, [=](unsigned w) { return __shfl_down_sync(m, w, d, __wg_N); });
  }
  template <class __wg_T> __WG_D __wg_T shfl_xor(__wg_T v, unsigned x) const {
    unsigned m = mask();
    return details::by_words(v, [=](unsigned w) { return __shfl_xor_sync(m, w, x, __wg_N); });
  }
  __WG_D operator thread_group() const { return thread_group(thread_group::lanes_kind, mask()); }
  __WG_D thread_block_tile() = default;
  template <class __wg_P, class __wg_Q = Parent, class = typename details::only_erased<__wg_Q>::type>
  __WG_D thread_block_tile(const thread_block_tile<__wg_N, __wg_P> &from) : details::place_in<__wg_N, Parent>(from) {}
};

template <unsigned __wg_N, class Parent> __WG_D thread_block_tile<__wg_N, Parent> tiled_partition(const Parent &) {
  return thread_block_tile<__wg_N, Parent>();
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
#include "warpgrind/wide_tile.h"
namespace cooperative_groups {
namespace __v1 {

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
  template <class __wg_T> __WG_D __wg_T shfl_up(__wg_T v, unsigned d) const {
    unsigned r = thread_rank(), m = mask_, from = r >= d ? lane_of(r - d) : details::lane();
    return details::by_words(v, [=](unsigned w) { return __shfl_sync(m, w, from); });
  }
  template <class __wg_T> __WG_D __wg_T shfl_down(__wg_T v, unsigned d) const {
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
__WG_D thread_group tiled_partition(const thread_group &g, unsigned n) {
  if (g.kind_ == thread_group::block_kind) return tiled_partition(thread_block(), n);
  unsigned first = g.thread_rank() / n * n, m = 0;
  for (unsigned i = first; i < first + n && i < g.size(); i++) m |= 1u << details::nth(g.mask_, i);
  return thread_group(thread_group::lanes_kind, m);
}
__WG_D coalesced_group tiled_partition(const coalesced_group &g, unsigned n) {
  unsigned first = g.thread_rank() / n * n, m = 0;
  for (unsigned i = first; i < first + n && i < g.size(); i++) m |= 1u << g.lane_of(i);
  return coalesced_group(m);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
template <class __wg_G> __WG_D coalesced_group binary_partition(const __wg_G &g, bool p) {
  unsigned yes = __ballot_sync(g.mask(), p);
  return coalesced_group(p ? yes : g.mask() & ~yes);
}
template <class __wg_G> __WG_D coalesced_group labeled_partition(const __wg_G &g, int label) {
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
/* The name of the predicate marks this trap as that of a grid's barrier. */
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
  __WG_D arrival_token barrier_arrive() const {
    details::grid_check();
    __wg_grid_arrive();
    return arrival_token();
  }
  __WG_D void barrier_wait(arrival_token &&) const { __wg_grid_wait(); }
};

__WG_D grid_group this_grid() { return grid_group(); }

/* The blocks of a thread block cluster ("PTX ISA", "mapa", "getctarank",
 * "barrier.cluster"). On devices without clusters each block is one. */
namespace details {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define __WG_CLUSTER(__name, __register, __alone)                                                               \
  __WG_D unsigned __name() {                                                                                    \
    unsigned __value;                                                                                           \
    asm("mov.u32 %0, %%" __register ";" : "=r"(__value));                                                       \
    return __value;                                                                                             \
  }
__WG_D void cluster_arrive() { asm volatile("barrier.cluster.arrive;" ::: "memory"); }
__WG_D void cluster_wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }
__WG_D unsigned long long cluster_map(const void *p, unsigned rank) {
  unsigned long long to;
  asm("mapa.u64 %0, %1, %2;" : "=l"(to) : "l"(p), "r"(rank));
  return to;
}
__WG_D unsigned cluster_rank_of(const void *p) {
  unsigned rank;
  asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(p));
  return rank;
}
#else
#define __WG_CLUSTER(__name, __register, __alone)                                                               \
  __WG_D unsigned __name() { return __alone; }
__WG_D void cluster_arrive() { __wg_block_arrive(); }
__WG_D void cluster_wait() { __wg_block_wait(); }
__WG_D unsigned long long cluster_map(const void *p, unsigned) { return (unsigned long long)p; }
__WG_D unsigned cluster_rank_of(const void *) { return 0; }
#endif
__WG_CLUSTER(cluster_rank, "cluster_ctarank", 0)
__WG_CLUSTER(cluster_blocks, "cluster_nctarank", 1)
__WG_CLUSTER(cluster_block_x, "cluster_ctaid.x", 0)
__WG_CLUSTER(cluster_block_y, "cluster_ctaid.y", 0)
__WG_CLUSTER(cluster_block_z, "cluster_ctaid.z", 0)
__WG_CLUSTER(cluster_dim_x, "cluster_nctaid.x", 1)
__WG_CLUSTER(cluster_dim_y, "cluster_nctaid.y", 1)
__WG_CLUSTER(cluster_dim_z, "cluster_nctaid.z", 1)
#undef __WG_CLUSTER
} // namespace details

class cluster_group {
public:
  struct arrival_token {};
  __WG_D static arrival_token barrier_arrive() {
    details::cluster_arrive();
    return arrival_token();
  }
  __WG_D static void barrier_wait() { details::cluster_wait(); }
  __WG_D static void barrier_wait(arrival_token &&) { details::cluster_wait(); }
  __WG_D static void sync() {
    details::cluster_arrive();
    details::cluster_wait();
  }
  __WG_D static unsigned num_blocks() { return details::cluster_blocks(); }
  __WG_D static unsigned block_rank() { return details::cluster_rank(); }
  __WG_D static dim3 block_index() {
    return dim3(details::cluster_block_x(), details::cluster_block_y(), details::cluster_block_z());
  }
  __WG_D static dim3 dim_blocks() {
    return dim3(details::cluster_dim_x(), details::cluster_dim_y(), details::cluster_dim_z());
  }
  __WG_D static dim3 dim_threads() {
    dim3 d = dim_blocks();
    return dim3(d.x * blockDim.x, d.y * blockDim.y, d.z * blockDim.z);
  }
  __WG_D static dim3 thread_index() {
    dim3 b = block_index();
    return dim3(b.x * blockDim.x + threadIdx.x, b.y * blockDim.y + threadIdx.y, b.z * blockDim.z + threadIdx.z);
  }
  __WG_D static unsigned num_threads() { return num_blocks() * details::block_threads(); }
  __WG_D static unsigned size() { return num_threads(); }
  __WG_D static unsigned thread_rank() {
    return block_rank() * details::block_threads() + details::linear_thread();
  }
  template <class __wg_T> __WG_D static __wg_T *map_shared_rank(__wg_T *p, int rank) {
    return (__wg_T *)details::cluster_map((const void *)p, (unsigned)rank);
  }
  __WG_D static unsigned query_shared_rank(const void *p) { return details::cluster_rank_of(p); }
};

__WG_D cluster_group this_cluster() { return cluster_group(); }

/* One thread of the group runs f; all get its result. */
template <class __wg_G, class __wg_F> __WG_D void invoke_one(const __wg_G &g, __wg_F &&f) {
  if (g.thread_rank() == 0) f();
}
template <class __wg_G, class __wg_F> __WG_D auto invoke_one_broadcast(const __wg_G &g, __wg_F &&f) -> decltype(f()) {
  decltype(f()) r{};
  if (g.thread_rank() == 0) r = f();
  return g.shfl(r, 0);
}

template <class __wg_G> __WG_D void sync(const __wg_G &g) { g.sync(); }
template <class __wg_G> __WG_D unsigned group_size(const __wg_G &g) { return g.size(); }
template <class __wg_G> __WG_D unsigned thread_rank(const __wg_G &g) { return g.thread_rank(); }

#undef __WG_D

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif
#endif
