#include "client.h"
#include "callsite.h"
#include "context.h"
#include "engine.h"
#include "hostwatch.h"
#include "unread.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <mutex>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace warpgrind {
namespace {

struct Client {
  std::recursive_mutex mutex;
  int fd = -1, arena = -1;
  pid_t pid = 0;
  bool tried = false, watched = false; // watched: the server knows of hostIsWatched
  cudaError_t error = cudaErrorNoDevice; // while fd < 0
  Caps caps{};
  char *alias = nullptr; // where device memory is accessible
  uintptr_t imageBase = 0, imageEnd = 0;
  std::atomic<int> sticky{0};
};

// Never destroyed: CUDA calls may come from destructors of globals.
Client &client() {
  static Client *c = new Client;
  return *c;
}

thread_local cudaError_t lastError = cudaSuccess;
thread_local const Site *siteOverride = nullptr;
thread_local const char *driverCall = nullptr;

bool sendAll(int fd, const char *p, size_t n) {
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

// Takes one byte and the arena's descriptor with it.
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
  int arena;
  memcpy(&arena, CMSG_DATA(c), sizeof arena);
  return arena;
}

bool mapArena(Client &c, int arena) {
  size_t device = c.caps.hostBase - c.caps.arenaBase;
  size_t host = c.caps.arenaSize - device;
  void *base = reinterpret_cast<void *>(c.caps.arenaBase);
  void *hostBase = reinterpret_cast<void *>(c.caps.hostBase);
  const int shared = MAP_SHARED | MAP_NORESERVE;
  void *a = mmap(base, device, PROT_NONE, shared | MAP_FIXED_NOREPLACE, arena, 0);
  void *h = mmap(hostBase, host, PROT_READ | PROT_WRITE, shared | MAP_FIXED_NOREPLACE, arena,
                 static_cast<off_t>(device));
  void *alias = mmap(nullptr, device, PROT_READ | PROT_WRITE, shared, arena, 0);
  if (a != base || h != hostBase || alias == MAP_FAILED) {
    fprintf(stderr, "warpgrind: cannot map %zu bytes of device memory at %p in this process: %s\n",
            static_cast<size_t>(c.caps.arenaSize), base, strerror(errno));
    return false;
  }
  c.alias = static_cast<char *>(alias);
  return true;
}

int imageOf(dl_phdr_info *info, size_t, void *data) {
  Client &c = *static_cast<Client *>(data);
  c.imageBase = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const auto &ph = info->dlpi_phdr[i];
    uintptr_t end = info->dlpi_addr + ph.p_vaddr + ph.p_memsz;
    if (ph.p_type == PT_LOAD && end > c.imageEnd) c.imageEnd = end;
  }
  return 1; // the first one is the program itself
}

int openSocket(const char *path) {
  sockaddr_un addr{};
  addr.sun_family = AF_UNIX;
  if (strlen(path) >= sizeof addr.sun_path) return -1;
  strcpy(addr.sun_path, path);
  socklen_t size = sizeof addr;
  if (*path == '@') { // no file (unix(7), "Abstract sockets")
    addr.sun_path[0] = 0;
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + strlen(path));
  }
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && connect(fd, reinterpret_cast<sockaddr *>(&addr), size) != 0) {
    close(fd);
    fd = -1;
  }
  return fd;
}

