// The core of the CUDA API. Each function here does the work of one entry point and
// returns a code; it neither records nor translates errors. The entry points are in
// faces.cpp, made from the table of the API (internal/shim/api.txt): those of the
// runtime API record the code as the last error, those of the driver API translate it
// to a CUresult. A call that both APIs have is one function here.
#pragma once

#include "cuda.h"
#include "cudaProfiler.h"
#include "cuda_profiler_api.h"
#include "cuda_runtime_api.h"

namespace warpgrind {

// The name that reports give to what the calling thread does: the call of the program, or "".
const char *callName();

// While it lives, callName returns this name, which outlives it.
class CallName {
public:
  explicit CallName(const char *name);
  ~CallName();
  CallName(const CallName &) = delete;

private:
  const char *before_;
};

// The entry point that the calling thread is in, for as long as the object lives. Where
// a callback of the program calls the API again, the inner entry point counts.
class Entry {
public:
  enum Api { Runtime, Driver };

  Entry(Api api, const char *name);
  ~Entry();
  Entry(const Entry &) = delete;

  // Whether another entry point has called this one.
  bool isNested() const { return before_ != nullptr; }

  // Whether the thread is in an entry point of the runtime API.
  static bool isRuntime();

private:
  const Entry *before_;
  Api api_;
  CallName name_;
};

// Keeps an error of the runtime API for cudaGetLastError; returns the code. Success and
// cudaErrorNotReady are not errors ("CUDA Runtime API", "Error Handling").
cudaError_t recordError(cudaError_t code);

namespace core {

// The type of an entry point, returning a code of the core.
template <class F> struct Coded;
template <class R, class... A> struct Coded<R(A...)> {
  using type = cudaError_t(A...);
};

#define CORE(api, needs, name) Coded<decltype(::name)>::type name;
#include "api.inc"

} // namespace core
} // namespace warpgrind
