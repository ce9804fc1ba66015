// The functions with a default stream for each thread ("CUDA Runtime API", "API
// synchronization behavior": _ptsz and _ptds). Each is made from the one that it
// stands for, with its parameters.
#include "cuda.h"
#include "cudaProfiler.h"

#include "client.h"

// The oldest version, see abi.cpp; in cuda.h the name stands for a newer one.
#undef cuStreamGetCaptureInfo
extern "C" CUresult cuStreamGetCaptureInfo(CUstream, CUstreamCaptureStatus *, cuuint64_t *);

namespace warpgrind {

#define PER_THREAD(name, target)                                                              \
  template <class F> struct of_##name;                                                        \
  template <class R, class... A> struct of_##name<R(A...)> {                                  \
    __attribute__((used)) static R call(A... a) __asm__(#name);                               \
  };                                                                                          \
  template <class R, class... A> R of_##name<R(A...)>::call(A... a) {                         \
    const PerThreadDefault scope;                                                             \
    return target(a...);                                                                      \
  }                                                                                           \
  template struct of_##name<decltype(target)>;
#include "per_thread_names.inc"
#undef PER_THREAD

} // namespace warpgrind
