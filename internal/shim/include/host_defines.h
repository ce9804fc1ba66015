/* Function and variable qualifiers of CUDA C++ ("CUDA C++ Programming Guide",
 * "C++ Language Extensions"), as clang spells them. Outside of CUDA
 * compilation they are empty, so that a .cpp or .c may include the headers. */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#if defined(__CUDA__) && defined(__clang__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* clang knows no managed variables in CUDA: the host's copies are gathered in
 * a section, and the runtime keeps them equal to the device's. */
#if defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device))
#else
#define __managed__ __attribute__((device, section("wg_managed")))
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __device_builtin__
#define __device_builtin_texture_type__ __attribute__((device_builtin_texture_type))
#define __device_builtin_surface_type__ __attribute__((device_builtin_surface_type))
#define __cudart_builtin__
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#endif

#if defined(__CUDA__) && defined(__clang__)
#define __grid_constant__ __attribute__((annotate("warpgrind.grid_constant")))
#define __cluster_dims__(...) __attribute__((annotate("warpgrind.cluster", __VA_ARGS__)))
#else
#define __grid_constant__
#define __cluster_dims__(...)
#endif
#define __block_size__(...)
#define __maxnreg__(...)
#define __nv_pure__
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDACB
#define __builtin_align__(n) __align__(n)

#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#if defined(__CUDA__) && defined(__clang__) && __cplusplus >= 201103L
/* alignas(a type or a number), where only an attribute may stand. */
template <class __wg_T> constexpr decltype(sizeof 0) __wg_alignment() { return alignof(__wg_T); }
template <decltype(sizeof 0) n> constexpr decltype(sizeof 0) __wg_alignment() { return n; }
#define __wg_al(...) __attribute__((aligned(__wg_alignment<__VA_ARGS__>())))
#endif
#define __thread__ __thread
#define __import__
#define __export__
#define __cdecl
#define __annotate__(a) __attribute__((a))
#define __location__(a) __annotate__(a)
#define __specialization_static
#define __no_return__ __attribute__((noreturn))

/* Whether this pass is for an architecture with its own or its family's
 * instructions, which the compiler says by __CUDA_ARCH_SPECIFIC__ and
 * __CUDA_ARCH_FAMILY_SPECIFIC__ ("CUDA C++ Programming Guide", "Feature Sets"):
 * a family has one tens digit, but for 101, which is one of its own. */
#define __CUDA_ARCH_HAS_FEATURE__(feature) __CUDA_ARCH_FEAT_##feature
#if defined(__CUDA_ARCH_SPECIFIC__)
#define __CUDA_HAS_ARCH_SPECIFIC(n) (__CUDA_ARCH_SPECIFIC__ == n##0)
#else
#define __CUDA_HAS_ARCH_SPECIFIC(n) 0
#endif
#if !defined(__CUDA_ARCH_FAMILY_SPECIFIC__)
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(n) 0
#elif __CUDA_ARCH_FAMILY_SPECIFIC__ == 1010
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(n) (n == 101)
#else
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(n) \
    (n != 101 && __CUDA_ARCH_FAMILY_SPECIFIC__ >= n##0 && __CUDA_ARCH_FAMILY_SPECIFIC__ < n##0 + 100)
#endif

#endif
