// Calls of the program as requests to the server: the connection is made at the first
// one, device memory is mapped into the process, and each request carries the place of
// the call. Also reports host code that follows a device pointer (SIGSEGV).
#include "client.h"
#include "callsite.h"
#include "connection.h"
#include "context.h"
#include "engine.h"
#include "hostwatch.h"
#include "lasting.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

extern "C" __attribute__((weak)) int on_exit(void (*)(int, void *), void *) noexcept; // glibc's

namespace warpgrind {
namespace {

// What the process is to the server. A thread that finds it Starting waits for starting.
enum class State { None, Starting, Connected, Failed, Gone };

struct Client {
  std::mutex starting;
  std::atomic<State> state{State::None};
  std::atomic<bool> checked{false}; // a server was there, so that a check was begun
  std::atomic<int> status{0};       // what the program passed to exit
  std::atomic<cudaError_t> error{cudaErrorNoDevice}; // where there is no connection
  protocol::Caps caps{};
  char *alias = nullptr; // where device memory is accessible
  uintptr_t imageBase = 0, imageEnd = 0;
  std::atomic<int> sticky{0};
  std::atomic<uint64_t> begun{0}, ended{0}; // requests
  std::mutex touching;
  uint64_t touches = 0; // how often accesses of host code were told
};

Client &client() {
  static Lasting<Client> c;
  return c.get();
}

// In a child of a process of which another thread may have held the lock: it starts for itself
// if the parent had not begun to, and has no device if the parent was about it.
void startForked() {
  Client &c = client();
  new (&c.starting) std::mutex;
  if (c.state != State::Starting) return;
  c.error = cudaErrorInitializationError;
  c.state = State::Failed;
}

// A fork may come at any moment of the start, so that this is there before.
__attribute__((constructor)) void watchForks() {
  client();
  pthread_atfork(nullptr, nullptr, startForked);
}

thread_local const char *nameOfCall = "";
thread_local const Site *siteOverride = nullptr;
thread_local const char *placeOfInterpreter = nullptr;
thread_local volatile bool exchanging = false; // a signal handler of this thread needs another socket

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

// Tells the server that host code followed a device pointer. It may do so at any moment.
void reportHostAccess(Client &c, uint64_t addr, uintptr_t counter) {
  int fd = freshConnection();
  if (fd < 0) return;
  void *stack[kMaxFrames];
  uint64_t frames[kMaxFrames + 1];
  uint8_t n = addFrame(c, counter + 1, frames, 0); // stands for a return address
  int depth = backtrace(stack, kMaxFrames);
  for (int i = 0; i < depth; i++) {
    uintptr_t a = reinterpret_cast<uintptr_t>(stack[i]);
    if (a != counter) n = addFrame(c, a, frames, n);
  }
  char reply[64];
  if (postSmall(fd, protocol::HostAccess(addr), {frames, n})) (void)!::recv(fd, reply, sizeof reply, 0);
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
  if (addr - c.caps.arenaBase >= c.caps.hostBase - c.caps.arenaBase || isForkedChild()) return;
  reportHostAccess(c, addr, counterOf(context));
}

void catchHostAccess() {
  struct sigaction old {}, act {};
  if (sigaction(SIGSEGV, nullptr, &old) != 0 || old.sa_handler != SIG_DFL) return;
  act.sa_sigaction = onSegv;
  act.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &act, nullptr);
}

// Says goodbye from a signal handler of a thread that is in the middle of a request.
bool goodbyeAtOnce(int fd) {
  uint32_t head[4]; // length, code, sticky, text
  char text[256];
  if (!postSmall(fd, protocol::Bye()) || !recvAll(fd, head, sizeof head)) return false;
  for (size_t left = head[3], n; left > 0; left -= n) {
    n = left < sizeof text ? left : sizeof text;
    if (!recvAll(fd, text, n) || write(1, text, n) < 0) return false;
  }
  return true;
}

void tellTouches(Client &c, int fd);

// Ends the check. The result is the exit code that the program should have, 0 for its own.
int endCheck(Client &c) {
  const bool interrupts = exchanging || isNoting();
  const int fd = interrupts ? freshConnection() : connection();
  bool ended = fd >= 0;
  if (ended && interrupts) {
    ended = goodbyeAtOnce(fd);
  } else if (ended) {
    tellTouches(c, fd);
    const CallName exiting("exit");
    Call bye{protocol::Bye()};
    ended = bye.exchange(fd) || bye.result() != cudaErrorDevicesUnavailable;
  }
  closeConnections(fd);
  unsigned char code = 0;
  if (ended && c.caps.starter) ended = recvAll(fd, &code, 1); // the report is written
  return ended ? code : kUnfinished;
}

// Runs after the destructors of globals, which may free device memory. It takes no lock that
// another thread, or what a signal has interrupted, may hold for long.
__attribute__((destructor(101))) void goodbye() {
  Client &c = client();
  if (isForkedChild() || !c.checked.exchange(false)) return;
  int code = kUnfinished;
  State connected = State::Connected;
  if (c.state.compare_exchange_strong(connected, State::Gone)) {
    c.error = cudaErrorCudartUnloading;
    code = endCheck(c);
  }
  if (code == kUnfinished) {
    fprintf(stderr, "warpgrind: the check did not finish: its process has ended before the program, or could not write the report\n");
    if (c.status != 0) code = 0;
  }
  if (code) {
    fflush(nullptr);
    _exit(code);
  }
}

void keepStatus(int status, void *) { client().status = status; }

bool hello(Client &c, int fd, uint64_t token) {
  char exe[4096];
  ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
  exe[n > 0 ? n : 0] = 0;
  Call call{protocol::Hello(kProtocolVersion, token, exe)};
  if (!call.exchange(fd)) return false;
  c.caps = call.reply;
  int arena = recvDescriptor(fd);
  chooseVisible(static_cast<int>(c.caps.devices));
  bool mapped = arena >= 0 && mapArena(c, arena);
  if (arena >= 0) close(arena);
  return mapped;
}

void start(Client &c) {
  if (getauxval(AT_SECURE)) { // what the environment names is another user's choice
    fprintf(stderr, "warpgrind: no emulated GPU for a program that has more rights than who started it (setuid, setgid or capabilities)\n");
    return;
  }
  const char *path = setting("WARPGRIND_SOCKET");
  bool found = path && *path;
  const char *inherited = found && strncmp(path, "fd:", 3) == 0 ? path + 3 : nullptr;
  int fd = inherited ? inheritSockets(inherited) : found ? openSocket(path) : startEngine();
  c.checked = fd != kNoTool;
  if (on_exit) on_exit(keepStatus, nullptr);
  if (fd < 0 && !found) return;
  uint64_t token = 0;
  (void)!getrandom(&token, sizeof token, 0);
  dl_iterate_phdr(imageOf, &c);
  if (fd >= 0 && hello(c, fd, token)) {
    useServer(c.caps.socket.c_str(), fd, token);
    if (!found) setenv("WARPGRIND_SOCKET", c.caps.socket.c_str(), 1); // for child processes
    if (!c.caps.watch) stopWatchingHost();
    catchHostAccess();
    at_quick_exit(goodbye); // which runs no destructors
    c.state = State::Connected;
    return;
  }
  if (found)
    fprintf(stderr, "warpgrind: cannot reach the emulated GPU at %s; if the program was built by another version of warpgrind, "
                    "build it again\n", path);
  else // it may have said why
    fprintf(stderr, "warpgrind: the emulated GPU did not start; if no reason is given above, the program was built by another "
                    "version of warpgrind: build it again\n");
  if (fd >= 0) close(fd);
  c.error = cudaErrorInitializationError;
}

// Device text goes through the program's own stdio, so that it comes in order.
void writeText(const char *p, size_t n) {
  if (n > 0) fwrite(p, 1, n, stdout);
}

} // namespace

