#ifndef __CUDA_SURFACE_TYPES_H_INCLUDED__
#define __CUDA_SURFACE_TYPES_H_INCLUDED__
/* cuda_runtime.h has all of it. */
#include "cuda_runtime.h"
#endif
