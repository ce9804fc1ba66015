// exit: 0
// A trap under a guard that never holds, in a loop that runs long: what is read
// after it is what was written before.
__global__ void count(int *a, int n, int never) {
    int sum = 0;
    bool first = threadIdx.x == 0;
    for (int i = 0; i < n; i++) {
        asm volatile("{ .reg .pred p; setp.eq.s32 p, %0, %1; @p trap; }" ::"r"(i), "r"(never));
        __syncthreads();
        if (first) sum++;
        __syncthreads();
    }
    a[threadIdx.x] = sum;
}

int main() {
    int *a, h[128];
    cudaMalloc(&a, sizeof h);
    count<<<1, 128>>>(a, 3000, -1);
    if (cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost)) return 2;
    return h[0] == 3000 && h[1] == 0 && h[127] == 0 ? 0 : 3;
}
