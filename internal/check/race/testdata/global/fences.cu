// Fences that are missing where structures, rings and turns are handed over.
#include "run.h"
#include <cuda/atomic>
#define T threadIdx.x
#define B blockIdx.x
#define ID (B * blockDim.x + T)

struct Node { int key, next; };
__device__ void lock(int *l) {
    while (atomicCAS(l, 0, 1) != 0) {}
    __threadfence();
}
__global__ void list(int *a, int *f) {
    Node *nodes = (Node *)(a + 16);
    if (T != 0) return;
    lock(f);
    int i = a[1]++;
    nodes[i].key = B;
    nodes[i].next = a[0];
    a[0] = i;
    __threadfence();
    *(volatile int *)f = 0;
}
__global__ void list_no_release(int *a, int *f) {
    Node *nodes = (Node *)(a + 16);
    if (T != 0) return;
    lock(f);
    int i = a[1]++; // want RAW no-fence/fence; WAW no-fence/fence
    nodes[i].key = B;
    nodes[i].next = a[0]; // want RAW no-fence/fence
    a[0] = i; // want WAW no-fence/fence
    *(volatile int *)f = 0;
}
__global__ void list_volatile_no_release(int *a, int *f) {
    volatile Node *nodes = (volatile Node *)(a + 16);
    volatile int *head = a, *count = a + 1;
    if (T != 0) return;
    while (atomicCAS(f, 0, 1) != 0) {}
    int i = *count; // want warning RAW no-fence/fence
    *count = i + 1; // want warning WAW no-fence/fence
    nodes[i].key = B;
    nodes[i].next = *head; // want warning RAW no-fence/fence
    *head = i; // want warning WAW no-fence/fence
    atomicExch(f, 0);
}
__global__ void turns_by_atomics(int *a, int *f) {
    if (T != 0) return;
    int mine = atomicAdd(f, 1);
    while (atomicAdd(f + 1, 0) != mine) {}
    a[0] += B; // want WAR no-fence/fence; WAW no-fence/fence ?; info WAW no-fence/none ?
    atomicAdd(f + 1, 1);
}
__global__ void turns_fenced(int *a, int *f) {
    if (T != 0) return;
    int mine = atomicAdd(f, 1);
    while (atomicAdd(f + 1, 0) != mine) {}
    __threadfence();
    a[0] += B;
    __threadfence();
    atomicAdd(f + 1, 1);
}
// A ring of four places between two blocks. The producer has done more accesses
// than the consumer when they meet.
__global__ void ring(int *a, int *f) {
    volatile int *full = f, *empty = f + 8;
    if (T != 0) return;
    for (int i = 0; i < 8; i++)
        if (B == 0) {
            while (*empty + 4 <= i) {}
            __threadfence();
            int x = a[64 + i] + a[128 + i] + a[192 + i];
            a[i % 4] = x;
            __threadfence();
            *full = i + 1;
        } else if (B == 1) {
            while (*full <= i) {}
            __threadfence();
            a[256 + i] = a[i % 4];
            __threadfence();
            *empty = i + 1;
        }
}
__global__ void ring_no_acquire(int *a, int *f) {
    volatile int *full = f, *empty = f + 8;
    if (T != 0) return;
    for (int i = 0; i < 8; i++)
        if (B == 0) {
            while (*empty + 4 <= i) {}
            __threadfence();
            int x = a[64 + i] + a[128 + i] + a[192 + i];
            a[i % 4] = x;
            __threadfence();
            *full = i + 1;
        } else if (B == 1) {
            while (*full <= i) {}
            a[256 + i] = a[i % 4]; // want RAW no-fence/fence
            __threadfence();
            *empty = i + 1;
        }
}
__global__ void ring_no_release_of_place(int *a, int *f) {
    volatile int *full = f, *empty = f + 8;
    if (T != 0) return;
    for (int i = 0; i < 8; i++)
        if (B == 0) {
            while (*empty + 4 <= i) {}
            __threadfence();
            a[i % 4] = i; // want WAR no-fence/fence
            __threadfence();
            *full = i + 1;
        } else if (B == 1) {
            while (*full <= i) {}
            __threadfence();
            a[256 + i] = a[i % 4];
            *empty = i + 1;
        }
}
// Warps hand over tiles; one lane speaks for each.
template <bool acquire, bool spread, bool joined> __device__ void tiles(int *a) {
    __shared__ int s[2][32];
    __shared__ volatile int full, empty;
    int lane = T % 32;
    if (T == 0) full = empty = 0;
    __syncthreads();
    for (int i = 0; i < 4; i++)
        if (T < 32) {
            if (lane == 0) while (empty + 2 <= i) {} // want RAW no-barrier/syncthreads [thread optimized] ?
            __threadfence_block();
            __syncwarp();
            s[i % 2][lane] = i + lane;
            __threadfence_block();
            if (joined) __syncwarp();
            if (lane == 0) full = i + 1; // want WAR no-barrier/syncthreads [thread source]
        } else {
            if (lane == 0) while (full <= i) {} // want RAW no-barrier/barrier [thread optimized]
            if (acquire) __threadfence_block();
            if (spread) __syncwarp();
            a[256 + 32 * i + lane] = s[i % 2][31 - lane]; // want RAW no-barrier/barrier [thread]
            __threadfence_block();
            __syncwarp();
            if (lane == 0) empty = i + 1; // want WAR no-barrier/barrier [thread] ?
        }
}
__global__ void tiles_ordered(int *a, int *) { tiles<true, true, true>(a); }
__global__ void tiles_no_acquire(int *a, int *) {
    __shared__ int s[32];
    __shared__ volatile int full;
    if (T == 0) full = 0;
    __syncthreads();
    if (T < 32) {
        s[T] = T;
        __threadfence_block();
        __syncwarp();
        if (T == 0) full = 1; // want WAR no-barrier/barrier [thread]
    } else {
        if (T == 32) while (!full) {}
        __syncwarp();
        a[224 + T] = s[63 - T]; // want RAW no-barrier/barrier [thread]
    }
}
__global__ void tiles_not_spread(int *a, int *) {
    __shared__ int s[32];
    __shared__ volatile int full;
    if (T == 0) full = 0;
    __syncthreads();
    if (T < 32) {
        s[T] = T;
        __threadfence_block();
        __syncwarp();
        if (T == 0) full = 1; // want WAR no-barrier/barrier [thread]
    } else {
        if (T == 32) while (!full) {}
        __threadfence_block();
        a[224 + T] = s[63 - T]; // want RAW no-barrier/barrier [thread]; RAW no-syncwarp/syncwarp [its]
    }
}
__global__ void tiles_not_joined(int *a, int *) {
    __shared__ int s[32];
    __shared__ volatile int full;
    if (T == 0) full = 0;
    __syncthreads();
    if (T < 32) {
        s[T] = T;
        __threadfence_block();
        if (T == 0) full = 1; // want WAR no-barrier/barrier [thread]
    } else {
        if (T == 32) while (!full) {}
        __threadfence_block();
        __syncwarp();
        a[224 + T] = s[63 - T]; // want RAW no-barrier/barrier [thread]; RAW no-syncwarp/syncwarp [its]
    }
}

