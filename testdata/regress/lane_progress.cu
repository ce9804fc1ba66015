// exit: 0
// Lanes of one warp that wait for each other: since sm_70 each makes progress
// by itself, however the loop is written.
#include <cstdio>

__device__ int lock_word, lock2_word, turn_word;
__device__ int total;

__device__ void critical() {
    volatile int *t = &total;
    *t = *t + 1;
}

// The lock is taken and given back within one round of the loop.
__global__ void inside() {
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock_word, 0, 1) == 0) {
            __threadfence();
            critical();
            __threadfence();
            atomicExch(&lock_word, 0);
            done = true;
        }
    }
}

// The loop ends first: lanes that have the lock must pass those that spin.
__global__ void behind() {
    while (atomicCAS(&lock_word, 0, 1) != 0) {
    }
    __threadfence();
    critical();
    __threadfence();
    atomicExch(&lock_word, 0);
}

// An endless loop that is left in the middle.
__global__ void broken() {
    for (;;) {
        if (atomicExch(&lock_word, 1) == 0) {
            __threadfence();
            critical();
            __threadfence();
            atomicExch(&lock_word, 0);
            break;
        }
    }
}

// Tickets: each lane waits for its own number.
__global__ void tickets(int *next, int *serving) {
    int mine = atomicAdd(next, 1);
    while (atomicAdd(serving, 0) != mine) {
    }
    __threadfence();
    critical();
    __threadfence();
    atomicAdd(serving, 1);
}

// Two locks, one inside the other, both taken while others spin.
__global__ void nested() {
    bool outer = false;
    do {
        if (atomicCAS(&lock_word, 0, 1) == 0) {
            __threadfence();
            while (atomicCAS(&lock2_word, 0, 1) != 0) {
            }
            __threadfence();
            critical();
            __threadfence();
            atomicExch(&lock2_word, 0);
            __threadfence();
            atomicExch(&lock_word, 0);
            outer = true;
        }
    } while (!outer);
}

// One lane produces, the next one consumes, along the warp; spinning counts.
__global__ void chain(int *flag, int *value, int *spins) {
    int i = threadIdx.x, n = 0;
    if (i > 0) {
        while (atomicAdd(&flag[i - 1], 0) == 0) n++;
        __threadfence();
    }
    value[i] = i > 0 ? value[i - 1] + i : 0;
    __threadfence();
    atomicExch(&flag[i], 1);
    spins[i] = n;
}

// Even lanes wait for odd ones in a function, in a branch, in a loop.
__device__ __noinline__ void await(int *word, int want) {
    while (atomicAdd(word, 0) < want) {
    }
    __threadfence();
}

__global__ void pingpong(int *word) {
    int me = threadIdx.x & 1;
    int *w = word + threadIdx.x / 2;
    for (int round = 0; round < 5; round++) {
        if (me == 0) {
            await(w, 2 * round);
            atomicAdd(w, 1);
        } else {
            await(w, 2 * round + 1);
            atomicAdd(w, 1);
        }
    }
}

static int failed;

static void expect(const char *what, int got, int want) {
    if (got == want) return;
    printf("%s: got %d, want %d\n", what, got, want);
    failed = 1;
}

template <class Launch>
static void locked(const char *what, int threads, Launch launch) {
    int zero = 0, sum = 0;
    cudaMemcpyToSymbol(total, &zero, sizeof zero);
    launch();
    if (cudaDeviceSynchronize() != cudaSuccess) failed = 1;
    cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    expect(what, sum, threads);
}

int main() {
    int *mem;
    cudaMalloc(&mem, 4096);
    cudaMemset(mem, 0, 4096);
    locked("inside", 128, [] { inside<<<2, 64>>>(); });
    locked("behind", 128, [] { behind<<<2, 64>>>(); });
    locked("broken", 128, [] { broken<<<2, 64>>>(); });
    locked("tickets", 96, [=] { tickets<<<3, 32>>>(mem, mem + 1); });
    locked("nested", 64, [] { nested<<<2, 32>>>(); });
    chain<<<1, 32>>>(mem + 100, mem + 200, mem + 300);
    pingpong<<<1, 64>>>(mem + 400);
    if (cudaDeviceSynchronize() != cudaSuccess) failed = 1;
    int host[1024];
    cudaMemcpy(host, mem, 4096, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++) {
        expect("chain", host[200 + i], i * (i + 1) / 2);
        expect("pingpong", host[400 + i], 10);
    }
    return failed;
}
