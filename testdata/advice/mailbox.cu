// A mailbox that is filled again and again, with one mbarrier: the writer does not wait for the readers.
// flags: --arch sm_90 --schedule random --seed 3
#include <cstdio>
typedef unsigned long long u64;
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(u64 *b, unsigned n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory"); }
__device__ void arrive(u64 *b) { asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(b)) : "memory"); }
__device__ void wait(u64 *b, unsigned phase) {
    asm volatile("{ .reg .pred p;\n W: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n @!p bra W; }" ::"r"(at(b)), "r"(phase) : "memory");
}
struct Mail {
    int m, more;
};
template <bool back> __global__ void persistent(int *out, int tiles) {
    __shared__ Mail box;
    __shared__ u64 ready, read;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) init(&ready, 1), init(&read, 160);
    __syncthreads();
    if (warp == 0) {
        if (lane == 0)
            for (int t = 0; t <= tiles; t++) {
                if (back && t > 0) wait(&read, (t - 1) & 1);
                box.m = t * 2;
                box.more = t < tiles;
                arrive(&ready);
                __nanosleep(2000);
            }
    } else {
        int sum = 0;
        for (int t = 0;; t++) {
            wait(&ready, t & 1);
            int m = box.m, more = box.more; // help: use a second mbarrier for the way back // not: let the count
            if (back) arrive(&read);
            if (!more) break;
            sum += m;
        }
        out[threadIdx.x - 32] = sum;
    }
}
int main() {
    int *out;
    cudaMalloc(&out, 160 * 4);
    persistent<true><<<1, 192>>>(out, 6);
    cudaDeviceSynchronize();
    persistent<false><<<1, 192>>>(out, 6);
    printf("%d\n", cudaDeviceSynchronize());
    cudaFree(out);
}
