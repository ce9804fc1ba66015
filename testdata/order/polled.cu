// All threads of a block wait, barrier by barrier, for what another block publishes.
#include <cstdio>

__global__ void polled(int *data, int *f) {
    __shared__ int seen;
    volatile int *ready = f;
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) *ready = 1;
    } else {
        do {
            if (threadIdx.x == 0) {
                seen = *ready;
                __threadfence();
            }
            __syncthreads();
            int go = seen;
            __syncthreads();
            if (go) break;
        } while (true);
        data[64 * blockIdx.x + threadIdx.x] = data[threadIdx.x];
    }
}

int main() {
    int *data, *f, h[256];
    cudaMalloc(&data, sizeof h);
    cudaMalloc(&f, sizeof(int));
    cudaMemset(f, 0, sizeof(int));
    polled<<<4, 64>>>(data, f);
    cudaMemcpy(h, data, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(data);
    cudaFree(f);
    for (int i = 0; i < 256; i++)
        if (h[i] != i % 64) return 1;
    puts("PASS");
}
