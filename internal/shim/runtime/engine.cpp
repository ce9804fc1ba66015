// A program that runs without warpgrind starts the server itself, as a child process.
#include "engine.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

// The warpgrind that the library was made by; absent in programs that only
// "warpgrind run" builds.
extern "C" __attribute__((weak)) const char warpgrind_tool[];

namespace warpgrind {
namespace {

// The environment as the program got it. It is copied, since programs write over it to change
// what ps shows.
std::vector<std::string> *initial;

__attribute__((constructor(101))) void keepEnvironment() {
  initial = new std::vector<std::string>;
  for (char **v = environ; v && *v; v++) initial->push_back(*v);
}

// The environment, with those initial variables that it does not have any more.
std::vector<char *> engineEnvironment() {
  std::vector<char *> out;
  for (char **v = environ; v && *v; v++) out.push_back(*v);
  if (initial)
    for (std::string &v : *initial)
      if (!getenv(v.substr(0, v.find('=')).c_str())) out.push_back(&v[0]);
  out.push_back(nullptr);
  return out;
}

std::string inPath(const char *name) {
  const char *path = setting("PATH");
  for (std::string rest = path ? path : ""; !rest.empty();) {
    size_t colon = rest.find(':');
    std::string file = rest.substr(0, colon) + "/" + name;
    if (access(file.c_str(), X_OK) == 0) return file;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return "";
}

std::string findTool() {
  const char *named = setting("WARPGRIND");
  if (named && *named) return named;
  if (warpgrind_tool && access(warpgrind_tool, X_OK) == 0) return warpgrind_tool;
  return inPath("warpgrind");
}

constexpr int kConnection = 3;

// In the new process: only functions that are safe after fork (signal-safety(7)).
[[noreturn]] void becomeEngine(const char *tool, char **environment, int connection) {
  setsid(); // signals of the terminal are for the program
  if (fork() != 0) _exit(0); // not the program's child, which it might wait for
  int c = fcntl(connection, F_DUPFD, kConnection + 1), null;
  do
    null = open("/dev/null", O_RDWR); // also for standard streams that are closed
  while (null >= 0 && null < kConnection);
  dup2(null, 0);
  dup2(2, 1); // standard output is the program's alone
  dup2(c, kConnection);
  syscall(SYS_close_range, kConnection + 1, ~0U, 0);
  char name[] = "warpgrind", command[] = "run", flag[] = "--attach";
  char *arguments[] = {name, command, flag, nullptr};
  execve(tool, arguments, environment);
  int e = errno;
  const char *text = strerror(e);
  (void)!write(2, "warpgrind: cannot start ", 24);
  (void)!write(2, tool, strlen(tool));
  (void)!write(2, ": ", 2);
  (void)!write(2, text, strlen(text));
  (void)!write(2, "\n", 1);
  _exit(1);
}

} // namespace

int startEngine() {
  std::string tool = findTool();
  if (tool.empty()) {
    fprintf(stderr, "warpgrind: no emulated GPU: warpgrind is neither where this program was built with it, nor in "
                    "PATH; name it in WARPGRIND, or start the program with \"warpgrind run\"\n");
    return kNoTool;
  }
  std::vector<char *> environment = engineEnvironment();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    fprintf(stderr, "warpgrind: cannot start the emulated GPU: %s\n", strerror(errno));
    return -1;
  }
  for (int &end : ends) end = setAside(end);
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) becomeEngine(tool.c_str(), environment.data(), ends[1]);
  if (pid < 0) fprintf(stderr, "warpgrind: cannot start the emulated GPU: %s\n", strerror(errno));
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return -1;
  }
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return ends[0];
}

const char *setting(const char *name) {
  if (const char *value = getenv(name)) return value;
  const size_t n = strlen(name);
  if (initial)
    for (const std::string &v : *initial)
      if (v.compare(0, n, name) == 0 && v[n] == '=') return v.c_str() + n + 1;
  return nullptr;
}

int setAside(int fd) {
  constexpr int kApart = 200;
  if (fd < 0) return fd;
  int other = fcntl(fd, F_DUPFD_CLOEXEC, kApart);
  if (other < 0 && fd <= 2) other = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  if (other < 0) return fd;
  close(fd);
  return other;
}

} // namespace warpgrind
