#ifndef __WG_CURAND_MRG32K3A_H__
#define __WG_CURAND_MRG32K3A_H__
/* curand_kernel.h has all of it. */
#include "curand_kernel.h"
#endif
