// Blocks that meet in global memory, without any synchronization.
#include "run.h"
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
#define N (gridDim.x * blockDim.x)

__global__ void own(int *a, int *) { a[ID] = ID; }
__global__ void no_block_index(int *a, int *) {
    a[threadIdx.x] = ID; // want WAW blocks-unordered/own-element
}
__global__ void next_block(int *a, int *) {
    a[ID] = 1;
    a[N + ID] = a[(ID + blockDim.x) % N]; // want RAW blocks-unordered/split-kernel
}
__global__ void next_thread(int *a, int *) {
    int x = a[ID + 1];
    a[ID] = x; // want WAR blocks-unordered/split-kernel
}
__global__ void read_only(int *a, int *) { a[N + ID] = a[0] + a[threadIdx.x]; }
__global__ void off_by_one(int *a, int *) {
    if (threadIdx.x <= 31) a[32 * blockIdx.x + threadIdx.x] = 1;
}
__global__ void one_too_many(int *a, int *) {
    if (threadIdx.x <= 32) a[32 * blockIdx.x + threadIdx.x] = threadIdx.x; // want WAW blocks-unordered/own-element
}
__global__ void one_thread(int *a, int *) {
    if (ID == 0) a[0] = a[1] + 1;
}
__global__ void thread_of_each_block(int *a, int *) {
    if (threadIdx.x == 0) a[0] = blockIdx.x; // want WAW blocks-unordered/own-element
}
__global__ void same_value(int *a, int *) {
    if (threadIdx.x == 0) a[0] = 1; // want info WAW blocks-unordered/none
}
__global__ void same_value_all(int *a, int *) {
    a[5] = 7; // want info WAW one-instruction/none
}
// Each block writes the same table.
__global__ void same_table(int *a, int *) {
    a[threadIdx.x] = threadIdx.x * threadIdx.x; // want info WAW blocks-unordered/none
}
__global__ void same_table_vectors(int *a, int *) {
    if (threadIdx.x < 16) reinterpret_cast<int4 *>(a)[threadIdx.x] = make_int4(threadIdx.x, 1, 2, 3); // want info WAW blocks-unordered/none
}
__global__ void same_table_shifted(int *a, int *) {
    a[threadIdx.x + blockIdx.x] = threadIdx.x; // want WAW blocks-unordered/own-element
}
__global__ void same_value_found(int *a, int *) {
    if (a[N + ID] == 0) a[ID % 2] = 3; // want info WAW one-instruction/none
}
__global__ void update(int *a, int *) {
    if (threadIdx.x == 0) a[0]++; // want WAR blocks-unordered/atomic; WAW blocks-unordered/atomic
}
__global__ void atomic_update(int *a, int *) {
    if (threadIdx.x == 0) atomicAdd(&a[0], 1);
}
__global__ void atomic_and_read(int *a, int *) {
    atomicAdd(&a[0], 1);
    a[N + ID] = a[0]; // want RAW not-atomic/atomic
}
__global__ void atomic_and_write(int *a, int *) {
    if (ID == 0) a[0] = 0; // want WAW blocks-unordered/split-kernel ?a
    atomicAdd(&a[0], 1); // want WAW blocks-unordered/split-kernel ?a
}
__global__ void block_scope(int *a, int *) {
    atomicAdd_block(&a[0], 1); // want WAW narrow-scope/scope
}
__global__ void block_scope_own(int *a, int *) { atomicAdd_block(&a[blockIdx.x], 1); }
__global__ void mixed_scope(int *a, int *) {
    if (blockIdx.x == 0) atomicAdd_block(&a[0], 1); // want WAW narrow-scope/scope
    else atomicAdd(&a[0], 1);
}
__global__ void system_scope(int *a, int *) { atomicAdd_system(&a[0], 1); }
__global__ void atomic_max(int *a, int *) { atomicMax(&a[threadIdx.x], ID); }
__global__ void atomic_next_word(int *a, int *) {
    atomicAdd(&a[0], 1);
    a[1 + ID] = 2;
}
__global__ void stencil_in_place(int *a, int *) {
    if (ID > 0 && ID < N - 1) {
        int x = a[ID - 1] + a[ID + 1];
        a[ID] = x; // want WAR blocks-unordered/split-kernel
    }
}
__global__ void stencil(int *a, int *) {
    if (ID > 0 && ID < N - 1) a[N + ID] = a[ID - 1] + a[ID + 1];
}
__global__ void stride_loop(int *a, int *) {
    for (int i = ID; i < 8 * N; i += N) a[i] += i;
}
__global__ void stride_wrong(int *a, int *) {
    for (int i = ID; i < 4 * N; i += blockDim.x) a[i] = ID; // want WAW blocks-unordered/own-element
}
__global__ void scatter(int *a, int *) { a[(ID * 37) % N] = ID; }
__global__ void scatter_collides(int *a, int *) {
    a[(ID * 37) % (N - 1)] = ID; // want WAW blocks-unordered/own-element
}
__global__ void reversed(int *a, int *) { a[N - 1 - ID] = ID; }
__global__ void barrier_is_not_enough(int *a, int *) {
    a[ID] = 1;
    __syncthreads();
    a[N + ID] = a[N - 1 - ID]; // want RAW blocks-unordered/split-kernel
}
__global__ void fence_is_not_enough(int *a, int *) {
    a[ID] = 1;
    __threadfence();
    a[N + ID] = a[N - 1 - ID]; // want RAW blocks-unordered/split-kernel
}
__device__ int total[4];
__global__ void variable(int *, int *) {
    if (threadIdx.x == 0) total[2] = blockIdx.x; // want WAW blocks-unordered/own-element
}

int main() {
    auto two = [](void (*k)(int *, int *)) { launch(k, 4, 64); };
    two(own); two(no_block_index); two(next_block); two(next_thread); two(read_only); two(off_by_one);
    two(one_too_many); two(one_thread); two(thread_of_each_block); two(same_value); two(same_value_all);
    two(same_value_found); two(same_table); two(same_table_vectors); two(same_table_shifted); two(update); two(atomic_update); two(atomic_and_read); two(atomic_and_write);
    two(block_scope); two(block_scope_own); two(mixed_scope); two(system_scope); two(atomic_max);
    two(atomic_next_word); two(stencil_in_place); two(stencil); two(stride_loop); two(stride_wrong); two(scatter);
    two(scatter_collides); two(reversed); two(barrier_is_not_enough); two(fence_is_not_enough); two(variable);
}
