// Functions of the C library that access memory for their caller: the linker
// lets calls from the program's objects come here, and __real_ names lead to the
// library (ld, "--wrap"). internal/clang/hostwatch.go has the same names. They
// are weak: a program may be linked without the option, and does not come here.
#include "hostwatch.h"

#include <cstdio>
#include <unistd.h>

using namespace warpgrind;

extern "C" {

#define REAL __attribute__((weak))
REAL size_t __real_fread(void *, size_t, size_t, FILE *);
REAL size_t __real_fwrite(const void *, size_t, size_t, FILE *);
REAL ssize_t __real_read(int, void *, size_t);
REAL ssize_t __real_write(int, const void *, size_t);
REAL int __real_memcmp(const void *, const void *, size_t);
REAL int __real_bcmp(const void *, const void *, size_t);

size_t __wrap_fread(void *to, size_t size, size_t n, FILE *f) {
  size_t got = __real_fread(to, size, n, f);
  touchMany(to, got * size, kWrite);
  return got;
}

size_t __wrap_fwrite(const void *from, size_t size, size_t n, FILE *f) {
  touchMany(from, size * n, kRead);
  return __real_fwrite(from, size, n, f);
}

ssize_t __wrap_read(int fd, void *to, size_t n) {
  ssize_t got = __real_read(fd, to, n);
  if (got > 0) touchMany(to, static_cast<size_t>(got), kWrite);
  return got;
}

ssize_t __wrap_write(int fd, const void *from, size_t n) {
  touchMany(from, n, kRead);
  return __real_write(fd, from, n);
}

int __wrap_memcmp(const void *a, const void *b, size_t n) {
  touchMany(a, n, kRead);
  touchMany(b, n, kRead);
  return __real_memcmp(a, b, n);
}

int __wrap_bcmp(const void *a, const void *b, size_t n) {
  touchMany(a, n, kRead);
  touchMany(b, n, kRead);
  return __real_bcmp(a, b, n);
}

} // extern "C"
