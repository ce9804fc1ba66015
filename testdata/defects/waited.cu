// Flags and states that blocks wait for, and what they hold before the launch; invalid kernel launches.
// clean: cleared lock turns epochs mailbox list by_kernel init_kernel peterson
#include <cstdio>
#include <cstring>
const int N = 8;
__global__ void chain(volatile int *state, int *sum, int ready) {  // each block adds to what the one before it has
    int b = blockIdx.x, x = b + 1;
    if (b > 0) {
        while (state[b - 1] != ready) {}  // want(fresh) init global
        __threadfence();
        x += sum[b - 1];
    }
    sum[b] = x;
    __threadfence();
    state[b] = ready;
}
__global__ void look_back(volatile unsigned long long *state, int *out) {
    int b = blockIdx.x, sum = 0;
    state[b] = 1ull << 32 | (b + 1);
    for (int t = b - 1; t >= 0;) {
        unsigned long long w = state[t];  // want(states) init global // want(stale_states) init global
        if (w >> 32 == 0) continue;
        sum += (int)w;
        if (w >> 32 == 2) break;
        t--;
    }
    state[b] = 2ull << 32 | (sum + b + 1);
    out[b] = sum;
}
__global__ void locked(int *lock, int *sum) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    sum[0]++;
    __threadfence();
    atomicExch(lock, 0);
}
__global__ void in_turn(volatile int *turn, int *sum) {
    while (*turn != blockIdx.x) {}
    __threadfence();
    sum[0]++;
    __threadfence();
    *turn = (blockIdx.x + 1) % gridDim.x;
}
__global__ void slot(volatile int *full, int *data) {  // from block 0 to block 1, which leaves it as it was
    for (int i = 0; i < 4; i++)
        if (blockIdx.x == 0) {
            while (*full) {}
            __threadfence();
            data[0] = i;
            __threadfence();
            *full = 1;
        } else if (blockIdx.x == 1) {
            while (!*full) {}
            __threadfence();
            data[1 + i] = data[0];
            __threadfence();
            *full = 0;
        }
}
__device__ volatile int wants[2], next_one;
__global__ void petersons(int *sum) {  // a lock for two without atomic operations: its words end as they began
    int me = blockIdx.x, other = 1 - me;
    for (int i = 0; i < 3; i++) {
        wants[me] = 1;
        next_one = other;
        __threadfence();
        while (wants[other] && next_one == other) {}
        __threadfence();
        sum[0]++;
        __threadfence();
        wants[me] = 0;
    }
}
__device__ volatile int filled;
__global__ void late(int *data) {  // what an earlier launch has left is set back only when others may already have seen it
    if (blockIdx.x == 0) {
        filled = 0;
        data[0] = 1;
        __threadfence();
        filled = 1;
    } else {
        while (!filled) {}  // want(late_reset) init global
        __threadfence();
        data[1] = data[0];
    }
}
__global__ void pushed(int *lock, volatile int *next) {  // a list that grows under a lock
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    int n = 1 + blockIdx.x, length = 0;
    for (int i = next[0]; i != 0; i = next[i]) length++;
    next[n] = next[0];
    next[0] = n;
    __threadfence();
    atomicExch(lock, 0);
}
__global__ void clear(int *p) { p[threadIdx.x] = 0; }
__global__ void add(int *to, const int *from) { to[threadIdx.x] += from[threadIdx.x]; }
int main(int, char **argv) {
    const char *c = argv[1];
    auto is = [&](const char *k) { return !strcmp(c, k); };
    int *state, *out, host[N * 16];
    cudaMalloc(&state, N * 64);
    cudaMalloc(&out, N * 64);
    cudaMemset(out, 0, N * 64);
    bool clears = !is("fresh") && !is("states") && !is("by_kernel");
    if (clears) cudaMemset(state, 0, N * 64);
    if (is("fresh") || is("cleared")) chain<<<N, 1>>>(state, out, 1);
    if (is("epochs"))
        for (int i = 0; i < 3; i++) chain<<<N, 1>>>(state, out, i + 1);
    if (is("by_kernel"))
        for (int i = 0; i < 3; i++) {
            clear<<<1, N>>>(state);
            chain<<<N, 1>>>(state, out, 1);
        }
    if (is("states") || is("stale_states"))
        for (int i = 0; i < 2; i++) look_back<<<N, 1>>>((unsigned long long *)state, out);
    if (is("lock"))
        for (int i = 0; i < 2; i++) locked<<<N, 1>>>(state, out);
    if (is("turns"))
        for (int i = 0; i < 2; i++) in_turn<<<N, 1>>>(state, out);
    if (is("mailbox"))
        for (int i = 0; i < 2; i++) slot<<<2, 1>>>(state, out);
    if (is("peterson"))
        for (int i = 0; i < 2; i++) petersons<<<2, 1>>>(out);
    if (is("late_reset"))
        for (int i = 0; i < 2; i++) late<<<2, 1>>>(out);
    if (is("list")) pushed<<<N, 1>>>(state, state + 8);
    if (is("init_kernel")) {
        clear<<<1, N>>>(state);
        add<<<1, N>>>(out, state);
    }
    // What an invalid kernel launch does not write is not told again.
    if (is("refused") || is("refused_copy")) {
        int *fresh;
        cudaMalloc(&fresh, N * 64);
        clear<<<1, 2048>>>(fresh);  // want(refused) launch rejected // want(refused_copy) launch rejected
        if (is("refused")) add<<<1, N>>>(out, fresh);
        cudaMemcpy(host, fresh, N * 64, cudaMemcpyDeviceToHost);
        cudaFree(fresh);
    }
    cudaMemcpy(host, out, N * 4, cudaMemcpyDeviceToHost);
    cudaFree(state);
    cudaFree(out);
}
