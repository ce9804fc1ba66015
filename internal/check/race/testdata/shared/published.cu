// Volatile words behind a fence. It publishes what comes before it: a word that is written
// afterwards is a flag to those who go by it, and data to those who compute with it.
#include "../global/run.h"
#define T threadIdx.x
#define B blockIdx.x

__global__ void tree(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    __syncthreads();
    __threadfence_block();
    if (T < 32) {
        volatile int *q = s;
        q[T] += q[T + 32];
        q[T] += q[T + 16]; // want RAW no-syncwarp/syncwarp [its]; RAW no-barrier/barrier [thread]; WAR no-syncwarp/syncwarp [its]; WAR no-barrier/barrier [thread]
    }
    __syncthreads();
    a[256 + T] = s[0];
}
__global__ void tree_of_maxima(int *a, int *) { // with fences, which order no lanes
    __shared__ int s[64];
    s[T] = T;
    __syncthreads();
    if (T < 32) {
        volatile int *q = s;
        if (q[T] < q[T + 32]) q[T] = q[T + 32];
        __threadfence_block();
        if (q[T] < q[T + 16]) q[T] = q[T + 16]; // want RAW no-syncwarp/syncwarp [its]; RAW no-barrier/barrier [thread]
    }
    __syncthreads();
    a[256 + T] = s[0];
}
__global__ void tree_synced(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    __syncthreads();
    __threadfence_block();
    if (T < 32) {
        volatile int *q = s;
        int v = q[T] + q[T + 32];
        __syncwarp();
        q[T] = v;
        __syncwarp();
        if (T < 16) q[T] += q[T + 16]; // want RAW no-barrier/barrier [thread]
    }
    __syncthreads();
    a[256 + T] = s[0];
}
__global__ void neighbors(int *a, int *) { // of other warps
    __shared__ volatile int s[128];
    s[T] = T;
    __syncthreads();
    __threadfence_block();
    s[T] = a[256 + T];         // want warning WAR [its lockstep] ?n; WAR [thread] ?n
    a[512 + T] = s[(T + 32) % 128]; // want warning RAW [its lockstep] ?n; RAW [thread] ?n
}
// A flag that is looked at once, and one that a thread polls for its block.
__global__ void looked_at(int *a, int *f) {
    __shared__ volatile int ready;
    __shared__ int data;
    if (T == 0) ready = 0;
    __syncthreads();
    if (T == 0) {
        data = 7;
        __threadfence_block();
        ready = 1; // want WAR no-barrier/barrier [thread] ?l
    } else if (T == 32 && ready) { // want RAW no-barrier/barrier [thread] ?l
        __threadfence_block();
        a[1] = data; // want RAW no-barrier/barrier [thread] ?l
    }
}
__global__ void polled_for_all(int *a, int *f) {
    __shared__ int seen;
    volatile int *ready = f;
    if (B == 0) {
        a[1 + T] = T;
        __threadfence();
        __syncthreads();
        if (T == 0) *ready = 1;
    } else {
        do {
            if (T == 0) {
                seen = *ready;
                __threadfence();
            }
            __syncthreads();
            int go = seen;
            __syncthreads();
            if (go) break;
        } while (true);
        a[256 + 128 * B + T] = a[1 + T];
    }
}

// Updates in two steps.
__global__ void lost(int *a, int *f) {
    volatile int *c = f;
    if (T == 0) *c = *c + 1; // want WAR lost-update/atomic; WAW lost-update/atomic
}
__global__ void lost_in_block(int *a, int *) {
    __shared__ volatile int count;
    if (T == 0) count = 0;
    __syncthreads();
    if (T % 32 == 0) count = count + 1; // want WAR lost-update/atomic; WAW lost-update/atomic
    __syncthreads();
    if (T == 0) a[256 + B] = count;
}
__global__ void two_sides(int *a, int *f) {
    volatile int *c = f;
    if (T == 0 && B == 0) *c = *c + 3; // want WAR lost-update/atomic ?s
    if (T == 0 && B == 1) *c = *c - 1; // want RAW lost-update/atomic ?s; WAR lost-update/atomic ?s; WAW lost-update/atomic
}
__global__ void arrivals(int *a, int *f) {
    volatile int *c = f;
    if (T == 0) {
        a[B] = B;
        __threadfence();
        *c = *c + 1; // want WAR lost-update/atomic; WAW lost-update/atomic
        for (int i = 0; i < 1000 && *c < gridDim.x; i++) {} // may wait for a lost one
        __threadfence();
    }
}
__global__ void by_one(int *a, int *f) {
    volatile int *c = f;
    if (B == 0 && T == 0) *c = *c + 1;
}
__global__ void locked(int *a, int *f) {
    volatile int *c = f + 1;
    if (T == 0) {
        while (atomicCAS(f, 0, 1) != 0) {}
        __threadfence();
        *c = *c + 1;
        __threadfence();
        atomicExch(f, 0);
    }
}
__global__ void in_turn(int *a, int *f) {
    volatile int *turn = f;
    if (T == 0) {
        while (*turn != B) {}
        __threadfence();
        a[0] += B;
        __threadfence();
        *turn = *turn + 1;
    }
}
__global__ void by_ticket(int *a, int *f) {
    volatile int *turn = f;
    if (T == 0) {
        int me = atomicAdd(f + 1, 1);
        while (*turn != me) {}
        __threadfence();
        a[0] += B;
        __threadfence();
        *turn = *turn + 1;
    }
}
__global__ void raised(int *a, int *f) { // a constant
    volatile int *done = f;
    if (T == 0) *done = 1; // want info WAW ?r
}
__global__ void own(int *a, int *f) {
    volatile int *c = a;
    c[128 * B + T] = c[128 * B + T] + 1;
}

int main() {
    auto one = [](void (*k)(int *, int *)) { launch(k, 1, 64); };
    auto four = [](void (*k)(int *, int *)) { launch(k, 4, 128); };
    one(tree); one(tree_of_maxima); one(tree_synced); launch(neighbors, 1, 128); one(looked_at);
    launch(polled_for_all, 2, 64);
    four(lost); four(lost_in_block); four(two_sides); four(arrivals); four(by_one); four(locked); four(in_turn); four(by_ticket);
    four(raised); four(own);
}
