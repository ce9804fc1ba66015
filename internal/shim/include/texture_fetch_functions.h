#ifndef __TEXTURE_FETCH_FUNCTIONS_H_INCLUDED__
#define __TEXTURE_FETCH_FUNCTIONS_H_INCLUDED__
/* cuda_runtime.h has all of it. */
#include "cuda_runtime.h"
#endif
