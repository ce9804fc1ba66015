// Threads of a block that order themselves without barriers: flags, locks and
// tickets, in shared and in global memory, for data in shared memory.
#include "../global/run.h"
#include <cuda/atomic>
#define T threadIdx.x
#define OUT(v) a[256 + T] = (v)

__global__ void flag(int *a, int *) {
    __shared__ int data;
    __shared__ volatile int ready;
    if (T == 0) ready = 0;
    __syncthreads();
    if (T == 0) {
        data = 7;
        __threadfence_block();
        ready = 1; // want WAR no-barrier/barrier [thread]
    } else if (T == 32) {
        while (!ready) {}
        __threadfence_block();
        OUT(data); // want RAW no-barrier/barrier [thread]
    }
}
__global__ void flag_no_release(int *a, int *) {
    __shared__ int data;
    __shared__ volatile int ready;
    if (T == 0) ready = 0;
    __syncthreads();
    if (T == 0) {
        data = 7;
        ready = 1; // want WAR no-barrier/barrier [thread]; info WAR no-fence/fence [its lockstep]
    } else if (T == 32) {
        while (!ready) {}
        __threadfence_block();
        OUT(data); // want RAW no-barrier/barrier [thread]; RAW no-fence/fence [its lockstep]
    }
}
__global__ void volatile_data(int *a, int *) { // no fence at all, and the data are volatile as well
    __shared__ volatile int ready, x, y;
    if (T == 0) ready = 0;
    __syncthreads();
    if (T == 0) {
        x = 7;
        y = 8;
        ready = 1; // want WAR no-barrier/barrier [thread]; info WAR no-fence/fence [its lockstep]
    } else if (T == 32) {
        while (!ready) {}
        OUT(y); // want RAW no-barrier/barrier [thread]; warning RAW no-fence/fence [its lockstep]
        OUT(x); // want RAW no-barrier/barrier [thread]; warning RAW no-fence/fence [its lockstep]
    }
}
__global__ void volatile_data_fenced(int *a, int *) {
    __shared__ volatile int ready, x, y;
    if (T == 0) ready = 0;
    __syncthreads();
    if (T == 0) {
        x = 7;
        y = 8;
        __threadfence_block();
        ready = 1; // want WAR no-barrier/barrier [thread]
    } else if (T == 32) {
        while (!ready) {}
        __threadfence_block();
        OUT(y); // want RAW no-barrier/barrier [thread]
        OUT(x); // want RAW no-barrier/barrier [thread]
    }
}
__global__ void flag_no_acquire(int *a, int *) {
    __shared__ int data;
    __shared__ volatile int ready;
    if (T == 0) ready = 0;
    __syncthreads();
    if (T == 0) {
        data = 7;
        __threadfence_block();
        ready = 1; // want WAR no-barrier/barrier [thread]
    } else if (T == 32) {
        while (!ready) {}
        OUT(data); // want RAW no-barrier/barrier [thread]; RAW no-fence/fence [its lockstep]
    }
}
__global__ void flag_early_fence(int *a, int *) {
    __shared__ int data;
    __shared__ volatile int ready;
    if (T == 0) ready = 0;
    __syncthreads();
    if (T == 0) {
        __threadfence_block();
        data = 7;
        ready = 1; // want WAR no-barrier/barrier [thread]
    } else if (T == 32) {
        while (!ready) {}
        __threadfence_block();
        OUT(data); // want RAW no-barrier/barrier [thread]; RAW no-fence/fence [its lockstep]
    }
}
__global__ void global_flag(int *a, int *f) {
    __shared__ int data;
    volatile int *ready = f;
    if (T == 0) {
        data = 7;
        __threadfence();
        *ready = 1;
    } else if (T == 32) {
        while (!*ready) {}
        __threadfence();
        OUT(data); // want RAW no-barrier/barrier [thread]
    }
}
__global__ void global_flag_no_fence(int *a, int *f) {
    __shared__ int data;
    volatile int *ready = f;
    if (T == 0) {
        data = 7;
        *ready = 1; // want info WAR no-fence/fence ?a
    } else if (T == 32) {
        while (!*ready) {} // want info RAW no-fence/fence ?a
        __threadfence();
        OUT(data); // want RAW no-barrier/barrier [thread]; RAW no-fence/fence [its lockstep]
    }
}
__device__ void lock(int *l) {
    while (atomicCAS(l, 0, 1) != 0) {}
    __threadfence();
}
__device__ void unlock(int *l) {
    __threadfence();
    atomicExch(l, 0);
}
__global__ void shared_lock(int *a, int *) {
    __shared__ int sum, l;
    if (T == 0) sum = l = 0;
    __syncthreads();
    if (T % 32 == 0) {
        lock(&l);
        sum += T; // want WAR no-barrier/atomic [thread] ?l; RAW no-barrier/atomic [thread] ?l; WAW no-barrier/atomic [thread]
        unlock(&l);
    }
    __syncthreads();
    OUT(sum);
}
__global__ void global_lock(int *a, int *f) {
    __shared__ int sum;
    if (T == 0) sum = 0;
    __syncthreads();
    if (T % 32 == 0) {
        lock(f);
        sum += T; // want WAR no-barrier/atomic [thread]; WAW no-barrier/atomic [thread]
        unlock(f);
    }
    __syncthreads();
    OUT(sum);
}
__global__ void lock_forgotten(int *a, int *f) {
    __shared__ int sum;
    if (T == 0) sum = 0;
    __syncthreads();
    if (T == 0) {
        lock(f);
        sum += T; // want RAW no-lock/lock [its lockstep source] ?b; WAR no-barrier/atomic [thread source]; WAR no-lock/lock [its lockstep source]; WAW no-lock/lock [its lockstep source] ?b; info WAW no-barrier/none [thread source] ?b; info WAW no-lock/none [its lockstep source] ?b
        unlock(f);
    } else if (T == 32) {
        sum += T; // want WAR no-barrier/atomic [thread source]; WAR no-lock/lock [its lockstep source] ?b; WAW no-barrier/atomic [thread source] ?b
    }
    __syncthreads();
    OUT(sum);
}
__global__ void two_locks(int *a, int *f) {
    __shared__ int sum;
    if (T == 0) sum = 0;
    __syncthreads();
    if (T % 32 == 0) {
        lock(f + T / 32);
        sum += T + 1; // want WAR no-barrier/atomic [thread]; WAR no-lock/lock [its lockstep]; WAW no-barrier/atomic [thread]; WAW no-lock/lock [its lockstep]
        unlock(f + T / 32);
    }
    __syncthreads();
    OUT(sum);
}
__global__ void ticket(int *a, int *f) {
    __shared__ int s[4];
    __shared__ bool last;
    if (T % 32 == 0) {
        s[T / 32] = T;
        __threadfence();
        last = false; // want info WAW no-barrier/none [source]
    }
    __syncthreads();
    if (T % 32 == 0) {
        s[T / 32] += 1;
        __threadfence();
        if (atomicAdd(f, 1) == 3) {
            __threadfence();
            OUT(s[0] + s[1] + s[2] + s[3]); // want RAW no-barrier/barrier [thread]
        }
    }
}
__global__ void ticket_no_fence(int *a, int *f) {
    __shared__ int s[4];
    if (T % 32 == 0) {
        s[T / 32] = T;
        if (atomicAdd(f, 1) == 3) {
            __threadfence();
            OUT(s[0] + s[1] + s[2] + s[3]); // want RAW no-barrier/barrier [thread]; RAW no-fence/fence [its lockstep]
        }
    }
}
using block_atomic = cuda::atomic_ref<int, cuda::thread_scope_block>;
__global__ void acquire_release(int *a, int *) {
    __shared__ int data, ready;
    if (T == 0) ready = 0;
    __syncthreads();
    block_atomic flag(ready);
    if (T == 0) {
        data = 7;
        flag.store(1, cuda::memory_order_release);
    } else if (T == 32) {
        while (flag.load(cuda::memory_order_acquire) == 0) {}
        OUT(data); // want RAW no-barrier/barrier [thread]
    }
}
__global__ void relaxed_store(int *a, int *) {
    __shared__ int data, ready;
    if (T == 0) ready = 0;
    __syncthreads();
    block_atomic flag(ready);
    if (T == 0) {
        data = 7;
        flag.store(1, cuda::memory_order_relaxed);
    } else if (T == 32) {
        while (flag.load(cuda::memory_order_acquire) == 0) {}
        OUT(data); // want RAW no-barrier/barrier [thread]; RAW no-fence/order [its lockstep]
    }
}
__global__ void handed_on(int *a, int *) {
    __shared__ int data;
    __shared__ volatile int ready[4];
    if (T < 4) ready[T] = 0;
    __syncthreads();
    int w = T / 32;
    if (T % 32 == 0) {
        if (w == 0) data = 1;
        else {
            while (!ready[w - 1]) {}
            __threadfence_block();
            data += w; // want RAW no-barrier/atomic [thread source] ?c; RAW no-barrier/barrier [thread]; WAR no-barrier/atomic [thread source] ?c; WAW no-barrier/atomic [thread]; WAW no-barrier/barrier [thread source]
        }
        __threadfence_block();
        ready[w] = 1; // want WAR no-barrier/barrier [thread]
    }
    __syncthreads();
    OUT(data);
}
__global__ void skips_one(int *a, int *) {
    __shared__ int data;
    __shared__ volatile int ready[4];
    if (T < 4) ready[T] = 0;
    __syncthreads();
    int w = T / 32;
    if (T % 32 == 0) {
        if (w == 0) data = 1;
        else if (w != 2) {
            while (!ready[w == 1 ? 0 : 2]) {} // want RAW no-barrier/barrier [thread] ?d
            __threadfence_block();
            data += w; // want RAW no-barrier/atomic [source] ?d; RAW no-barrier/barrier ?d; WAR no-barrier/atomic ?d; WAR no-barrier/barrier [thread optimized] ?d; WAW no-barrier/atomic ?d; WAW no-barrier/barrier ?d
        }
        __threadfence_block();
        ready[w] = 1; // want WAR no-barrier/barrier [thread] ?d
    }
    __syncthreads();
    OUT(data);
}
__global__ void number_from_counter(int *a, int *f) {
    __shared__ int tile;
    if (T == 0) tile = atomicAdd(f, 1); // want WAR no-barrier/barrier ?n
    OUT(tile); // want RAW no-barrier/barrier ?n
}
__global__ void counted_slots(int *a, int *) {
    __shared__ int count, items[64];
    if (T == 0) count = 0;
    __syncthreads();
    if (T % 2) items[atomicAdd(&count, 1)] = T;
    OUT(items[T / 2]); // want RAW no-barrier/syncthreads
}
__device__ int next(int *counter) { return atomicAdd(counter, 1); } // want WAW no-barrier/syncthreads ?h
__global__ void helper_above(int *a, int *) {
    __shared__ int count;
    if (T == 0) count = 0; // want WAW no-barrier/syncthreads ?h
    OUT(next(&count));
}

int main() {
    auto one = [](void (*k)(int *, int *)) { launch(k, 1, 128); };
    one(flag); one(volatile_data); one(volatile_data_fenced); one(flag_no_release); one(flag_no_acquire); one(flag_early_fence); one(global_flag);
    one(global_flag_no_fence); one(shared_lock); one(global_lock); one(lock_forgotten); one(two_locks); one(ticket);
    one(ticket_no_fence); one(acquire_release); one(relaxed_store); one(handed_on); one(skips_one);
    one(number_from_counter); one(counted_slots); one(helper_above);
}
