#include <cstdio>
#include <cstdlib>

#include "check.h"
#include "image.h"

int main(int argc, char **argv) {
  int width = argc > 1 ? atoi(argv[1]) : 50, height = argc > 2 ? atoi(argv[2]) : 37;
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  Image in = gradient(width, height, 7);
  Image out = blur(in, 2);
  bool ok = out.pixels == blurOnHost(in, 2).pixels && histogram(out) == histogramOnHost(out);
  printf("imagetool %dx%d on %d device: %s\n", width, height, devices, ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
