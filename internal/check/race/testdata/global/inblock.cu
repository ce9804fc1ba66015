// Threads of one block that meet in global memory.
#include "run.h"
#define T threadIdx.x

__global__ void neighbor(int *a, int *) {
    a[T] = T;
    a[256 + T] = a[(T + 1) % 64]; // want RAW no-barrier/syncthreads
}
__global__ void neighbor_barrier(int *a, int *) {
    a[T] = T;
    __syncthreads();
    a[256 + T] = a[(T + 1) % 64];
}
__global__ void other_half(int *a, int *) {
    a[T] = T;
    a[256 + T] = a[T ^ 32]; // want RAW no-barrier/syncthreads
}
__global__ void in_warp(int *a, int *) {
    a[T] = T;
    a[256 + T] = a[T ^ 1]; // want RAW no-barrier/syncthreads [thread]; RAW no-syncwarp/syncwarp [its]
}
__global__ void in_warp_sync(int *a, int *) {
    a[T] = T;
    __syncwarp();
    a[256 + T] = a[T ^ 1]; // want RAW no-barrier/syncthreads [thread]
}
__global__ void in_warp_part_sync(int *a, int *) {
    a[T] = T;
    if (T % 32 < 16) __syncwarp(0xffff);
    else __syncwarp(0xffff0000);
    a[256 + T] = a[T ^ 1]; // want RAW no-barrier/syncthreads [thread]
}
__global__ void in_warp_wrong_part(int *a, int *) {
    a[T] = T;
    if (T % 32 < 16) __syncwarp(0xffff);
    else __syncwarp(0xffff0000);
    a[256 + T] = a[T ^ 16]; // want RAW no-barrier/syncthreads [thread]; RAW partial-syncwarp/syncwarp [its]
}
__global__ void warp_sync_is_not_enough(int *a, int *) {
    a[T] = T;
    __syncwarp();
    a[256 + T] = a[T ^ 33]; // want RAW no-barrier/syncthreads
}
__global__ void shuffle_orders_nothing(int *a, int *) {
    a[T] = T;
    int x = __shfl_sync(0xffffffff, T, 0);
    a[256 + T] = a[T ^ 1] + x; // want RAW no-barrier/syncthreads [thread]; RAW no-syncwarp/syncwarp [its]
}
__global__ void same_thread(int *a, int *) {
    a[T] = T;
    a[T] += a[T] * 2;
}
__global__ void one_place(int *a, int *) {
    a[0] = T; // want WAW one-instruction/own-element
}
__global__ void pairs_write(int *a, int *) {
    a[T / 2] = T; // want WAW one-instruction/own-element
}
__global__ void loop_without_back_barrier(int *a, int *) {
    for (int i = 0; i < 3; i++) {
        int x = a[(T + 1) % 64]; // want RAW no-barrier/syncthreads
        __syncthreads();
        a[T] = x;
    }
}
__global__ void loop_with_both(int *a, int *) {
    for (int i = 0; i < 3; i++) {
        int x = a[(T + 1) % 64];
        __syncthreads();
        a[T] = x;
        __syncthreads();
    }
}
__global__ void named_barrier(int *a, int *) {
    a[T] = T;
    asm volatile("barrier.sync 1, 64;" ::: "memory");
    a[256 + T] = a[T ^ 32];
}
__global__ void producer(int *a, int *) {
    if (T < 32) {
        a[T] = T;
        asm volatile("barrier.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("barrier.sync 1, 64;" ::: "memory");
        a[256 + T] = a[T - 32];
    }
}
__global__ void producer_too_early(int *a, int *) {
    if (T < 32) {
        asm volatile("barrier.arrive 1, 64;" ::: "memory");
        a[T] = T;
    } else {
        asm volatile("barrier.sync 1, 64;" ::: "memory");
        a[256 + T] = a[T - 32]; // want RAW partial-barrier/syncthreads
    }
}
__global__ void atomic_in_block(int *a, int *) { atomicAdd(&a[0], T); }
__global__ void atomic_then_read(int *a, int *) {
    atomicAdd(&a[0], T);
    __syncthreads();
    a[256 + T] = a[0];
}
__global__ void atomic_then_read_early(int *a, int *) {
    atomicAdd(&a[0], T);
    a[256 + T] = a[0]; // want RAW no-barrier/syncthreads
}
__global__ void volatile_pair(int *a, int *) {
    volatile int *v = a;
    v[T] = T;
    v[256 + T] = v[T ^ 32]; // want warning RAW no-barrier/syncthreads
}
__global__ void tree(int *a, int *) {
    for (int s = 32; s > 0; s >>= 1) {
        if (T < s) a[T] += a[T + s];
        __syncthreads();
    }
}
__global__ void tree_without(int *a, int *) {
    for (int s = 32; s > 0; s >>= 1) {
        if (T < s) a[T] += a[T + s]; // want RAW no-barrier/syncthreads [thread]; RAW no-syncwarp/syncwarp [its]
    }
}
__global__ void divergent_write(int *a, int *) {
    if (T % 2) a[T / 2] = 1; // want WAW no-barrier/barrier [thread source] ?a; WAW no-syncwarp/counted-barrier [its source] ?a; WAW one-instruction/own-element [optimized]
    else a[T / 2] = 2; // want WAW no-barrier/barrier [thread source] ?a; WAW no-syncwarp/counted-barrier [its source] ?a
}
// The order of the program, as if all warps kept step, counts what is each
// thread's own too.
__global__ void late_writer(int *a, int *f) {
    if (T < 32) {
        f[T] = 1;
        f[T] += 2;
        f[T] += 3;
        a[T] = 4; // want WAR no-barrier/barrier [source]
    } else {
        f[T] = a[T - 32]; // want WAR no-barrier/syncthreads [optimized]
    }
}
__global__ void late_reader(int *a, int *f) {
    if (T < 32) {
        a[T] = 4;
    } else {
        f[T] = 1;
        f[T] += 2;
        f[T] += a[T - 32]; // want RAW no-barrier/barrier
    }
}
// Neighbors store one value in one place, each pair another, as packed halves are stored.
__global__ void pairs_alike(int *a, int *) {
    a[T / 2] = T / 2 * 3; // want info WAW one-instruction/none
}
// Lanes that are not adjacent, and other values.
__global__ void halves_differ(int *a, int *) {
    if (T < 32) a[T / 2 + T % 2 * 16] = T; // none
    if (T < 32) a[64 + T % 16] = T; // want WAW one-instruction/own-element
}
// The same table twice, and one with another value.
__global__ void wraps(int *a, int *) {
    if (T < 32) a[T % 16] = T % 16 * 3; // want info WAW one-instruction/none
}
__global__ void wraps_wrong(int *a, int *) {
    if (T < 32) a[T % 16] = T == 20 ? 0 : T % 16; // want WAW one-instruction/own-element
}

int main() {
    auto one = [](void (*k)(int *, int *)) { launch(k, 1, 64); };
    one(neighbor); one(neighbor_barrier); one(other_half); one(in_warp); one(in_warp_sync); one(in_warp_part_sync);
    one(in_warp_wrong_part); one(warp_sync_is_not_enough); one(shuffle_orders_nothing); one(same_thread); one(one_place);
    one(pairs_write); one(loop_without_back_barrier); one(loop_with_both); one(named_barrier); one(producer);
    one(producer_too_early); one(atomic_in_block); one(atomic_then_read); one(atomic_then_read_early);
    one(volatile_pair); one(tree); one(tree_without); one(divergent_write); one(late_writer); one(late_reader);
    one(pairs_alike); one(halves_differ); one(wraps); one(wraps_wrong);
}
