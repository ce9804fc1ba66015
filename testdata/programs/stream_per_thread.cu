// flags: -D CUDA_API_PER_THREAD_DEFAULT_STREAM=1
// Each host thread has a default stream of its own.
#include <cstdio>
#include <thread>

__global__ void add(int *p, int n) { p[threadIdx.x] += n; }

static int one(int n) {
  int *p, h[64];
  unsigned long long zero, own;
  cudaStreamGetId(0, &zero);
  cudaStreamGetId(cudaStreamPerThread, &own);
  cudaMalloc(&p, sizeof h);
  cudaMemsetAsync(p, 0, sizeof h, cudaStreamPerThread);
  add<<<1, 64>>>(p, n);
  add<<<1, 64, 0, cudaStreamPerThread>>>(p, 1);
  cudaMemcpyAsync(h, p, sizeof h, cudaMemcpyDeviceToHost);
  cudaStreamSynchronize(0);
  cudaFree(p);
  int bad = zero != own;
  for (int v : h) bad += v != n + 1;
  return bad;
}

int main() {
  int bad[2];
  std::thread a([&] { bad[0] = one(3); }), b([&] { bad[1] = one(4); });
  a.join();
  b.join();
  printf("streams: %s\n", bad[0] + bad[1] ? "FAIL" : "PASS");
}
