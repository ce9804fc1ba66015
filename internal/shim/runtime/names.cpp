// Names that the program gives to streams and memory (include/nvToolsExt.h).
#include <cstring>

#include "client.h"
#include "memory.h"

using namespace warpgrind;

namespace {

void tellName(Named what, uint64_t id, const char *name) {
  if (!name || !*name || connectOnce() != cudaSuccess) return;
  const CallName nvtx("nvtx");
  Call(protocol::Name(what, id, name)).send();
}

} // namespace

extern "C" {

void __wgNameStream(const void *stream, const char *name) {
  tellName(Named::Stream, streamNumber(static_cast<cudaStream_t>(const_cast<void *>(stream))), name);
}

void __wgNameMemory(const void *pointer, const char *name) {
  tellName(Named::Memory, deviceView(reinterpret_cast<uintptr_t>(pointer)), name);
}

} // extern "C"
