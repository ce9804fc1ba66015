// flags: --arch sm_90
// Bulk stores that several lanes issue by one instruction, or one after the other.
#include "run.h"
#define T threadIdx.x
#define SHARED __shared__ __align__(16) int s[128]; s[T] = T / 4, s[T + 32] = 1; asm volatile("fence.proxy.async;" ::: "memory"); __syncwarp(); if (T == 99) __threadfence()
#define STORE(to, from) asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" ::"l"(to), "r"((unsigned)__cvta_generic_to_shared(from)) : "memory")
#define WAIT asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory")

__global__ void leader(int *a, int *) {
    SHARED;
    if (T == 3) STORE(a, s);
    WAIT;
}
__global__ void each_its_own(int *a, int *) {
    SHARED;
    STORE(a + 4 * T, s + 4 * (T % 4));
    WAIT;
}
__global__ void all_lanes(int *a, int *) {
    SHARED;
    STORE(a, s + 4); // want info WAW one-instruction/none
    WAIT;
}
__global__ void different(int *a, int *) {
    SHARED;
    STORE(a, s + 4 * (T % 4)); // want WAW one-instruction/own-element
    WAIT;
}
__global__ void in_turn(int *a, int *) {
    SHARED;
    for (int i = 0; i < 2; i++)
        if (T == i) STORE(a, s + 4 * i); // want WAW in-flight/wait [its thread]
    WAIT;
}

int main() {
    launch(leader, 1, 32);
    launch(each_its_own, 1, 32);
    launch(all_lanes, 1, 32);
    launch(different, 1, 32);
    launch(in_turn, 1, 32);
}
