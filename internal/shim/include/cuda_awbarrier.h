/* The arrive-wait barrier of CUDA 11, before cuda::barrier. */
#ifndef _CUDA_AWBARRIER_H_
#define _CUDA_AWBARRIER_H_

#include "cuda_awbarrier_primitives.h"

#if defined(__CUDA__) && defined(__clang__) && defined(__cplusplus) && \
    (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800)

namespace nvcuda {
namespace experimental {

#define __WG_D __device__ __forceinline__

class awbarrier {
public:
  class arrival_token {
  public:
    arrival_token() = default;
    __WG_D unsigned pending_count() const { return __wg_mbarrier_pending(state_); }

  private:
    friend class awbarrier;
    __WG_D explicit arrival_token(__wg_mbarrier s) : state_(s) {}
    __wg_mbarrier state_;
  };
  awbarrier() = default;
  awbarrier(const awbarrier &) = delete;
  awbarrier &operator=(const awbarrier &) = delete;
  __WG_D arrival_token arrive() { return arrival_token(__wg_mbarrier_arrive(&barrier_)); }
  __WG_D arrival_token arrive_and_drop() { return arrival_token(__wg_mbarrier_arrive_drop(&barrier_)); }
  __WG_D bool timed_wait(arrival_token t, unsigned tries) {
    while (!__wg_mbarrier_test(&barrier_, t.state_))
      if (tries-- == 0) return false;
    return true;
  }
  __WG_D bool timed_wait_parity(bool parity, unsigned tries) {
    while (!__wg_mbarrier_test_parity(&barrier_, parity))
      if (tries-- == 0) return false;
    return true;
  }
  __WG_D void wait(arrival_token t) {
    while (!__wg_mbarrier_test(&barrier_, t.state_)) {
    }
  }
  __WG_D void arrive_and_wait() { wait(arrive()); }
  __WG_D static unsigned max() { return __mbarrier_maximum_count(); }

private:
  friend __WG_D void init(awbarrier *b, unsigned count) { __wg_mbarrier_init(&b->barrier_, count); }
  friend __WG_D void inval(awbarrier *b) { __wg_mbarrier_inval(&b->barrier_); }
  friend class pipeline;
  __wg_mbarrier barrier_;
};

#undef __WG_D

} // namespace experimental
} // namespace nvcuda

#endif
#endif
