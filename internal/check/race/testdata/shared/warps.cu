// Lanes of a warp that meet in shared memory.
#include "../global/run.h"
#define T threadIdx.x
#define L (T % 32)
#define OUT(v) a[256 + T] = (v)

__global__ void no_sync(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    OUT(s[T ^ 1]); // want RAW no-barrier/syncthreads [thread]; RAW no-syncwarp/syncwarp [its]
}
__global__ void sync(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    __syncwarp();
    OUT(s[T ^ 1]); // want RAW no-barrier/syncthreads [thread]
}
__global__ void sync_other_warp(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    __syncwarp();
    OUT(s[T ^ 32]); // want RAW no-barrier/syncthreads
}
__global__ void half_masks(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    if (L < 16) __syncwarp(0x0000ffff);
    else __syncwarp(0xffff0000);
    OUT(s[T ^ 8]); // want RAW no-barrier/syncthreads [thread]
}
__global__ void half_masks_across(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    if (L < 16) __syncwarp(0x0000ffff);
    else __syncwarp(0xffff0000);
    OUT(s[T ^ 16]); // want RAW no-barrier/syncthreads [thread]; RAW partial-syncwarp/syncwarp [its]
}
__global__ void mask_one_short(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    if (L < 31) {
        __syncwarp(0x7fffffff);
        OUT(s[T + 1]); // want RAW no-barrier/syncthreads [thread]; RAW partial-syncwarp/syncwarp [its]
    }
}
__global__ void shuffle_only(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    int x = __shfl_xor_sync(0xffffffff, T, 1);
    OUT(s[T ^ 1] + x); // want RAW no-barrier/syncthreads [thread]; RAW no-syncwarp/syncwarp [its]
}
__global__ void ballot_only(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    unsigned x = __ballot_sync(0xffffffff, L & 1);
    OUT(s[T ^ 1] + x); // want RAW no-barrier/syncthreads [thread]; RAW no-syncwarp/syncwarp [its]
}
__global__ void fence_only(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    __threadfence_block();
    OUT(s[T ^ 1]); // want RAW no-barrier/syncthreads [thread]; RAW no-syncwarp/syncwarp [its]
}
__global__ void warp_tree(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    __syncwarp();
    for (int n = 16; n > 0; n >>= 1) {
        if (L < n) s[T] += s[T + n]; // want RAW no-barrier/syncthreads [thread]
        __syncwarp();
    }
    OUT(s[T & ~31]); // want RAW no-barrier/syncthreads [thread]
}
__global__ void warp_tree_without(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    __syncwarp();
    for (int n = 16; n > 0; n >>= 1)
        if (L < n) s[T] += s[T + n]; // want RAW no-barrier/syncthreads [thread]; RAW no-syncwarp/syncwarp [its]
    __syncwarp();
    OUT(s[T & ~31]); // want RAW no-barrier/syncthreads [thread]
}
__global__ void volatile_tree(int *a, int *) {
    __shared__ volatile int s[64];
    s[T] = T;
    __syncthreads();
    if (T < 16) {
        s[T] += s[T + 16];
        s[T] += s[T + 8]; // want RAW no-barrier/barrier [thread]; RAW no-syncwarp/syncwarp [its]; WAR no-barrier/barrier [thread]; WAR no-syncwarp/syncwarp [its]
        s[T] += s[T + 4]; // want RAW no-barrier/barrier [thread]; RAW no-syncwarp/syncwarp [its]; WAR no-barrier/barrier [thread]; WAR no-syncwarp/syncwarp [its]
    }
    __syncthreads();
    OUT(s[0]);
}
__global__ void volatile_tree_split(int *a, int *) {
    __shared__ volatile int s[64];
    s[T] = T;
    __syncthreads();
    int x = s[T];
    if (T < 16) {
        s[T] = x += s[T + 16];
        __syncwarp(0xffff);
        int y = T < 8 ? s[T + 8] : 0; // want RAW no-barrier/barrier [thread]
        __syncwarp(0xffff);
        s[T] = x + y; // want WAR no-barrier/barrier [thread]
    }
    __syncthreads();
    OUT(s[0]);
}
__global__ void write_then_read_back(int *a, int *) {
    __shared__ int s[64];
    int x = s[T] = T;
    __syncwarp();
    x += s[T ^ 2]; // want RAW no-barrier/syncthreads [thread]
    s[T] = x; // want WAR no-barrier/syncthreads [thread]; WAR no-syncwarp/syncwarp [its]
    __syncwarp();
    OUT(s[T ^ 4]); // want RAW no-barrier/syncthreads [thread]
}
__global__ void divergent_sides(int *a, int *) {
    __shared__ int s[64];
    s[T] = 0;
    __syncwarp();
    if (L < 16) s[T] = 1;
    else OUT(s[T - 16]); // want RAW no-barrier/barrier [thread]; RAW no-syncwarp/split-branch [its]
}
__global__ void divergent_sides_sync(int *a, int *) {
    __shared__ int s[64];
    s[T] = 0;
    __syncwarp();
    if (L < 16) s[T] = 1;
    __syncwarp();
    if (L >= 16) OUT(s[T - 16]); // want RAW no-barrier/syncthreads [thread]
}
__global__ void one_instruction(int *a, int *) {
    __shared__ int s[32];
    s[T / 2] = T; // want WAW one-instruction/own-element
    __syncthreads();
    OUT(s[T / 2]);
}
__global__ void active_mask(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    __syncwarp(__activemask());
    OUT(s[T ^ 3]); // want RAW no-barrier/syncthreads [thread]
}
__global__ void warp_leader(int *a, int *) {
    __shared__ int s[2];
    if (L == 0) s[T / 32] = T;
    __syncwarp();
    OUT(s[T / 32]); // want RAW no-barrier/syncthreads [thread]
}
__global__ void warp_leader_no_sync(int *a, int *) {
    __shared__ int s[2];
    if (L == 0) s[T / 32] = T; // want WAR no-barrier/barrier [thread optimized] ?a; WAR no-syncwarp/split-branch [its optimized] ?a
    OUT(s[T / 32]); // want RAW no-barrier/barrier [thread] ?a; RAW no-syncwarp/syncwarp [its] ?a
}
__global__ void leader_reads(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    __syncwarp();
    if (L == 0) {
        int x = 0;
        for (int i = 0; i < 32; i++) x += s[T + i]; // want RAW no-barrier/syncthreads [thread]
        OUT(x);
    }
}
__global__ void exchange_twice(int *a, int *) {
    __shared__ int s[64];
    for (int i = 0; i < 3; i++) {
        s[T] = T + i; // want WAR no-syncwarp/syncwarp [its]
        __syncwarp();
        OUT(s[T ^ 1]); // want RAW no-barrier/syncthreads [thread]
    }
}

int main() {
    auto one = [](void (*k)(int *, int *)) { launch(k, 1, 64); };
    one(no_sync); one(sync); one(sync_other_warp); one(half_masks); one(half_masks_across); one(mask_one_short);
    one(shuffle_only); one(ballot_only); one(fence_only); one(warp_tree); one(warp_tree_without); one(volatile_tree);
    one(volatile_tree_split); one(write_then_read_back); one(divergent_sides); one(divergent_sides_sync);
    one(one_instruction); one(active_mask); one(warp_leader); one(warp_leader_no_sync); one(leader_reads);
    one(exchange_twice);
}