// The program counter at a signal, or 0 where this machine's layout is unknown.
uintptr_t counterOf(const void *context) {
  const auto *u = static_cast<const ucontext_t *>(context);
#if defined(__x86_64__)
  return static_cast<uintptr_t>(u->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<uintptr_t>(u->uc_mcontext.pc);
#else
  return u ? 0 : 0;
#endif
}

// Adds a return address to out if it lies in the program's image.
uint8_t addFrame(const Client &c, uintptr_t a, uint64_t *out, uint8_t count) {
  if (a > c.imageBase && a <= c.imageEnd) out[count++] = a - c.imageBase;
  return count;
}

// Tells the server that host code followed a device pointer.
void reportHostAccess(Client &c, uint64_t addr, uintptr_t counter) {
  void *stack[kMaxFrames];
  struct __attribute__((packed)) {
    uint32_t length, op = static_cast<uint32_t>(Op::HostAccess);
    uint8_t device = static_cast<uint8_t>(currentDevice()), name = 0, frames;
    uint64_t values[kMaxFrames + 2];
  } frame;
  uint64_t values[kMaxFrames + 2];
  uint8_t n = addFrame(c, counter + 1, values, 0); // stands for a return address
  int depth = backtrace(stack, kMaxFrames);
  for (int i = 0; i < depth; i++) {
    uintptr_t a = reinterpret_cast<uintptr_t>(stack[i]);
    if (a != counter) n = addFrame(c, a, values, n);
  }
  frame.frames = n;
  values[n] = addr;
  memcpy(frame.values, values, sizeof values);
  frame.length = 4 + 1 + 1 + 1 + 8 * (n + 1u);
  char reply[64];
  sendAll(c.fd, reinterpret_cast<char *>(&frame), 4 + frame.length);
  (void)!::recv(c.fd, reply, sizeof reply, 0);
}

// Host code that follows a device pointer faults, as beside a real GPU; say
// why before the program ends by it.
void onSegv(int, siginfo_t *info, void *context) {
  Client &c = client();
  uint64_t addr = reinterpret_cast<uintptr_t>(info->si_addr);
  signal(SIGSEGV, SIG_DFL); // the access is repeated and ends the program
  if (info->si_code <= 0) { // sent by a process: nothing is repeated
    raise(SIGSEGV);
    return;
  }
  if (addr - c.caps.arenaBase >= c.caps.hostBase - c.caps.arenaBase || c.pid != getpid()) return;
  if (!c.mutex.try_lock()) return;
  reportHostAccess(c, addr, counterOf(context));
}

void catchHostAccess() {
  struct sigaction old {}, act {};
  if (sigaction(SIGSEGV, nullptr, &old) != 0 || old.sa_handler != SIG_DFL) return;
  act.sa_sigaction = onSegv;
  act.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &act, nullptr);
}

// Runs after the destructors of globals, which may free device memory.
__attribute__((destructor(101))) void goodbye() {
  Client &c = client();
  std::lock_guard<std::recursive_mutex> lock(c.mutex);
  if (c.fd < 0 || c.pid != getpid()) return;
  Call call("exit", Op::Bye);
  call.send();
  close(c.fd);
  c.fd = -1;
  c.error = cudaErrorCudartUnloading;
  if (int code = awaitEngine()) {
    fflush(nullptr);
    _exit(code);
  }
}

bool hello(Client &c) {
  Call call("", Op::Hello);
  char exe[4096];
  ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
  exe[n > 0 ? n : 0] = 0;
  call.u32(kProtocolVersion).u64(static_cast<uint64_t>(getpid())).str(exe);
  if (!call.send()) return false;
  uint64_t *field = reinterpret_cast<uint64_t *>(&c.caps);
  for (size_t i = 0; i < sizeof(Caps) / 8; i++) field[i] = call.getU64();
  c.arena = recvDescriptor(c.fd);
  return c.arena >= 0 && mapArena(c, c.arena);
}

void start(Client &c) {
  const char *path = getenv("WARPGRIND_SOCKET");
  std::string own;
  if (!path || !*path) {
    own = startEngine();
    if (own.empty()) return;
    path = own.c_str();
  }
  c.fd = openSocket(path);
  c.pid = getpid();
  dl_iterate_phdr(imageOf, &c);
  if (c.fd >= 0 && hello(c)) {
    catchHostAccess();
    at_quick_exit(goodbye); // which runs no destructors
    return;
  }
  fprintf(stderr, "warpgrind: cannot reach the emulated GPU at %s; if the program was built by another version of warpgrind, "
                  "build it again\n", path);
  if (c.fd >= 0) close(c.fd);
  c.fd = -1;
  c.error = cudaErrorInitializationError;
}

