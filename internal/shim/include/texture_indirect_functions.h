#ifndef __TEXTURE_INDIRECT_FUNCTIONS_H_INCLUDED__
#define __TEXTURE_INDIRECT_FUNCTIONS_H_INCLUDED__
/* cuda_runtime.h has all of it. */
#include "cuda_runtime.h"
#endif
