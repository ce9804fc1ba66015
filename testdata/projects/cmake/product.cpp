// Host code only: a product of matrices by cuBLAS.
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_runtime.h>

int main() {
  const float a[] = {1, 2, 3, 4}, one = 1, zero = 0;
  float c[4] = {}, *d;
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS || cudaMalloc(&d, 2 * sizeof a) != cudaSuccess) return 1;
  cudaMemcpy(d, a, sizeof a, cudaMemcpyHostToDevice);
  if (cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, d, 2, d, 2, &zero, d + 4, 2) != CUBLAS_STATUS_SUCCESS) return 1;
  cudaMemcpy(c, d + 4, sizeof c, cudaMemcpyDeviceToHost);
  std::printf("product: %s\n", c[0] == 7 && c[1] == 10 && c[2] == 15 && c[3] == 22 ? "PASS" : "FAIL");
  cudaFree(d);
  cublasDestroy(handle);
  return 0;
}
