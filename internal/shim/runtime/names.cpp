// Names that the program gives to streams and memory (include/nvToolsExt.h).
#include <cstring>

#include "client.h"
#include "memory.h"

using namespace warpgrind;

namespace {

enum What : uint8_t { kStream, kMemory };

void tellName(What what, uint64_t id, const char *name) {
  if (!name || !*name || connectOnce() != cudaSuccess) return;
  Call c("nvtx", Op::Name);
  c.u8(what).u64(id).str(name).send();
}

} // namespace

extern "C" {

void __wgNameStream(const void *stream, const char *name) {
  tellName(kStream, streamNumber(static_cast<cudaStream_t>(const_cast<void *>(stream))), name);
}

void __wgNameMemory(const void *pointer, const char *name) {
  tellName(kMemory, deviceView(reinterpret_cast<uintptr_t>(pointer)), name);
}

} // extern "C"
