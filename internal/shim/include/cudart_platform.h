/* The CUDA runtime's platform macros: those of Linux on 64 bits. */
#ifndef __CUDART_PLATFORM_H__
#define __CUDART_PLATFORM_H__
#endif
