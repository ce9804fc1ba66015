// Copies and fills of memory that every API is built on. The server checks
// the addresses and keeps the books. A copy is done here, where all memory is in
// reach, unless it has to wait in its stream: then the server does it.
#pragma once

#include <cstdint>

#include "cuda_runtime_api.h"

namespace warpgrind {

// The kinds of memory that can be allocated, numbered as mem.Kind.
enum MemoryKind : uint8_t { kDevice, kPinned, kManaged };

// The work of a stream that an allocation or a free is part of.
struct InStream {
  cudaStream_t stream;
};

// The rows of an allocation: bytes asked for in each, and bytes from row to row.
struct Rows {
  size_t width = 0, pitch = 0;
};

// Allocates size bytes; cudaErrorMemoryAllocation where there are not so many left.
cudaError_t allocate(MemoryKind kind, void **out, size_t size, const InStream *in = nullptr, Rows rows = {});

// The last allocation of a thread's API call that failed: the value that its pointer
// keeps, and the size that it should have had.
struct FailedAllocation {
  void *kept = nullptr;
  size_t size = 0;
};
extern thread_local FailedAllocation failedAllocation;

// Frees memory: page-locked host memory if host is set, else device or managed memory.
// The server reports a pointer that was not allocated so, and a double free.
cudaError_t release(void *p, bool host, const InStream *in = nullptr);

// A copy of depth slices of height rows of width bytes. Pitches are the
// bytes from row to row, slices those from slice to slice.
struct Box {
  char *dst;
  const char *src;
  size_t width, height, depth;
  size_t dstPitch, srcPitch, dstSlice, srcSlice;
};

// Copies, in the order of a stream if async is set. The server checks both sides.
cudaError_t copyBox(const Box &b, cudaMemcpyKind kind, bool async, cudaStream_t stream);
cudaError_t copyBytes(void *dst, const void *src, size_t n, cudaMemcpyKind kind,
                      bool async = false, cudaStream_t stream = nullptr);

// The box of a copy between linear memory; false after an error, which it
// reports.
bool boxOf(const cudaMemcpy3DParms *p, Box *out, cudaError_t *error);

// A fill of depth slices of height rows of width bytes with a value of size
// bytes (1, 2 or 4).
struct Area {
  void *dst;
  size_t width, height, depth, pitch, slice;
  uint32_t value;
  uint8_t size;
};

// Fills, in the order of a stream if async is set.
cudaError_t fillArea(const Area &a, bool async, cudaStream_t stream);

// count bytes at an offset in the variable of a symbol, or null and the error, which is
// reported.
char *symbolRange(const void *symbol, size_t count, size_t offset, cudaError_t *error);

// What the server knows about an address: type is cudaMemoryType.
struct PointerInfo {
  uint32_t type;
  uint64_t base, size;
  int device;
};
cudaError_t pointerInfo(const void *p, PointerInfo *out);

// The arena's address of host memory that was registered, and of the host's
// copy of a managed variable; other addresses stay as they are.
uint64_t deviceView(uint64_t address);

// Whether deviceView changes any address.
bool hasViews();

// Whether an address lies in host memory that cudaHostRegister registered.
bool isRegistered(const void *p, unsigned *flags);

// Ends a device's registrations: their memory is the program's own again.
void forgetRegistered(int device);

// Memory of graphs may be freed by nodes. It may outlive its graph.
void addGraphMemory(void *p);
bool isGraphMemory(void *p);

} // namespace warpgrind
