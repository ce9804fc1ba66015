/* Tiles of several warps ("CUDA C++ Programming Guide", "Thread Block Tile"):
 * they wait at a barrier of their own and exchange values in shared memory. */
#ifndef __WARPGRIND_WIDE_TILE_H__
#define __WARPGRIND_WIDE_TILE_H__

namespace cooperative_groups {
namespace __v1 {

/* What a program reserves for such tiles. The exchange has memory of its own. */
template <unsigned __wg_Max = 1024> struct block_tile_memory {
  unsigned long long __wg_words[__wg_Max / 32 + 1];
};
template <unsigned __wg_Max> __WG_D thread_block this_thread_block(block_tile_memory<__wg_Max> &) { return thread_block(); }

namespace details {
/* 16 bytes of each warp of the block. */
struct wide_slot { unsigned w[4]; };
__WG_D wide_slot *wide_slots() {
  __shared__ wide_slot slots[32];
  return slots;
}

template <unsigned __wg_N, class __wg_Parent> class wide_tile {
public:
  __WG_D static unsigned size() { return __wg_N; }
  __WG_D static unsigned num_threads() { return __wg_N; }
  __WG_D static unsigned thread_rank() { return linear_thread() % __wg_N; }
  __WG_D static unsigned meta_group_rank() { return linear_thread() % threads_in<__wg_Parent>::of() / __wg_N; }
  __WG_D static unsigned meta_group_size() { return (threads_in<__wg_Parent>::of() + __wg_N - 1) / __wg_N; }
  /* Barrier 0 is the block's; 16 tiles of 64 threads need it as well. */
  __WG_D static void sync() {
    unsigned id = (linear_thread() / __wg_N + 1) % 16;
    asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(__wg_N) : "memory");
  }
  /* f of the values that the tile's warps put into their slots. */
  template <class __wg_T, class __wg_F> __WG_D static __wg_T combined(__wg_T mine, __wg_F f) {
    static_assert(sizeof(__wg_T) <= sizeof(wide_slot), "a tile of several warps exchanges values of up to 16 bytes");
    wide_slot *slots = wide_slots() + linear_thread() / __wg_N * (__wg_N / 32);
    if (lane() == 0) __builtin_memcpy(&slots[thread_rank() / 32], &mine, sizeof mine);
    sync();
    __wg_T r;
    __builtin_memcpy(&r, &slots[0], sizeof r);
    for (unsigned i = 1; i < __wg_N / 32; i++) {
      __wg_T next;
      __builtin_memcpy(&next, &slots[i], sizeof next);
      r = f(r, next);
    }
    sync();
    return r;
  }
  template <class __wg_T> __WG_D static __wg_T shfl(__wg_T v, unsigned rank) {
    static_assert(sizeof(__wg_T) <= sizeof(wide_slot), "a tile of several warps exchanges values of up to 16 bytes");
    wide_slot *slot = wide_slots() + linear_thread() / __wg_N * (__wg_N / 32);
    if (thread_rank() == rank) __builtin_memcpy(slot, &v, sizeof v);
    sync();
    __wg_T r;
    __builtin_memcpy(&r, slot, sizeof r);
    sync();
    return r;
  }
  __WG_D static int any(int p) {
    return combined(__any_sync(0xffffffffu, p), [](int a, int b) { return a | b; });
  }
  __WG_D static int all(int p) {
    return combined(__all_sync(0xffffffffu, p), [](int a, int b) { return a & b; });
  }
};
} // namespace details

#define __WG_WIDE(n) \
  template <class __wg_Parent> class thread_block_tile<n, __wg_Parent> : public details::wide_tile<n, __wg_Parent> {};
__WG_WIDE(64)
__WG_WIDE(128)
__WG_WIDE(256)
__WG_WIDE(512)
#undef __WG_WIDE

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif
