// Each thread takes over its neighbor's value. With -D RACE the barrier
// between the write and the read is missing.
#include <cstdio>

const int N = 64;

__global__ void shift(int *data) {
    __shared__ int s[N];
    s[threadIdx.x] = data[threadIdx.x];
#ifndef RACE
    __syncthreads();
#endif
    data[threadIdx.x] = s[(threadIdx.x + 1) % N];
}

int main() {
    int *data;
    cudaMallocManaged(&data, N * sizeof(int));
    for (int i = 0; i < N; i++) data[i] = i;
    shift<<<1, N>>>(data);
    cudaDeviceSynchronize();
    printf("%d\n", data[0]);
    cudaFree(data);
}
