package fix

import "testing"

// orderProgram has operations of cuda::atomic with an order or a scope that does not do, and fences that two sides need: its
// comments are parts of what the patches say.
const orderProgram = `#include <cuda/atomic>
__global__ void relaxed(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 42;
      flag->store(1, cuda::memory_order_relaxed);
    }
  } else if (threadIdx.x == 0) {
    while (flag->load(cuda::memory_order_relaxed) == 0) {}
    out[0] = data[0]; // use cuda::memory_order_release in line 6, use cuda::memory_order_acquire in line 9
  }
}
__global__ void half(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 42;
      flag->store(1, cuda::memory_order_release);
    }
  } else if (threadIdx.x == 0) {
    while (flag->load(cuda::memory_order_relaxed) == 0) {}
    out[0] = data[0]; // use cuda::memory_order_acquire in line 20
  }
}
__global__ void narrow(int *data, int *flag, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_block> f(*flag);
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 42;
      f.store(1, cuda::memory_order_release); // use thread_scope_device in line 25
    }
  } else if (threadIdx.x == 0) {
    while (f.load(cuda::memory_order_acquire) == 0) {}
    out[0] = data[0]; // gone
  }
}
__global__ void unfenced(int *data, volatile int *flag, int *out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 42;
      *flag = 1;
    }
  } else if (threadIdx.x == 0) {
    while (*flag == 0) {}
    out[0] = data[0]; // __threadfence()
  }
}
__device__ int lock;
__global__ void locked(int *data) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      while (atomicCAS(&lock, 0, 1) != 0) {}
      __threadfence();
      data[0] += 1; // take the lock for line 58
      __threadfence();
      atomicExch(&lock, 0);
    }
  } else if (threadIdx.x == 0) {
    data[0] += 2;
  }
}
int main() {
  int *data, *flag, *out;
  cuda::atomic<int, cuda::thread_scope_device> *f;
  cudaMalloc(&data, 4);
  cudaMalloc(&flag, 8);
  cudaMalloc(&out, 4);
  cudaMalloc(&f, 2 * sizeof(*f));
  cudaMemset(flag, 0, 8);
  cudaMemset(data, 0, 4);
  cudaMemset(f, 0, 2 * sizeof(*f));
  relaxed<<<2, 32>>>(data, f, out);
  half<<<2, 32>>>(data, f + 1, out);
  narrow<<<2, 32>>>(data, flag, out);
  unfenced<<<2, 32>>>(data, flag + 1, out);
  locked<<<2, 32>>>(data);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(flag);
  cudaFree(out);
  cudaFree(f);
  return 0;
}
`

// TestFixOrders: orders and scopes of atomics, and fences on both sides of a flag.
func TestFixOrders(t *testing.T) { fixesAsMarked(t, orderProgram, "") }

