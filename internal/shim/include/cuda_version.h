/* The CUDA version that these headers stand for: the one that the compiler
 * driver was told to imitate, or 13.0. */
#ifndef __WG_CUDA_VERSION_H__
#define __WG_CUDA_VERSION_H__
#ifndef __WG_CUDA_VERSION__
#define __WG_CUDA_VERSION__ 13000
#endif
#ifndef CUDA_VERSION
#define CUDA_VERSION __WG_CUDA_VERSION__
#endif
#ifndef CUDART_VERSION
#define CUDART_VERSION CUDA_VERSION
#endif
#endif
