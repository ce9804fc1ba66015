// NVIDIA's assembler, ptxas, which compilers such as XLA start from the Python package that has it: it makes machine code,
// which nothing here runs. In a program that runs under warpgrind this library is loaded into that process too; it
// becomes the one of our toolkit folder (ptxasScript in internal/clang/home.go), which hands the PTX through. For nvcc, which puts
// its output into a fat binary beside the PTX, it stays what it is.
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <initializer_list>
#include <string>
#include <unistd.h>

namespace {

// The name of a process's program, without its folder.
std::string programOf(const std::string &process) {
  char path[PATH_MAX];
  ssize_t n = readlink(("/proc/" + process + "/exe").c_str(), path, sizeof path);
  std::string name(path, n > 0 ? static_cast<size_t>(n) : 0);
  return name.substr(name.rfind('/') + 1);
}

// The process that started a process, or 1.
int parentOf(int process) {
  FILE *f = fopen(("/proc/" + std::to_string(process) + "/stat").c_str(), "r");
  int parent = 1;
  if (f && fscanf(f, "%*d (%*[^)]) %*c %d", &parent) != 1) parent = 1;
  if (f) fclose(f);
  return parent;
}

// Whether nvcc started this process, by a shell or itself.
bool startedByNVCC() {
  int process = getppid();
  std::string name = programOf(std::to_string(process));
  for (const char *shell : {"sh", "dash", "bash"})
    if (name == shell) return programOf(std::to_string(parentOf(process))) == "nvcc";
  return name == "nvcc";
}

} // namespace

extern "C" void __warpgrindAssemble(char **argv, char **environment) {
  if (programOf("self") != "ptxas" || startedByNVCC()) return;
  Dl_info self{};
  if (!dladdr(reinterpret_cast<void *>(__warpgrindAssemble), &self)) return;
  const std::string library = self.dli_fname; // in lib64, beside bin
  execve((library.substr(0, library.rfind('/')) + "/../bin/ptxas").c_str(), argv, environment);
  fprintf(stderr, "warpgrind: ptxas of its toolkit folder cannot be started: %s\n", strerror(errno));
  _exit(1);
}
