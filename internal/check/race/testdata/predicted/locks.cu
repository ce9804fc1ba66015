// Accesses outside of a lock, which the order of the run puts before or behind a release that
// need not come between them; and the same kernels without the mistake.
#include "../global/run.h"
#include <cuda/atomic>
#include <cuda/semaphore>
#define T threadIdx.x
#define B blockIdx.x

__device__ void lock(int *l) {
    while (atomicCAS(l, 0, 1) != 0) {}
    __threadfence();
}
__device__ void unlock(int *l) {
    __threadfence();
    atomicExch(l, 0);
}

// Before and behind the lock.
__global__ void around(int *a, int *f) {
    if (T != 0) return;
    if (B == 0) a[1] = 1;
    lock(f);
    a[0]++;
    unlock(f);
    if (B == 1) a[1] = 2; // want [default]; [random] ?
}
__global__ void around_inside(int *a, int *f) {
    if (T != 0) return;
    lock(f);
    a[1] = B + 1;
    a[0]++;
    unlock(f);
}

// The block that comes first has it under the lock, the other one does not.
__global__ void only_one(int *a, int *f) {
    if (T != 0) return;
    lock(f);
    if (B == 0) a[1] = 1;
    a[0]++;
    unlock(f);
    if (B == 1) a[1] = 2; // want [default]; [random] ?
}
__global__ void only_one_again(int *a, int *f) {
    if (T != 0) return;
    lock(f);
    if (B == 0) a[1] = 1;
    a[0]++;
    unlock(f);
    lock(f);
    if (B == 1) a[1] = 2;
    unlock(f);
}

// Two sections each: neither whole order of the blocks shows it.
__global__ void between(int *a, int *f) {
    if (T != 0) return;
    lock(f);
    a[0]++;
    unlock(f);
    a[1] = B; // want [default]; [random] ?
    lock(f);
    a[0]++;
    unlock(f);
}
__global__ void between_own(int *a, int *f) {
    if (T != 0) return;
    lock(f);
    a[0]++;
    unlock(f);
    a[1 + B] = B;
    lock(f);
    a[0] += a[1 + B];
    unlock(f);
}

// A result that is read without the lock.
__global__ void read_outside(int *a, int *f) {
    if (T != 0) return;
    lock(f);
    int sum = a[0] += B; // want [default]; [random] ?
    unlock(f);
    lock(f + 1);
    a[2]++;
    unlock(f + 1);
    if (B == 3) a[3] = sum + a[0]; // want [random] ?
}
__global__ void read_inside(int *a, int *f) {
    if (T != 0) return;
    lock(f);
    int sum = a[0] += B;
    unlock(f);
    lock(f + 1);
    a[2]++;
    unlock(f + 1);
    if (B != 3) return;
    lock(f);
    a[3] = sum + a[0];
    unlock(f);
}

// Different locks for one counter, with a third one in both.
__global__ void other_lock(int *a, int *f) {
    if (T != 0) return;
    lock(f);
    a[1]++;
    unlock(f);
    int *own = f + 1 + B % 2;
    lock(own);
    a[0]++; // want [default]; [random] ?
    unlock(own);
    lock(f);
    a[1]++;
    unlock(f);
}
__global__ void one_lock(int *a, int *f) {
    if (T != 0) return;
    lock(f);
    a[1]++;
    unlock(f);
    lock(f + 1);
    a[0]++;
    unlock(f + 1);
    lock(f);
    a[1]++;
    unlock(f);
}

// A lock of two locks, the outer one taken two operations before.
__global__ void nested(int *a, int *f) {
    if (T != 0) return;
    lock(f);
    lock(f + 1);
    a[0]++;
    unlock(f + 1);
    if (B == 0) a[1] = 1;
    unlock(f);
    if (B == 1) a[1] = 2; // want [default]; [random] ?
}
__global__ void nested_inside(int *a, int *f) {
    if (T != 0) return;
    lock(f);
    lock(f + 1);
    a[0]++;
    unlock(f + 1);
    a[1] = B;
    unlock(f);
}

// Many threads before a barrier, one of which takes the lock behind it.
__global__ void whole_block(int *a, int *f) {
    if (B == 0) a[8 + T] = 1;
    __syncthreads();
    if (T == 0) {
        lock(f);
        a[0]++;
        unlock(f);
    }
    __syncthreads();
    if (B == 1) a[8 + T] = 2; // want [default]; [random] ?
}
__global__ void whole_block_parts(int *a, int *f) {
    if (B == 0) a[8 + T] = 1;
    __syncthreads();
    if (T == 0) {
        lock(f);
        a[0]++;
        unlock(f);
    }
    __syncthreads();
    if (B == 1) a[8 + blockDim.x + T] = 2;
}

// Exchanges in place of swaps.
__global__ void exchanged(int *a, int *f) {
    if (T != 0) return;
    if (B == 0) a[1] = 1;
    while (atomicExch(f, 1) != 0) {}
    __threadfence();
    a[0]++;
    __threadfence();
    atomicExch(f, 0);
    if (B == 1) a[1] = 2; // want [default]; [random] ?
}

// Locks of libcu++.
__device__ cuda::binary_semaphore<cuda::thread_scope_device> binary{1};
__global__ void semaphore(int *a, int *f) {
    if (T != 0) return;
    if (B == 0) a[1] = 1;
    binary.acquire();
    a[0]++;
    binary.release();
    if (B == 1) a[1] = 2; // want [default]; [random] ?
}
__global__ void semaphore_inside(int *a, int *f) {
    if (T != 0) return;
    binary.acquire();
    a[0]++;
    a[1] = B;
    binary.release();
}
__global__ void flags_of_library(int *a, int *f) {
    if (T != 0) return;
    cuda::atomic_ref<int, cuda::thread_scope_device> held(*f);
    if (B == 0) a[1] = 1;
    while (held.exchange(1, cuda::memory_order_acquire) != 0) {}
    a[0]++;
    held.store(0, cuda::memory_order_release);
    if (B == 1) a[1] = 2; // want [default]; [random] ?
}

// A ticket lock.
__device__ void enter(int *f) {
    int mine = atomicAdd(f, 1);
    while (*(volatile int *)(f + 1) != mine) {}
    __threadfence();
}
__device__ void leave(int *f) {
    __threadfence();
    atomicAdd(f + 1, 1);
}
__global__ void tickets(int *a, int *f) {
    if (T != 0) return;
    if (B == 0) a[1] = 1;
    enter(f);
    a[0]++;
    leave(f);
    if (B == 1) a[1] = 2; // want [default]; [random] ?
}
__global__ void tickets_inside(int *a, int *f) {
    if (T != 0) return;
    enter(f);
    a[0]++;
    a[1] = B;
    leave(f);
}

int main() {
    launch(around, 2, 32);
    launch(around_inside, 2, 32);
    launch(only_one, 2, 32);
    launch(only_one_again, 2, 32);
    launch(between, 2, 32);
    launch(between_own, 2, 32);
    launch(read_outside, 4, 32);
    launch(read_inside, 4, 32);
    launch(other_lock, 2, 32);
    launch(one_lock, 2, 32);
    launch(nested, 2, 32);
    launch(nested_inside, 2, 32);
    launch(whole_block, 2, 64);
    launch(whole_block_parts, 2, 64);
    launch(exchanged, 2, 32);
    launch(semaphore, 2, 32);
    launch(semaphore_inside, 2, 32);
    launch(flags_of_library, 2, 32);
    launch(tickets, 2, 32);
    launch(tickets_inside, 2, 32);
}
