#ifndef __BUILTIN_TYPES_H__
#define __BUILTIN_TYPES_H__
#include "driver_types.h"
#include "host_defines.h"
#include "vector_types.h"
#endif
