// Code that does not run: of a kernel that is launched, of one that is not, and of a function that is never called.
#include <cuda_runtime.h>

__device__ int helper(int x) { //= 0
  /* nothing is executed
     here */
  return x > 3 ? 1 : 2; //= 0 0/0
}

static __device__ void alone(int *out) { //= 0
  // a comment

  *out = 3; //= 0
}

__global__ void launched(int *out, int n) { //= 40
  int i = threadIdx.x;                      //= 40
  if (i >= n)                               //= 40 8/32
    return;                                 //= 8
  if (n > 1000) {                           //= 32 0/32
    out[i] = helper(i);                     //= 0
    __syncthreads();                        //= 0
  } else if (n > 500) {                     //= 32 0/32
    out[i] = 5;                             //= 0
  }
#if 0
  out[i] = 7;
#endif
  out[i]++; //= 32
}

__global__ void waiting(int *out) { //= 0
  if (threadIdx.x == 0)             //= 0 0/0
    out[0] = 1;                     //= 0
}

int main(int argc, char **) {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(out, 0, 64 * sizeof(int));
  launched<<<1, 40>>>(out, 32);
  if (argc > 1)
    waiting<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
