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

// The warpgrind that the library was made by; absent in programs that only
// "warpgrind run" builds.
extern "C" __attribute__((weak)) const char warpgrind_tool[];

namespace warpgrind {
namespace {

int status = -1;   // warpgrind writes the exit code here, and then ends
pid_t owner = 0;   // the process that started it

std::string inPath(const char *name) {
  const char *path = getenv("PATH");
  for (std::string rest = path ? path : ""; !rest.empty();) {
    size_t colon = rest.find(':');
    std::string file = rest.substr(0, colon) + "/" + name;
    if (access(file.c_str(), X_OK) == 0) return file;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return "";
}

std::string findTool() {
  const char *named = getenv("WARPGRIND");
  if (named && *named) return named;
  if (warpgrind_tool && access(warpgrind_tool, X_OK) == 0) return warpgrind_tool;
  return inPath("warpgrind");
}

constexpr int kConnection = 3, kStatus = 4;

// In the new process: only functions that are safe after fork (signal-safety(7)).
[[noreturn]] void becomeEngine(const char *tool, int connection, int result) {
  setsid(); // signals of the terminal are for the program
  if (fork() != 0) _exit(0); // not the program's child, which it might wait for
  int c = fcntl(connection, F_DUPFD, kStatus + 1), r = fcntl(result, F_DUPFD, kStatus + 1);
  int null = open("/dev/null", O_RDONLY);
  dup2(null, 0);
  dup2(2, 1); // standard output is the program's alone
  dup2(c, kConnection);
  dup2(r, kStatus);
  syscall(SYS_close_range, kStatus + 1, ~0U, 0);
  execl(tool, "warpgrind", "run", "--attach", static_cast<char *>(nullptr));
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
    return -1;
  }
  int ends[2], result[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0 || pipe2(result, O_CLOEXEC) != 0) {
    fprintf(stderr, "warpgrind: cannot start the emulated GPU: %s\n", strerror(errno));
    return -1;
  }
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) becomeEngine(tool.c_str(), ends[1], result[1]);
  close(ends[1]);
  close(result[1]);
  if (pid < 0) return -1;
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  status = result[0];
  owner = getpid();
  return ends[0];
}

int awaitEngine() {
  if (status < 0 || owner != getpid()) return 0;
  unsigned char code = 0;
  ssize_t k;
  do
    k = read(status, &code, 1);
  while (k < 0 && errno == EINTR);
  close(status);
  status = -1;
  return k == 1 ? code : 0;
}

} // namespace warpgrind