// Device text goes through the program's own stdio, so that it comes in order.
void writeText(const char *p, size_t n) {
  if (n > 0) fwrite(p, 1, n, stdout);
}

} // namespace

cudaError_t connectOnce() {
  Client &c = client();
  std::lock_guard<std::recursive_mutex> lock(c.mutex);
  if (!c.tried) {
    c.tried = true;
    start(c);
  }
  if (c.fd >= 0 && c.pid != getpid()) return cudaErrorInitializationError; // after fork
  return c.fd >= 0 ? cudaSuccess : c.error;
}

bool connected() {
  Client &c = client();
  std::lock_guard<std::recursive_mutex> lock(c.mutex);
  return c.fd >= 0;
}

const Caps &caps() { return client().caps; }
int arenaFile() { return client().arena; }

void *accessible(const void *address) {
  Client &c = client();
  uint64_t a = reinterpret_cast<uintptr_t>(address);
  if (c.alias && a - c.caps.arenaBase < c.caps.hostBase - c.caps.arenaBase)
    return c.alias + (a - c.caps.arenaBase);
  return const_cast<void *>(address);
}

// Frames within this library come first and have no lines.
Site callSite() {
  Site s;
  const Client &c = client();
  if (c.imageEnd == 0) return s;
  void *frames[kMaxFrames + 4];
  int n = returnAddresses(frames, kMaxFrames + 4);
  for (int i = 1; i < n && s.count < kMaxFrames; i++)
    s.count = addFrame(c, reinterpret_cast<uintptr_t>(frames[i]), s.frames, s.count);
  return s;
}

void addFrame(Site &s, uintptr_t address) { s.count = addFrame(client(), address, s.frames, s.count); }

AtSite::AtSite(const Site &site) : before_(siteOverride) { siteOverride = &site; }
AtSite::~AtSite() { siteOverride = before_; }

DriverCall::DriverCall(const char *name) : outermost_(!driverCall) {
  if (outermost_) driverCall = name;
}

DriverCall::~DriverCall() {
  if (outermost_) driverCall = nullptr;
}

const char *DriverCall::current() { return driverCall; }

Call::Call(const char *api, Op op) : api_(api), op_(op) {
  request_.reserve(256);
  u32(0).u32(static_cast<uint32_t>(op)).u8(static_cast<uint8_t>(currentDevice()));
  u8(static_cast<uint8_t>(strlen(api))).raw(api, strlen(api));
  if (op == Op::Hello || op == Op::Bye || op == Op::Touched || op == Op::HostWork) {
    u8(0);
    return;
  }
  connectOnce();
  if (strncmp(api, "cuda", 4) == 0) useRuntime();
  const Site s = siteOverride ? *siteOverride : callSite();
  u8(s.count).raw(s.frames, 8u * s.count);
}

// Reads the reply. It comes alone, so that a short one takes a single read;
// only the first is followed by a descriptor.
bool Call::receive(int fd, int32_t head[4]) {
  if (op_ == Op::Hello) {
    if (!recvAll(fd, head, 16) || head[0] < 12) return false;
    reply_.resize(static_cast<size_t>(head[0]) - 12);
    return recvAll(fd, &reply_[0], reply_.size());
  }
  char first[512];
  ssize_t k;
  do
    k = ::recv(fd, first, sizeof first, 0);
  while (k < 0 && errno == EINTR);
  if (k <= 0 || (k < 16 && !recvAll(fd, first + k, static_cast<size_t>(16 - k)))) return false;
  size_t got = k < 16 ? 16 : static_cast<size_t>(k);
  memcpy(head, first, 16);
  if (head[0] < 12) return false;
  size_t size = static_cast<size_t>(head[0]) + 4;
  if (got > size) return false;
  reply_.assign(first + 16, got - 16);
  reply_.resize(size - 16);
  return recvAll(fd, &reply_[got - 16], size - got);
}

