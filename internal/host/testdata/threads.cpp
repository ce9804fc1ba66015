// Eight host threads use the device at once.
#include "fake.h"
#include <thread>
#include <vector>

static void work(int id) {
  cudaStream_t s;
  CHECK(0, cudaStreamCreate(&s));
  for (int round = 0; round < 50; round++) {
    std::vector<int> h(256, id * 1000 + round);
    int *d;
    CHECK(0, cudaMalloc((void **)&d, 1024));
    CHECK(0, cudaMemcpyAsync(d, h.data(), 1024, cudaMemcpyHostToDevice, s));
    CHECK(0, launch(add_one, 1, 256, 0, s, d, 256));
    CHECK(0, cudaMemcpyAsync(h.data(), d, 1024, cudaMemcpyDeviceToHost, s));
    CHECK(0, cudaStreamSynchronize(s));
    CHECK(id * 1000 + round + 1, h[255]);
    CHECK(0, cudaFree(d));
    if (id % 2) {
      CHECK(cudaErrorInvalidValue, cudaFree(h.data()));
      CHECK(cudaErrorInvalidValue, cudaGetLastError()); // errors belong to threads
    } else {
      CHECK(0, cudaGetLastError());
    }
  }
  CHECK(0, cudaStreamDestroy(s));
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; i++) threads.emplace_back(work, i);
  for (auto &t : threads) t.join();
  return finish();
}
