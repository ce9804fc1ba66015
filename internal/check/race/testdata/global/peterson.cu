// Peterson's lock of two blocks: each announces that it wants the lock and lets the other go
// first, and then looks. What they say is written before a fence, not behind one.
#include "run.h"

__global__ void locked(int *a, int *f) {
    volatile int *wants = f, *turn = f + 2;
    if (threadIdx.x) return;
    int me = blockIdx.x, other = 1 - me;
    for (int i = 0; i < 5; i++) {
        wants[me] = 1;
        *turn = other;
        __threadfence();
        while (wants[other] && *turn == other) {}
        __threadfence();
        a[0]++;
        __threadfence();
        wants[me] = 0;
    }
}
__global__ void no_release(int *a, int *f) {
    volatile int *wants = f, *turn = f + 2;
    if (threadIdx.x) return;
    int me = blockIdx.x, other = 1 - me;
    for (int i = 0; i < 5; i++) {
        wants[me] = 1;
        *turn = other;
        __threadfence();
        while (wants[other] && *turn == other) {}
        a[0]++; // want RAW ; WAW ?
        wants[me] = 0;
    }
}
// Whoever comes last leaves its number: no thread waits for it.
__global__ void left(int *a, int *f) {
    volatile int *last = f + 2, *wants = f;
    if (threadIdx.x) return;
    *last = blockIdx.x; // want warning WAW no-fence/fence
    __threadfence();
    wants[blockIdx.x] = 1;
    while (!wants[1 - blockIdx.x]) {}
    __threadfence();
}

int main() {
    launch(locked, 2, 32);
    launch(no_release, 2, 32);
    launch(left, 2, 32);
}
