// Reads before an atomic operation that looks again: atomicMax, or atomicCAS with the value
// that was tested. A plain one races with the atomics of others; a volatile or relaxed one
// does not, whatever it finds, nor does one whose own value the swap expects.
#include "run.h"
#include <cuda/atomic>
#define T threadIdx.x
#define B blockIdx.x
#define V (T % 8)
using Relaxed = cuda::atomic_ref<int, cuda::thread_scope_device>;
#define X int(T + 64 * B + 1)

__global__ void claimed(int *d, int *) {
    if (d[V] == 0)
        atomicCAS(&d[V], 0, X); // want WAR not-atomic/atomic
}
__global__ void exchanged(int *d, int *o) {
    if (d[V] == 0)
        if (atomicExch(&d[V], 1) == 0) o[V] = X; // want WAR not-atomic/atomic
}
__global__ void greatest(int *d, int *) {
    if (d[V] < X)
        atomicMax(&d[V], X); // want WAR not-atomic/atomic
}
__global__ void claimed_volatile(int *d, int *) {
    if (*(volatile int *)&d[V] == 0) atomicCAS(&d[V], 0, X);
}
__global__ void greatest_volatile(int *d, int *) {
    if (*(volatile int *)&d[V] < X) atomicMax(&d[V], X);
}
__global__ void greatest_relaxed(int *d, int *) {
    if (Relaxed(d[V]).load(cuda::memory_order_relaxed) < X) atomicMax(&d[V], X);
}
__global__ void greatest_by_swaps(int *d, int *) {
    int old = d[V], was;
    while (old < X && (was = atomicCAS(&d[V], old, X)) != old) old = was;
}
// In shared memory.
__global__ void claimed_in_block(int *d, int *) {
    __shared__ int s[8];
    if (T < 8) s[T] = 0;
    __syncthreads();
    if (s[V] == 0)
        atomicCAS(&s[V], 0, X); // want WAR no-barrier/syncthreads
    __syncthreads();
    d[64 * B + T] = s[V];
}

int main() {
    auto four = [](void (*k)(int *, int *)) { launch(k, 4, 64); };
    four(claimed); four(exchanged); four(greatest); four(claimed_volatile); four(greatest_volatile); four(greatest_relaxed);
    four(greatest_by_swaps); four(claimed_in_block);
}
