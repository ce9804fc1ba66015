/* The CUDA version that these headers stand for. */
#ifndef __WG_CUDA_VERSION_H__
#define __WG_CUDA_VERSION_H__
#ifndef CUDA_VERSION
#define CUDA_VERSION 12030
#endif
#ifndef CUDART_VERSION
#define CUDART_VERSION CUDA_VERSION
#endif
#endif
