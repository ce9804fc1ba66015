// Programs that open NVIDIA's libraries by name get this one, which they have
// already: a second one beside it would have a device of its own. The linker
// lets their calls come here (internal/clang/hostwatch.go).
#include <cstring>
#include <dlfcn.h>
#include <initializer_list>

extern "C" {

void *__real_dlopen(const char *file, int mode);

// Whether a file of this name is a library of NVIDIA's that this one stands for.
bool __warpgrindIsOurs(const char *name) {
  for (const char *own : {"libcuda.so", "libcudart.so", "libnvrtc.so", "libnvJitLink.so", "libnvidia-ml.so", "libcublas.so", "libcublasLt.so",
                          "libcufft.so", "libcusparse.so", "libcusolver.so", "libcurand.so"}) {
    size_t n = strlen(own);
    if (strncmp(name, own, n) == 0 && (name[n] == 0 || name[n] == '.')) return true;
  }
  return false;
}

// A file's name without its folder.
const char *__warpgrindFileName(const char *file) {
  const char *slash = strrchr(file, '/');
  return slash ? slash + 1 : file;
}

void *__wrap_dlopen(const char *file, int mode) {
  if (file && __warpgrindIsOurs(__warpgrindFileName(file))) {
    // The program may have functions of the same names: where this is a library, it is
    // looked into alone.
    Dl_info self;
    void *here = dladdr(reinterpret_cast<void *>(__warpgrindIsOurs), &self) ? __real_dlopen(self.dli_fname, mode | RTLD_NOLOAD) : nullptr;
    if (!here) here = __real_dlopen(nullptr, mode);
    if (here && dlsym(here, "cuInit")) return here;
  }
  return __real_dlopen(file, mode);
}

} // extern "C"
