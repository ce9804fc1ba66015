// GPUDrano's figures 1 and 2: the elimination step of a solver by rows, as
// Rodinia's gaussian has it, and by columns.
#include <cuda_runtime.h>

__global__ void figure1(const int *array, int *out) {
    int tid = threadIdx.x;
    int a = array[0];
    int b = array[tid];
    int c = array[8 * tid]; // want coalesce uncoalesced, drano
    out[tid] = a + b + c;
}

__global__ void fan2(float *A, float *B, const float *M, int N, int t) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid + t + 1 >= N) return;
    int x = tid + t + 1;
    for (int y = t; y < N; y++) {
        int xt = N * x + t, xy = N * x + y, ty = N * t + y;
        A[xy] -= M[xt] * A[ty]; // want coalesce uncoalesced, drano
        if (y == t)
            B[x] -= M[xt] * B[t]; // want coalesce uncoalesced, coalesce misaligned, drano
    }
}

__global__ void fan2Fixed(float *A, float *B, const float *M, int N, int t) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid + t >= N) return;
    int y = tid + t;
    for (int x = t + 1; x < N; x++) {
        int xt = N * x + t, xy = N * x + y, ty = N * t + y;
        A[xy] -= M[xt] * A[ty];
        if (y == t)
            B[x] -= M[xt] * B[t];
    }
}

int main() {
    float *d;
    cudaMalloc(&d, 1 << 16), cudaMemset(d, 0, 1 << 16);
    figure1<<<1, 64>>>((int *)d, (int *)d + 1024);
    fan2<<<1, 64>>>(d, d + 4096, d + 8192, 64, 0);
    fan2Fixed<<<1, 64>>>(d, d + 4096, d + 8192, 64, 0);
    return cudaDeviceSynchronize() != cudaSuccess;
}
