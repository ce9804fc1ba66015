#ifndef __WG_CRT_MMA_H__
#define __WG_CRT_MMA_H__
/* mma.h has all of it. */
#include "../mma.h"
#endif
