// The scopes of releases, and flags whose reader has no fence: one policy for shared
// memory, for global memory and within a warp.
#include "run.h"
#define T threadIdx.x
#define B blockIdx.x

// A fence of block scope before a poll does not narrow what others have released.
__global__ void polled_by_add(int *a, int *f) {
    if (T != 0) return;
    if (B == 0) {
        a[0] = 1;
        __threadfence();
        atomicExch(f, 1);
    } else {
        __threadfence_block();
        while (atomicAdd(f, 0) == 0) {}
        a[B] = a[0];
    }
}
// Nor does a link of block scope in between, which is of another block's thread.
__global__ void handed_on(int *a, int *f) {
    if (T != 0) return;
    if (B == 0) {
        a[0] = 1;
        __threadfence();
        atomicAdd(f, 1);
    } else if (B == 1) {
        __threadfence_block();
        atomicAdd(f, 1);
    } else {
        while (atomicAdd(f, 0) < 2) {}
        a[B] = a[0];
    }
}
// The fence that releases is too narrow.
__global__ void released_narrowly(int *a, int *f) {
    if (T != 0) return;
    if (B == 0) {
        a[0] = 1;
        __threadfence_block();
        atomicExch(f, 1);
    } else {
        __threadfence();
        while (atomicAdd(f, 0) == 0) {}
        a[B] = a[0]; // want RAW narrow-scope/scope
    }
}

// A volatile flag, and no fence after it is read.
__global__ void across_blocks(int *a, int *f) {
    volatile int *flag = f;
    if (T != 0) return;
    if (B == 0) {
        a[0] = 1;
        __threadfence();
        *flag = 1;
    } else {
        while (!*flag) {}
        a[B] = a[0]; // want RAW no-fence/fence
    }
}
__global__ void across_warps(int *a, int *) {
    __shared__ int data;
    __shared__ volatile int flag;
    if (T == 0) flag = 0;
    __syncthreads();
    if (T == 0) {
        data = 1;
        __threadfence_block();
        flag = 1; // want WAR no-barrier/counted-barrier [thread]
    } else if (T == 32) {
        while (!flag) {}
        a[B] = data; // want RAW no-fence/fence [its lockstep]; RAW no-barrier/counted-barrier [thread]
    }
}
__global__ void within_a_warp(int *a, int *) {
    __shared__ int data;
    __shared__ volatile int flag;
    if (T == 0) flag = 0;
    __syncthreads();
    if (T == 0) {
        data = 1;
        __threadfence_block();
        flag = 1; // want WAR no-barrier/counted-barrier [thread] ?w
    } else if (T == 1) {
        while (!flag) {} // want RAW no-barrier/counted-barrier [thread] ?w
        a[B] = data; // want RAW no-fence/fence [its]; RAW no-barrier/counted-barrier [thread]
    }
}
// A barrier after the read counts as one, of the block or of the warp.
__global__ void across_blocks_barrier(int *a, int *f) {
    volatile int *flag = f;
    if (B == 0) {
        if (T != 0) return;
        a[0] = 1;
        __threadfence();
        *flag = 1;
    } else {
        if (T == 0) while (!*flag) {}
        __syncthreads();
        a[64 * B + T] = a[0];
    }
}
__global__ void across_warps_barrier(int *a, int *) {
    __shared__ int data;
    __shared__ volatile int flag;
    if (T == 0) flag = 0;
    __syncthreads();
    if (T == 0) {
        data = 1;
        __threadfence_block();
        flag = 1; // want WAR no-barrier/counted-barrier [thread]
    } else if (T >= 32) {
        if (T == 32) while (!flag) {}
        __syncwarp();
        a[64 * B + T] = data; // want RAW no-barrier/counted-barrier [thread]
    }
}

// Each lane takes a ticket and waits until it is its turn.
__global__ void lane_by_lane(int *a, int *f) {
    volatile int *turn = f;
    int mine = atomicAdd(f + 1, 1);
    while (*turn != mine) {}
    __threadfence();
    a[0] = a[0] + 1;
    __threadfence();
    *turn = *turn + 1;
}
__global__ void lane_by_lane_no_acquire(int *a, int *f) {
    volatile int *turn = f;
    int mine = atomicAdd(f + 1, 1);
    while (*turn != mine) {}
    a[0] = a[0] + 1; // want RAW no-fence/fence; WAW no-fence/fence
    __threadfence();
    *turn = mine + 1;
}

int main() {
    auto four = [](void (*k)(int *, int *)) { launch(k, 4, 64); };
    launch(polled_by_add, 3, 32); launch(handed_on, 3, 32); launch(released_narrowly, 3, 32);
    launch(lane_by_lane, 2, 40); launch(lane_by_lane_no_acquire, 2, 40);
    four(across_blocks); four(across_warps); four(within_a_warp); four(across_blocks_barrier); four(across_warps_barrier);
}
