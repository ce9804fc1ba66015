// Threads that test a place and then write it, and threads that wait by plain reads.
#include "run.h"
#define T threadIdx.x
#define B blockIdx.x
#define ID (B * blockDim.x + T)

// A lock that is tested and then set: two threads can find it free.
__global__ void volatile_lock(int *a, int *f) {
    volatile int *lock = f;
    if (T == 0) {
        while (*lock) {}
        *lock = 1; // want WAR test-then-set/atomic; WAW test-then-set/atomic
        __threadfence();
        a[0] += B;
        __threadfence();
        *lock = 0; // want WAW test-then-set/atomic
    }
}
__global__ void exchanged_lock(int *a, int *f) {
    if (T == 0) {
        while (atomicExch(f, 1)) {}
        __threadfence();
        a[0] += B;
        __threadfence();
        *(volatile int *)f = 0;
    }
}
__global__ void shared_lock(int *a, int *) {
    __shared__ volatile int lock;
    __shared__ int sum;
    if (T == 0) lock = sum = 0;
    __syncthreads();
    if (T % 32 == 0) {
        while (lock) {}
        lock = 1; // want WAR test-then-set/atomic; WAW test-then-set/atomic
        __threadfence_block();
        sum += T; // want WAR no-barrier/atomic [thread]; WAR no-fence/fence [its lockstep optimized] ?; WAW no-barrier/atomic [thread] ?; info WAW no-barrier/none [thread] ?; info WAW no-fence/none [its lockstep optimized] ?; WAW no-fence/fence [its lockstep optimized] ?
        __threadfence_block();
        lock = 0; // want WAR test-then-set/atomic [thread]; WAW test-then-set/atomic
    }
    __syncthreads();
    if (T == 0) a[B] = sum;
}
__global__ void visited(int *a, int *f) {
    int v = ID % 50;
    if (f[v] == 0) {
        f[v] = 1; // want WAR test-then-set/atomic; WAW test-then-set/atomic ?
        a[1 + atomicAdd(a, 1)] = v;
    }
}
__global__ void visited_once(int *a, int *f) {
    int v = ID % 50;
    if (atomicExch(&f[v], 1) == 0) a[1 + atomicAdd(a, 1)] = v;
}
__global__ void claimed(int *a, int *f) { // by threads of one warp too
    int h = T % 8;
    if (f[h] == 0)
        f[h] = ID + 1; // want WAR test-then-set/atomic; WAW test-then-set/atomic
}
__global__ void greatest(int *a, int *f) {
    int v = ID * 37 % 256;
    if (v > a[0])
        a[0] = v; // want WAR test-then-set/atomic; WAW test-then-set/atomic
}
__global__ void greatest_float(int *a, int *) {
    float v = ID * 37 % 256, *best = (float *)a;
    if (T == 0 && *best < v)
        *best = v; // want WAR test-then-set/atomic; WAW test-then-set/atomic
}
__global__ void relaxed_edge(int *a, int *f) { // a longest path by a list of edges
    int u = ID % 16, v = ID % 13;
    if (f[u] + 1 > f[v])
        f[v] = f[u] + 1; // want WAR blocks-unordered/split-kernel; WAR test-then-set/atomic; WAW test-then-set/atomic
}

// Tables of keys: a place is looked at and then taken.
__device__ unsigned place(int key) { return key * 2654435761u >> 24; }
__global__ void inserted(int *keys, int *f) { // two looks, the second one decides
    int key = 1 + ID * 7 % 100;
    for (unsigned i = 0, h = place(key); i < 256; i++) {
        int at = (h + i) % 256;
        if (keys[at] == key) return;
        if (keys[at] == 0) {
            keys[at] = key; // want WAR test-then-set/atomic; WAW test-then-set/atomic ?
            atomicAdd(f, 1);
            return;
        }
    }
}
__global__ void inserted_behind(int *keys, int *f) { // the loop looks, what follows it takes
    int key = 1 + ID;
    unsigned at = place(key * 7 % 100);
    while (keys[at] != 0) at = (at + 1) % 1024; // want RAW test-then-set/atomic ?i
    keys[at] = key; // want WAR test-then-set/atomic ?i; WAW test-then-set/atomic ?i
}
__global__ void inserted_by_swap(int *keys, int *f) {
    int key = 1 + ID * 7 % 100;
    for (unsigned at = place(key);; at = (at + 1) % 256) {
        int was = atomicCAS(&keys[at], 0, key);
        if (was == 0 || was == key) return;
    }
}
__global__ void looked_up_key(int *keys, int *f) { // a write of another place than was looked at
    int key = 1 + ID * 7 % 100;
    unsigned at = place(key);
    if (keys[at] == 0) keys[1024 + ID] = key;
}

