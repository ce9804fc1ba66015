// libcudart.so of another CUDA version, MAJOR, for programs that NVIDIA's
// compiler linked: the functions whose parameters are others than in our
// headers. All the rest comes from the library that this one needs.

#include <cstddef>
#include <cstring>

#include "cuda_runtime_api.h"

extern "C" cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp *prop, int device);

namespace {

#if MAJOR < 13
// Until CUDA 11 the structure ended before this field. From 12 on programs
// call cudaGetDeviceProperties_v2.
constexpr size_t kOldBytes = offsetof(cudaDeviceProp, hostRegisterSupported);

void convert(void *out, const cudaDeviceProp &p) { memcpy(out, &p, kOldBytes); }
#else
struct Properties {
#define FIELD(type, name, size) type name size;
#define NEW(type, name, size) type name size;
#include "properties13.inc"
#undef FIELD
#undef NEW
};

void convert(void *out, const cudaDeviceProp &p) {
  Properties n{};
#define FIELD(type, name, size) memcpy(&n.name, &p.name, sizeof n.name);
#define NEW(type, name, size)
#include "properties13.inc"
#undef FIELD
#undef NEW
  memcpy(out, &n, sizeof n);
}
#endif

} // namespace

extern "C" {

cudaError_t properties(void *out, int device) __asm__("cudaGetDeviceProperties");
cudaError_t properties(void *out, int device) {
  cudaDeviceProp p;
  cudaError_t e = cudaGetDeviceProperties_v2(&p, device);
  if (e == cudaSuccess && out) convert(out, p);
  return e;
}

#if MAJOR < 12
cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, void *, char *, size_t) __asm__("cudaGraphInstantiate");
cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, void *, char *, size_t) {
  return cudaGraphInstantiateWithFlags(exec, graph, 0);
}
#endif

} // extern "C"

#if MAJOR >= 13
// What had a version in its name before.
#include "../runtime/alias.h"
#define RENAMED(name, since, target) JUMP_TO(name, target)
#include "../runtime/api.inc"
#endif
