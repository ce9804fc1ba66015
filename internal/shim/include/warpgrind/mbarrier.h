/* PTX's mbarrier objects (PTX ISA, "mbarrier"), from sm_80 on. */
#ifndef __WARPGRIND_MBARRIER_H__
#define __WARPGRIND_MBARRIER_H__

#include "async_copy.h"

#if defined(__CUDA__) && defined(__clang__) && defined(__cplusplus) && \
    (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800)

#define __WG_D static __device__ __forceinline__

typedef unsigned long long __wg_mbarrier;

__WG_D void __wg_mbarrier_init(__wg_mbarrier *b, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(__wg_shared_address(b)), "r"(count) : "memory");
}
__WG_D void __wg_mbarrier_inval(__wg_mbarrier *b) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" :: "r"(__wg_shared_address(b)) : "memory");
}
__WG_D __wg_mbarrier __wg_mbarrier_arrive(__wg_mbarrier *b, unsigned count = 1) {
  __wg_mbarrier state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;"
               : "=l"(state) : "r"(__wg_shared_address(b)), "r"(count) : "memory");
  return state;
}
__WG_D __wg_mbarrier __wg_mbarrier_arrive_drop(__wg_mbarrier *b) {
  __wg_mbarrier state;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(__wg_shared_address(b)) : "memory");
  return state;
}
__WG_D __wg_mbarrier __wg_mbarrier_arrive_tx(__wg_mbarrier *b, unsigned count, unsigned bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], %1;"
               :: "r"(__wg_shared_address(b)), "r"(bytes) : "memory");
  return __wg_mbarrier_arrive(b, count);
}
__WG_D bool __wg_mbarrier_test(const __wg_mbarrier *b, __wg_mbarrier state) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done) : "r"(__wg_shared_address(b)), "l"(state) : "memory");
  return done != 0;
}
__WG_D bool __wg_mbarrier_test_parity(const __wg_mbarrier *b, bool parity) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done) : "r"(__wg_shared_address(b)), "r"((unsigned)parity) : "memory");
  return done != 0;
}
__WG_D unsigned __wg_mbarrier_pending(__wg_mbarrier state) {
  unsigned n;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(state));
  return n;
}

/* Arrives once the thread's copies so far have completed. */
__WG_D void __wg_mbarrier_track(__wg_mbarrier *b) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" :: "r"(__wg_shared_address(b)) : "memory");
}
/* The same where the arrival is part of the barrier's count. */
__WG_D void __wg_mbarrier_track_arrive(__wg_mbarrier *b) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(__wg_shared_address(b)) : "memory");
}

#undef __WG_D

#endif
#endif
