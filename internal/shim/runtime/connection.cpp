// The sockets of the process: one for each thread that calls CUDA, reused when it ends.
#include "connection.h"
#include "client.h"
#include "engine.h"
#include "lasting.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

namespace warpgrind {
namespace {

constexpr int kMost = 1024, kMostInherited = 16;

// A socket of ours. A program may close all descriptors that it does not know, and then the
// number may be one of its own: inode tells.
struct Socket {
  std::atomic<int> number; // of the descriptor plus 1, 0 for none
  ino_t inode;
};

struct Sockets {
  std::mutex mutex;
  std::vector<int> idle; // of threads that have ended
  pthread_key_t ended;
  Socket all[kMost] = {};
  char path[108] = "";         // as in sockaddr_un
  // Inherited, for the threads beyond the first, and how many of them are taken.
  int inherited[kMostInherited], inheritedCount = 0;
  std::atomic<int> inheritedTaken{0};
  uint64_t token = 0;
  std::atomic<bool> used{false}, forked{false};
};

Sockets &sockets() {
  static Lasting<Sockets> s;
  return s.get();
}

thread_local int mine = -1;
thread_local ino_t myInode = 0;

// The inode of a socket, 0 for what is none.
ino_t inodeOf(int fd) {
  struct stat st;
  return fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode) ? st.st_ino : 0;
}

void threadEnded(void *fd) {
  Sockets &s = sockets();
  std::lock_guard<std::mutex> lock(s.mutex);
  s.idle.push_back(static_cast<int>(reinterpret_cast<intptr_t>(fd)) - 1);
  mine = -1;
}

// A child has no device: its copies of the sockets would keep the server from seeing that
// the parent has ended. Another thread may have held any lock, so that none is taken.
void inChild() {
  Sockets &s = sockets();
  if (!s.used) return;
  s.forked = true;
  for (Socket &k : s.all)
    if (int fd = k.number.exchange(0) - 1; fd >= 0 && inodeOf(fd) == k.inode) close(fd);
}

int remember(int fd) {
  for (Socket &k : sockets().all) {
    int none = 0;
    if (fd >= 0 && k.number.compare_exchange_strong(none, fd + 1)) {
      k.inode = inodeOf(fd);
      break;
    }
  }
  return fd;
}

// Whether a descriptor is still a socket that was remembered; if not, it is forgotten.
bool isOurs(int fd) {
  for (Socket &k : sockets().all)
    if (k.number == fd + 1) {
      if (inodeOf(fd) == k.inode) return true;
      k.number = 0;
    }
  return false;
}

} // namespace

bool sendAll(int fd, const void *from, size_t n) {
  const char *p = static_cast<const char *>(from);
  while (n > 0) {
    ssize_t k = ::send(fd, p, n, MSG_NOSIGNAL);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    p += k;
    n -= static_cast<size_t>(k);
  }
  return true;
}

bool recvAll(int fd, void *to, size_t n) {
  char *p = static_cast<char *>(to);
  while (n > 0) {
    ssize_t k = ::recv(fd, p, n, 0);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    p += k;
    n -= static_cast<size_t>(k);
  }
  return true;
}

int recvDescriptor(int fd) {
  char byte, control[CMSG_SPACE(sizeof(int))];
  iovec io{&byte, 1};
  msghdr msg{};
  msg.msg_iov = &io;
  msg.msg_iovlen = 1;
  msg.msg_control = control;
  msg.msg_controllen = sizeof control;
  ssize_t k;
  do
    k = recvmsg(fd, &msg, MSG_CMSG_CLOEXEC);
  while (k < 0 && errno == EINTR);
  cmsghdr *c = k == 1 ? CMSG_FIRSTHDR(&msg) : nullptr;
  if (!c || c->cmsg_type != SCM_RIGHTS) return -1;
  int got;
  memcpy(&got, CMSG_DATA(c), sizeof got);
  return setAside(got);
}

// Whether a server is this user's or root's: another user may listen where one was that has
// ended.
static bool isOwnUsers(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && (peer.uid == geteuid() || peer.uid == 0);
}

int openSocket(const char *path) {
  sockaddr_un addr{};
  addr.sun_family = AF_UNIX;
  if (strlen(path) >= sizeof addr.sun_path) return -1;
  strcpy(addr.sun_path, path);
  int fd = setAside(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (fd >= 0 && (connect(fd, reinterpret_cast<sockaddr *>(&addr), sizeof addr) != 0 || !isOwnUsers(fd))) {
    close(fd);
    fd = -1;
  }
  return fd;
}

int inheritSockets(const char *list) {
  Sockets &s = sockets();
  char *rest;
  const int first = static_cast<int>(strtol(list, &rest, 10));
  while (*rest == ',' && s.inheritedCount < kMostInherited) s.inherited[s.inheritedCount++] = static_cast<int>(strtol(rest + 1, &rest, 10));
  return first;
}

void useServer(const char *path, int first, uint64_t token) {
  Sockets &s = sockets();
  strncpy(s.path, path, sizeof s.path - 1);
  s.token = token;
  pthread_key_create(&s.ended, threadEnded);
  pthread_atfork(nullptr, nullptr, inChild);
  s.used = true;
  s.idle.push_back(remember(first));
}

int connection() {
  if (mine >= 0 && inodeOf(mine) == myInode) return mine;
  Sockets &s = sockets();
  int fd = -1;
  {
    std::lock_guard<std::mutex> lock(s.mutex);
    while (fd < 0 && !s.idle.empty()) {
      fd = isOurs(s.idle.back()) ? s.idle.back() : -1;
      s.idle.pop_back();
    }
  }
  if (fd < 0) fd = freshConnection();
  if (fd >= 0) pthread_setspecific(s.ended, reinterpret_cast<void *>(static_cast<intptr_t>(fd) + 1));
  myInode = inodeOf(fd);
  return mine = fd;
}

int freshConnection() {
  Sockets &s = sockets();
  int fd = -1;
  if (s.inheritedCount == 0)
    fd = openSocket(s.path);
  else if (int i = s.inheritedTaken++; i < s.inheritedCount)
    fd = s.inherited[i];
  if (fd < 0) return -1;
  char reply[512];
  uint32_t length = 0;
  if (postSmall(fd, protocol::Hello(kProtocolVersion, s.token, "")) && recvAll(fd, &length, 4) && length <= sizeof reply && recvAll(fd, reply, length)) return remember(fd);
  close(fd);
  return -1;
}

void closeConnections(int but) {
  for (Socket &k : sockets().all)
    if (int fd = k.number.exchange(0) - 1; fd >= 0 && fd != but && inodeOf(fd) == k.inode) {
      shutdown(fd, SHUT_RDWR); // wakes who reads from it
      close(fd);
    }
}

bool isForkedChild() { return sockets().forked; }

} // namespace warpgrind
