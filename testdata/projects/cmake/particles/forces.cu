#include "forces.h"

__constant__ float softening = 0.01f;

__device__ float3 pull(float4 p, float4 q) {
  float3 d = make_float3(q.x - p.x, q.y - p.y, q.z - p.z);
  float r2 = d.x * d.x + d.y * d.y + d.z * d.z + softening;
  float s = q.w / (r2 * sqrtf(r2));
  return make_float3(d.x * s, d.y * s, d.z * s);
}
