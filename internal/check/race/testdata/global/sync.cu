// Blocks that synchronize with each other: flags, locks, tickets, barriers.
#include "run.h"
#include <cooperative_groups.h>
#include <cuda/atomic>
#define T threadIdx.x
#define B blockIdx.x
#define ID (B * blockDim.x + T)
#define LAST (gridDim.x - 1)

__global__ void flag(int *a, int *f) {
    volatile int *v = f;
    if (B == 0 && T == 0) {
        a[0] = 1;
        __threadfence();
        v[0] = 1;
    } else if (B == 1 && T == 0) {
        while (v[0] == 0) {}
        __threadfence();
        a[1] = a[0];
    }
}
__global__ void flag_no_release(int *a, int *f) {
    volatile int *v = f;
    if (B == 0 && T == 0) {
        a[0] = 1;
        v[0] = 1; // want info WAR no-fence/fence
    } else if (B == 1 && T == 0) {
        while (v[0] == 0) {}
        __threadfence();
        a[1] = a[0]; // want RAW no-fence/fence
    }
}
__global__ void flag_no_acquire(int *a, int *f) {
    volatile int *v = f;
    if (B == 0 && T == 0) {
        a[0] = 1;
        __threadfence();
        v[0] = 1;
    } else if (B == 1 && T == 0) {
        while (v[0] == 0) {}
        a[1] = a[0]; // want RAW no-fence/fence
    }
}
__global__ void flag_fence_too_early(int *a, int *f) {
    volatile int *v = f;
    if (B == 0 && T == 0) {
        __threadfence();
        a[0] = 1;
        v[0] = 1;
    } else if (B == 1 && T == 0) {
        while (v[0] == 0) {}
        __threadfence();
        a[1] = a[0]; // want RAW no-fence/fence
    }
}
__global__ void flag_write_after(int *a, int *f) {
    volatile int *v = f;
    if (B == 0 && T == 0) {
        __threadfence();
        v[0] = 1;
        a[0] = 1;
    } else if (B == 1 && T == 0) {
        while (v[0] == 0) {}
        __threadfence();
        a[1] = a[0]; // want RAW no-fence/fence
    }
}
__global__ void flag_block_fence(int *a, int *f) {
    volatile int *v = f;
    if (B == 0 && T == 0) {
        a[0] = 1;
        __threadfence_block();
        v[0] = 1;
    } else if (B == 1 && T == 0) {
        while (v[0] == 0) {}
        __threadfence();
        a[1] = a[0]; // want RAW narrow-scope/scope
    }
}
__global__ void flag_system_fence(int *a, int *f) {
    volatile int *v = f;
    if (B == 0 && T == 0) {
        a[0] = 1;
        __threadfence_system();
        v[0] = 1;
    } else if (B == 1 && T == 0) {
        while (v[0] == 0) {}
        __threadfence_system();
        a[1] = a[0];
    }
}
__global__ void flag_whole_blocks(int *a, int *f) {
    volatile int *v = f;
    if (B == 0) {
        a[T] = T;
        __threadfence();
        __syncthreads();
        if (T == 0) v[0] = 1;
    } else if (B == 1) {
        if (T == 0) while (v[0] == 0) {}
        __syncthreads();
        a[256 + T] = a[63 - T];
    }
}
__global__ void flag_before_barrier(int *a, int *f) {
    volatile int *v = f;
    if (B == 0) {
        a[T] = T;
        __threadfence();
        if (T == 0) v[0] = 1;
    } else if (B == 1) {
        if (T == 0) while (v[0] == 0) {}
        __syncthreads();
        a[256 + T] = a[63 - T]; // want RAW no-barrier/syncthreads
    }
}
__global__ void other_flag(int *a, int *f) {
    volatile int *v = f;
    if (B == 0 && T == 0) {
        a[0] = 1;
        __threadfence();
        v[0] = 1;
    } else if (B == 1 && T == 0) {
        a[1] = 1;
        v[1] = 1;
        while (v[1] == 0) {}
        __threadfence();
        a[2] = a[0]; // want RAW blocks-unordered/split-kernel
    }
}
__global__ void chain(int *a, int *f) {
    volatile int *v = f;
    if (T != 0) return;
    if (B > 0) {
        while (v[B - 1] == 0) {}
        __threadfence();
    }
    a[0] += B;
    __threadfence();
    v[B] = 1;
}
__global__ void chain_skips(int *a, int *f) {
    volatile int *v = f;
    if (T != 0) return;
    if (B > 1) {
        while (v[B - 2] == 0) {}
        __threadfence();
    }
    a[0] += B; // want WAR blocks-unordered/atomic; WAW blocks-unordered/atomic
    __threadfence();
    v[B] = 1;
}
__global__ void last_block(int *a, int *f) {
    __shared__ bool last;
    if (T == 0) {
        a[B] = B;
        __threadfence();
        last = atomicInc((unsigned *)f, gridDim.x) == LAST;
    }
    __syncthreads();
    if (last) {
        int s = 0;
        for (unsigned i = 0; i < gridDim.x; i++) s += a[i];
        a[64 + T] = s;
        if (T == 0) f[0] = 0;
    }
}
__global__ void last_block_no_fence(int *a, int *f) {
    __shared__ bool last;
    if (T == 0) {
        a[B] = B;
        last = atomicInc((unsigned *)f, gridDim.x) == LAST;
    }
    __syncthreads();
    if (last) {
        int s = 0;
        for (unsigned i = 0; i < gridDim.x; i++) s += a[i]; // want RAW no-fence/fence
        a[64 + T] = s;
    }
}
__global__ void last_block_all_write(int *a, int *f) {
    __shared__ bool last;
    a[ID] = B;
    __threadfence();
    __syncthreads();
    if (T == 0) last = atomicAdd(f, 1) == LAST;
    __syncthreads();
    if (last) a[1024 + T] = a[T] + a[LAST * blockDim.x + T];
}
__global__ void last_block_no_barrier(int *a, int *f) {
    __shared__ bool last;
    a[ID] = B;
    __threadfence();
    if (T == 0) last = atomicAdd(f, 1) == LAST;
    __syncthreads();
    if (last) a[1024 + T] = a[T] + a[63 - T]; // want RAW no-barrier/syncthreads
}
__global__ void second_to_last(int *a, int *f) {
    __shared__ bool last;
    if (T == 0) {
        a[B] = B;
        __threadfence();
        last = atomicAdd(f, 1) == LAST - 1;
    }
    __syncthreads();
    if (last && T == 0) {
        int s = 0;
        for (unsigned i = 0; i < gridDim.x; i++) s += a[i]; // want RAW blocks-unordered/split-kernel
        a[64] = s;
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
__global__ void spin_lock(int *a, int *f) {
    if (T == 0) {
        lock(f);
        a[0] += B;
        unlock(f);
    }
}
__global__ void spin_lock_no_release(int *a, int *f) {
    if (T == 0) {
        while (atomicCAS(f, 0, 1) != 0) {}
        a[0] += B; // want WAR no-fence/fence; WAW no-fence/fence ?a; info WAW no-fence/none ?a
        atomicExch(f, 0);
    }
}
__global__ void two_locks(int *a, int *f) {
    if (T == 0) {
        lock(f + B % 2);
        a[0] += B; // want WAR no-lock/lock; WAW no-lock/lock
        unlock(f + B % 2);
    }
}
__global__ void unlocked_read(int *a, int *f) {
    if (T == 0) {
        lock(f);
        a[0] += B;
        unlock(f);
        a[1 + B] = a[0]; // want RAW no-lock/lock
    }
}
__global__ void lock_in_block(int *a, int *f) {
    for (unsigned i = 0; i < blockDim.x / 32; i++)
        if (T % 32 == 0 && T / 32 == i) {
            lock(f);
            a[0] += T;
            unlock(f);
        }
}
__global__ void volatile_unlock(int *a, int *f) {
    if (T == 0) {
        lock(f);
        a[0] += B;
        __threadfence();
        *(volatile int *)f = 0;
    }
}
__global__ void grid_barrier(int *a, int *f) {
    for (unsigned round = 1; round <= 3; round++) {
        a[ID] = round;
        __syncthreads();
        if (T == 0) {
            __threadfence();
            atomicAdd(f, 1);
            while (*(volatile int *)f < int(round * gridDim.x)) {}
            __threadfence();
        }
        __syncthreads();
        int x = a[(ID + 64) % 256];
        __syncthreads();
        if (T == 0) {
            __threadfence();
            atomicAdd(f + 1, 1);
            while (*(volatile int *)(f + 1) < int(round * gridDim.x)) {}
            __threadfence();
        }
        __syncthreads();
        a[512 + ID] = x;
    }
}
__global__ void grid_barrier_once(int *a, int *f) {
    a[ID] = ID;
    __syncthreads();
    if (T == 0) {
        __threadfence();
        atomicAdd(f, 1);
        while (*(volatile int *)f < int(gridDim.x)) {}
        __threadfence();
    }
    __syncthreads();
    a[512 + ID] = a[255 - ID];
}
__global__ void grid_barrier_no_first_sync(int *a, int *f) {
    a[ID] = ID;
    if (T == 0) {
        __threadfence();
        atomicAdd(f, 1);
        while (*(volatile int *)f < int(gridDim.x)) {}
        __threadfence();
    }
    __syncthreads();
    a[512 + ID] = a[255 - ID]; // want RAW no-barrier/syncthreads
}
__global__ void grid_barrier_no_second_sync(int *a, int *f) {
    a[ID] = ID;
    __syncthreads();
    if (T == 0) {
        __threadfence();
        atomicAdd(f, 1);
        while (*(volatile int *)f < int(gridDim.x)) {}
        __threadfence();
    }
    a[512 + ID] = a[255 - ID]; // want RAW no-barrier/syncthreads
}
__global__ void grid_barrier_no_fence(int *a, int *f) {
    a[ID] = ID;
    __syncthreads();
    if (T == 0) {
        atomicAdd(f, 1);
        while (*(volatile int *)f < int(gridDim.x)) {}
        __threadfence();
    }
    __syncthreads();
    a[512 + ID] = a[255 - ID]; // want RAW no-fence/fence
}
__global__ void grid_barrier_too_few(int *a, int *f) {
    a[ID] = ID;
    __syncthreads();
    if (T == 0) {
        __threadfence();
        atomicAdd(f, 1);
        while (*(volatile int *)f < int(gridDim.x) - 1) {}
        __threadfence();
    }
    __syncthreads();
    a[512 + ID] = a[255 - ID]; // want RAW not-arrived/wait-for-all
}
using device_atomic = cuda::atomic_ref<int, cuda::thread_scope_device>;
__global__ void acquire_release(int *a, int *f) {
    device_atomic flag(*f);
    if (T != 0) return;
    if (B == 0) {
        a[0] = 1;
        flag.store(1, cuda::memory_order_release);
    } else if (B == 1) {
        while (flag.load(cuda::memory_order_acquire) == 0) {}
        a[1] = a[0];
    }
}
__global__ void acquire_relaxed(int *a, int *f) {
    device_atomic flag(*f);
    if (T != 0) return;
    if (B == 0) {
        a[0] = 1;
        flag.store(1, cuda::memory_order_relaxed);
    } else if (B == 1) {
        while (flag.load(cuda::memory_order_acquire) == 0) {}
        a[1] = a[0]; // want RAW no-fence/order
    }
}
__global__ void relaxed_release(int *a, int *f) {
    device_atomic flag(*f);
    if (T != 0) return;
    if (B == 0) {
        a[0] = 1;
        flag.store(1, cuda::memory_order_release);
    } else if (B == 1) {
        while (flag.load(cuda::memory_order_relaxed) == 0) {}
        a[1] = a[0]; // want RAW no-fence/order
    }
}
__global__ void both_relaxed(int *a, int *f) {
    device_atomic flag(*f);
    if (T != 0) return;
    if (B == 0) {
        a[0] = 1;
        flag.store(1, cuda::memory_order_relaxed);
    } else if (B == 1) {
        while (flag.load(cuda::memory_order_relaxed) == 0) {}
        a[1] = a[0]; // want RAW no-fence/order
    }
}
__global__ void relaxed_behind_fence(int *a, int *f) {
    device_atomic flag(*f);
    if (T != 0) return;
    if (B == 0) {
        a[0] = 1;
        __threadfence();
        flag.store(1, cuda::memory_order_relaxed);
    } else if (B == 1) {
        while (flag.load(cuda::memory_order_relaxed) == 0) {}
        a[1] = a[0]; // want RAW no-fence/order
    }
}
__global__ void relaxed_thread_fences(int *a, int *f) {
    device_atomic flag(*f);
    if (T != 0) return;
    if (B == 0) {
        a[0] = 1;
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        flag.store(1, cuda::memory_order_relaxed);
    } else if (B == 1) {
        while (flag.load(cuda::memory_order_relaxed) == 0) {}
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        a[1] = a[0];
    }
}
__global__ void exchanged_for_relaxed(int *a, int *f) {
    device_atomic flag(*f);
    if (T != 0) return;
    if (B == 0) {
        a[0] = 1;
        atomicExch(f, 1);
    } else if (B == 1) {
        while (flag.load(cuda::memory_order_relaxed) == 0) {}
        a[1] = a[0]; // want RAW no-fence/fence
    }
}
__global__ void last_block_relaxed(int *a, int *f) {
    device_atomic count(*f);
    if (T != 0) return;
    a[B] = B;
    if (count.fetch_add(1, cuda::memory_order_relaxed) == 3)
        a[8] = a[0] + a[1] + a[2] + a[3]; // want RAW no-fence/order
}
__global__ void last_block_acq_rel(int *a, int *f) {
    device_atomic count(*f);
    if (T != 0) return;
    a[B] = B;
    if (count.fetch_add(1, cuda::memory_order_acq_rel) == 3)
        a[8] = a[0] + a[1] + a[2] + a[3];
}
__global__ void block_scope_flag(int *a, int *f) {
    cuda::atomic_ref<int, cuda::thread_scope_block> flag(*f);
    if (T != 0) return;
    if (B == 0) {
        a[0] = 1;
        flag.store(1, cuda::memory_order_release); // want WAR narrow-scope/scope
    } else if (B == 1) {
        while (flag.load(cuda::memory_order_acquire) == 0) {}
        a[1] = a[0]; // want RAW narrow-scope/scope
    }
}
__global__ void polled_plainly(int *a, int *f) {
    volatile int *v = f + 1;
    if (T != 0) return;
    if (B == 0) {
        f[0] = 1;
        __threadfence();
        v[0] = 1;
    } else if (B == 1) {
        a[1] = f[0]; // want RAW blocks-unordered/wait-first
        while (v[0] == 0) {}
    }
}
// The consumer's answer is waited for after the place is written again.
__global__ void written_before_wait(int *a, int *f) {
    volatile int *done = f;
    if (T != 0) return;
    if (B == 0) {
        a[1] = a[0];
        __threadfence();
        *done = 1;
    } else if (B == 1) {
        a[0] = 2; // want WAR blocks-unordered/wait-first
        while (*done == 0) {}
        __threadfence();
    }
}
__global__ void written_behind_wait(int *a, int *f) {
    volatile int *done = f;
    if (T != 0) return;
    if (B == 0) {
        a[1] = a[0];
        __threadfence();
        *done = 1;
    } else if (B == 1) {
        while (*done == 0) {}
        __threadfence();
        a[0] = 2;
    }
}
// It waits for another block than the one that writes: no wait that comes too late.
__global__ void waits_for_another(int *a, int *f) {
    volatile int *v = f;
    if (T != 0) return;
    if (B == 0) {
        a[0] = 1;
    } else if (B == 1) {
        a[1] = a[0]; // want RAW blocks-unordered/split-kernel
        while (v[0] == 0) {} // want info RAW no-fence/fence
    } else if (B == 2) {
        v[0] = 1;
    }
}
__global__ void volatile_data(int *a, int *f) {
    volatile int *v = f;
    if (T != 0) return;
    if (B == 0) {
        v[1] = 7;
        __threadfence();
        v[0] = 1;
    } else if (B == 1) {
        while (v[0] == 0) {}
        __threadfence();
        a[1] = v[1];
    }
}
__global__ void volatile_data_no_acquire(int *a, int *f) {
    volatile int *v = f;
    if (T != 0) return;
    if (B == 0) {
        v[1] = 7;
        __threadfence();
        v[0] = 1;
    } else if (B == 1) {
        while (v[0] == 0) {}
        a[1] = v[1]; // want warning RAW no-fence/fence
    }
}
__global__ void volatile_data_no_release(int *a, int *f) {
    volatile int *v = f;
    if (T != 0) return;
    if (B == 0) {
        v[1] = 7;
        v[0] = 1; // want info WAR no-fence/fence ?v
    } else if (B == 1) {
        while (v[0] == 0) {} // want info RAW no-fence/fence ?v
        __threadfence();
        a[1] = v[1]; // want warning RAW no-fence/fence
    }
}
__global__ void grid_sync(int *a, int *) {
    a[ID] = ID;
    cooperative_groups::this_grid().sync();
    a[256 + ID] = a[255 - ID];
    cooperative_groups::this_grid().sync();
    a[ID] = a[511 - ID];
}
__global__ void grid_sync_missing(int *a, int *) {
    a[ID] = ID;
    cooperative_groups::this_grid().sync();
    a[256 + ID] = a[255 - ID];
    a[ID] = 1; // want WAR blocks-unordered/split-kernel
}
__global__ void queue(int *a, int *f) {
    int at = atomicAdd(f, 1);
    a[at] = ID;
}
__global__ void counter_read(int *a, int *f) {
    atomicAdd(f, 1);
    a[ID] = *(volatile int *)f;
}

template <class K> void cooperative(K kernel) {
    int *a, *f;
    cudaMalloc(&a, words * sizeof(int));
    cudaMalloc(&f, 64 * sizeof(int));
    void *args[] = {&a, &f};
    cudaLaunchCooperativeKernel((void *)kernel, 4, 64, args, 0, 0);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAIL\n");
    cudaFree(a);
    cudaFree(f);
}

int main() {
    auto four = [](void (*k)(int *, int *)) { launch(k, 4, 64); };
    four(flag); four(flag_no_release); four(flag_no_acquire); four(flag_fence_too_early); four(flag_write_after);
    four(flag_block_fence); four(flag_system_fence); four(flag_whole_blocks); four(flag_before_barrier);
    four(other_flag); four(chain); four(chain_skips); four(last_block); four(last_block_no_fence);
    four(last_block_all_write); four(last_block_no_barrier); four(second_to_last); four(spin_lock);
    four(spin_lock_no_release); four(two_locks); four(unlocked_read); four(lock_in_block); four(volatile_unlock);
    four(grid_barrier); four(grid_barrier_once); four(grid_barrier_no_first_sync); four(grid_barrier_no_second_sync);
    four(grid_barrier_no_fence); four(grid_barrier_too_few); four(acquire_release); four(acquire_relaxed); four(relaxed_release);
    four(both_relaxed); four(relaxed_behind_fence); four(relaxed_thread_fences); four(exchanged_for_relaxed);
    four(last_block_relaxed); four(last_block_acq_rel); four(written_before_wait); four(written_behind_wait); four(waits_for_another);
    four(block_scope_flag); four(polled_plainly); four(queue); four(counter_read);
    four(volatile_data); four(volatile_data_no_acquire); four(volatile_data_no_release);
    cooperative(grid_sync); cooperative(grid_sync_missing);
}