// Parents in a forest, read and written by relaxed atomics, or by a plain store among them.
using Relaxed = cuda::atomic_ref<int, cuda::thread_scope_device>;
__device__ int parent(int *a, int v) { return Relaxed(a[v]).load(cuda::memory_order_relaxed); } // want RAW blocks-unordered/split-kernel ?g
__global__ void halved(int *a, int *f) {
    for (int v = ID % 60 + 4, p = parent(a, v); p != v; v = p, p = parent(a, v))
        Relaxed(a[v]).store(parent(a, p), cuda::memory_order_relaxed);
}
__global__ void halved_plainly(int *a, int *f) {
    for (int v = ID % 60 + 4, p = parent(a, v); p != v; v = p, p = parent(a, v))
        a[v] = parent(a, p); // want WAR not-atomic/atomic; WAW not-atomic/atomic ?; info WAW not-atomic/none ?
}
__global__ void set_plainly_before(int *a, int *f) { // a barrier of the grid is missing, no atomic
    if (B == 0 && T == 0) a[0] = 7; // want WAR blocks-unordered/split-kernel ?g
    a[256 + ID] = parent(a, 0);
}
// All lanes of a warp wait for a flag that one lane sets.
__global__ void rows(int *a, int *f) {
    volatile int *done = f;
    int row = ID / 32, lane = ID % 32;
    while (lane < row && !done[row - 1]) {}
    __threadfence();
    __syncwarp();
    if (lane == 0) {
        a[row] = row ? a[row - 1] + 1 : 1; // want RAW no-barrier/syncthreads [thread] ?
        __threadfence();
        done[row] = 1; // want WAR no-barrier/syncthreads [thread] ?
    }
}
__global__ void rows_no_release(int *a, int *f) {
    volatile int *done = f;
    int row = ID / 32, lane = ID % 32;
    while (lane < row && !done[row - 1]) {} // want info RAW no-fence/fence ?
    __threadfence();
    __syncwarp();
    if (lane == 0) {
        a[row] = row ? a[row - 1] + 1 : 1; // want RAW no-fence/fence
        done[row] = 1; // want info WAR no-fence/fence ?; WAR no-barrier/syncthreads [thread] ?
    }
}

int main() {
    auto four = [](void (*k)(int *, int *)) { launch(k, 4, 64); };
    four(list); four(list_no_release); four(list_volatile_no_release); four(turns_by_atomics); four(turns_fenced);
    four(ring); four(ring_no_acquire); four(ring_no_release_of_place);
    auto one = [](void (*k)(int *, int *)) { launch(k, 1, 64); };
    one(tiles_ordered); one(tiles_no_acquire); one(tiles_not_spread); one(tiles_not_joined);
    four(halved); four(halved_plainly); four(set_plainly_before); four(rows); four(rows_no_release);
}
