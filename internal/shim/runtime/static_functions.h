// Which functions of NVIDIA's static runtime library a file has in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrind {

// A file's bytes, as long as the object lives.
class File {
public:
  explicit File(const char *name);
  ~File();
  File(const File &) = delete;

  // n values at an offset, or null where the file ends before.
  template <class T> const T *at(uint64_t offset, uint64_t n = 1) const {
    if (offset > bytes_.size() || n > (bytes_.size() - offset) / sizeof(T)) return nullptr;
    return reinterpret_cast<const T *>(bytes_.data() + offset);
  }

  std::string_view bytes() const { return bytes_; }

private:
  std::string_view bytes_;
};

// A function of a file.
struct Symbol {
  std::string name;
  uint64_t value, size;
};

// What static_runtime.cpp wants of a file.
struct StaticRuntime {
  std::vector<Symbol> functions;      // of the runtime API
  std::vector<uint64_t> constructors; // that nvcc makes for a source with device code: they register its kernels

  bool has(std::string_view name) const;
};

// By the file's symbol table (not the one of its exports, which a library that hides them lacks).
StaticRuntime runtimeBySymbols(const File &file);

// By the code of a file that was stripped of it. initializers are the addresses of its constructors.
StaticRuntime runtimeByCode(const File &file, const std::vector<uint64_t> &initializers);

// The function that only this library has.
constexpr std::string_view kServeStatic = "__warpgrindServeStatic";

} // namespace warpgrind
