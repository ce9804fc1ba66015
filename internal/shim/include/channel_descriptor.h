#ifndef __CHANNEL_DESCRIPTOR_H_INCLUDED__
#define __CHANNEL_DESCRIPTOR_H_INCLUDED__
/* cuda_runtime.h has all of it. */
#include "cuda_runtime.h"
#endif
