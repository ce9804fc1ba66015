// Numbered barriers that count 64 threads. In paired() any two of four warps meet, by the order in which they arrive; in teams() each
// barrier has warps of its own; in left() the third warp never waits, so that it may replace one of the first two.
__device__ int out[4];
#define BARRIER(what, n) asm volatile("bar." what " %0, 64;" ::"r"(n) : "memory")

__global__ void paired() {
    __shared__ volatile int s[4];
    int w = threadIdx.x / 32, leads = threadIdx.x % 32 == 0;
    if (leads) s[w] = 0;
    __syncthreads();
    if (leads) s[w] = 1;
    BARRIER("sync", 1);
    if (leads) out[w] = s[0] + 2 * s[1] + 4 * s[2] + 8 * s[3];
}

__global__ void teams() {
    __shared__ volatile int s[4];
    int w = threadIdx.x / 32, leads = threadIdx.x % 32 == 0;
    for (int i = 0; i < 2; i++) {
        if (leads) s[w] = i;
        BARRIER("sync", 1 + w / 2);
        if (leads) out[w] = s[w ^ 1];
        BARRIER("sync", 1 + w / 2);
    }
}

__global__ void left() {
    if (threadIdx.x < 64) BARRIER("sync", 1);
    else BARRIER("arrive", 1);
    if (threadIdx.x == 0) out[0] = 1;
}

int main() {
    paired<<<1, 128>>>();
    teams<<<1, 128>>>();
    left<<<1, 96>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
