#ifndef __WG_CRT_DEVICE_FUNCTIONS_H__
#define __WG_CRT_DEVICE_FUNCTIONS_H__
/* cuda_runtime.h has all of it. */
#include "../cuda_runtime.h"
#endif
