// The connection from the CUDA program to warpgrind.
//
// It is one Unix stream socket on which requests and replies take turns. What they
// consist of is in protocol.h.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "core.h"
#include "protocol.h"
#include "site.h"
#include "visible.h"

namespace warpgrind {

// Caps of the device; valid after a Call has found the device.
const protocol::Caps &caps();

// Translates an address of the arena to where this process can access it:
// device memory is mapped elsewhere, so that host code cannot follow device
// pointers. Other addresses stay as they are.
void *accessible(const void *address);

// The calling thread's device, from 0; see context.cpp.
int currentDevice();

// The site of the calling function's caller.
Site callSite();

// Tells where in an interpreter's program the calls of this thread come from until it is called again; null: not known.
// The text is never freed.
void setPlace(const char *place);
bool hasPlace();

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

// Whether this thread runs a host function, in which it may not call CUDA.
bool inHostFunction();

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

// What host code did, see hostwatch.h.
using Touches = protocol::Batch<protocol::Touch>;

// Tells the server that a host function has ended, and what it did; see takeFunctionTouches.
void endHostFunction(uint64_t id, const Touches &touches);

// What all calls have in common: a request that has been built, and the head of its reply.
class AnyCall {
public:
  // The call's code.
  cudaError_t result() const { return code_; }

protected:
  explicit AnyCall(Op op);

  // Sends the request and waits for the reply; reports whether the call
  // succeeded. Without a connection it fails with cudaErrorNoDevice.
  bool send();

  // The same on a socket, without what send does besides.
  bool exchange(int fd);

  // Sends the request, which has no reply.
  bool post(int fd);

  std::string request_, reply_; // reply_ without its head, once there is one
  uint64_t stream_ = 0;         // the stream that the request names
  bool awaitsDevice_ = false;   // the server waits for all work of the device

private:
  bool receive(int fd);
  void lost();

  Op op_;
  cudaError_t code_ = cudaSuccess;
};

// Whether the server waits for all work of the device before it carries a request out.
template <class Request> bool awaitsDevice(const Request &) {
  return Request::op == Op::DeviceSync || Request::op == Op::Reset;
}
inline bool awaitsDevice(const protocol::Free &f) { return !f.inStream && f.address.value() != 0; }

// One API call: a request of protocol.h, then its reply. The members of a reply that did
// not come are zero or empty.
template <class Request> class Call : public AnyCall {
public:
  explicit Call(const Request &request) : AnyCall(Request::op) {
    protocol::Writer<std::string> w(request_);
    w(request);
    stream_ = w.stream();
    awaitsDevice_ = awaitsDevice(request);
  }

  bool send() { return read(AnyCall::send()); }
  bool exchange(int fd) { return read(AnyCall::exchange(fd)); }
  using AnyCall::post;

  typename Request::Reply reply;

private:
  bool read(bool ok) {
    protocol::Reader{reply_}(reply);
    return ok;
  }
};

// Connects if need be; the error every call fails with where there is no
// connection.
cudaError_t connectOnce();
bool connected();

Calls callsSoFar();

// Reports misuse that the server cannot see; returns code (or an earlier fault's code).
cudaError_t misuse(cudaError_t code, const char *detail, MisuseKind kind = MisuseKind::Other);

// Reports an invalid argument; returns cudaErrorInvalidValue (or an earlier fault's code).
inline cudaError_t invalid(const char *detail) { return misuse(cudaErrorInvalidValue, detail); }

// Reports what the program asks for and warpgrind does not support.
cudaError_t unsupported(const char *what = callName());

// The error of a kernel that has failed, which all calls after it return, or 0.
int stickyError();

// Whether an error is that of a kernel, which all calls after it return.
bool isSticky(int code);

} // namespace warpgrind
