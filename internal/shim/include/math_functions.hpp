#ifndef __WG_MATH_FUNCTIONS_HPP__
#define __WG_MATH_FUNCTIONS_HPP__
/* cuda_runtime.h has all of it. */
#include "cuda_runtime.h"
#endif
