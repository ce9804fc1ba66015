// Registration as a compiler's host code does it, for the fake device code of
// the tests, and a check that says what differs.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cuda_runtime_api.h"

#define CHECK(want, call) check(__LINE__, #call, want, call)

inline int failures = 0;

inline void check(int line, const char *text, long long want, long long got) {
  if (want == got) return;
  failures++;
  printf("line %d: %s is %lld, want %lld\n", line, text, got, want);
}

inline int finish() {
  printf("%s\n", failures ? "FAILED" : "ok");
  return failures ? 1 : 0;
}

struct Wrapper {
  int magic, version;
  const void *data;
  void *filename;
};

inline const std::string &blob() {
  static std::string b;
  if (b.empty()) {
    const char json[] = "{\"source\":\"fake.cu\",\"build\":\"keep\",\"module\":\"fake\"}";
    const char ptx[] = "fake device code";
    unsigned int version[2] = {1, 0};
    unsigned long long sizes[2] = {sizeof json - 1, sizeof ptx - 1};
    b.append("WARPGRND").append((char *)version, 8).append((char *)sizes, 16).append(json).append(ptx);
  }
  return b;
}

// Host shadows: only their addresses matter.
#define KERNEL(name) \
  inline void name() {}
KERNEL(fill)
KERNEL(add_one)
KERNEL(say)
KERNEL(count)
KERNEL(oob)
KERNEL(misaligned)
KERNEL(assertion)
KERNEL(trap)
KERNEL(hang)
KERNEL(bounded)
KERNEL(boom)
KERNEL(lacking)
KERNEL(slow)
KERNEL(heap)
KERNEL(prepared)
KERNEL(awaits)
KERNEL(absent)
inline int counter, table[4];
inline int *managed;

inline Wrapper wrapper = {0x466243b1, 1, nullptr, nullptr};
inline void **handle;

inline void unregister() { __cudaUnregisterFatBinary(handle); }

#define REGISTER(name) \
  __cudaRegisterFunction(handle, (const char *)name, (char *)#name, #name, -1, 0, 0, 0, 0, 0)

__attribute__((constructor)) inline void registerFake() {
  wrapper.data = blob().data();
  handle = __cudaRegisterFatBinary(&wrapper);
  REGISTER(fill), REGISTER(add_one), REGISTER(say), REGISTER(count), REGISTER(oob), REGISTER(misaligned);
  REGISTER(assertion), REGISTER(trap), REGISTER(hang), REGISTER(bounded), REGISTER(boom), REGISTER(lacking);
  REGISTER(slow), REGISTER(heap), REGISTER(prepared), REGISTER(awaits), REGISTER(absent);
  __cudaRegisterVar(handle, (char *)&counter, (char *)"counter", "counter", 0, 4, 0, 0);
  __cudaRegisterVar(handle, (char *)&table, (char *)"table", "table", 0, 16, 1, 0);
#ifdef WITH_MANAGED
  __cudaRegisterManagedVar(handle, (void **)&managed, (char *)"managed", "managed", 0, 4, 0, 0);
#endif
  __cudaRegisterFatBinaryEnd(handle);
  atexit(unregister);
}

// What kernel<<<grid, block, shared, stream>>>(args...) compiles to.
template <class... A>
cudaError_t launch(void (*kernel)(), dim3 grid, dim3 block, size_t shared, cudaStream_t stream, A... args) {
  void *list[] = {&args..., nullptr};
  if (__cudaPushCallConfiguration(grid, block, shared, stream)) return cudaErrorUnknown;
  dim3 g, b;
  size_t s;
  cudaStream_t st;
  cudaError_t e = __cudaPopCallConfiguration(&g, &b, &s, &st);
  return e != cudaSuccess ? e : cudaLaunchKernel((const void *)kernel, g, b, list, s, st);
}
