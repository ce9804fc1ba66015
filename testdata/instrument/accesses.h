#pragma once
__device__ inline void twice(int *p) {
  *p *= 2; // want: u(*p) *= 2;
}
