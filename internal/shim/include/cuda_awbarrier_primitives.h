/* "CUDA C++ Programming Guide", "Memory Barrier Primitives Interface". */
#ifndef _CUDA_AWBARRIER_PRIMITIVES_H_
#define _CUDA_AWBARRIER_PRIMITIVES_H_

#include "warpgrind/mbarrier.h"

#if defined(__CUDA__) && defined(__clang__) && defined(__cplusplus) && \
    (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800)

typedef __wg_mbarrier __mbarrier_t;
typedef __wg_mbarrier __mbarrier_token_t;

#define __WG_D static __device__ __forceinline__

__WG_D unsigned __mbarrier_maximum_count() { return (1u << 20) - 1; }
__WG_D void __mbarrier_init(__mbarrier_t *b, unsigned count) { __wg_mbarrier_init(b, count); }
__WG_D void __mbarrier_inval(__mbarrier_t *b) { __wg_mbarrier_inval(b); }
__WG_D __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *b) { return __wg_mbarrier_arrive(b); }
__WG_D __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *b) { return __wg_mbarrier_arrive_drop(b); }
__WG_D bool __mbarrier_test_wait(__mbarrier_t *b, __mbarrier_token_t t) { return __wg_mbarrier_test(b, t); }
__WG_D bool __mbarrier_test_wait_parity(__mbarrier_t *b, bool parity) { return __wg_mbarrier_test_parity(b, parity); }
__WG_D bool __mbarrier_try_wait(__mbarrier_t *b, __mbarrier_token_t t, unsigned = 0) { return __wg_mbarrier_test(b, t); }
__WG_D bool __mbarrier_try_wait_parity(__mbarrier_t *b, bool parity, unsigned = 0) {
  return __wg_mbarrier_test_parity(b, parity);
}
__WG_D unsigned __mbarrier_token_pending_count(__mbarrier_token_t t) { return __wg_mbarrier_pending(t); }
__WG_D unsigned __mbarrier_pending_count(__mbarrier_token_t t) { return __wg_mbarrier_pending(t); }

#undef __WG_D

#endif
#endif
