// Loops that end when a counter is equal to its limit: programs do not start them beyond it.
#include <cuda_runtime.h>

__global__ void difference(unsigned n, float *y) {
    float f = 0;
    for (int j = 1; j - n; j++) f += y[j];
    y[threadIdx.x + n] = f; // want coalesce misaligned possible
}

__global__ void unequal(int n, float *y) {
    float f = 0;
    for (int j = 1; j != n; j++) f += y[j];
    y[threadIdx.x + n] = f; // want coalesce misaligned possible
}

__global__ void oneTooFar(int n, float *y) {
    float f = 0;
    for (int j = 1; j != n; j++) f += y[j];
    y[threadIdx.x + n - 1] = f; // want coalesce misaligned possible, race read-write possible
}

__global__ void down(int n, float *y) {
    float f = 0;
    for (int j = n; j != 0; j--) f += y[j];
    y[threadIdx.x + n + 1] = f; // want coalesce misaligned possible
}

__global__ void downTooFar(int n, float *y) {
    float f = 0;
    for (int j = n; j != 0; j--) f += y[j];
    y[threadIdx.x + n] = f; // want coalesce misaligned possible, race read-write possible
}

int main(int argc, char **) {
    float *y;
    cudaMalloc(&y, 4096);
    cudaMemset(y, 0, 4096);
    difference<<<1, 128>>>(argc, y);
    unequal<<<1, 128>>>(argc, y);
    oneTooFar<<<1, 128>>>(argc, y);
    down<<<1, 128>>>(argc, y);
    downTooFar<<<1, 128>>>(argc, y);
    return cudaDeviceSynchronize();
}
