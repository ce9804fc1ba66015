// Loops: a condition is evaluated once more than the body. 32 threads, thread i does i rounds of the first loop.
#include <cuda_runtime.h>

__global__ void loops(int *out) {       //= 32
  int i = threadIdx.x, sum = 0;         //= 32
  for (int k = 0; k < i; k++) {         //= 473 451/22(22)
    if (k == 5)                         //= 451 26/425
      continue;                         //= 26
    if (k > 20)                         //= 425 10/415
      break;                            //= 10
    sum += k;                           //= 415
  }
  while (sum > 100)                     //= 59 27/32(2)
    sum -= 100;                         //= 27
  do                                    //= 32
    sum++;                              //= 34
  while (sum < 2);                      //= 34 2/32(1)
  while (true) {                        //= 32
    if (sum >= 0)                       //= 32 32/0
      break;                            //= 32
    sum++;                              //= 0
  }
#pragma unroll
  for (int k = 0; k < 4; k++)           //= 160 128/32
    out[i] = sum;                       //= 128
}

int main() {
  int *out;
  cudaMalloc(&out, 32 * sizeof(int));
  loops<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
