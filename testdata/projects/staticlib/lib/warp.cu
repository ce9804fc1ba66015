#include "vec.h"

__device__ float warpSum(float v) {
  for (int step = 16; step > 0; step /= 2) v += __shfl_down_sync(0xffffffffu, v, step);
  return v;
}
