package session

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
    out[0] = data[0]; // add __threadfence() before line 6, add __threadfence() after line 9
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
