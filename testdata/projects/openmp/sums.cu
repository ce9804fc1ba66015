// Each host thread gives the device a part of the work on a stream of its own.
#include <cstdio>
#include <omp.h>
#include <vector>

#include "sums.h"

template <class F> __global__ void reduce(unsigned first, unsigned count, F term, unsigned *result) {
  __shared__ unsigned part[128];
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) sum += term(first + i);
  part[threadIdx.x] = sum;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *result = part[0];
}

static unsigned sumOnDevice(unsigned n, int parts) {
  std::vector<unsigned> sums(parts);
  bool failed = false;
#pragma omp parallel for
  for (int p = 0; p < parts; p++) {
    unsigned first = n / parts * p, count = p + 1 == parts ? n - first : n / parts;
    cudaStream_t stream;
    unsigned *result;
    bool ok = cudaStreamCreate(&stream) == cudaSuccess && cudaMalloc(&result, sizeof *result) == cudaSuccess;
    if (ok) {
      reduce<<<1, 128, 0, stream>>>(first, count, [] __device__(unsigned i) { return i * i; }, result);
      ok = cudaMemcpyAsync(&sums[p], result, sizeof *result, cudaMemcpyDeviceToHost, stream) == cudaSuccess &&
           cudaStreamSynchronize(stream) == cudaSuccess;
      cudaFree(result);
      cudaStreamDestroy(stream);
    }
    if (!ok) {
#pragma omp critical
      failed = true;
    }
  }
  unsigned sum = 0;
  for (unsigned s : sums) sum += s;
  return failed ? ~sum : sum;
}

int main() {
  const unsigned n = 5000;
  unsigned want = sumOnHost(n), got = sumOnDevice(n, 4);
  printf("sums: %u of %u terms, %s: %s\n", got, n, threadsUsed() > 0 ? "host threads" : "no threads", got == want ? "PASS" : "FAIL");
  return got != want;
}
