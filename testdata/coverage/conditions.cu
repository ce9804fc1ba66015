// Conditions: each operand of && and || has its outcomes, and so has each ?:. 2 blocks of 64 threads.
#include <cuda_runtime.h>

__global__ void conditions(int *out, const int *in, int n) { //= 128
  int i = blockIdx.x * blockDim.x + threadIdx.x;             //= 128
  if (i < n && in[i] > 4)                                    //= 128 100/28(1) 95/5(1)
    out[i] = 1;                                              //= 95
  if (i < 32 || in[i] == 40 || n < 0)                        //= 128 32/96 1/95(1) 0/95
    out[i] = 2;                                              //= 33
  int smaller = i < 16 ? i : 16;                             //= 128 16/112(1)
  bool both = !(smaller > 3) && n;                           //= 128 4/124(1) 4/0
  // The compiler knows the value of both where it has just been computed, so that no warp diverges by it.
  out[i] += both ? in[i] > 2 ? 1 : 2 : 3;                    //= 128 4/124 1/3(1)
  if (threadIdx.x % 2 == 0) {                                //= 128 64/64(4)
    out[i]++;                                                //= 64
  } else {                                                   //= 64
    out[i]--;                                                //= 64
  }
}

int main() {
  int host[128], *in, *out;
  for (int i = 0; i < 128; i++)
    host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemset(out, 0, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  conditions<<<2, 64>>>(out, in, 100);
  return cudaDeviceSynchronize();
}
