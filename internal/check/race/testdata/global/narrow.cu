// Atomic operations on halves of words, made of compare-and-swaps of the words, as
// libraries do for sizes that have none; and other swaps of words, which are not.
#include "run.h"
#define T threadIdx.x
#define B blockIdx.x

// Adds to a half, whose neighbor keeps its value.
__device__ void add_half(unsigned short *p, unsigned v) {
    unsigned *word = (unsigned *)((size_t)p & ~(size_t)3), shift = ((size_t)p & 2) * 8, mask = ~(0xffffu << shift);
    unsigned old, seen;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(word) : "memory");
    do {
        old = seen;
        unsigned half = (old >> shift) + v & 0xffff;
        seen = atomicCAS(word, old, old & mask | half << shift); // want WAR not-atomic/atomic; WAW mixed-sizes/atomic ?w
    } while (seen != old);
}
__device__ unsigned short load_half(unsigned short *p) {
    unsigned short v;
    asm volatile("ld.relaxed.gpu.global.u16 %0, [%1];" : "=h"(v) : "l"(p) : "memory"); // want RAW mixed-sizes/atomic ?s
    return v;
}
__device__ void store_half(unsigned short *p, unsigned short v) { asm volatile("st.relaxed.gpu.global.u16 [%0], %1;" ::"l"(p), "h"(v) : "memory"); }

__global__ void counted(int *a, int *f) {
    unsigned short *h = (unsigned short *)f;
    add_half(&h[T % 4], 1);
    a[64 * B + T] = load_half(&h[T % 4]);
}
__global__ void beside_plain(int *a, int *f) { // one half is the thread's own
    unsigned short *h = (unsigned short *)f;
    if (B == 0 && T == 0) h[0] = 7;
    else add_half(&h[1], 1);
}
__global__ void beside_stores(int *a, int *f) {
    unsigned short *h = (unsigned short *)f;
    if (B == 0 && T == 0) store_half(&h[1], 7);
    else add_half(&h[1], 1);
}
__global__ void read_as_word(int *a, int *f) {
    unsigned short *h = (unsigned short *)f;
    if (B == 0) add_half(&h[1], 1);
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(a[64 * B + T]) : "l"(f) : "memory");
}
// The same half, plainly.
__global__ void read_plainly(int *a, int *f) {
    unsigned short *h = (unsigned short *)f;
    if (B == 0) add_half(&h[1], 1);
    else a[64 * B + T] = h[1];
}
// Swaps and sums of whole words.
__global__ void word_swapped(int *a, int *f) {
    unsigned short *h = (unsigned short *)f;
    if (B == 0) atomicCAS((unsigned *)f, 0u, 0x10001u + T); // want WAR mixed-sizes/atomic ?s
    else a[64 * B + T] = load_half(&h[1]);
}
__global__ void word_added(int *a, int *f) {
    unsigned short *h = (unsigned short *)f;
    if (B == 0) add_half(&h[1], 1);
    else atomicAdd((unsigned *)f, 1u); // want WAW mixed-sizes/atomic ?w
}

int main() {
    launch(counted, 4, 64); launch(beside_plain, 4, 64); launch(beside_stores, 4, 64); launch(read_as_word, 4, 64); launch(read_plainly, 4, 64);
    launch(word_swapped, 4, 64); launch(word_added, 4, 64);
}
