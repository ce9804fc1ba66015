// Calls of the program: where one was made, and how many there were.
#pragma once

#include <cstdint>

namespace warpgrind {

// Return addresses in the program's image, and a line of an interpreter's program, which is never freed, or null.
constexpr int kMaxFrames = 16;
struct Site {
  uint8_t count = 0;
  uint64_t frames[kMaxFrames];
  const char *place = nullptr;
};

// How many requests the process has sent to the engine, and how many were answered.
struct Calls {
  uint64_t begun, ended;
};

} // namespace warpgrind
