// Calls of one thread while another one compiles with NVRTC, or launches a kernel that is
// lowered first. Argument 2 is a FIFO from which a byte comes when that is under way; it ends
// only after these calls.
#include "fake.h"
#include "nvrtc.h"
#include <fcntl.h>
#include <thread>
#include <unistd.h>

static void compile() {
  nvrtcProgram p;
  CHECK(0, nvrtcCreateProgram(&p, "__global__ void k() {}", "k.cu", 0, nullptr, nullptr));
  CHECK(0, nvrtcCompileProgram(p, 0, nullptr));
  CHECK(0, nvrtcDestroyProgram(&p));
}

static void lower() { CHECK(0, launch(prepared, 1, 1, 0, 0)); }

int main(int, char **argv) {
  void *p;
  cudaStream_t s;
  cudaEvent_t e;
  CHECK(0, cudaMalloc(&p, 4));
  CHECK(0, cudaStreamCreate(&s));
  CHECK(0, cudaEventCreate(&e));
  std::thread other(!strcmp(argv[1], "compile") ? compile : lower);
  int fd = open(argv[2], O_RDONLY);
  char byte;
  CHECK(1, read(fd, &byte, 1));
  size_t left, all;
  void *q, *last;
  CHECK(0, cudaMalloc(&q, 8));
  CHECK(0, cudaMemGetInfo(&left, &all));
  CHECK(0, cudaEventRecord(e, s));
  CHECK(0, cudaStreamQuery(s));
  CHECK(0, cudaEventQuery(e));
  std::thread([] { int device; CHECK(0, cudaGetDevice(&device)); CHECK(0, cudaStreamQuery(0)); }).join();
  CHECK(0, cudaMalloc(&last, 12345)); // the other one may continue
  other.join();
  for (void *x : {p, q, last}) CHECK(0, cudaFree(x));
  CHECK(0, cudaDeviceSynchronize());
  return finish();
}
