#pragma once
#include <cuda_runtime.h>

// The acceleration that a body at q with mass q.w exerts on one at p.
__device__ float3 pull(float4 p, float4 q);

// Softens the pull at small distances.
extern __constant__ float softening;
