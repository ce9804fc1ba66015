/* Tells the runtime where the host's copies of managed variables lie, and the
 * relocatable modules; each image (the program, a shared library) has its own. */
#ifndef __WARPGRIND_MANAGED_H__
#define __WARPGRIND_MANAGED_H__
#if !defined(__CUDA_ARCH__)

extern "C" {
extern char __start_wg_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_wg_managed[] __attribute__((weak, visibility("hidden")));
extern char __start___nv_relfatbin[] __attribute__((weak, visibility("hidden")));
extern char __stop___nv_relfatbin[] __attribute__((weak, visibility("hidden")));
void __warpgrindManaged(const char *, const char *);
void __warpgrindLinked(const char *, const char *);
}

namespace warpgrind_managed {
/* Before the registration of variables. */
__attribute__((constructor(102), used)) static void tell() {
  if (__start_wg_managed == __stop_wg_managed) return;
  __warpgrindManaged(__start_wg_managed, __stop_wg_managed);
  if (__start___nv_relfatbin != __stop___nv_relfatbin) __warpgrindLinked(__start___nv_relfatbin, __stop___nv_relfatbin);
}
} // namespace warpgrind_managed

#endif
#endif
