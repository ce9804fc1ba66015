/* cuProfilerStart and cuProfilerStop ("CUDA Driver API", "Profiler Control"). */
#ifndef __CUDA_PROFILER_H__
#define __CUDA_PROFILER_H__

#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);
#ifdef __cplusplus
}
#endif

#endif