// Tells the server, before the next request, what host code did since the last
// one; the first time also without that, so that kernels are watched.
static void tellTouches(Client &c) {
  if (!hostIsWatched()) return;
  std::string touches = takeTouches();
  if (touches.empty() && c.watched) return;
  if (touches.empty()) touches.assign(4, 0);
  c.watched = true;
  Call call("", Op::Touched);
  if (call.raw(touches.data(), touches.size()).exchange() && call.getU32() == 0) stopWatchingHost();
}

void tellHostWork(uint64_t stream, const std::string &touches) {
  Client &c = client();
  std::lock_guard<std::recursive_mutex> lock(c.mutex);
  if (c.fd < 0 || c.pid != getpid()) return;
  tellTouches(c);
  Call("", Op::HostWork).u64(stream).raw(touches.data(), touches.size()).exchange();
}

bool Call::send() {
  Client &c = client();
  if (inHostFunction() && op_ != Op::Unsupported) {
    code_ = cudaErrorNotPermitted;
    return false;
  }
  std::lock_guard<std::recursive_mutex> lock(c.mutex);
  code_ = c.tried && c.fd >= 0 && c.pid == getpid() ? cudaSuccess : connectOnce();
  if (code_ != cudaSuccess) return false;
  if (op_ != Op::Hello) tellTouches(c);
  if (!exchange()) return false;
  noteWork(op_, api_, stream_);
  return true;
}

// Sends the request and takes the reply; the client's mutex is held.
bool Call::exchange() {
  Client &c = client();
  uint32_t length = static_cast<uint32_t>(request_.size() - 4);
  memcpy(&request_[0], &length, 4);
  int32_t head[4]; // length, code, sticky, text
  bool ok = sendAll(c.fd, request_.data(), request_.size()) && receive(c.fd, head) &&
            static_cast<uint32_t>(head[3]) <= reply_.size();
  if (!ok) {
    fprintf(stderr, "warpgrind: lost the connection to the emulated GPU in %s\n", api_);
    close(c.fd);
    c.fd = -1;
    code_ = c.error = cudaErrorDevicesUnavailable;
    return false;
  }
  code_ = static_cast<cudaError_t>(head[1]);
  if (head[2] != 0) c.sticky = head[2];
  pos_ = static_cast<uint32_t>(head[3]);
  writeText(reply_.data(), pos_);
  return code_ == cudaSuccess;
}

std::string Call::getStr() {
  uint32_t n = getU32();
  if (pos_ + n > reply_.size()) n = 0;
  pos_ += n;
  return reply_.substr(pos_ - n, n);
}

cudaError_t misuse(const char *api, cudaError_t code, const char *detail, Misuse kind) {
  Call c(api, Op::Misuse);
  c.u32(static_cast<uint32_t>(code)).u8(static_cast<uint8_t>(kind)).str(detail);
  return c.send() ? c.finish(code) : c.result();
}

cudaError_t Call::finish(cudaError_t code) { return setLastError(code); }

cudaError_t unsupported(const char *api) {
  Call c(api, Op::Unsupported);
  return c.send() ? c.finish(cudaErrorNotSupported) : c.result();
}

int unsupportedCall(const char *api, int code) {
  if (strncmp(api, "cuda", 4) != 0) {
    const DriverCall scope(api);
    return unsupported(api) == cudaErrorNotSupported ? code : cudaErrorNotSupported;
  }
  return unsupported(api) == cudaErrorNotSupported ? code : cudaErrorNotSupported;
}

cudaError_t setLastError(cudaError_t code) {
  if (code == cudaSuccess || code == cudaErrorNotReady || driverCall) return code;
  unreadOverwritten();
  lastError = code;
  return code;
}

bool isSticky(int code) { return code != 0 && code == client().sticky; }

cudaError_t peekLastError() {
  int sticky = client().sticky;
  return sticky != 0 ? static_cast<cudaError_t>(sticky) : lastError;
}

cudaError_t takeLastError() {
  cudaError_t e = peekLastError();
  lastError = cudaSuccess;
  return e;
}

} // namespace warpgrind
