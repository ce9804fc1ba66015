#ifndef __WG_CUDA_STDINT_H__
#define __WG_CUDA_STDINT_H__
/* cuda_runtime.h has all of it. */
#include "cuda_runtime.h"
#endif
