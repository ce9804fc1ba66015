#include "forces.h"

__device__ unsigned long long pairs;

// One step; a block takes the bodies in tiles through shared memory.
__global__ void step(const float4 *from, float4 *to, float4 *speed, int n, float dt) {
  extern __shared__ float4 tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 p = i < n ? from[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (int base = 0; base < n; base += blockDim.x) {
    int j = base + threadIdx.x;
    tile[threadIdx.x] = j < n ? from[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < blockDim.x; k++) {
      float3 f = pull(p, tile[k]);
      sum = make_float3(sum.x + f.x, sum.y + f.y, sum.z + f.z);
    }
    __syncthreads();
  }
  if (i >= n) return;
  atomicAdd(&pairs, (unsigned long long)n);
  float4 v = speed[i];
  v = make_float4(v.x + sum.x * dt, v.y + sum.y * dt, v.z + sum.z * dt, 0);
  speed[i] = v;
  to[i] = make_float4(p.x + v.x * dt, p.y + v.y * dt, p.z + v.z * dt, p.w);
}
