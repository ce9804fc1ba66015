// fix: fixed
// not: cudaStreamWaitEvent(0
#include <cublas_v2.h>
__global__ void fill(float *a, int n) { if (threadIdx.x < n) a[threadIdx.x] = 1; }
int main() {
    const int n = 32;
    const float one = 1;
    float *a, *b;
    cudaMalloc(&a, 4 * n); cudaMalloc(&b, 4 * n);
    cudaMemset(a, 0, 4 * n); cudaMemset(b, 0, 4 * n);
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    cublasHandle_t h;
    cublasCreate(&h); cublasSetStream(h, second);
    fill<<<1, 32, 0, first>>>(a, n);
    cublasSaxpy(h, n, &one, a, 1, b, 1);
    cudaDeviceSynchronize();
    cublasDestroy(h); cudaStreamDestroy(first); cudaStreamDestroy(second);
    cudaFree(a); cudaFree(b);
}
