// Barriers are advised where all threads of the block come to them.
#include "../global/run.h"
#define T threadIdx.x
#define OUT(v) a[256 + T] = (v)

// One warp fills what the other one uses: no __syncthreads() is common to both.
__global__ void specialized(int *a, int *) {
    __shared__ int s[64];
    if (T / 32 == 0) {
        for (int i = T; i < 64; i += 32) s[i] = a[i]; // want WAR no-barrier/counted-barrier ?s
    } else {
        OUT(s[63 - T]); // want RAW no-barrier/counted-barrier ?s
    }
}
// The same with the barrier that fits.
__global__ void counted(int *a, int *) {
    __shared__ int s[64];
    if (T / 32 == 0) {
        for (int i = T; i < 64; i += 32) s[i] = a[i];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        OUT(s[63 - T]);
    }
}
// A barrier inside the braces would be divergent.
__global__ void braces(int *a, int *) {
    __shared__ int s[48];
    if (T < 48) {
        s[T] = a[T];
        OUT(s[47 - T]); // want RAW no-barrier/split-branch
    }
}
__global__ void braces_global(int *a, int *b) {
    if (T < 48) {
        b[T] = T;
        OUT(b[47 - T]); // want RAW no-barrier/split-branch
    }
}
__global__ void returns(int *a, int *) {
    __shared__ int s[48];
    if (T >= 48) return;
    s[T] = a[T];
    OUT(s[47 - T]); // want RAW no-barrier/split-branch
}
// All threads of the launch come here, or all threads of the block.
__global__ void guarded(int *a, int *) {
    __shared__ int s[64];
    int n = gridDim.x * blockDim.x;
    if (blockIdx.x * blockDim.x + T >= n) return;
    s[T] = a[T];
    OUT(s[63 - T]); // want RAW no-barrier/syncthreads
}
__global__ void uniform(int *a, int *b) {
    __shared__ int s[64];
    if (b[0] == 0) {
        s[T] = a[T];
        OUT(s[63 - T]); // want RAW no-barrier/syncthreads
    }
}
// The place between the passes of the loop is outside of the braces.
__global__ void tree(int *a, int *) {
    __shared__ int s[128];
    s[T] = a[T];
    s[T + 64] = a[T];
    __syncthreads();
    for (int h = 64; h > 0; h /= 2) {
        if (T < h) s[T] += s[T + h]; // want RAW no-barrier/syncthreads; WAR no-barrier/syncthreads [lockstep]?
    }
    OUT(s[0]); // want RAW no-barrier/syncthreads
}
// Behind the branch there is one.
__global__ void behind(int *a, int *) {
    __shared__ int s[64];
    if (T < 48) s[T] = a[T]; // want WAR no-barrier/syncthreads ?b
    else s[T] = 0; // want WAR no-barrier/syncthreads ?b
    OUT(s[63 - T]); // want RAW no-barrier/syncthreads ?b
}

// The read and the write of one line, with a barrier behind them only.
__global__ void scan(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    __syncthreads();
    for (int n = 1; n < 64; n *= 2) {
        if (T >= n) s[T] += s[T - n]; // want WAR no-barrier/split-branch
        __syncthreads();
    }
    OUT(s[T]);
}

int main() {
    auto one = [](void (*k)(int *, int *)) { launch(k, 1, 64); };
    one(specialized); one(counted); one(braces); one(braces_global); one(returns);
    one(guarded); one(uniform); one(tree); one(behind); one(scan);
}
