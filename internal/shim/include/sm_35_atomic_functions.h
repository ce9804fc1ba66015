#ifndef __SM_35_ATOMIC_FUNCTIONS_H_INCLUDED__
#define __SM_35_ATOMIC_FUNCTIONS_H_INCLUDED__
/* cuda_runtime.h has all of it. */
#include "cuda_runtime.h"
#endif
