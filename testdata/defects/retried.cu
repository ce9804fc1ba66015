// Atomic operations made of a compare-and-swap, which repeats what was read too
// early.
// clean: add_shared add_global largest push half_words taken
#include <cstdio>
#include <cstring>

// The one of the CUDA C++ Programming Guide, "Atomic Functions".
__device__ double add(double *address, double val) {
    unsigned long long *as_ull = (unsigned long long *)address, old = *as_ull, assumed;
    do {
        assumed = old;
        old = atomicCAS(as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__global__ void add_shared(double *out, const double *in) {
    __shared__ double sum[2];
    if (threadIdx.x < 2) sum[threadIdx.x] = 0;
    __syncthreads();
    add(&sum[threadIdx.x & 1], in[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x < 2) out[threadIdx.x] = sum[threadIdx.x];
}
__global__ void add_global(double *out, const double *in) { add(out + 1, in[threadIdx.x]); }

// The read is volatile, and ends the loop early.
__global__ void largest(double *out, const double *in) {
    double v = in[threadIdx.x], old = *(volatile double *)out;
    while (v > old) {
        unsigned long long was = atomicCAS((unsigned long long *)out, __double_as_longlong(old), __double_as_longlong(v));
        if (was == __double_as_longlong(old)) break;
        old = __longlong_as_double(was);
    }
}

struct Node { int next, value; };

// A list of nodes, each of which is put before the others.
__global__ void push(int *head, Node *nodes) {
    int old;
    do {
        old = *head;
        nodes[threadIdx.x].next = old;
    } while (atomicCAS(head, old, (int)threadIdx.x) != old);
}

// Half a word is changed, and the other half kept.
__global__ void half_words(unsigned *out) {
    unsigned *word = out + (threadIdx.x >> 1 & 3), shift = 16 * (threadIdx.x & 1), old = *word, assumed;
    do {
        assumed = old;
        unsigned part = (assumed >> shift & 0xffff) + threadIdx.x;
        old = atomicCAS(word, assumed, assumed & ~(0xffffu << shift) | (part & 0xffff) << shift);
    } while (assumed != old);
}

// What is read is not what is swapped.
__global__ void peeked(int *out) {
    int before = out[0];  // want(peeked) race
    atomicAdd(&out[0], 1);
    out[1 + threadIdx.x] = before;
}
// The value that is expected was not read there.
__global__ void elsewhere(int *out) {
    int old = out[1];  // want(elsewhere) race
    atomicCAS(&out[0], old, 7);
    atomicAdd(&out[1], 1);
}
// One thread does not take part.
__global__ void overwritten(int *out) {
    int old, was;
    if (threadIdx.x == 63) *out = 0; else for (old = *out; (was = atomicCAS(out, old, old + 1)) != old; old = was) {}  // want(overwritten) race WAR // want(overwritten) race WAW
}
// A swap that fails writes nothing: who swaps next is not ordered after it.
__device__ void hand_over(int *word, int *data, int first, int next) {
    if (blockIdx.x == 0) {
        *data = 1;
        __threadfence();
        atomicCAS(word, first, 2);
    } else if (atomicCAS(word, next, 3) == next) {
        __threadfence();
        data[1] = *data;  // want(refused) race RAW
    }
}
__global__ void refused(int *out) { if (threadIdx.x == 0) hand_over(out, out + 1, 1, 0); }
__global__ void taken(int *out) { if (threadIdx.x == 0) hand_over(out, out + 1, 0, 2); }

int main(int, char **argv) {
    const char *c = argv[1];
    double *in, *out;
    int *counts;
    Node *nodes;
    cudaMalloc(&in, 512), cudaMalloc(&out, 512), cudaMalloc(&counts, 512), cudaMalloc(&nodes, 512);
    cudaMemset(in, 0, 512), cudaMemset(out, 0, 512), cudaMemset(counts, 0, 512), cudaMemset(nodes, 0, 512);
#define CASE(k, ...) if (!strcmp(c, #k)) k<<<1, 64>>>(__VA_ARGS__)
#define BLOCKS(k, ...) if (!strcmp(c, #k)) k<<<2, 64>>>(__VA_ARGS__)
    CASE(add_shared, out, in); CASE(add_global, out, in); CASE(largest, out, in); CASE(push, counts, nodes);
    CASE(half_words, (unsigned *)counts); CASE(peeked, counts); CASE(elsewhere, counts); CASE(overwritten, counts);
    BLOCKS(refused, counts); BLOCKS(taken, counts);
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(in), cudaFree(out), cudaFree(counts), cudaFree(nodes);
    return bad;
}
