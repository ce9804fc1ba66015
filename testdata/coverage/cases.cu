// Cases of a switch: each has its outcomes, and is not counted for threads that fall into it. 96 threads in 3 blocks of 32.
#include <cuda_runtime.h>

__device__ int value(int k) { //= 96
  switch (k) {                //= 96
  case 0:                     //= 10 10/86(3)
    return 7;                 //= 10
  case 1:                     //= 10 10/86(3)
  case 2:                     //= 20 10/86(3)
    k += 10;                  //= 20
  case 3:                     //= 30 10/86(3)
    k *= 2;                   //= 30
    break;                    //= 30
  case 9:                     //= 9 9/87(3)
    if (k == 9)               //= 9 9/0
      break;                  //= 9
    return 3;                 //= 0
  case 77:                    //= 0 0/96
    k = 0;                    //= 0
  default:                    //= 47 47/49(3)
    k--;                      //= 47
  }
  return k;                   //= 86
}

__global__ void cases(int *out) {                //= 96
  int i = blockIdx.x * blockDim.x + threadIdx.x; //= 96
  out[i] = value(i % 10);                        //= 96
}

int main() {
  int *out;
  cudaMalloc(&out, 96 * sizeof(int));
  cases<<<3, 32>>>(out);
  return cudaDeviceSynchronize();
}
