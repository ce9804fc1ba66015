/* Random numbers on the device ("cuRAND Library Programming Guide", "Device
 * API Overview"): XORWOW, Philox 4x32-10 and MRG32k3a, with the documented
 * subsequences and offsets, Sobol sequences, and their distributions. */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"
#include "curand.h"
#include "warpgrind/curand_states.h"

#if defined(__CUDA__) && defined(__clang__)

#define QUALIFIERS static __forceinline__ __device__
#define CURAND_2POW32_INV (2.3283064e-10f)
#define CURAND_2POW32_INV_DOUBLE (2.3283064365386963e-10)
#define CURAND_2POW53_INV_DOUBLE (1.1102230246251565e-16)
#define CURAND_PI_DOUBLE (3.1415926535897932)

#define __WG_R static __device__ __forceinline__ __attribute__((unused))

#include "warpgrind/curand_xorwow.h"
#include "warpgrind/curand_philox.h"
#include "warpgrind/curand_mrg.h"
#include "warpgrind/curand_distributions.h"
#include "warpgrind/curand_sobol.h"

#undef __WG_R
#endif
#endif
