#include <cstdio>
#include <cstring>

#include "program.h"

static const int kStride = 32;
static const char formulas[][kStride] = {"1 2 +", "3 4 * 5 -", "2 3 4 + *", "10 x", "7", "1 +", "9 9 * 9 *", "100 1 - 3 *"};
static const int want[] = {3, 7, 14, -1, 7, -1, 729, 297};

int main() {
  const int count = sizeof formulas / kStride;
  char *texts;
  int *results, got[count];
  cudaMalloc(&texts, sizeof formulas);
  cudaMalloc(&results, sizeof got);
  cudaMemcpy(texts, formulas, sizeof formulas, cudaMemcpyHostToDevice);
  evaluateAll<<<2, 4>>>(texts, kStride, count, results);
  cudaError_t error = cudaMemcpy(got, results, sizeof got, cudaMemcpyDeviceToHost);
  cudaFree(texts);
  cudaFree(results);
  Stats s = readStats();
  bool ok = error == cudaSuccess && memcmp(got, want, sizeof got) == 0 && s.errors == 1;
  printf("stackmachine: %d formulas, %u tokens, %u bad: %s\n", count, s.tokens, s.errors, ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
