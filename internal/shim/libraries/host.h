// What the host code of the libraries shares: calls of the program, kernels, device memory.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library.h"
#include "numbers.h"

namespace host {

using warpgrind::LibraryServices;

// Set before any other function of the library is called.
inline const LibraryServices *services;

// While it lives, reports give what this thread does this name. Where a library calls its own
// entry points, the outermost counts.
class Named {
public:
  explicit Named(const char *call) : before_(services->name(call)) {
    if (before_) services->name(before_);
  }
  ~Named() { services->name(before_); }
  Named(const Named &) = delete;

private:
  const char *before_;
};

// While it lives, this thread works for a call that was made elsewhere.
class Resumed {
public:
  explicit Resumed(const warpgrind::LibraryCall &call) : before_(services->call()) { services->resume(call); }
  ~Resumed() { services->resume(before_); }
  Resumed(const Resumed &) = delete;

private:
  const warpgrind::LibraryCall before_;
};

// While it lives, this thread's device is another one.
class OnDevice {
public:
  explicit OnDevice(int device) {
    services->getDevice(&before_);
    if (device != before_) services->setDevice(device);
    changed_ = device != before_;
  }
  ~OnDevice() {
    if (changed_) services->setDevice(before_);
  }
  OnDevice(const OnDevice &) = delete;

private:
  int before_ = 0;
  bool changed_ = false;
};

// The kernels of a library by module and name, on each device.
class Kernels {
public:
  explicit Kernels(const char *library) : library_(library) {}

  // Launches a kernel whose only parameter is a structure.
  template <class P>
  cudaError_t launch(const char *module, const std::string &kernel, dim3 grid, dim3 block, cudaStream_t stream, const P &p,
                     size_t sharedBytes = 0) {
    CUfunction f;
    cudaError_t e = services->kernel(library_, module, kernel.c_str(), &f);
    if (e != cudaSuccess) return e;
    void *args[] = {const_cast<P *>(&p)};
    return services->launch(f, grid, block, sharedBytes, stream, args);
  }

private:
  const char *library_;
};

// Device memory of the library's own.
class Memory {
public:
  Memory() = default;
  Memory(const Memory &) = delete;
  ~Memory() {
    if (p_) services->release(p_);
  }

  // At least so many bytes; what it held before is lost where there were less.
  cudaError_t need(size_t bytes) {
    if (bytes <= size_) return cudaSuccess;
    if (p_) services->release(p_);
    p_ = nullptr;
    size_ = 0;
    cudaError_t e = services->allocate(&p_, bytes);
    if (e == cudaSuccess) size_ = bytes;
    return e;
  }

  template <class T> T *as() const { return static_cast<T *>(p_); }

private:
  void *p_ = nullptr;
  size_t size_ = 0;
};

// The number of blocks of so many threads for n items.
inline unsigned blocks(int64_t n, int64_t threads, int64_t most = 1 << 30) {
  int64_t b = (n + threads - 1) / threads;
  return static_cast<unsigned>(b < 1 ? 1 : b > most ? most : b);
}

// The letter of a type in the names of functions and kernels.
template <class E> inline constexpr char letter = 0;
template <> inline constexpr char letter<float> = 's';
template <> inline constexpr char letter<double> = 'd';
template <> inline constexpr char letter<Complex<float>> = 'c';
template <> inline constexpr char letter<Complex<double>> = 'z';

// CUDA's types of complex numbers as ours, which are the same in memory.
template <class T> struct OursOf { using type = T; };
template <> struct OursOf<cuComplex> { using type = Complex<float>; };
template <> struct OursOf<cuDoubleComplex> { using type = Complex<double>; };
template <class T> using Ours = typename OursOf<T>::type;
template <class T> Ours<T> *ours(T *p) { return reinterpret_cast<Ours<T> *>(p); }
template <class T> const Ours<T> *ours(const T *p) { return reinterpret_cast<const Ours<T> *>(p); }

} // namespace host

extern "C" __attribute__((weak)) void warpgrind_open(const warpgrind::LibraryServices *services) { host::services = services; }

// A library's status codes, whose names begin with PREFIX: statusOf translates a CUDA error, invalid reports
// an invalid argument with the reason, notSupported a combination of arguments that no kernel implements.
#define LIBRARY_STATUS(Status, PREFIX)                                                                        \
  constexpr Status kNotInitialized = PREFIX##_NOT_INITIALIZED;                                                 \
  inline Status statusOf(cudaError_t e) {                                                                     \
    switch (e) {                                                                                              \
    case cudaSuccess: return PREFIX##_SUCCESS;                                                                \
    case cudaErrorMemoryAllocation: return PREFIX##_ALLOC_FAILED;                                             \
    case cudaErrorNotSupported: return PREFIX##_NOT_SUPPORTED;                                                \
    default: return PREFIX##_EXECUTION_FAILED;                                                                \
    }                                                                                                         \
  }                                                                                                           \
  inline Status invalid(const char *reason) {                                                                 \
    host::services->failed(PREFIX##_INVALID_VALUE, #PREFIX "_INVALID_VALUE", reason);                         \
    return PREFIX##_INVALID_VALUE;                                                                            \
  }                                                                                                           \
  inline Status notSupported(const char *what) {                                                              \
    host::services->unsupported(what);                                                                        \
    return PREFIX##_NOT_SUPPORTED;                                                                            \
  }

// The start of an entry point: the name for reports, and the check of its handle.
#define CALL(name, handle)       \
  const host::Named named(name); \
  if (!(handle)) return kNotInitialized
#define REQUIRE(condition, reason) \
  if (!(condition)) return invalid(reason)

// Returns what is not success, which is 0 everywhere.
#define TRY(call) \
  if (auto status_ = call) return status_
#define TRY_CUDA(call) \
  if (cudaError_t error_ = call) return statusOf(error_)
