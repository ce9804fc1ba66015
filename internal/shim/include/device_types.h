#ifndef __WG_DEVICE_TYPES_H__
#define __WG_DEVICE_TYPES_H__
/* cuda_runtime.h has all of it. */
#include "cuda_runtime.h"
#endif
