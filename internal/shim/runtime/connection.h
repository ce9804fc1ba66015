// Sockets to the server. Each thread that calls CUDA has one of its own, so that none
// waits for the reply to another and none holds a lock while it waits. A thread that ends
// leaves its socket to the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "client.h"

namespace warpgrind {

// Send and receive n bytes, however often signals interrupt; false after an error or at
// the end of the connection.
bool sendAll(int fd, const void *p, size_t n);
bool recvAll(int fd, void *to, size_t n);

// Takes one byte and a descriptor with it; -1 after an error.
int recvDescriptor(int fd);

// Opens a socket to a server; -1 after an error.
int openSocket(const char *path);

// Takes over sockets that the process has inherited, a list of descriptors with commas between.
// It returns the first; other threads get the others, as they cannot open any.
int inheritSockets(const char *list);

// Begins to use a server: first is a socket on which it knows the process by token.
void useServer(const char *path, int first, uint64_t token);

// The calling thread's socket; -1 if there is none and none can be opened.
int connection();

// A second socket for a thread whose own is in use, in a signal handler. It takes no
// lock and no memory.
int freshConnection();

// Closes all sockets but one. Those of other threads may be in use.
void closeConnections(int but);

// In a process after fork, whose parent uses the server.
bool isForkedChild();

// A frame begins with the length of the rest.
inline void setLength(char *frame, size_t size) {
  uint32_t length = static_cast<uint32_t>(size - sizeof length);
  memcpy(frame, &length, sizeof length);
}

// Takes a frame without allocating.
struct Fixed {
  char bytes[512];
  size_t size = 0;
  void append(const char *p, size_t n) {
    if (n > sizeof bytes - size) return;
    memcpy(bytes + size, p, n);
    size += n;
  }
};

// Sends a small request, which takes no memory.
template <class Request> bool postSmall(int fd, const Request &request, protocol::List<uint64_t> frames = {nullptr, 0}) {
  Fixed frame;
  protocol::Writer<Fixed> w(frame);
  w(uint32_t{0}, protocol::Head(Request::op, static_cast<uint8_t>(emulatedDevice(currentDevice())), "", "", frames), request);
  setLength(frame.bytes, frame.size);
  return sendAll(fd, frame.bytes, frame.size);
}

} // namespace warpgrind
