#ifndef __DEVICE_FUNCTIONS_H_INCLUDED__
#define __DEVICE_FUNCTIONS_H_INCLUDED__
/* cuda_runtime.h has all of it. */
#include "cuda_runtime.h"
#include <string.h>
#endif