cudaError_t connectOnce() {
  Client &c = client();
  if (isForkedChild()) return cudaErrorInitializationError;
  if (c.state == State::Connected && visibleDevices() > 0) return cudaSuccess;
  if (c.state == State::None || c.state == State::Starting) {
    std::lock_guard<std::mutex> lock(c.starting);
    if (c.state == State::None) {
      c.state = State::Starting;
      start(c);
      if (c.state != State::Connected) c.state = State::Failed;
    }
  }
  return c.state != State::Connected ? c.error.load() : visibleDevices() > 0 ? cudaSuccess : cudaErrorNoDevice;
}

bool connected() { return client().state == State::Connected; }

const protocol::Caps &caps() { return client().caps; }
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
  s.place = placeOfInterpreter;
  const Client &c = client();
  if (c.imageEnd == 0) return s;
  void *frames[kMaxFrames + 4];
  int n = returnAddresses(frames, kMaxFrames + 4);
  for (int i = 1; i < n && s.count < kMaxFrames; i++)
    s.count = addFrame(c, reinterpret_cast<uintptr_t>(frames[i]), s.frames, s.count);
  return s;
}

void setPlace(const char *place) { placeOfInterpreter = place; }

bool hasPlace() { return placeOfInterpreter != nullptr; }

void addFrame(Site &s, uintptr_t address) { s.count = addFrame(client(), address, s.frames, s.count); }

CallName::CallName(const char *name) : before_(nameOfCall) { nameOfCall = name; }
CallName::~CallName() { nameOfCall = before_; }
const char *callName() { return nameOfCall; }

