// Vectors on the device.
#pragma once
#include <cuda_runtime.h>

// Host functions; pointers are the device's.
float dot(const float *a, const float *b, int n);
void axpy(float s, const float *x, float *y, int n);

// The sum of v over a warp, in lane 0. Device code only; no host function
// stands in its file.
__device__ float warpSum(float v);
