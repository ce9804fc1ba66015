// Launches kernels one after the other, each with fresh memory.
#pragma once
#include <cstdio>
#include <cuda_runtime.h>

const int words = 1 << 14;

template <class T> void launch(void (*kernel)(T *, int *), int blocks, int threads, int shared = 0) {
    T *a;
    int *flag;
    cudaMalloc(&a, words * sizeof(int));
    cudaMalloc(&flag, 64 * sizeof(int));
    cudaMemset(a, 0, words * sizeof(int));
    cudaMemset(flag, 0, 64 * sizeof(int));
    kernel<<<blocks, threads, shared>>>(a, flag);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAIL\n");
    cudaFree(a);
    cudaFree(flag);
}
