// NVIDIA's runtime library where it is linked statically into a program, which is nvcc's
// default, or into a module of Python. It works with NVIDIA's driver alone, and the
// functions of ours are never called. So each of
// its functions of the runtime API becomes a jump to the function of that name here,
// before the program calls it. They are found by the file's symbol table (static_symbols.cpp), or
// by their code where it was stripped of that (static_code.cpp). Where neither works, as with a library older than
// CUDA 12.9 in a stripped file, the first call says so (cuGetProcAddress in entry.cpp).
#include "lasting.h"
#include "static_functions.h"

#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

extern "C" { // see dlopen.cpp
void *__real_dlopen(const char *file, int mode);
bool __warpgrindIsOurs(const char *name);
const char *__warpgrindFileName(const char *file);
}

namespace warpgrind {
namespace {

// A library of ours whose functions have the parameters of the version of CUDA that a
// static runtime library is of. CUDA 12 dropped texture references, and has the properties
// of devices under a name of their own, which CUDA 13 dropped.
void *libraryFor(const StaticRuntime &all) {
  const char *name = all.has("cudaBindTexture") ? "libcudart.so.11.0" : all.has("cudaGetDeviceProperties_v2") ? "libcudart.so.12" : "libcudart.so.13";
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
  uintptr_t dynamic; // its dynamic section, or 0
  bool operator<(const Image &o) const { return base != o.base ? base < o.base : file < o.file; }
};

// The constructors of an image that is in memory, as addresses in its file.
std::vector<uint64_t> initializers(const Image &image) {
  uintptr_t at = 0;
  size_t bytes = 0;
  for (auto *d = reinterpret_cast<const ElfW(Dyn) *>(image.dynamic); d && d->d_tag != DT_NULL; d++) {
    if (d->d_tag == DT_INIT_ARRAY) at = image.base + d->d_un.d_ptr;
    if (d->d_tag == DT_INIT_ARRAYSZ) bytes = d->d_un.d_val;
  }
  std::vector<uint64_t> out;
  for (size_t i = 0; at && i < bytes / sizeof(uintptr_t); i++) out.push_back(reinterpret_cast<const uintptr_t *>(at)[i] - image.base);
  return out;
}

// Serves one image of the process. started: its constructors have run, so that the static
// library has been told of the kernels, and ours has not.
void serve(const Image &image, bool started) {
  const File file(image.file.c_str());
  StaticRuntime all = runtimeBySymbols(file);
  if (all.has(kServeStatic)) return; // this library of the installation that built the program, which is another one
  if (!all.has("cudaGetExportTable") || !all.has("__cudaRegisterFatBinary")) all = runtimeByCode(file, initializers(image));
  void *ours = all.functions.empty() ? nullptr : libraryFor(all);
  if (!ours) return;
  for (const Symbol &s : all.functions) {
    void *to = dlsym(ours, s.name.c_str());
    uint64_t room = (s.size + kAlignment - 1) / kAlignment * kAlignment;
    if (to && s.value % kAlignment == 0 && room >= kJumpBytes) redirect(image.base + s.value, to);
  }
  dlclose(ours);
  if (!started) return;
  for (uint64_t constructor : all.constructors) reinterpret_cast<void (*)()>(image.base + constructor)();
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
  Image image{info->dlpi_addr, isProgram ? "/proc/self/exe" : info->dlpi_name ? info->dlpi_name : "", 0};
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) image.dynamic = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
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

// The C library's function, for the libraries that come with it by the dynamic linker.
void *(*realDlopen())(const char *, int) {
  static auto real = reinterpret_cast<void *(*)(const char *, int)>(dlsym(RTLD_NEXT, "dlopen"));
  return real;
}

void *openNew(const char *file, int mode) {
  void *opened = realDlopen()(file, mode);
  if (opened) serveNew();
  return opened;
}

// Where the dynamic linker finds a library for the file that some code is part of, but for the folders of
// the system (dlinfo(3)). Folders with variants for processors are left to it.
bool findFor(const void *code, const char *name, char (&out)[PATH_MAX]) {
  Dl_info info;
  void *map = nullptr;
  Dl_serinfo size;
  if (!dladdr1(code, &info, &map, RTLD_DL_LINKMAP) || !map || dlinfo(map, RTLD_DI_SERINFOSIZE, &size) != 0) return false;
  std::vector<char> bytes(size.dls_size);
  auto *folders = reinterpret_cast<Dl_serinfo *>(bytes.data());
  *folders = size;
  if (dlinfo(map, RTLD_DI_SERINFOSIZE, folders) != 0 || dlinfo(map, RTLD_DI_SERINFO, folders) != 0) return false;
  for (unsigned i = 0; i < folders->dls_cnt; i++) {
    const Dl_serpath &folder = (&folders->dls_serpath[0])[i];
    if (folder.dls_flags & LA_SER_DEFAULT) break;
    int n = snprintf(out, sizeof out, "%s/glibc-hwcaps", folder.dls_name);
    if (n < 0 || static_cast<size_t>(n) >= sizeof out || access(out, F_OK) == 0) return false;
    n = snprintf(out, sizeof out, "%s/%s", folder.dls_name, name);
    if (n > 0 && static_cast<size_t>(n) < sizeof out && access(out, R_OK) == 0) return true;
  }
  return false;
}

} // namespace
} // namespace warpgrind

using warpgrind::realDlopen;

extern "C" {

// dlopen of the shared library (internal/clang/home.go), which is loaded before the C
// library. A name without a folder is looked for where the caller's own file says; where
// that is not found here, the call has to come from there.
void *__warpgrindOpen(const char *file, int mode) {
  char found[PATH_MAX];
  if (file && !strchr(file, '/') && !(mode & RTLD_NOLOAD)) {
    if (void *loaded = realDlopen()(file, mode | RTLD_NOLOAD)) return loaded;
    if (warpgrind::findFor(__builtin_return_address(0), file, found)) return warpgrind::openNew(found, mode);
  }
  if (!file || !strchr(file, '/')) __attribute__((musttail)) return realDlopen()(file, mode);
  // A package's own copy of a library that ours stands for, opened by its path.
  const char *name = __warpgrindFileName(file);
  if (__warpgrindIsOurs(name))
    if (void *ours = realDlopen()(name, mode | RTLD_NOLOAD)) return ours;
  return warpgrind::openNew(file, mode);
}

// What is in the process when this library starts, and the program itself, whose
// constructors run later.
void __warpgrindServeStatic(void) { warpgrind::serveNew(); }

} // extern "C"
