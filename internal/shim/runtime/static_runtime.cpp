// NVIDIA's runtime library where it is linked statically into a program, which is nvcc's
// default, or into a module of Python. It works with NVIDIA's driver alone, and the
// functions of ours are never called. Where the file still has its symbol table, each of
// its functions of the runtime API becomes a jump to the function of that name here,
// before the program calls it. In a file that was stripped the first call says so
// (cuGetProcAddress in entry.cpp).
#include "lasting.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

extern "C" void *__real_dlopen(const char *file, int mode); // see dlopen.cpp

namespace warpgrind {
namespace {

// A file's bytes, as long as the object lives.
class File {
public:
  explicit File(const char *name) {
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    struct stat s;
    if (fd >= 0 && fstat(fd, &s) == 0 && s.st_size > 0) {
      void *p = mmap(nullptr, static_cast<size_t>(s.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
      if (p != MAP_FAILED) bytes_ = {static_cast<const char *>(p), static_cast<size_t>(s.st_size)};
    }
    if (fd >= 0) close(fd);
  }
  ~File() {
    if (!bytes_.empty()) munmap(const_cast<char *>(bytes_.data()), bytes_.size());
  }
  File(const File &) = delete;

  // n values at an offset, or null where the file ends before.
  template <class T> const T *at(uint64_t offset, uint64_t n = 1) const {
    if (offset > bytes_.size() || n > (bytes_.size() - offset) / sizeof(T)) return nullptr;
    return reinterpret_cast<const T *>(bytes_.data() + offset);
  }

private:
  std::string_view bytes_;
};

struct Symbol {
  std::string name;
  uint64_t value, size;
};

bool begins(std::string_view s, std::string_view with) { return s.substr(0, with.size()) == with; }

// The constructor that nvcc makes for a source with device code: it registers the kernels.
bool registersKernels(std::string_view name) { return name.find("__sti____cudaRegisterAll") != std::string_view::npos; }

// The function below that only this library has.
constexpr std::string_view kServe = "__warpgrindServeStatic";

// The functions of the runtime API that a file defines, and that one, by its symbol table (not
// the one of its exports, which a library that hides them lacks), and those constructors.
std::vector<Symbol> functionsIn(const File &file) {
  std::vector<Symbol> out;
  auto *header = file.at<ElfW(Ehdr)>(0);
  if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return out;
  auto *sections = file.at<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
  for (int i = 0; sections && i < header->e_shnum; i++) {
    const ElfW(Shdr) &s = sections[i];
    if (s.sh_type != SHT_SYMTAB || s.sh_link >= header->e_shnum) continue;
    uint64_t n = s.sh_size / sizeof(ElfW(Sym)), textBytes = sections[s.sh_link].sh_size;
    auto *symbols = file.at<ElfW(Sym)>(s.sh_offset, n);
    auto *text = file.at<char>(sections[s.sh_link].sh_offset, textBytes);
    if (!symbols || !text || textBytes == 0 || text[textBytes - 1] != 0) continue;
    for (uint64_t k = 0; k < n; k++) {
      const ElfW(Sym) &symbol = symbols[k];
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF || symbol.st_name >= textBytes) continue;
      std::string_view name = text + symbol.st_name;
      if (begins(name, "cuda") || begins(name, "__cuda") || name == kServe || registersKernels(name))
        out.push_back({std::string(name), symbol.st_value, symbol.st_size});
    }
  }
  return out;
}

bool has(const std::vector<Symbol> &all, std::string_view name) {
  return std::any_of(all.begin(), all.end(), [&](const Symbol &s) { return s.name == name; });
}

// A library of ours whose functions have the parameters of the version of CUDA that a
// static runtime library is of. CUDA 12 dropped texture references, and has the properties
// of devices under a name of their own, which CUDA 13 dropped.
void *libraryFor(const std::vector<Symbol> &all) {
  const char *name = has(all, "cudaBindTexture") ? "libcudart.so.11.0" : has(all, "cudaGetDeviceProperties_v2") ? "libcudart.so.12" : "libcudart.so.13";
  return __real_dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
}

// A jump to any address, in the bytes before it.
#if defined(__x86_64__)
constexpr unsigned char kJump[] = {0xff, 0x25, 0, 0, 0, 0}; // jmp *0(%rip)
#elif defined(__aarch64__)
constexpr unsigned char kJump[] = {0x50, 0, 0, 0x58, 0, 0x02, 0x1f, 0xd6}; // ldr x16, .+8; br x16
#endif
constexpr size_t kJumpBytes = sizeof kJump + sizeof(void *);
constexpr uint64_t kAlignment = 16; // of functions, the room between them included

// Lets a function begin with a jump to another one.
void redirect(uintptr_t from, const void *to) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  uintptr_t first = from & ~(page - 1), end = (from + kJumpBytes + page - 1) & ~(page - 1);
  auto *pages = reinterpret_cast<void *>(first);
  if (mprotect(pages, end - first, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return;
  auto *code = reinterpret_cast<char *>(from);
  memcpy(code, kJump, sizeof kJump);
  memcpy(code + sizeof kJump, &to, sizeof to);
  __builtin___clear_cache(code, code + kJumpBytes);
  mprotect(pages, end - first, PROT_READ | PROT_EXEC);
}

struct Image {
  uintptr_t base;
  std::string file;
  bool operator<(const Image &o) const { return base != o.base ? base < o.base : file < o.file; }
};

// Serves one image of the process. started: its constructors have run, so that the static
// library has been told of the kernels, and ours has not.
void serve(const Image &image, bool started) {
  const File file(image.file.c_str());
  std::vector<Symbol> all = functionsIn(file);
  if (!has(all, "cudaGetExportTable") || !has(all, "__cudaRegisterFatBinary")) return;
  if (has(all, kServe)) return; // this library of the installation that built the program, which is another one
  void *ours = libraryFor(all);
  if (!ours) return;
  for (const Symbol &s : all) {
    void *to = registersKernels(s.name) ? nullptr : dlsym(ours, s.name.c_str());
    uint64_t room = (s.size + kAlignment - 1) / kAlignment * kAlignment;
    if (to && s.value % kAlignment == 0 && room >= kJumpBytes) redirect(image.base + s.value, to);
  }
  dlclose(ours);
  for (const Symbol &s : all)
    if (started && registersKernels(s.name)) reinterpret_cast<void (*)()>(image.base + s.value)();
}

struct Seen {
  std::mutex mutex;
  unsigned long long added = 0, removed = 0;
  std::set<Image> images;
};

Seen &seen() {
  static warpgrind::Lasting<Seen> s; // libraries are opened late
  return s.get();
}

struct Visit {
  Seen &all;
  bool first; // the next image is the program
  std::vector<std::pair<Image, bool>> fresh;
};

// Notes an image that was not there before; stops where none came since.
int visit(struct dl_phdr_info *info, size_t, void *data) {
  auto &v = *static_cast<Visit *>(data);
  bool isProgram = v.first;
  v.first = false;
  if (isProgram) {
    if (info->dlpi_adds == v.all.added) return 1;
    if (info->dlpi_subs != v.all.removed) v.all.images.clear(); // another one may be at the same place
    v.all.added = info->dlpi_adds;
    v.all.removed = info->dlpi_subs;
  }
  Image image{info->dlpi_addr, isProgram ? "/proc/self/exe" : info->dlpi_name ? info->dlpi_name : ""};
  if (v.all.images.insert(image).second) v.fresh.emplace_back(image, isProgram);
  return 0;
}

// Serves the images that came since the last time.
void serveNew() {
  std::vector<std::pair<Image, bool>> fresh;
  {
    std::lock_guard<std::mutex> lock(seen().mutex);
    Visit v{seen(), true, {}};
    dl_iterate_phdr(visit, &v);
    fresh = std::move(v.fresh);
  }
  Dl_info self{};
  dladdr(reinterpret_cast<void *>(serveNew), &self);
  for (auto &[image, isProgram] : fresh) {
    if (image.base == reinterpret_cast<uintptr_t>(self.dli_fbase) || image.file.empty()) continue;
    serve(image, !isProgram);
  }
}

} // namespace
} // namespace warpgrind

extern "C" {

// The C library's function, for the libraries that come with it by the dynamic linker.
static void *(*realDlopen())(const char *, int) {
  static auto real = reinterpret_cast<void *(*)(const char *, int)>(dlsym(RTLD_NEXT, "dlopen"));
  return real;
}

// dlopen of the shared library (internal/clang/home.go), which is loaded before the C
// library. A name without a folder is looked for where the caller's own file says, so
// that the call has to come from there.
void *__warpgrindOpen(const char *file, int mode) {
  if (!file || !strchr(file, '/')) __attribute__((musttail)) return realDlopen()(file, mode);
  void *opened = realDlopen()(file, mode);
  if (opened) warpgrind::serveNew();
  return opened;
}

// What is in the process when this library starts, and the program itself, whose
// constructors run later.
void __warpgrindServeStatic(void) { warpgrind::serveNew(); }

} // extern "C"
