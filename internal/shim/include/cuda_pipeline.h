/* The pipeline of CUDA 11, before cuda::pipeline. */
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

#if defined(__CUDA__) && defined(__clang__) && defined(__cplusplus)

namespace nvcuda {
namespace experimental {

#define __WG_D __device__ __forceinline__

class pipeline {
public:
  __WG_D pipeline() : committed_(0) {}
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;
  __WG_D size_t commit() {
    __wg_copy_commit();
    return committed_++;
  }
  __WG_D void commit_and_wait() {
    commit();
    wait_prior<0>();
  }
  /* Waits for the groups up to the one with this number. */
  __WG_D void wait(size_t group) { __wg_copy_wait_prior(committed_ - group - 1); }
  template <unsigned n> __WG_D void wait_prior() { __wg_copy_wait_prior(n); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  __WG_D void arrive_on(awbarrier &b) { __wg_mbarrier_track(&b.barrier_); }
#endif

private:
  size_t committed_;
};

template <class __wg_T> __WG_D void memcpy_async(__wg_T &dst, const __wg_T &src, pipeline &) {
  __wg_copy_group(&dst, &src, sizeof(__wg_T), alignof(__wg_T), 0, 1);
}
template <class __wg_D, class __wg_S> __WG_D void memcpy_async(__wg_D *dst, const __wg_S *src, size_t n, pipeline &) {
  __wg_copy_group(dst, src, n, 1, 0, 1);
}

#undef __WG_D

} // namespace experimental
} // namespace nvcuda

#endif
#endif
