#ifndef __DEVICE_LAUNCH_PARAMETERS_H_INCLUDED__
#define __DEVICE_LAUNCH_PARAMETERS_H_INCLUDED__
/* cuda_runtime.h has all of it. */
#include "cuda_runtime.h"
#endif
