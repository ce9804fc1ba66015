// fix: fixed
// arch: sm_90a
// has: +                asm volatile("bar.sync 2, 256;" ::: "memory");
// has: +            asm volatile("bar.arrive 1, 256;" ::: "memory");
// has: +            asm volatile("bar.sync 1, 256;" ::: "memory");
// has: +                asm volatile("bar.arrive 2, 256;" ::: "memory");
#include <cstdio>
__global__ void k(int *out, int n) {
    __shared__ int box[128];
    int t = threadIdx.x % 128;
    if (threadIdx.x < 128) {
        for (int i = 0; i < n; i++) {
            if (i > 0)
                asm volatile("bar.sync 2, 128;" ::: "memory");
            box[t] = i * 100 + t;
            asm volatile("bar.arrive 1, 128;" ::: "memory");
        }
    } else {
        int s = 0;
        for (int i = 0; i < n; i++) {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            s += box[127 - t];
            if (i + 1 < n)
                asm volatile("bar.arrive 2, 128;" ::: "memory");
        }
        out[t] = s;
    }
}
int main() {
    int *o, r; cudaMalloc(&o, 512);
    k<<<1, 256>>>(o, 4);
    cudaMemcpy(&r, o + 5, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", r); cudaFree(o);
}
