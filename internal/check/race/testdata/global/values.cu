// Writes of one value to one place are information, whatever else was written there in
// between; writes of different values are errors, also where the last one changes nothing.
#include "run.h"
#define T threadIdx.x
#define B blockIdx.x

__global__ void back_again(int *a, int *) {
    __shared__ int s, own[96];
    if (T == 0) s = 1; // want WAW [optimized] ?i
    own[T] = a[T];
    if (T == 32) s = 2; // want WAW [source]; WAW [optimized] ?i
    own[T] += a[0];
    if (T == 64) s = 2; // want WAW; info WAW
    __syncthreads();
    if (T == 0) a[128 + B] = s + own[B];
}
// Two warps meet at a barrier of their own: the second value is written by both.
__global__ void then_another(int *a, int *) {
    __shared__ int s;
    if (T < 32) s = 1; // want info WAW
    if (T < 64) asm volatile("bar.sync 1, 64;" ::: "memory");
    if (T < 64) s = 2; // want info WAW
    __syncthreads();
    if (T == 0) a[B] = s;
}
__global__ void pieces(int *a, int *) {
    __shared__ int4 v;
    if (T % 32 == 0) v = make_int4(1, 2, 3, 4); // want info WAW
    __syncthreads();
    if (T == 0) a[B] = v.x + v.w;
}
__global__ void one_piece_differs(int *a, int *) {
    __shared__ int4 v;
    if (T % 32 == 0) v = make_int4(1, 2, T, 4); // want WAW; info WAW [optimized]
    __syncthreads();
    if (T == 0) a[B] = v.x + v.z;
}
// A read may come before all writes, and find what was there: that it has found the value
// that all write is no more than luck.
__global__ void written_and_read(int *a, int *) {
    __shared__ int n;
    n = 7; // want info WAW [source]
    a[64 * B + T] = n; // want RAW no-barrier/syncthreads [source]
}
__global__ void written_then_read(int *a, int *) {
    __shared__ int n;
    n = 7; // want info WAW
    __syncthreads();
    a[64 * B + T] = n;
}
__global__ void written_and_read_global(int *a, int *f) {
    f[0] = 7; // want info WAW
    if (f[0] == 7) a[64 * B + T] = 1; // want RAW blocks-unordered/split-kernel [source]
}
// Blocks overlap, and write the same to what they have in common.
__global__ void overlap(int *a, int *) {
    int i = B * 48 + T;
    a[i] = 3 * i; // want info WAW
}
__global__ void overlap_shifted(int *a, int *) {
    int i = B * 48 + T;
    a[i] = 3 * i + (T >= 48); // want WAW
}
__global__ void whole(int *a, int *) {
    *(int4 *)a = make_int4(1, 2, 3, 4); // want info WAW
}

int main() {
    auto four = [](void (*k)(int *, int *), int threads) { launch(k, 4, threads); };
    four(back_again, 96); four(then_another, 96); four(pieces, 96); four(written_and_read, 64); four(written_then_read, 64); four(written_and_read_global, 64);
    four(one_piece_differs, 96);
    four(overlap, 64); four(overlap_shifted, 64); four(whole, 32);
}
