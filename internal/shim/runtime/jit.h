// What loading and linking modules share.
#pragma once

#include <string>

#include "cuda.h"

namespace warpgrind {

// The JIT's logs, as the options name them.
class Logs {
public:
  Logs(unsigned count, CUjit_option *options, void **values);

  // Writes the error log; an option's value becomes the length written.
  void write(const std::string &text);

private:
  struct Log {
    char *to = nullptr;
    size_t size = 0;
    void **length = nullptr;
    void put(const std::string &text);
  };
  Log error_, info_;
};

// A file's content, which lives for good, as a module is used in place; null
// where it cannot be read.
const char *content(const char *file);

} // namespace warpgrind
