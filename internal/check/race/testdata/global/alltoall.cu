// Kernels in which each thread reads what all have: more than a line's history has room for, with what other blocks do.
#include "run.h"
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

struct Body { int place[3], speed[3], force[3], mass; };
const int bodies = 400;

__global__ void in_place(int *a, int *) {
    int sum = 0;
    for (int i = 0; i < 1024; i++) sum += a[i];
    a[ID] = sum; // want WAR blocks-unordered/split-kernel
}
// The members are read by a site each; optimized, those that others read are not written.
__global__ void members(int *a, int *) {
    Body *p = (Body *)a, own;
    if (ID >= bodies) return;
    own = p[ID];
    for (int i = 0; i < bodies; i++) {
        Body other = p[i];
        own.force[0] += other.place[0] * other.mass;
    }
    p[ID] = own; // want WAR blocks-unordered/split-kernel [source]
}
// Blocks read their own parts only, or another array.
__global__ void own_part(int *a, int *) {
    int sum = 0;
    for (unsigned i = 0; i < blockDim.x; i++) sum += a[blockIdx.x * blockDim.x + i];
    __syncthreads();
    a[ID] = sum;
}
__global__ void own_part_unordered(int *a, int *) {
    int sum = 0;
    for (unsigned i = 0; i < blockDim.x; i++) sum += a[blockIdx.x * blockDim.x + i];
    a[ID] = sum; // want WAR no-barrier/barrier
}
__global__ void other_part(int *a, int *) {
    int sum = 0;
    for (unsigned i = 0; i < 1024; i++)
        if (i / blockDim.x != blockIdx.x) sum += a[i];
    __syncthreads();
    a[ID] = sum; // want WAR blocks-unordered/split-kernel
}
__global__ void other_array(int *a, int *) {
    int sum = 0;
    for (int i = 0; i < 1024; i++) sum += a[i];
    a[4096 + ID] = sum;
}
// With a barrier between, only blocks race.
__global__ void barrier_between(int *a, int *) {
    int sum = 0;
    for (int i = 0; i < 1024; i++) sum += a[i];
    __syncthreads();
    a[ID] = sum; // want WAR blocks-unordered/split-kernel
}
// The elements after those that were read.
__global__ void beside(int *a, int *) {
    int sum = 0;
    for (int i = 0; i < 20; i++) sum += a[i];
    if (ID >= 20) a[ID] = sum;
}
__global__ void beside_by_one(int *a, int *) {
    int sum = 0;
    for (int i = 0; i < 21; i++) sum += a[i];
    if (ID >= 20) a[ID] = sum; // want WAR blocks-unordered/split-kernel
}
// From the end to the beginning.
__global__ void backward(int *a, int *) {
    int sum = 0;
    for (int i = 1023; i >= 0; i--) sum += a[i];
    __syncthreads();
    a[ID] = sum; // want WAR blocks-unordered/split-kernel
}

int main(int argc, char **argv) {
    auto of = [&](void (*k)(int *, int *)) { launch(k, 4, 256); };
    of(in_place);
    of(members);
    of(own_part);
    of(own_part_unordered);
    of(other_part);
    of(other_array);
    of(barrier_between);
    of(beside);
    of(beside_by_one);
    of(backward);
}
