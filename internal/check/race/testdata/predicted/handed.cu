// Queues, counters, look-back, mailboxes and barriers of the grid: orders that must hold, and accesses that only
// the order of the run puts behind them.
#include "../global/run.h"
#include <cooperative_groups.h>
#define T threadIdx.x
#define B blockIdx.x

__device__ int load(int *p) { return *(volatile int *)p; }

// The last block adds up; before it, each block has added to a counter behind a fence.
__global__ void last_block(int *a, int *f) {
    if (T != 0) return;
    a[1 + B] = B;
    __threadfence();
    if (atomicAdd(f, 1) != gridDim.x - 1) return;
    __threadfence();
    for (int i = 0; i < gridDim.x; i++) a[0] += a[1 + i];
}
// The block with the last number takes itself for the last one.
__global__ void last_number(int *a, int *f) {
    if (T != 0) return;
    a[1 + B] = B;
    __threadfence();
    atomicAdd(f, 1);
    int came = atomicAdd(f, 0);
    __threadfence();
    if (came > 0 && B == gridDim.x - 1)
        for (int i = 0; i < gridDim.x; i++) a[0] += a[1 + i]; // want [default]; [random] ?
}
// A queue: who takes an item has it.
__global__ void queue(int *a, int *f) {
    if (T != 0) return;
    for (int i; (i = atomicAdd(f, 1)) < 8;) a[1 + i] = B;
}
// Items are handed on through a slot that is filled behind the counter; blocks wait for it.
__global__ void filled_queue(int *a, int *f) {
    if (T != 0) return;
    if (B == 0) {
        for (int i = 0; i < 4; i++) {
            a[1 + i] = i + 1;
            __threadfence();
            atomicAdd(f, 1);
        }
        return;
    }
    for (int i; (i = atomicAdd(f + 1, 1)) < 4;) {
        while (load(f) <= i) {}
        __threadfence();
        a[16 + i] = a[1 + i];
    }
}
// Items are read by their number, which is below the count when the block looked, or not.
__global__ void unfilled_queue(int *a, int *f) {
    if (T != 0) return;
    if (B == 0) {
        for (int i = 0; i < 4; i++) {
            a[1 + i] = i + 1;
            __threadfence();
            atomicAdd(f, 1);
        }
        return;
    }
    int count = atomicAdd(f, 0);
    __threadfence();
    if (count >= 0)
        for (int i; (i = atomicAdd(f + 1, 1)) < 4;) a[16 + i] = a[1 + i]; // want [default]; [random] ?
}

// Look-back: each block waits for the one before it.
__global__ void look_back(int *a, int *f) {
    if (T != 0) return;
    int sum = B;
    if (B > 0) {
        while (load(f + B - 1) == 0) {}
        __threadfence();
        sum += a[B - 1];
    }
    a[B] = sum;
    __threadfence();
    atomicExch(f + B, 1);
}
// It looks once, and takes the value whatever it sees.
__global__ void looked_once(int *a, int *f) {
    if (T != 0) return;
    int sum = B;
    if (B > 0) {
        int ready = atomicAdd(f + B - 1, 0);
        __threadfence();
        sum += ready * a[B - 1]; // want [default]; [random] ?
    }
    a[B] = sum; // want [random] ?
    __threadfence();
    atomicExch(f + B, 1);
}
// It takes the value only if it is there.
__global__ void looked_and_checked(int *a, int *f) {
    if (T != 0) return;
    int sum = B;
    if (B > 0 && atomicAdd(f + B - 1, 0) != 0) {
        __threadfence();
        sum += a[B - 1];
    }
    a[B] = sum;
    __threadfence();
    atomicExch(f + B, 1);
}

// A barrier of all blocks by a counter that only grows, and by cooperative groups.
__device__ void meet(int *f, int round) {
    __threadfence();
    atomicAdd(f, 1);
    while (load(f) < round * gridDim.x) {}
    __threadfence();
}
__global__ void counted_barrier(int *a, int *f) {
    if (T != 0) return;
    a[B] = B;
    meet(f, 1);
    a[16 + B] = a[(B + 1) % gridDim.x];
    meet(f, 2);
    a[B] = a[16 + (B + 1) % gridDim.x];
}
// The barrier counts one block too few.
__global__ void miscounted_barrier(int *a, int *f) {
    if (T != 0) return;
    a[B] = B;
    __threadfence();
    atomicAdd(f, 1);
    while (load(f) < gridDim.x - 1) {}
    __threadfence();
    if (B == gridDim.x - 1) a[16] = a[0]; // want [default]; [random] ?
}
__global__ void cooperative(int *a, int *f) {
    if (T == 0) a[B] = B;
    cooperative_groups::this_grid().sync();
    if (T == 0) a[16 + B] = a[(B + 1) % gridDim.x];
}

// One block initializes, guarded by a swap; the others wait for it.
__global__ void once(int *a, int *f) {
    if (T != 0) return;
    if (atomicCAS(f, 0, 1) == 0) {
        a[0] = 7;
        __threadfence();
        atomicExch(f, 2);
    } else {
        while (load(f) != 2) {}
        __threadfence();
    }
    a[1 + B] = a[0];
}
// The others do not wait: whoever loses takes it for done.
__global__ void once_unwaited(int *a, int *f) {
    if (T != 0) return;
    if (atomicCAS(f, 0, 1) == 0) {
        a[0] = 7;
        __threadfence();
        atomicExch(f, 2);
    } else {
        __threadfence();
    }
    a[1 + B] = a[0]; // want [default]; [random] ?
}

