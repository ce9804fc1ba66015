// A kernel faults: argument 1 names it, argument 2 the sticky code.
#include "fake.h"

int main(int, char **argv) {
  struct {
    const char *name;
    void (*kernel)();
  } kernels[] = {{"oob", oob},   {"misaligned", misaligned}, {"assertion", assertion}, {"trap", trap},
                 {"hang", hang}, {"boom", boom},             {"lacking", lacking}};
  int code = atoi(argv[2]);
  int *d, h = 0;
  CHECK(0, cudaMalloc((void **)&d, 4));
  for (auto &k : kernels)
    if (!strcmp(k.name, argv[1])) CHECK(0, launch(k.kernel, 1, 1, 0, 0));
  CHECK(0, cudaGetLastError()); // the launch was asynchronous
  CHECK(code, cudaDeviceSynchronize());
  CHECK(code, cudaGetLastError());
  CHECK(code, cudaGetLastError()); // sticky
  CHECK(code, cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost));
  CHECK(code, launch(count, 1, 1, 0, 0));
  CHECK(code, cudaFree(d));
  CHECK(code, cudaDeviceReset());
  return finish();
}
