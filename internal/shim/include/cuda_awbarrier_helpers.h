/* Part of cuda_awbarrier.h. */
#include "cuda_awbarrier_primitives.h"
