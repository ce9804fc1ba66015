// The last block to finish sums what the others left, by fences and a counter.
#include <cstdio>
#include <vector>
__device__ unsigned int retirementCount = 0;
template <unsigned B> __device__ void reduceBlock(volatile float *sdata, float mySum, const unsigned tid) {
  sdata[tid] = mySum;
  __syncthreads();
  for (unsigned s = B / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] = mySum = mySum + sdata[tid + s];
    __syncthreads();
  }
}
template <unsigned B> __global__ void reduceSinglePass(const float *g_idata, float *g_odata, unsigned n) {
  __shared__ float smem[B];
  unsigned i = blockIdx.x * (B * 2) + threadIdx.x, gridSize = B * 2 * gridDim.x;
  float sum = 0;
  while (i < n) {
    sum += g_idata[i];
    if (i + B < n) sum += g_idata[i + B];
    i += gridSize;
  }
  reduceBlock<B>(smem, sum, threadIdx.x);
  if (threadIdx.x == 0) g_odata[blockIdx.x] = smem[0];
  if (gridDim.x > 1) {
    const unsigned tid = threadIdx.x;
    __shared__ bool amLast;
    __threadfence();
    if (tid == 0) {
      unsigned ticket = atomicInc(&retirementCount, gridDim.x);
      amLast = (ticket == gridDim.x - 1);
    }
    __syncthreads();
    if (amLast) {
      int i = tid;
      float mySum = 0;
      while (i < gridDim.x) {
        mySum += ((volatile float *)g_odata)[i];
        i += B;
      }
      reduceBlock<B>(smem, mySum, tid);
      if (tid == 0) {
        g_odata[0] = smem[0];
        retirementCount = 0;
      }
    }
  }
}
int main() {
  const int n = 1 << 16;
  std::vector<float> h(n, 1.0f);
  float *d, *o, r;
  cudaMalloc(&d, n * 4);
  cudaMalloc(&o, 64 * 4);
  cudaMemcpy(d, h.data(), n * 4, cudaMemcpyHostToDevice);
  int bad = 0;
  for (int k = 0; k < 2; k++) {
    reduceSinglePass<128><<<64, 128>>>(d, o, n);
    cudaMemcpy(&r, o, 4, cudaMemcpyDeviceToHost);
    bad += r != n;
  }
  cudaFree(d);
  cudaFree(o);
  printf(bad ? "FAIL %g\n" : "PASS\n", r);
}
