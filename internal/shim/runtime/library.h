// What the runtime gives to the replacements for NVIDIA's closed libraries
// (internal/shim/libraries). Each is a shared library that is compiled, and loaded into the
// program, when the program first calls it: library.cpp.
#pragma once

#include <cstddef>

#include "cuda.h"
#include "cuda_runtime_api.h"
#include "site.h"

namespace warpgrind {

// A call of the program that is under way: the name that reports give it, and where it was made.
struct LibraryCall {
  const char *name;
  Site site;
};

// What a rank of NCCL tells the others of its call.
struct RankCall {
  char bytes[128];
};

// The most ranks of a communicator.
constexpr int kMostRanks = 64;

// An operation to which ranks come: all of a communicator, or one that sends and one that receives. absence is why the
// slots of absent do not come (RankAbsence), quiet for how long nothing has happened if that is why, broken is set if one could not do its part.
struct RankMeeting {
  uint8_t absence;
  uint64_t absent;
  char quiet[32];
  bool broken;
  uint32_t count;
  RankCall calls[kMostRanks];
  uint64_t processes[kMostRanks]; // 0: not there
};

// What a rank brings to an operation, in the order of a stream. Moves: others get the bytes as they are.
struct RankReads {
  const void *from;
  size_t bytes;
};

// Where ranks of several processes meet: at the engine (host/ranks.go). The functions return CUDA errors.
struct RankServices {
  // A new identifier.
  cudaError_t (*identifier)(char id[16]);
  // Joins its communicator; problem is a RankProblem, size what the first rank has given.
  cudaError_t (*join)(const char id[16], uint32_t size, uint32_t rank, uint8_t *problem, uint32_t *team, uint32_t *firstSize);
  cudaError_t (*leave)(uint32_t team, uint32_t rank);
  // Comes to an operation, which it numbers also in case of an error; way is a RankWay. Broken: the rank cannot do its
  // part.
  cudaError_t (*post)(uint32_t team, uint32_t rank, uint8_t way, uint32_t peer, const RankCall *call, cudaStream_t stream,
                      const RankReads reads[2], bool moves, bool broken, uint64_t *meeting);
  cudaError_t (*await)(uint64_t meeting, RankMeeting *out);
  // Writes bytes that the rank in a slot has brought to device memory.
  cudaError_t (*take)(uint64_t meeting, uint32_t slot, size_t offset, size_t bytes, void *to, cudaStream_t stream);
  cudaError_t (*done)(uint64_t meeting);
};

// The runtime as a library calls it: nothing is looked up by name, since the program may
// have loaded the runtime for itself alone. Streams are those that the user gave the
// library. Errors are CUDA's, and have been reported where they are the user's.
struct LibraryServices {
  // A kernel of one of the library's modules, on the current device.
  cudaError_t (*kernel)(const char *library, const char *module, const char *name, CUfunction *out);
  cudaError_t (*launch)(CUfunction f, dim3 grid, dim3 block, size_t sharedBytes, cudaStream_t stream, void **args);

  // The memory operations of the runtime API; copies find their direction themselves.
  cudaError_t (*allocate)(void **out, size_t bytes);
  cudaError_t (*release)(void *memory);
  cudaError_t (*copy)(void *to, const void *from, size_t bytes, cudaStream_t stream);
  cudaError_t (*copy2D)(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t rows,
                        cudaStream_t stream);
  cudaError_t (*fill)(void *to, int byte, size_t bytes, cudaStream_t stream);
  cudaError_t (*wait)(cudaStream_t stream);

  // Whether device code can access an address.
  bool (*onDevice)(const void *address);

  // The call of the program that is under way, by the name that reports give it; returns the one before.
  const char *(*name)(const char *call);
  // Reports that the call returns an error code of its library, with its name and the reason.
  void (*failed)(int code, const char *error, const char *reason);
  // Ends the check as unsupported.
  void (*unsupported)(const char *what);

  // For libraries that work on several devices or for other threads: the runtime API's functions,
  cudaError_t (*setDevice)(int device);
  cudaError_t (*getDevice)(int *device);
  cudaError_t (*getDeviceCount)(int *count);
  cudaError_t (*streamCreate)(cudaStream_t *out, const char *library); // one of the library's own, not blocking
  cudaError_t (*streamDestroy)(cudaStream_t stream);
  cudaError_t (*streamWaitEvent)(cudaStream_t stream, cudaEvent_t event, unsigned flags);
  unsigned long long (*capture)(cudaStream_t stream); // the number of the graph that it is captured into, or 0
  cudaError_t (*eventCreate)(cudaEvent_t *out, unsigned flags);
  cudaError_t (*eventRecord)(cudaEvent_t event, cudaStream_t stream);
  cudaError_t (*eventDestroy)(cudaEvent_t event);
  // the call under way, which another may become on behalf of which the library works,
  LibraryCall (*call)();
  void (*resume)(const LibraryCall &call);
  // and how many requests this process has sent to the engine, and how many were answered.
  Calls (*calls)();
  // As failed, for a call that waits forever for other ranks: a trace.CollectiveFault of package trace.
  void (*failedCollective)(uint8_t fault, int code, const char *error, const char *reason);
  // Memory in the order of a stream.
  cudaError_t (*allocateInStream)(void **out, size_t bytes, cudaStream_t stream);
  cudaError_t (*releaseInStream)(void *memory, cudaStream_t stream);
  RankServices ranks;
};

} // namespace warpgrind

// The function by which a library is handed the services, before any other.
extern "C" void warpgrind_open(const warpgrind::LibraryServices *services);
// A library may have this: a function that it does not export, by name.
extern "C" void *warpgrind_find(const char *name);