AtSite::AtSite(const Site &site) : before_(siteOverride) { siteOverride = &site; }
AtSite::~AtSite() { siteOverride = before_; }

// Whether an operation is the work of a call, which has a name.
static bool isNamed(Op op) { return op != Op::Hello && op != Op::Touched && op != Op::HostEnd; }

// Whether it also has a place in the program.
static bool hasSite(Op op) { return isNamed(op) && op != Op::Bye; }

AnyCall::AnyCall(Op op) : op_(op) {
  Site s;
  if (hasSite(op)) {
    connectOnce();
    if (Entry::isRuntime()) useRuntime();
    s = siteOverride ? *siteOverride : callSite();
  }
  request_.reserve(256);
  protocol::Writer<std::string>{request_}(uint32_t{0}, protocol::Head(op, static_cast<uint8_t>(emulatedDevice(currentDevice())), isNamed(op) ? callName() : "", s.place ? s.place : "", {s.frames, s.count}));
}

// Reads the reply. It comes alone, so that a short one takes a single read; only
// the first is followed by a descriptor, and the last by the exit code.
bool AnyCall::receive(int fd) {
  char first[512];
  uint32_t length;
  ssize_t k;
  do
    k = ::recv(fd, first, op_ == Op::Hello || op_ == Op::Bye ? sizeof length : sizeof first, 0);
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

namespace {

// Tells the server, before the next request, what host code did since the last
// one; the first time also without that, so that kernels are watched. It does not wait for a
// reply: the server takes what threads tell in the order of the numbers.
void tellTouches(Client &c, int fd) {
  if (!hostIsWatched()) return;
  std::unique_lock<std::mutex> lock(c.touching);
  const Touches touches = takeTouches();
  if (touches.empty() && c.touches > 0) return;
  const uint64_t number = c.touches++;
  lock.unlock();
  Call(protocol::Touched(number, touches)).post(fd);
}

} // namespace

void endHostFunction(uint64_t id, const Touches &touches) {
  Client &c = client();
  int fd = c.state == State::Connected && !isForkedChild() ? connection() : -1;
  if (fd < 0) return;
  tellTouches(c, fd);
  Call(protocol::HostEnd(id, touches)).exchange(fd);
}

bool AnyCall::send() {
  Client &c = client();
  if (inHostFunction() && op_ != Op::Unsupported) {
    code_ = cudaErrorNotPermitted;
    return false;
  }
  if ((code_ = connectOnce()) != cudaSuccess) return false;
  exchanging = true;
  c.begun++;
  int fd = connection();
  if (fd >= 0) tellTouches(c, fd);
  else code_ = cudaErrorDevicesUnavailable;
  bool ok = fd >= 0 && exchange(fd);
  exchanging = false;
  c.ended++;
  if (!ok && code_ == cudaErrorDevicesUnavailable) lost();
  if (ok && awaitsDevice_) noteAllDone();
  else if (ok) noteWork(op_, stream_);
  return ok;
}

Calls callsSoFar() {
  const uint64_t ended = client().ended; // first: a request that is under way shows
  return {client().begun, ended};
}

// The server is gone. After goodbye the process is about to end.
void AnyCall::lost() {
  while (client().state == State::Gone) pause();
  if (client().state.exchange(State::Failed) == State::Connected)
    fprintf(stderr, "warpgrind: lost the connection to the emulated GPU in %s\n", callName());
  client().error = code_;
}

bool AnyCall::post(int fd) {
  setLength(&request_[0], request_.size());
  return sendAll(fd, request_.data(), request_.size());
}

// Sends the request and takes the reply.
bool AnyCall::exchange(int fd) {
  if (!post(fd) || !receive(fd)) {
    code_ = cudaErrorDevicesUnavailable;
    return false;
  }
  protocol::ReplyHead head;
  protocol::Reader r(reply_);
  r(head);
  reply_ = r.rest();
  code_ = static_cast<cudaError_t>(head.code);
  if (head.sticky != 0) client().sticky = head.sticky;
  writeText(head.text.data(), head.text.size());
  return code_ == cudaSuccess;
}

cudaError_t misuse(cudaError_t code, const char *detail, MisuseKind kind) {
  Call c{protocol::Misuse(code, kind, detail)};
  return c.send() ? code : c.result();
}

cudaError_t unsupported(const char *what) {
  const CallName as(what);
  Call c{protocol::Unsupported()};
  return c.send() ? cudaErrorNotSupported : c.result();
}

int unsupportedCall(const char *name, int code) {
  return unsupported(name) == cudaErrorNotSupported ? code : cudaErrorNotSupported;
}

int stickyError() { return client().sticky; }

bool isSticky(int code) { return code != 0 && code == client().sticky; }

} // namespace warpgrind
