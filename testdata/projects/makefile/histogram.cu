// A histogram with one set of bins a block in shared memory.
#include "check.h"
#include "image.h"

static __global__ void count(const unsigned char *pixels, int n, unsigned *bins) {
  __shared__ unsigned mine[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[pixels[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (mine[i]) atomicAdd(&bins[i], mine[i]);
}

std::vector<unsigned> histogram(const Image &in) {
  std::vector<unsigned> out(256);
  unsigned char *pixels;
  unsigned *bins;
  int n = static_cast<int>(in.pixels.size());
  CHECK(cudaMalloc(&pixels, n));
  CHECK(cudaMalloc(&bins, 256 * sizeof *bins));
  CHECK(cudaMemset(bins, 0, 256 * sizeof *bins));
  CHECK(cudaMemcpy(pixels, in.pixels.data(), n, cudaMemcpyHostToDevice));
  count<<<4, 128>>>(pixels, n, bins);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(out.data(), bins, 256 * sizeof *bins, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(pixels));
  CHECK(cudaFree(bins));
  return out;
}
