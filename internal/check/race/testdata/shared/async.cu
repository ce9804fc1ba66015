// Asynchronous copies into shared memory, and the barriers that track them.
#include "../global/run.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
#define T threadIdx.x
#define OUT(v) a[256 + T] = (v)

__global__ void tile(int *a, int *) {
    __shared__ int s[64];
    __pipeline_memcpy_async(&s[T], &a[T], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    OUT(s[63 - T]);
}
__global__ void tile_no_wait(int *a, int *) {
    __shared__ int s[64];
    __pipeline_memcpy_async(&s[T], &a[T], 4);
    __pipeline_commit();
    __syncthreads();
    OUT(s[63 - T]); // want RAW in-flight/wait
    __pipeline_wait_prior(0);
}
__global__ void tile_never_waits(int *a, int *) {
    __shared__ int s[64];
    __pipeline_memcpy_async(&s[T], &a[T], 4);
    __pipeline_commit();
    OUT(s[63 - T]); // want RAW in-flight/wait
}
__global__ void tile_no_barrier(int *a, int *) {
    __shared__ int s[64];
    __pipeline_memcpy_async(&s[T], &a[T], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    OUT(s[63 - T]); // want RAW no-barrier/syncthreads
}
__global__ void own_element_no_wait(int *a, int *) {
    __shared__ int s[64];
    __pipeline_memcpy_async(&s[T], &a[T], 4);
    __pipeline_commit();
    OUT(s[T]); // want RAW in-flight/wait
    __pipeline_wait_prior(0);
}
__global__ void one_group_too_few(int *a, int *) {
    __shared__ int s[2][64];
    __pipeline_memcpy_async(&s[0][T], &a[T], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&s[1][T], &a[64 + T], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    int x = s[0][63 - T];
    x += s[1][63 - T]; // want RAW in-flight/wait
    OUT(x);
    __pipeline_wait_prior(0);
}
__global__ void stages(int *a, int *) {
    __shared__ int s[3][64];
    int x = 0;
    for (int i = 0; i < 2; i++) {
        __pipeline_memcpy_async(&s[i][T], &a[64 * i + T], 4);
        __pipeline_commit();
    }
    for (int i = 0; i < 8; i++) {
        __pipeline_wait_prior(1);
        __syncthreads();
        x += s[i % 3][63 - T];
        __pipeline_memcpy_async(&s[(i + 2) % 3][T], &a[64 * ((i + 2) % 8) + T], 4);
        __pipeline_commit();
    }
    __pipeline_wait_prior(0);
    OUT(x);
}
__global__ void one_stage_short(int *a, int *) {
    __shared__ int s[2][64];
    int x = 0;
    for (int i = 0; i < 1; i++) {
        __pipeline_memcpy_async(&s[i][T], &a[64 * i + T], 4);
        __pipeline_commit();
    }
    for (int i = 0; i < 8; i++) {
        __pipeline_memcpy_async(&s[(i + 1) % 2][T], &a[64 * ((i + 1) % 8) + T], 4); // want WAR no-barrier/syncthreads
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        x += s[i % 2][63 - T];
    }
    __pipeline_wait_prior(0);
    OUT(x);
}
__global__ void overwritten(int *a, int *) {
    __shared__ int s[64];
    __pipeline_memcpy_async(&s[T], &a[T], 4);
    __pipeline_commit();
    s[T] = 0; // want WAW in-flight/wait
    __pipeline_wait_prior(0);
    OUT(s[T]);
}
__global__ void by_group(int *a, int *) {
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, a, sizeof s);
    cg::wait(block);
    OUT(s[63 - T]);
}
__global__ void by_group_no_wait(int *a, int *) {
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, a, sizeof s);
    block.sync();
    OUT(s[63 - T]); // want RAW in-flight/wait
    cg::wait(block);
}
using Barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void tracked_no_wait(int *a, int *) {
    __shared__ int s[64];
    __shared__ Barrier b;
    if (T == 0) init(&b, 64);
    __syncthreads();
    cuda::memcpy_async(cg::this_thread_block(), s, a, sizeof s, b);
    OUT(s[63 - T]); // want RAW in-flight/wait-first [its lockstep]; RAW in-flight/wait [thread]
    b.arrive_and_wait();
}
__global__ void tracked_token_late(int *a, int *) {
    __shared__ int s[64];
    __shared__ Barrier b;
    if (T == 0) init(&b, 64);
    __syncthreads();
    cuda::memcpy_async(cg::this_thread_block(), s, a, sizeof s, b);
    auto token = b.arrive();
    OUT(s[63 - T]); // want RAW in-flight/wait-first [its lockstep] ?t; RAW no-barrier/wait-first [its lockstep] ?t; RAW in-flight/wait [thread]
    b.wait(std::move(token));
}
__global__ void tracked(int *a, int *) {
    __shared__ int s[64];
    __shared__ Barrier b;
    if (T == 0) init(&b, 64);
    __syncthreads();
    cuda::memcpy_async(cg::this_thread_block(), s, a, sizeof s, b);
    auto token = b.arrive();
    b.wait(std::move(token));
    OUT(s[63 - T]); // want RAW no-barrier/syncthreads [thread]
}
__global__ void split_barrier(int *a, int *) {
    __shared__ int s[64];
    __shared__ Barrier b;
    if (T == 0) init(&b, 64);
    __syncthreads();
    s[T] = T;
    auto token = b.arrive();
    int x = T * T;
    b.wait(std::move(token));
    OUT(s[63 - T] + x); // want RAW no-barrier/syncthreads [thread]
}
__global__ void split_barrier_early(int *a, int *) {
    __shared__ int s[64];
    __shared__ Barrier b;
    if (T == 0) init(&b, 64);
    __syncthreads();
    s[T] = T;
    auto token = b.arrive();
    int x = s[63 - T]; // want RAW no-barrier/syncthreads
    b.wait(std::move(token));
    OUT(x);
}
__global__ void split_barrier_late(int *a, int *) {
    __shared__ int s[64];
    __shared__ Barrier b;
    if (T == 0) init(&b, 64);
    __syncthreads();
    auto token = b.arrive();
    s[T] = T;
    b.wait(std::move(token));
    OUT(s[63 - T]); // want RAW no-barrier/syncthreads
}
__global__ void warp_specialized(int *a, int *) {
    __shared__ int s[32];
    __shared__ Barrier full, empty;
    if (T == 0) {
        init(&full, 64);
        init(&empty, 64);
    }
    __syncthreads();
    int x = 0;
    for (int i = 0; i < 4; i++) {
        if (T < 32) {
            s[T] = T + i;
            (void)full.arrive();
            empty.arrive_and_wait();
        } else {
            full.arrive_and_wait();
            x += s[63 - T]; // want RAW no-barrier/barrier [thread]
            (void)empty.arrive();
        }
    }
    OUT(x);
}
__global__ void warp_specialized_no_empty(int *a, int *) {
    __shared__ int s[32];
    __shared__ Barrier full;
    if (T == 0) init(&full, 64);
    __syncthreads();
    int x = 0;
    for (int i = 0; i < 4; i++) {
        if (T < 32) s[T] = T + i; // want WAR no-barrier/syncthreads [its lockstep optimized] ?a
        full.arrive_and_wait();
        if (T >= 32) x += s[63 - T]; // want RAW no-barrier/syncthreads ?a
    }
    OUT(x);
}
__global__ void tile_sync(int *a, int *) {
    __shared__ int s[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    s[T] = T;
    tile.sync();
    OUT(s[T ^ 8]); // want RAW no-barrier/syncthreads [thread]
}
__global__ void tile_sync_too_small(int *a, int *) {
    __shared__ int s[64];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    s[T] = T;
    tile.sync();
    OUT(s[T ^ 8]); // want RAW no-barrier/syncthreads [thread]; RAW partial-syncwarp/syncwarp [its]
}
__global__ void barrier_not_seen(int *a, int *) {
    __shared__ int s[64];
    __shared__ Barrier b;
    if (T == 0) init(&b, 64);
    s[T] = T;
    __syncthreads();
    b.arrive_and_wait();
    OUT(s[63 - T]);
}

int main() {
    auto one = [](void (*k)(int *, int *)) { launch(k, 1, 64); };
    one(tile); one(tile_no_wait); one(tile_never_waits); one(tile_no_barrier); one(own_element_no_wait); one(one_group_too_few); one(stages);
    one(one_stage_short); one(overwritten); one(by_group); one(by_group_no_wait); one(tracked_no_wait); one(tracked_token_late); one(tracked);
    one(split_barrier); one(split_barrier_early); one(split_barrier_late); one(warp_specialized);
    one(warp_specialized_no_empty); one(tile_sync); one(tile_sync_too_small); one(barrier_not_seen);
}