// One thread tests, another one answers: each writes what only the other waits for.
__global__ void mailbox(int *a, int *f) {
    volatile int *full = f;
    if (T != 0) return;
    for (int i = 0; i < 4; i++)
        if (B == 0) {
            while (*full) {}
            __threadfence();
            a[0] = i;
            __threadfence();
            *full = 1;
        } else if (B == 1) {
            while (!*full) {}
            __threadfence();
            a[1 + i] = a[0];
            __threadfence();
            *full = 0;
        }
}
__global__ void turns(int *a, int *f) { // each waits for its own number
    volatile int *turn = f;
    if (T != 0) return;
    while (*turn != B) {}
    __threadfence();
    a[0] += B;
    __threadfence();
    *turn = B + 1;
}
__global__ void turns_no_release(int *a, int *f) {
    volatile int *turn = f;
    if (T != 0) return;
    while (*turn != B) {}
    __threadfence();
    a[0] += B; // want RAW no-fence/fence; WAW no-fence/fence
    *turn = B + 1;
}
// All read it, one thread writes it: a barrier is missing.
__global__ void one_writes(int *a, int *) {
    __shared__ int s;
    if (T == 0) s = 0;
    __syncthreads();
    if (s == 0 && T == 40)
        s = 1; // want WAR no-barrier/syncthreads
    a[256 + ID] = s; // want RAW no-barrier/syncthreads [source]
}
// Elements that change places, with a barrier missing.
__global__ void sorted(int *a, int *) {
    __shared__ int s[64];
    s[T] = T * 37 % 64;
    __syncthreads();
    for (int k = 2; k <= 64; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int o = T ^ j;
            if (o > T && (s[T] > s[o]) == ((T & k) == 0)) { // want RAW no-barrier/syncthreads
                int x = s[T]; // want RAW no-barrier/syncthreads [its thread source]
                s[T] = s[o]; // want RAW no-barrier/syncthreads [source]; WAW no-barrier/syncthreads [its thread source]
                s[o] = x; // want WAR no-barrier/barrier ?; WAR no-syncwarp/syncwarp [its optimized] ?; WAW no-barrier/barrier
            }
            if (j > 1) __syncthreads();
        }
    a[256 + ID] = s[T]; // want RAW no-barrier/syncthreads [thread] ?; RAW no-syncwarp/syncwarp [its] ?
}

// Waits by plain reads: the data race as well, which the flag should order.
__global__ void plain_flag(int *a, int *f) {
    if (T != 0) return;
    if (B == 0) {
        a[0] = 1;
        __threadfence();
        f[0] = 1; // want WAR not-volatile/volatile [source]
    } else if (B == 1) {
        while (f[0] == 0) {}
        __threadfence();
        a[1] = a[0]; // want RAW blocks-unordered/split-kernel [optimized]; RAW not-volatile/volatile [source]
    }
}
__global__ void plain_counter(int *a, int *f) {
    a[ID] = T;
    __syncthreads();
    if (T == 0) {
        __threadfence();
        atomicAdd(f, 1);
        while (*f < int(gridDim.x)) {} // want RAW not-volatile/volatile [source]
        __threadfence();
    }
    __syncthreads();
    a[512 + ID] = a[255 - ID]; // want RAW no-fence/fence [optimized]; RAW not-volatile/volatile [source]
}
__global__ void plain_in_block(int *a, int *) {
    __shared__ int ready, data;
    if (T == 0) ready = 0;
    __syncthreads();
    if (T == 32) {
        data = 5;
        __threadfence_block();
        ready = 1; // want WAR not-volatile/volatile [source]
    } else if (T == 0) {
        while (!ready) {}
        __threadfence_block();
        a[B] = data; // want RAW no-barrier/barrier [optimized]; RAW not-volatile/volatile [source]
    }
}
__global__ void looked_up(int *a, int *f) { // a search is not a wait
    if (T == 0 && B == 0) f[3] = 7;
    if (T == 0 && B == 1) {
        int i = 0;
        while (i < 8 && f[i] != 7) i++; // want RAW blocks-unordered/split-kernel
        a[0] = i;
    }
}

// The wait is volatile, what it waits for is written plainly.
__global__ void half_volatile(int *a, int *f) {
    if (T != 0) return;
    if (B == 0) {
        a[0] = 1;
        __threadfence();
        f[0] = 1; // want WAR not-volatile/volatile
    } else if (B == 1) {
        while (*(volatile int *)f == 0) {}
        __threadfence();
        a[1] = a[0]; // want RAW not-volatile/volatile
    }
}
__global__ void both_volatile(int *a, int *f) {
    if (T != 0) return;
    if (B == 0) {
        a[0] = 1;
        __threadfence();
        *(volatile int *)f = 1;
    } else if (B == 1) {
        while (*(volatile int *)f == 0) {}
        __threadfence();
        a[1] = a[0];
    }
}

int main() {
    auto four = [](void (*k)(int *, int *)) { launch(k, 4, 64); };
    four(volatile_lock); four(exchanged_lock); four(shared_lock); four(visited); four(visited_once); four(claimed);
    four(greatest); four(greatest_float); four(relaxed_edge); four(mailbox); four(turns); four(turns_no_release);
    four(one_writes); four(sorted); four(plain_flag); four(plain_counter); four(plain_in_block); four(looked_up); four(half_volatile); four(both_volatile);
    four(inserted); four(inserted_behind); four(inserted_by_swap); four(looked_up_key);
}