// orderSidesProgram has flags of which only one side names a memory order, operations in helpers and in inline assembly, and a lock and a
// ticket that are relaxed: all sides that need an order get it, also one that the run shows no race for.
const orderSidesProgram = `#include <cuda/atomic>
using Ref = cuda::atomic_ref<int, cuda::thread_scope_device>;
__global__ void exchanged(int *data, int *f, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    atomicExch(f, 1);
  } else {
    while (Ref(*f).load(cuda::memory_order_relaxed) == 0) {}
    out[0] = data[0]; // use cuda::memory_order_acquire in line 9, add __threadfence() before line 7
  }
}
__device__ int poll(int *f) { return Ref(*f).load(cuda::memory_order_relaxed); }
__device__ void set(int *f) { Ref(*f).store(1, cuda::std::memory_order_relaxed); }
__global__ void helpers(int *data, int *f, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    set(f);
  } else {
    while (poll(f) == 0) {}
    out[0] = data[0]; // use cuda::std::memory_order_release in line 14, use cuda::memory_order_acquire in line 13
  }
}
__global__ void assembly(int *data, int *f, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(f) : "memory");
  } else {
    int v;
    do asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(f) : "memory");
    while (v == 0);
    out[0] = data[0]; // write release for relaxed in st.relaxed.gpu.global.s32 in line 29, write acquire for relaxed
  }
}
__global__ void spin(int *data, int *f, int *) {
  if (threadIdx.x) return;
  Ref lock(*f);
  int expected = 0;
  while (!lock.compare_exchange_weak(expected, 1, cuda::memory_order_relaxed)) expected = 0;
  data[0] += 1; // use cuda::memory_order_acquire in line 41, use cuda::memory_order_release in line 43
  lock.store(0, cuda::memory_order_relaxed);
}
__global__ void last(int *data, int *f, int *out) {
  if (threadIdx.x) return;
  data[blockIdx.x] = 42;
  if (Ref(*f).fetch_add(1, cuda::memory_order_relaxed) == 1)
    out[0] = data[0] + data[1]; // use cuda::memory_order_acq_rel in line 48
}
__global__ void narrow_fence(int *data, int *f, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_block);
    Ref(*f).store(1, cuda::memory_order_relaxed);
  } else {
    while (Ref(*f).load(cuda::memory_order_acquire) == 0) {}
    out[0] = data[0]; // use thread_scope_device in line 55
  }
}
int main() {
  int *m;
  cudaMalloc(&m, 256);
  void (*kernels[])(int *, int *, int *) = {exchanged, helpers, assembly, spin, last, narrow_fence};
  for (auto k : kernels) {
    cudaMemset(m, 0, 256);
    k<<<2, 32>>>(m, m + 32, m + 40);
  }
  cudaDeviceSynchronize();
  cudaFree(m);
  return 0;
}
`

func TestFixOrderSides(t *testing.T) { fixesAsMarked(t, orderSidesProgram, "") }

// waitFirstProgram has waits that come after the access that they are for.
const waitFirstProgram = `#include <cuda/barrier>
#include <cooperative_groups.h>
__global__ void read_early(int *data, int *flag, int *out) {
  volatile int *f = flag;
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    f[0] = 1;
  } else {
    out[0] = data[0]; // move the wait of line 12 before line 11, with __threadfence() between
    while (f[0] == 0) {}
  }
}
__global__ void written_early(int *data, int *flag, int *out) {
  volatile int *f = flag;
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    out[0] = data[0]; // move the wait of line 24 before line 23, with __threadfence() between
    __threadfence();
    f[0] = 1;
  } else {
    data[0] = 2;
    while (f[0] == 0) {
      __nanosleep(20);
    }
  }
}
__global__ void copied(int *data, int *, int *out) {
  __shared__ int s[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0) init(&b, 64);
  __syncthreads();
  cuda::memcpy_async(cooperative_groups::this_thread_block(), s, data, sizeof s, b);
  out[threadIdx.x] = s[63 - threadIdx.x]; // move the wait of line 36 before line 35
  b.arrive_and_wait();
}
__global__ void token(int *data, int *, int *out) {
  __shared__ int s[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0) init(&b, 64);
  __syncthreads();
  cuda::memcpy_async(cooperative_groups::this_thread_block(), s, data, sizeof s, b);
  out[threadIdx.x] = s[63 - threadIdx.x]; // move line 44 behind the wait of line 46
  auto t = b.arrive();
  b.wait(std::move(t));
}
int main() {
  int *m;
  cudaMalloc(&m, 1024);
  void (*kernels[])(int *, int *, int *) = {read_early, written_early, copied, token};
  for (auto k : kernels) {
    cudaMemset(m, 0, 1024);
    k<<<2, 64>>>(m, m + 64, m + 128);
    cudaDeviceSynchronize();
  }
  cudaFree(m);
  return 0;
}
`

func TestFixWaitFirst(t *testing.T) { fixesAsMarked(t, waitFirstProgram, "sm_80") }
