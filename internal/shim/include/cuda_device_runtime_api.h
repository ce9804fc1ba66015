/* The device side of the runtime API comes with cuda_runtime.h. */
#include "cuda_runtime.h"
