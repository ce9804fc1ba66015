// Threads with different tasks that tell each other by arrivals: the wait is missing, or
// is for a phase that does not have all arrivals.
#include "../global/run.h"
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
#define T threadIdx.x
#define OUT(v) a[256 + T] = (v)
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void told(int *a, int *) {
    __shared__ int s[32];
    __shared__ Barrier full;
    if (T == 0) init(&full, 96);
    __syncthreads();
    if (T < 32) {
        s[T] = T;
        (void)full.arrive();
    } else {
        full.arrive_and_wait();
        OUT(s[T % 32]); // want RAW no-barrier/barrier [thread]
    }
}
__global__ void told_not_awaited(int *a, int *) {
    __shared__ int s[32];
    __shared__ Barrier full;
    if (T == 0) init(&full, 96);
    __syncthreads();
    if (T < 32) {
        s[T] = T;
        (void)full.arrive();
    } else {
        (void)full.arrive();
        OUT(s[T % 32]); // want RAW no-barrier/barrier [thread]; RAW not-awaited/wait-there [its lockstep]
    }
}
__global__ void told_too_few(int *a, int *f) { // the readers alone are enough for a phase
    __shared__ int s[32];
    __shared__ Barrier full;
    if (T == 0) init(&full, 64);
    __syncthreads();
    if (T < 32) {
        while (atomicAdd(f, 0) == 0) {} // comes last
        s[T] = T; // want WAR wrong-phase/count-arrivals [its lockstep]
        (void)full.arrive();
    } else {
        (void)full.arrive();
        full.wait_parity(false);
        OUT(s[T % 32]); // want RAW no-barrier/barrier [thread]
        if (T >= 64) atomicAdd(f, 1);
    }
}
// One warp has told, and the barrier that is missing is another one.
__global__ void told_something_else(int *a, int *) {
    __shared__ int s[96], t[32];
    __shared__ Barrier full;
    if (T == 0) init(&full, 96);
    __syncthreads();
    if (T < 32) {
        t[T] = T;
        (void)full.arrive();
    } else {
        full.arrive_and_wait();
        s[T] = t[T % 32]; // want RAW no-barrier/barrier [thread]
        OUT(s[127 - T]); // want RAW no-barrier/barrier
    }
}
__global__ void numbered(int *a, int *) {
    __shared__ int s[32];
    if (T < 32) {
        s[T] = T;
        asm volatile("bar.arrive 1, 96;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 96;" ::: "memory");
        OUT(s[T % 32]);
    }
}
__global__ void numbered_not_awaited(int *a, int *) {
    __shared__ int s[32];
    if (T < 32) {
        s[T] = T;
        asm volatile("bar.arrive 1, 96;" ::: "memory");
    } else {
        asm volatile("bar.arrive 1, 96;" ::: "memory");
        OUT(s[T % 32]); // want RAW not-awaited/wait-there
    }
}
__global__ void ring(int *a, int *) {
    __shared__ int s[2][32];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state,
                                    T < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int x = 0;
    for (int i = 0; i < 4; i++)
        if (T < 32) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[i % 2][T], &a[32 * i + T], sizeof(int), pipe); // want WAW no-barrier/own-element [thread] ?r; WAR no-barrier/barrier [thread] ?r
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            x += s[i % 2][T % 32]; // want RAW no-barrier/barrier [thread] ?r
            pipe.consumer_release();
        }
    OUT(x);
}

int main() {
    auto one = [](void (*k)(int *, int *)) { launch(k, 1, 96); };
    one(told); one(told_not_awaited); one(told_too_few); one(told_something_else); one(numbered); one(numbered_not_awaited);
    one(ring);
}
