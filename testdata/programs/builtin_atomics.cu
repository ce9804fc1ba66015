// flags: --arch sm_90
// nvcc's built-in atomic functions: each with an order and a scope that are constants.
#include <cstdio>

struct State {
    unsigned sum, bits, most;
    int least;
    unsigned long long wide;
    float real;
    unsigned char byte;
};

__global__ void update(State *s, volatile unsigned *turn, int *ready, unsigned *payload) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_atomic_add(&s->sum, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_or(&s->bits, 1u << (i % 32), __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_max(&s->most, i, __NV_ATOMIC_SEQ_CST);
    __nv_atomic_min(&s->least, -static_cast<int>(i), __NV_ATOMIC_RELAXED);
    __nv_atomic_fetch_add(&s->wide, 1ull << 32, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
    __nv_atomic_fetch_sub(&s->real, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    unsigned char seen = __nv_atomic_load_n(&s->byte, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    while (!__nv_atomic_compare_exchange_n(&s->byte, &seen, static_cast<unsigned char>(seen + 1), true, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED,
                                           __NV_THREAD_SCOPE_DEVICE)) {
    }
    // One after the other: what a thread writes before its release the next one reads.
    if (threadIdx.x == 0) {
        while (__nv_atomic_load_n(turn, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) != blockIdx.x) {
        }
        *payload = *payload * 2 + 1;
        __nv_atomic_store_n(turn, blockIdx.x + 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    }
    // A flag in shared memory, by fences of the block.
    __shared__ int flag, value;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        value = 7;
        __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
        __nv_atomic_store_n(&flag, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    } else if (threadIdx.x == 0) {
        int f = 0;
        do __nv_atomic_load(&flag, &f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_CLUSTER);
        while (f == 0);
        __nv_atomic_thread_fence(__NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK);
        int one = value == 7, old;
        __nv_atomic_exchange(&ready[blockIdx.x], &one, &old, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    }
}

int main() {
    constexpr int blocks = 3, threads = 64, n = blocks * threads;
    State *s;
    unsigned *turn, *payload;
    int *ready;
    cudaMallocManaged(&s, sizeof *s);
    cudaMallocManaged(&turn, sizeof *turn);
    cudaMallocManaged(&payload, sizeof *payload);
    cudaMallocManaged(&ready, blocks * sizeof *ready);
    *s = {}, *turn = 0, *payload = 0;
    for (int i = 0; i < blocks; i++) ready[i] = 0;
    update<<<blocks, threads>>>(s, turn, ready, payload);
    const cudaError_t e = cudaDeviceSynchronize();
    bool right = e == cudaSuccess && s->sum == n * (n - 1) / 2 && s->bits == ~0u && s->most == n - 1 && s->least == 1 - n;
    right = right && s->wide == static_cast<unsigned long long>(n) << 32 && s->real == -0.5f * n && s->byte == n;
    right = right && *turn == blocks && *payload == 7 && ready[0] + ready[1] + ready[2] == 3;
    printf("%s\n", right ? "PASS" : "FAIL");
    cudaFree(s), cudaFree(turn), cudaFree(payload), cudaFree(ready);
    return !right;
}
