#include "program.h"

__device__ Stats stats;

__device__ void countToken(Kind kind) {
  atomicAdd(&stats.tokens, 1u);
  if (kind == kBad) atomicAdd(&stats.errors, 1u);
}

Stats readStats() {
  Stats s = {};
  cudaMemcpyFromSymbol(&s, stats, sizeof s);
  return s;
}
