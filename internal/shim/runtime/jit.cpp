// Logs of the JIT compiler and linker, and files that modules are loaded from.
#include "jit.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>

namespace warpgrind {

Logs::Logs(unsigned count, CUjit_option *options, void **values) {
  for (unsigned i = 0; i < count; i++) {
    size_t size = reinterpret_cast<uintptr_t>(values[i]) & 0xffffffff;
    switch (options[i]) {
    case CU_JIT_ERROR_LOG_BUFFER: error_.to = static_cast<char *>(values[i]); break;
    case CU_JIT_INFO_LOG_BUFFER: info_.to = static_cast<char *>(values[i]); break;
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: error_.size = size, error_.length = &values[i]; break;
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES: info_.size = size, info_.length = &values[i]; break;
    case CU_JIT_WALL_TIME: values[i] = nullptr; break;
    default: break;
    }
  }
}

void Logs::write(const std::string &text) {
  error_.put(text);
  info_.put("");
}

void Logs::Log::put(const std::string &text) {
  size_t n = to && size > 0 ? std::min(text.size(), size - 1) : 0;
  if (to && size > 0) {
    memcpy(to, text.data(), n);
    to[n] = 0;
  }
  if (length) *length = reinterpret_cast<void *>(n);
}

const char *content(const char *file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return nullptr;
  return (new std::string(std::istreambuf_iterator<char>(in), {}))->c_str();
}

} // namespace warpgrind
