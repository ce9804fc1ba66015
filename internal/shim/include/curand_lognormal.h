#ifndef __WG_CURAND_LOGNORMAL_H__
#define __WG_CURAND_LOGNORMAL_H__
/* curand_kernel.h has all of it. */
#include "curand_kernel.h"
#endif
