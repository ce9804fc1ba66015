/* OpenMP's functions where the compiler has no OpenMP runtime: one thread.
 * With one, this is the runtime's own header. */
#if defined(_OPENMP)
#include_next <omp.h>
#else
#ifndef __WARPGRIND_OMP_H__
#define __WARPGRIND_OMP_H__

#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int omp_lock_t;
typedef int omp_nest_lock_t;

#define __WG_OMP static __inline__ __attribute__((unused))

__WG_OMP int omp_get_thread_num(void) { return 0; }
__WG_OMP int omp_get_num_threads(void) { return 1; }
__WG_OMP int omp_get_max_threads(void) { return 1; }
__WG_OMP int omp_get_num_procs(void) { return 1; }
__WG_OMP int omp_in_parallel(void) { return 0; }
__WG_OMP int omp_get_dynamic(void) { return 0; }
__WG_OMP int omp_get_nested(void) { return 0; }
__WG_OMP void omp_set_num_threads(int n) { (void)n; }
__WG_OMP void omp_set_dynamic(int n) { (void)n; }
__WG_OMP void omp_set_nested(int n) { (void)n; }
__WG_OMP void omp_init_lock(omp_lock_t *l) { *l = 0; }
__WG_OMP void omp_destroy_lock(omp_lock_t *l) { *l = 0; }
__WG_OMP void omp_set_lock(omp_lock_t *l) { *l = 1; }
__WG_OMP void omp_unset_lock(omp_lock_t *l) { *l = 0; }
__WG_OMP int omp_test_lock(omp_lock_t *l) { return *l ? 0 : (*l = 1); }
__WG_OMP double omp_get_wtime(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
__WG_OMP double omp_get_wtick(void) { return 1e-9; }

#undef __WG_OMP

#ifdef __cplusplus
}
#endif

#endif
#endif
