/* Part of cuda_pipeline.h. */
#include "cuda_pipeline_primitives.h"
