// Accesses of several widths that share bytes or nearly do.
#include "run.h"
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void bytes_of_a_word(char *a, int *) { a[ID] = ID; }
__global__ void byte_next_to_half(char *a, int *) {
    if (blockIdx.x == 0) a[4 * threadIdx.x + 2] = 1;
    else *(short *)(a + 4 * threadIdx.x) = 2;
}
__global__ void byte_in_half(char *a, int *) {
    if (blockIdx.x == 0) a[4 * threadIdx.x + 1] = 1;
    else *(short *)(a + 4 * threadIdx.x) = 2; // want WAW blocks-unordered/own-element
}
__global__ void byte_in_vector(char *a, int *) {
    if (blockIdx.x == 0) a[16 * threadIdx.x + 15] = 1;
    else ((int4 *)a)[threadIdx.x] = make_int4(1, 2, 3, 4); // want WAW blocks-unordered/own-element
}
__global__ void byte_after_vector(char *a, int *) {
    if (blockIdx.x == 0) a[32 * threadIdx.x + 16] = 1;
    else ((int4 *)a)[2 * threadIdx.x] = make_int4(1, 2, 3, 4);
}
__global__ void two_fields(char *a, int *) {
    struct S { int x; short y; char z, w; } *s = (S *)a;
    if (blockIdx.x == 0) s[threadIdx.x].z = 1;
    else s[threadIdx.x].w = 1;
}
__global__ void double_over_ints(char *a, int *) {
    if (blockIdx.x == 0) ((int *)a)[2 * threadIdx.x + 1] = 1;
    else ((double *)a)[threadIdx.x] = 2; // want WAW blocks-unordered/own-element
}
__global__ void line_border(char *a, int *) {
    if (blockIdx.x == 0 && threadIdx.x == 0) a[127] = 1;
    if (blockIdx.x == 1 && threadIdx.x == 0) a[128] = 2;
}
__global__ void narrow_neighbors(char *a, int *) {
    short *s = (short *)a;
    s[ID] = 1;
    __syncthreads();
    if (ID + 1 < 128) s[256 + ID] = s[ID + 1]; // want RAW blocks-unordered/split-kernel
}
__global__ void vector_shift(char *a, int *) {
    int *p = (int *)a;
    *(int2 *)(p + 2 * ID) = make_int2(1, 2);
    __syncthreads();
    if (threadIdx.x > 0) p[512 + ID] = p[2 * ID - 1];
}
// Atomics of two sizes are not atomic for each other, in one warp or apart.
__global__ void two_sizes(char *a, int *) {
    if (blockIdx.x == 0) atomicAdd((unsigned *)a, 1u);
    else atomicAdd((unsigned long long *)a, 1ull); // want WAW mixed-sizes/atomic
}
__global__ void sizes_in_turn(char *a, int *) {
    atomicAdd((unsigned *)a + blockIdx.x * 2, 1u);
    __syncthreads();
    atomicAdd((unsigned long long *)a + blockIdx.x, 1ull);
}
__global__ void shared_sizes(char *, int *) {
    __shared__ unsigned long long s;
    threadIdx.x < 32 ? (void)atomicAdd((unsigned *)&s, 1u) : (void)atomicAdd(&s, 1ull); // want WAW mixed-sizes/atomic
}

int main() {
    auto two = [](void (*k)(char *, int *)) { launch(k, 2, 64); };
    two(bytes_of_a_word); two(byte_next_to_half); two(byte_in_half); two(byte_in_vector); two(byte_after_vector);
    two(two_fields); two(double_over_ints); two(line_border); two(narrow_neighbors); two(vector_shift);
    two(two_sizes); two(sizes_in_turn); two(shared_sizes);
}
