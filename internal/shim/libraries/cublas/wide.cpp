// The functions with 64-bit sizes ("cuBLAS", "64-bit Integer Interface"): they call those with 32 where the
// sizes fit. wide.inc lists them, and the runtime finds them by name.
#include <cstring>
#include <limits>
#include <type_traits>

#include "context.h"

using namespace blas;

namespace {

template <class T> struct Parameter {
  using type = T;
};
template <> struct Parameter<int> {
  using type = int64_t;
};
template <> struct Parameter<int *> {
  using type = int64_t *;
};

template <class T> bool fits(T) { return true; }
bool fits(int64_t size) { return size >= std::numeric_limits<int>::min() && size <= std::numeric_limits<int>::max(); }

// A result is cleared as 64 bits, since 32 are written.
template <class T> cudaError_t clear(cudaStream_t, T) { return cudaSuccess; }
cudaError_t clear(cudaStream_t stream, int64_t *result) {
  if (result && host::services->onDevice(result)) return host::services->fill(result, 0, sizeof *result, stream);
  if (result) *result = 0;
  return cudaSuccess;
}

template <class T> T narrow(T v) { return v; }
template <class T> T narrow(int64_t v) { return static_cast<T>(v); }
template <class T> T narrow(int64_t *v) { return reinterpret_cast<T>(v); }

cudaStream_t streamOf(cublasHandle_t h) { return h ? h->stream : nullptr; }
template <class T> cudaStream_t streamOf(T) { return nullptr; }

template <auto f> struct Wide;
template <class First, class... A, cublasStatus_t (*f)(First, A...)> struct Wide<f> {
  static cublasStatus_t call(typename Parameter<First>::type first, typename Parameter<A>::type... a) {
    if (!(fits(first) && ... && fits(a))) return notSupported("cuBLAS with a size of more than 31 bits");
    cudaError_t e = cudaSuccess;
    (void)((e = clear(streamOf(first), a), e == cudaSuccess) && ...);
    return e == cudaSuccess ? f(narrow<First>(first), narrow<A>(a)...) : statusOf(e);
  }
};

const struct {
  const char *name;
  void *function;
} functions[] = {
#define WIDE(name) {#name "_64", reinterpret_cast<void *>(Wide<&name>::call)},
#include "wide.inc"
};

} // namespace

extern "C" void *warpgrind_find(const char *name) {
  for (const auto &f : functions)
    if (strcmp(f.name, name) == 0) return f.function;
  return nullptr;
}
