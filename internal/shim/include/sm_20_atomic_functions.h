#ifndef __SM_20_ATOMIC_FUNCTIONS_H_INCLUDED__
#define __SM_20_ATOMIC_FUNCTIONS_H_INCLUDED__
/* cuda_runtime.h has all of it. */
#include "cuda_runtime.h"
#endif
