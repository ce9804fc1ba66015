// What the host code of the libraries shares: calls of the program, kernels, device memory.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "cuda_runtime_api.h"
#include "library.h"

namespace host {

using warpgrind::LibraryServices;

// Set before any other function of the library is called.
extern const LibraryServices *services;

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

} // namespace host
