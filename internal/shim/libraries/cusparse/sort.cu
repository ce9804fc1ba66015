// Sorting of coordinates and of the columns of rows.
#include "types.h"

using namespace sparse;

__device__ inline long long firstIndex() { return blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; }
__device__ inline long long indexStep() { return gridDim.x * static_cast<long long>(blockDim.x); }

__device__ inline void exchange(int &a, int &b) {
  const int t = a;
  a = b, b = t;
}

// A step of a bitonic sort, in which all comparisons are in one direction: what is missing at the end counts as the largest.
extern "C" __global__ void compare(const Sort p) {
  for (long long t = firstIndex(); t < (p.count + 1) / 2 + p.half; t += indexStep()) {
    const long long run = t / p.half * 2 * p.half, within = t % p.half;
    const long long i = run + within, j = p.flip ? run + 2 * p.half - 1 - within : i + p.half;
    if (j >= p.count) continue;
    const int major = p.major[i] - p.major[j], minor = p.minor[i] - p.minor[j];
    if (major < 0 || (major == 0 && (minor < 0 || (minor == 0 && (!p.order || p.order[i] <= p.order[j]))))) continue;
    exchange(p.major[i], p.major[j]);
    exchange(p.minor[i], p.minor[j]);
    if (p.order) exchange(p.order[i], p.order[j]);
  }
}

extern "C" __global__ void sortColumns(const SortRows p) {
  for (long long i = firstIndex(); i < p.rows; i += indexStep()) {
    const int first = p.offsets[i] - p.base, end = p.offsets[i + 1] - p.base;
    for (int k = first + 1; k < end; k++) {
      const int col = p.col[k], order = p.order ? p.order[k] : 0;
      int at = k;
      for (; at > first && p.col[at - 1] > col; at--) {
        p.col[at] = p.col[at - 1];
        if (p.order) p.order[at] = p.order[at - 1];
      }
      p.col[at] = col;
      if (p.order) p.order[at] = order;
    }
  }
}

extern "C" __global__ void identity(const Sort p) {
  for (long long i = firstIndex(); i < p.count; i += indexStep()) p.order[i] = static_cast<int>(i);
}
