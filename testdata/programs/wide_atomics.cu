// flags: --arch sm_90
// Atomics of 128 bits: atomicExch and atomicCAS of any type of that size, in three scopes.
#include <cstdio>

struct alignas(16) Entry {
    unsigned long long sum;
    unsigned count, last;
};

// Adds to both members at once.
__device__ void add(Entry *e, unsigned v) {
    Entry seen = atomicCAS(e, Entry{}, Entry{});
    for (;;) {
        const Entry next{seen.sum + v, seen.count + 1, v}, old = atomicCAS(e, seen, next);
        if (old.sum == seen.sum && old.count == seen.count && old.last == seen.last) return;
        seen = old;
    }
}

__global__ void sum(Entry *total, uint4 *slot, unsigned long long *exchanged) {
    __shared__ Entry own;
    if (threadIdx.x == 0) own = Entry{};
    __syncthreads();
    add(total, threadIdx.x);
    Entry seen = atomicCAS_block(&own, Entry{}, Entry{1, 1, 1});
    if (threadIdx.x == 0) atomicCAS_system(&own, seen, seen);
    const unsigned v = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const uint4 old = atomicExch(slot, make_uint4(v, v, v, v));
    if (old.x != old.w || old.x != old.y || old.x != old.z) __trap();
    atomicAdd(exchanged, static_cast<unsigned long long>(old.x));
    atomicExch_block(&own, Entry{2, 2, 2});
    atomicExch_system(&own, Entry{2, 2, 2});
    __syncthreads();
    if (own.sum != 2 || own.last != 2) __trap();
}

int main() {
    Entry *total;
    uint4 *slot;
    unsigned long long *exchanged;
    cudaMallocManaged(&total, sizeof *total);
    cudaMallocManaged(&slot, sizeof *slot);
    cudaMallocManaged(&exchanged, sizeof *exchanged);
    *total = {}, *slot = {}, *exchanged = 0;
    sum<<<3, 64>>>(total, slot, exchanged);
    cudaError_t e = cudaDeviceSynchronize();
    const unsigned n = 3 * 64;
    bool right = e == cudaSuccess && total->sum == 3 * 63 * 32 && total->count == n && *exchanged + slot->x == n * (n + 1) / 2;
    printf("%s\n", right ? "PASS" : "FAIL");
    cudaFree(total), cudaFree(slot), cudaFree(exchanged);
    return !right;
}
