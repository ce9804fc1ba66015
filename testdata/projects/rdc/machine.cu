#include "program.h"

static __device__ const int kDepth = 8;

__device__ int evaluate(const char *text, bool *ok) {
  int stack[kDepth], depth = 0, pos = 0;
  *ok = false;
  for (;;) {
    Token t = nextToken(text, &pos);
    if (t.kind == kEnd) break;
    if (t.kind == kNumber) {
      if (depth == kDepth) return 0;
      stack[depth++] = t.value;
      continue;
    }
    if (t.kind == kBad || depth < 2) return 0;
    depth--;
    stack[depth - 1] = operations[t.kind](stack[depth - 1], stack[depth]);
  }
  *ok = depth == 1;
  return *ok ? stack[0] : 0;
}

__global__ void evaluateAll(const char *texts, int stride, int count, int *results) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  bool ok;
  int value = evaluate(texts + i * stride, &ok);
  results[i] = ok ? value : -1;
}