// A mailbox: the sender does not wait until the last message was read.
__global__ void mailbox(int *a, int *f) {
    if (T != 0) return;
    if (B == 0) {
        for (int i = 1; i <= 3; i++) {
            a[0] = i; // want [default] ?m; [random] ?
            __threadfence();
            atomicExch(f, i);
        }
        return;
    }
    int sum = 0;
    for (int seen = 0; seen < 3;) {
        int now = load(f);
        if (now == seen) continue;
        __threadfence();
        sum += a[0]; // want [default] ?m; [random] ?
        seen = now;
    }
    a[1] = sum;
}
__global__ void mailbox_emptied(int *a, int *f) {
    if (T != 0) return;
    if (B == 0) {
        for (int i = 1; i <= 3; i++) {
            while (load(f + 1) != i - 1) {}
            __threadfence();
            a[0] = i;
            __threadfence();
            atomicExch(f, i);
        }
        return;
    }
    int sum = 0;
    for (int i = 1; i <= 3; i++) {
        while (load(f) != i) {}
        __threadfence();
        sum += a[0];
        __threadfence();
        atomicExch(f + 1, i);
    }
    a[1] = sum;
}

// A ring of two slots, whose filler does not look at what was taken.
__global__ void ring(int *a, int *f) {
    if (T != 0) return;
    for (int i = 0; i < 6; i++) {
        if (B == 0) {
            a[i % 2] = i; // want [default] ?r; [random] ?
            __threadfence();
            atomicAdd(f, 1);
        } else {
            while (load(f) <= i) {}
            __threadfence();
            a[16 + i] = a[i % 2]; // want [default] ?r; [random] ?
            __threadfence();
            atomicAdd(f + 1, 1);
        }
    }
}
__global__ void ring_bounded(int *a, int *f) {
    if (T != 0) return;
    for (int i = 0; i < 6; i++) {
        if (B == 0) {
            while (load(f + 1) < i - 1) {}
            __threadfence();
            a[i % 2] = i;
            __threadfence();
            atomicAdd(f, 1);
        } else {
            while (load(f) <= i) {}
            __threadfence();
            a[16 + i] = a[i % 2];
            __threadfence();
            atomicAdd(f + 1, 1);
        }
    }
}

// A lock that is tried once, and whose loser updates all the same.
__global__ void tried(int *a, int *f) {
    if (T != 0) return;
    bool mine = atomicCAS(f, 0, 1) == 0;
    __threadfence();
    a[0]++; // want [default]; [random] ?
    __threadfence();
    if (mine) atomicExch(f, 0);
}
__global__ void tried_and_left(int *a, int *f) {
    if (T != 0) return;
    if (atomicCAS(f, 0, 1) != 0) return;
    __threadfence();
    a[0]++;
    __threadfence();
    atomicExch(f, 0);
}

// What one block's threads wrote is read by those of another one, which looks once whether it is there.
__global__ void looked(int *a, int *f) {
    __shared__ int ready;
    if (B == 0) {
        a[T] = T; // want [random] ?
        __syncthreads();
        if (T == 0) {
            __threadfence();
            atomicExch(f, 1);
        }
        return;
    }
    if (T == 0) {
        ready = atomicAdd(f, 0);
        __threadfence();
    }
    __syncthreads();
    if (ready >= 0) a[64 + T] = a[T]; // want [default]; [random] ?
}
__global__ void looked_well(int *a, int *f) {
    __shared__ int ready;
    if (B == 0) {
        a[T] = T;
        __syncthreads();
        if (T == 0) {
            __threadfence();
            atomicExch(f, 1);
        }
        return;
    }
    if (T == 0) {
        ready = atomicAdd(f, 0);
        __threadfence();
    }
    __syncthreads();
    if (ready > 0) a[64 + T] = a[T];
}

int main() {
    launch(mailbox, 2, 32);
    launch(mailbox_emptied, 2, 32);
    launch(ring, 2, 32);
    launch(ring_bounded, 2, 32);
    launch(tried, 2, 32);
    launch(tried_and_left, 2, 32);
    launch(looked, 2, 64);
    launch(looked_well, 2, 64);
    launch(last_block, 4, 32);
    launch(last_number, 4, 32);
    launch(queue, 4, 32);
    launch(filled_queue, 4, 32);
    launch(unfilled_queue, 4, 32);
    launch(look_back, 4, 32);
    launch(looked_once, 4, 32);
    launch(looked_and_checked, 4, 32);
    launch(counted_barrier, 4, 32);
    launch(miscounted_barrier, 4, 32);
    launch(once, 4, 32);
    launch(once_unwaited, 4, 32);
    int *a, *f;
    cudaMalloc(&a, 4096);
    cudaMalloc(&f, 4096);
    cudaMemset(a, 0, 4096);
    void *args[] = {&a, &f};
    cudaLaunchCooperativeKernel((void *)cooperative, dim3(4), dim3(32), args, 0, 0);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAIL\n");
}
