/* The CUDA C++ language environment and the C++ side of the runtime API.
 *
 * In CUDA compilation this file is included before anything else, as nvcc
 * does. It takes the device side from clang's own CUDA headers and supplies
 * what those expect of a CUDA toolkit. In plain C or C++ it declares types
 * and the runtime API only. */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#if defined(__CUDA__) && defined(__clang__) && !defined(__WG_PLAIN_HOST__)

#include "warpgrind/compiler.h"

#include <cstddef> /* what it declares, such as std::terminate, is the host's */

/* Before all else, so that memcpy and its kin are the compiler's own on both
 * sides: calls of them become copies of known size and alignment. */
#pragma clang force_cuda_host_device begin
#include <string.h>
/* Pairs, swap and move, which are not constexpr in each standard. */
#include <utility>
#pragma clang force_cuda_host_device end

#include <__clang_cuda_math_forward_declares.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of the host; that of device code is in warpgrind/device.h. CUDA's headers declare both, without <stdio.h>. */
extern "C" int printf(const char *, ...);

#include "cuda_version.h"
#include "host_defines.h"
#include "builtin_types.h"
#include "library_types.h"
#include "cuda_runtime_api.h"
#include "vector_functions.h"
#include "driver_functions.h"
/* The functions that read threadIdx and its like have no effects: an assumption about blockDim would be dropped else. */
#pragma push_macro("always_inline")
#undef always_inline
#define always_inline __always_inline__, __const__
#include <__clang_cuda_builtin_vars.h>
#pragma pop_macro("always_inline")

/* CUB names the function warp_redux_sm100af for each architecture that has redux for
 * floats, such as sm_100a, in a branch that is discarded, but declares it only where
 * libcu++ takes the compiler for one that knows PTX ISA 8.6 (__cccl_ptx_isa). For an
 * older one the name stands for another function that takes the same arguments. */
#ifdef __CUDA_ARCH__
#define __WG_REDUX_JOIN(isa) __wg_redux_##isa
#define __WG_REDUX_NAME(isa) __WG_REDUX_JOIN(isa)
#define warp_redux_sm100af __WG_REDUX_NAME(__cccl_ptx_isa)
#define __wg_redux_850ULL warp_redux_sm80
#define __wg_redux_840ULL warp_redux_sm80
#define __wg_redux_830ULL warp_redux_sm80
#define __wg_redux_820ULL warp_redux_sm80
#define __wg_redux_810ULL warp_redux_sm80
#define __wg_redux_800ULL warp_redux_sm80
#endif

#define __DEVICE_LAUNCH_PARAMETERS_H__
#include "warpgrind/device.h"
#include "warpgrind/hostmath.h"
#include "warpgrind/minmax.h"
#include "warpgrind/managed.h"
#include "warpgrind/api.h"
#include "warpgrind/texture.h"
#include "warpgrind/surface.h"
#ifdef __WG_NESTED__
#include "warpgrind/nested.h"
#endif

/* Allocation in device code, which nvcc has without <new> as well. */
#include <new>

/* The C++ library's form of it, which brings the overloads of std into the
 * global namespace: pow(float, float), isnan. */
#include <math.h>

#else

#include "cuda_version.h"
#include "host_defines.h"
#include "builtin_types.h"
#include "library_types.h"
#include "cuda_runtime_api.h"
#include "vector_functions.h"
#include "driver_functions.h"
#ifdef __cplusplus
#include <utility>
#include "warpgrind/api.h"
#endif

#endif
#endif
