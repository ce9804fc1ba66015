/* The macros that nvcc predefines ("CUDA Compiler Driver NVCC", "NVCC
 * Identification Macros"). */
#ifndef __WARPGRIND_COMPILER_H__
#define __WARPGRIND_COMPILER_H__

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __NVCC__ 1
#ifdef __WG_CUDA_MAJOR__
#define __CUDACC_VER_MAJOR__ __WG_CUDA_MAJOR__
#define __CUDACC_VER_MINOR__ __WG_CUDA_MINOR__
#else
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#endif
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __WARPGRIND__ 1

/* nvcc's type traits for lambdas with __device__. They are for libraries that
 * cannot deduce such a lambda's type on the host, which clang can. */
#define __nv_is_extended_device_lambda_closure_type(__wg_T) false
#define __nv_is_extended_host_device_lambda_closure_type(__wg_T) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(__wg_T) false

/* <assert.h> is wanted without the user's asking, but a second inclusion
 * after a change of NDEBUG must still work: it has no guard. */

#endif
