// The connection from the CUDA program to warpgrind.
//
// Frames are little-endian over one Unix stream socket. A request is
//   u32 length of the rest, u32 op, u8 device, u8 n + name of the API call,
//   u8 n + n*u64 return addresses in the program's image, payload
// and its reply
//   u32 length of the rest, i32 cudaError_t, i32 sticky error or 0,
//   u32 n + text for stdout, payload.
// internal/host/protocol.go is the other end.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "cuda_runtime_api.h"

namespace warpgrind {

constexpr uint32_t kProtocolVersion = 7;

enum class Op : uint32_t {
  Hello = 1,
  Load,
  Function,
  Variable,
  Alloc,
  Free,
  Copy,
  Set,
  Launch,
  StreamCreate,
  StreamDestroy,
  StreamInfo,
  StreamSync,
  StreamWait,
  EventCreate,
  EventDestroy,
  EventRecord,
  EventSync,
  EventElapsed,
  DeviceSync,
  MemInfo,
  Pointer,
  FuncAttribute,
  Occupancy,
  Reset,
  Unsupported,
  Misuse,
  HostAccess,
  Bye,
  Texture,
  TextureFree,
  Unload,
  SetLimit,
  Compile,
  Touched,
  Name,
  Reserve,
  Unreserve,
  Map,
  Unmap,
  LoadLinked = 64,
  Unpack,
  HostWork,
  Unread,
  EventOpen,
  Stage,
};

// Numbers of the emulated device, in the order in which Hello answers them.
struct Caps {
  uint64_t sm, maxThreads, maxBlock[3], maxGrid[3], sharedPerBlock, sharedOptin, sharedPerSM, threadsPerSM,
      blocksPerSM, regsPerSM, multiprocessors, totalMem, arenaBase, arenaSize, hostBase, devices;
};

// Caps of the device; valid after a Call has found the device.
const Caps &caps();

// Translates an address of the arena to where this process can access it:
// device memory is mapped elsewhere, so that host code cannot follow device
// pointers. Other addresses stay as they are.
void *accessible(const void *address);

// The arena's memory file, for pages that are mapped a second time.
int arenaFile();

// The calling thread's device, from 0; see context.cpp.
int currentDevice();

// Where an API call was made: return addresses in the program's image.
constexpr int kMaxFrames = 16;
struct Site {
  uint8_t count = 0;
  uint64_t frames[kMaxFrames];
};

// The site of the calling function's caller.
Site callSite();

// Adds a return address to a site that has room, if it lies in the program's image.
void addFrame(Site &site, uintptr_t address);

// While it lives, calls of this thread are told to come from a site that was
// kept, as those of a graph's nodes.
class AtSite {
public:
  explicit AtSite(const Site &site);
  ~AtSite();
  AtSite(const AtSite &) = delete;

private:
  const Site *before_;
};

// Waits for the host functions of a stream that have not run yet; a null
// stream stands for all. While one runs, its thread may not call CUDA.
void awaitHostFunctions(uint64_t stream);
bool inHostFunction();

// The number under which the server knows a stream: cudaStreamPerThread, and
// 0 where that stands for it, are told apart by thread.
uint64_t streamNumber(cudaStream_t stream);

// While it lives, stream 0 is the default stream of this thread.
class PerThreadDefault {
public:
  PerThreadDefault();
  ~PerThreadDefault();
  PerThreadDefault(const PerThreadDefault &) = delete;

private:
  const bool before_;
};

// Whether stream 0 is the default stream of this thread now.
bool usesPerThreadDefault();

// Tells the server what a host function of a stream did; see takeFunctionTouches.
void tellHostWork(uint64_t stream, const std::string &touches);

// One API call: a request being built, then its reply being read.
class Call {
public:
  Call(const char *api, Op op);

  Call &u8(uint8_t v) { return raw(&v, 1); }
  Call &u32(uint32_t v) { return raw(&v, 4); }
  Call &u64(uint64_t v) { return raw(&v, 8); }
  Call &ptr(const void *p) { return u64(reinterpret_cast<uintptr_t>(p)); }
  Call &stream(cudaStream_t s) { return u64(stream_ = streamNumber(s)); }
  Call &raw(const void *p, size_t n) {
    request_.append(static_cast<const char *>(p), n);
    return *this;
  }
  Call &str(const char *s) {
    u32(static_cast<uint32_t>(strlen(s)));
    return raw(s, strlen(s));
  }

  // Sends the request and waits for the reply; reports whether the call
  // succeeded. Without a connection it fails with cudaErrorNoDevice.
  bool send();

  // The same on a connection that is there; the client's mutex is held.
  bool exchange();

  // Readers of the reply; they return zero beyond its end.
  uint8_t getU8() { return get<uint8_t>(); }
  uint32_t getU32() { return get<uint32_t>(); }
  uint64_t getU64() { return get<uint64_t>(); }
  void *getPtr() { return reinterpret_cast<void *>(static_cast<uintptr_t>(getU64())); }
  std::string getStr();
  // What is left of the reply.
  std::string rest() { return pos_ < reply_.size() ? reply_.substr(pos_) : std::string(); }

  // The call's error, kept for cudaGetLastError as by setLastError.
  cudaError_t result() { return finish(code_); }
  cudaError_t finish(cudaError_t code);

private:
  template <class T> T get() {
    T v = 0;
    if (pos_ + sizeof v <= reply_.size()) memcpy(&v, reply_.data() + pos_, sizeof v);
    pos_ += sizeof v;
    return v;
  }

  bool receive(int fd, int32_t head[4]);

  std::string request_, reply_;
  const char *api_;
  Op op_;
  size_t pos_ = 0;
  uint64_t stream_ = 0;
  cudaError_t code_ = cudaSuccess;
};

// While it lives, this thread is in a function of the driver API. The parts that both
// APIs are built on return codes, which a function of the runtime API keeps for
// cudaGetLastError and one of the driver API only translates.
class DriverCall {
public:
  explicit DriverCall(const char *name);
  ~DriverCall();
  DriverCall(const DriverCall &) = delete;

  // The function that the program called, or null outside of the driver API.
  static const char *current();

private:
  const bool outermost_;
};

// Begins each function of the driver API.
#define DRIVER_CALL const warpgrind::DriverCall driverCall(__func__)

// Connects if need be; the error every call fails with where there is no
// connection.
cudaError_t connectOnce();
bool connected();

// What is wrong with a call: a copy whose rows are longer than their distance, one
// beyond the end of a variable, or something else.
enum class Misuse : uint8_t { Other, Pitch, Variable };

// Reports misuse that the server cannot see; returns code, kept for
// cudaGetLastError (or an earlier fault's code).
cudaError_t misuse(const char *api, cudaError_t code, const char *detail, Misuse kind = Misuse::Other);

// Reports a call that warpgrind does not carry out.
cudaError_t unsupported(const char *api);

// Errors of this thread and the sticky error of the process. setLastError keeps an
// error unless the program has called the driver API, and returns it.
cudaError_t takeLastError();
cudaError_t peekLastError();
cudaError_t setLastError(cudaError_t code);

// Whether an error is that of a kernel, which all calls after it return.
bool isSticky(int code);

} // namespace warpgrind
