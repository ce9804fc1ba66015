#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "filters.h"

int main() {
  const int width = 70, height = 38;
  std::vector<float> in(width * height), want(in.size() / 4);
  for (int i = 0; i < width * height; i++) in[i] = static_cast<float>(i * 37 % 101);
  for (int y = 0; y < height / 2; y++)
    for (int x = 0; x < width / 2; x++) {
      const float *p = &in[2 * y * width + 2 * x];
      want[y * (width / 2) + x] = (p[0] + p[1] + p[width] + p[width + 1]) / 4;
    }
  int bad = 0;
  for (auto halve : {halveByReference, halveByObject}) {
    std::vector<float> got(want.size(), -1);
    Image source = {width, height, in.data()}, result = {width / 2, height / 2, got.data()};
    if (int code = halve(source, result)) {
      printf("resample: FAIL: %s\n", cudaGetErrorString(static_cast<cudaError_t>(code)));
      return 1;
    }
    // Linear filtering has 8 bits for the weights.
    for (size_t i = 0; i < want.size(); i++) bad += !(std::fabs(got[i] - want[i]) <= 0.5f);
  }
  printf("resample: %s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
