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
  protocol::Caps caps{};
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

// A frame begins with the length of the rest.
void setLength(char *frame, size_t size) {
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

// Tells the server that host code followed a device pointer.
void reportHostAccess(Client &c, uint64_t addr, uintptr_t counter) {
  void *stack[kMaxFrames];
  uint64_t frames[kMaxFrames + 1];
  uint8_t n = addFrame(c, counter + 1, frames, 0); // stands for a return address
  int depth = backtrace(stack, kMaxFrames);
  for (int i = 0; i < depth; i++) {
    uintptr_t a = reinterpret_cast<uintptr_t>(stack[i]);
    if (a != counter) n = addFrame(c, a, frames, n);
  }
  Fixed frame;
  protocol::Writer<Fixed> w(frame);
  w(uint32_t{0}, protocol::Head(Op::HostAccess, static_cast<uint8_t>(currentDevice()), "", {frames, n}), protocol::HostAccess(addr));
  setLength(frame.bytes, frame.size);
  char reply[64];
  sendAll(c.fd, frame.bytes, frame.size);
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
  Call("exit", protocol::Bye()).send();
  close(c.fd);
  c.fd = -1;
  c.error = cudaErrorCudartUnloading;
  if (int code = awaitEngine()) {
    fflush(nullptr);
    _exit(code);
  }
}

bool hello(Client &c) {
  char exe[4096];
  ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
  exe[n > 0 ? n : 0] = 0;
  Call call("", protocol::Hello(kProtocolVersion, static_cast<uint64_t>(getpid()), exe));
  if (!call.send()) return false;
  c.caps = call.reply;
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

const protocol::Caps &caps() { return client().caps; }
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

// Whether an operation is that of a call in the program, which has a place.
static bool hasSite(Op op) { return op != Op::Hello && op != Op::Bye && op != Op::Touched && op != Op::HostWork; }

AnyCall::AnyCall(const char *api, Op op) : api_(api), op_(op) {
  Site s;
  if (hasSite(op)) {
    connectOnce();
    if (strncmp(api, "cuda", 4) == 0) useRuntime();
    s = siteOverride ? *siteOverride : callSite();
  }
  request_.reserve(256);
  protocol::Writer<std::string>{request_}(uint32_t{0}, protocol::Head(op, static_cast<uint8_t>(currentDevice()), api, {s.frames, s.count}));
}

// Reads the reply. It comes alone, so that a short one takes a single read;
// only the first is followed by a descriptor.
bool AnyCall::receive(int fd) {
  char first[512];
  uint32_t length;
  ssize_t k;
  do
    k = ::recv(fd, first, op_ == Op::Hello ? sizeof length : sizeof first, 0);
  while (k < 0 && errno == EINTR);
  if (k <= 0) return false;
  size_t got = static_cast<size_t>(k);
  if (got < sizeof length && !recvAll(fd, first + got, sizeof length - got)) return false;
  memcpy(&length, first, sizeof length);
  got = got < sizeof length ? 0 : got - sizeof length;
  if (got > length) return false;
  reply_.assign(first + sizeof length, got);
  reply_.resize(length);
  return recvAll(fd, &reply_[got], length - got);
}

// Tells the server, before the next request, what host code did since the last
// one; the first time also without that, so that kernels are watched.
static void tellTouches(Client &c) {
  if (!hostIsWatched()) return;
  const Touches touches = takeTouches();
  if (touches.empty() && c.watched) return;
  c.watched = true;
  Call call("", protocol::Touched(touches));
  if (call.exchange() && !call.reply.watch) stopWatchingHost();
}

void tellHostWork(uint64_t stream, const Touches &touches) {
  Client &c = client();
  std::lock_guard<std::recursive_mutex> lock(c.mutex);
  if (c.fd < 0 || c.pid != getpid()) return;
  tellTouches(c);
  Call("", protocol::HostWork(stream, touches)).exchange();
}

bool AnyCall::send() {
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
bool AnyCall::exchange() {
  Client &c = client();
  setLength(&request_[0], request_.size());
  if (!sendAll(c.fd, request_.data(), request_.size()) || !receive(c.fd)) {
    fprintf(stderr, "warpgrind: lost the connection to the emulated GPU in %s\n", api_);
    close(c.fd);
    c.fd = -1;
    code_ = c.error = cudaErrorDevicesUnavailable;
    return false;
  }
  protocol::ReplyHead head;
  protocol::Reader r(reply_);
  r(head);
  reply_ = r.rest();
  code_ = static_cast<cudaError_t>(head.code);
  if (head.sticky != 0) c.sticky = head.sticky;
  writeText(head.text.data(), head.text.size());
  return code_ == cudaSuccess;
}

cudaError_t misuse(const char *api, cudaError_t code, const char *detail, MisuseKind kind) {
  Call c(api, protocol::Misuse(code, kind, detail));
  return c.send() ? c.finish(code) : c.result();
}

cudaError_t AnyCall::finish(cudaError_t code) { return setLastError(code); }

cudaError_t unsupported(const char *api) {
  Call c(api, protocol::Unsupported());
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
