// Wrong calls of cuBLAS and cuFFT: what is found in their kernels is shown at the call.
// clean: ordered whole
#include <cublas_v2.h>
#include <cufft.h>
#include <cstdio>
#include <cstring>

__global__ void fill(float *p, int n) {
    if (threadIdx.x < n) p[threadIdx.x] = 1;
}

int main(int, char **argv) {
    auto is = [&](const char *name) { return strcmp(argv[1], name) == 0; };
    const int n = 24;
    float *a, *b, *c, one = 1, zero = 0, dot = 0;
    cudaMalloc(&a, n * n * sizeof(float));
    cudaMalloc(&b, n * n * sizeof(float));
    cudaMalloc(&c, n * n * sizeof(float));
    cudaMemset(a, 0, n * n * sizeof(float));
    cudaMemset(b, 0, n * n * sizeof(float));
    cublasHandle_t h;
    cublasCreate(&h);
    if (is("whole"))
        cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
    if (is("leading"))  // rows of B are further apart than B's memory has
        cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n + 1, &zero, c, n);  // want(leading) memory out-of-bounds
    if (is("beta"))  // C was never written
        cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &one, c, n);  // want(beta) init global
    if (is("count"))  // the increment makes it twice as long
        cublasSdot(h, n * n, a, 2, b, 1, &dot);  // want(count) memory out-of-bounds // want(count) memory out-of-bounds
    if (is("unwritten"))
        cublasSdot(h, n, a, 1, c, 1, &dot);  // want(unwritten) init global
    if (is("streams") || is("ordered")) {
        cudaStream_t first, second;
        cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
        cudaDeviceSynchronize();
        cublasSetStream(h, second);
        fill<<<1, 32, 0, first>>>(a, n);
        if (is("ordered")) cudaStreamSynchronize(first);
        cublasSaxpy(h, n, &one, a, 1, b, 1);  // want(streams) race RAW
        cudaDeviceSynchronize();
        cudaStreamDestroy(first);
        cudaStreamDestroy(second);
    }
    cufftHandle plan;
    if (is("short")) {  // the result has n * n / 2 + 1 complex numbers
        cufftPlan1d(&plan, n * n, CUFFT_R2C, 1);
        cufftExecR2C(plan, a, (cufftComplex *)b);  // want(short) memory out-of-bounds
        cufftDestroy(plan);
    }
    if (is("batch")) {  // there is one
        cufftPlan1d(&plan, n * n / 2, CUFFT_C2C, 2);
        cufftExecC2C(plan, (cufftComplex *)a, (cufftComplex *)a, CUFFT_FORWARD);  // want(batch) memory out-of-bounds // want(batch) memory out-of-bounds
        cufftDestroy(plan);
    }
    cudaDeviceSynchronize();
    cublasDestroy(h);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    printf("%g\n", dot);
}
