/* cuProfilerStart and cuProfilerStop ("CUDA Driver API", "Profiler Control"). */
#ifndef __CUDA_PROFILER_H__
#define __CUDA_PROFILER_H__

#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif
/* Formats of the profiler that CUDA 11 ended. */
typedef enum CUoutput_mode_enum { CU_OUT_KEY_VALUE_PAIR = 0, CU_OUT_CSV = 1 } CUoutput_mode;
CUresult cuProfilerInitialize(const char *configFile, const char *outputFile, CUoutput_mode outputMode);
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);
#ifdef __cplusplus
}
#endif

#endif
