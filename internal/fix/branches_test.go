package fix

import "testing"

// branchedProgram has races in branches and after returns, and operands that are macros. No barrier at one place alone
// orders them, but for the last kernels.
const branchedProgram = `#define T threadIdx.x
#define OUT(v) a[256 + T] = (v)
__global__ void braces(int *a, int *) {
  __shared__ int s[48];
  if (T < 48) {
    s[T] = a[T];
    int other = s[47 - T]; // end the branch before line 7, add __syncthreads(), and continue it
    OUT(other);
  }
}
__global__ void returns(int *a, int *) {
  __shared__ int s[48];
  if (T >= 48) return;
  s[T] = a[T];
  OUT(s[47 - T]); // let threads that return in line 13 come to it
}
__global__ void scan(int *a, int *) {
  __shared__ int s[64];
  s[T] = T;
  __syncthreads();
  for (int n = 1; n < 64; n *= 2) {
    if (T >= n) s[T] += s[T - n]; // between the read and the write of line 22, for all threads
    __syncthreads();
  }
  OUT(s[T]);
}
__global__ void specialized(int *a, int *) {
  __shared__ int s[64];
  if (T / 32 == 0) {
    for (int i = T; i < 64; i += 32) s[i] = a[i];
  } else {
    OUT(s[63 - T]); // with __syncthreads() between the branches
  }
}
__global__ void tested(int *a, int *) {
  __shared__ int s;
  if (T == 0) s = 0;
  __syncthreads();
  if (s == 0 && T == 40)
    s = 1; // between the condition of line 39 and its branch
  __syncthreads();
  OUT(s);
}
__global__ void held(int *a, int *f) {
  volatile int *lock = f;
  if (T == 0) {
    while (*lock) {}
    *lock = 1; // by one atomicCAS
    __threadfence();
    a[0] += blockIdx.x;
    __threadfence();
    *lock = 0;
  }
}
__global__ void counted(int *a, int *f) {
  volatile int *c = f + 1;
  if (T == 0) *c = *c + 1; // make the update in line 57 atomic
}
__global__ void writtenOut(int *a, int *) {
  __shared__ int sum;
  if (T == 0) sum = 0;
  __syncthreads();
  if (T % 32 == 0) {
    int old = sum;
    sum = old + T; // make the update in line 65 atomic, with the read in line 64
  }
  __syncthreads();
  OUT(sum);
}
__global__ void total(int *a, int *f) {
  if (T == 0) atomicAdd(&f[2], 1);
  a[512 + blockIdx.x * 32 + T] = f[2]; // read f[2] in line 72 by atomicAdd(&f[2], 0)
}
__device__ void lock(int *l) {
  while (atomicCAS(l, 0, 1) != 0) {}
  __threadfence();
}
__device__ void unlock(int *l) {
  __threadfence();
  atomicExch(l, 0);
}
__global__ void unlocked(int *a, int *f) {
  if (T == 0) {
    lock(f + 3);
    a[0] += 1;
    unlock(f + 3);
    a[1 + blockIdx.x] = a[0]; // take the lock for line 87
  }
}
__global__ void own(int *a, int *) {
  if (T == 0) a[7] = blockIdx.x; // none
}
int main() {
  int *a, *f;
  cudaMalloc(&a, 4096);
  cudaMalloc(&f, 64);
  cudaMemset(a, 0, 4096);
  cudaMemset(f, 0, 64);
  braces<<<1, 64>>>(a, f);
  returns<<<1, 64>>>(a, f);
  scan<<<1, 64>>>(a, f);
  specialized<<<1, 64>>>(a, f);
  tested<<<1, 64>>>(a, f);
  held<<<4, 32>>>(a, f);
  counted<<<4, 32>>>(a, f);
  writtenOut<<<1, 64>>>(a, f);
  total<<<4, 32>>>(a, f);
  unlocked<<<4, 32>>>(a, f);
  own<<<4, 32>>>(a, f);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(f);
}
`

// movedProgram writes after the flag is set, reads before the wait, and waits for too few.
const movedProgram = `__global__ void late(int *a, volatile int *f) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    __threadfence();
    f[0] = 1;
    a[0] = 1;
  } else {
    while (f[0] == 0) {}
    __threadfence();
    a[1] = a[0]; // move line 6 before line 4
  }
}
__global__ void few(int *a, int *f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(f, 1);
    while (*(volatile int *)f < int(gridDim.x) - 1) {}
    __threadfence();
  }
  __syncthreads();
  a[512 + i] = a[gridDim.x * blockDim.x - 1 - i]; // write int(gridDim.x) for int(gridDim.x) - 1 in line 20
}
int main() {
  int *a, *f;
  cudaMalloc(&a, 4096);
  cudaMalloc(&f, 64);
  cudaMemset(a, 0, 4096);
  cudaMemset(f, 0, 64);
  late<<<2, 32>>>(a, f);
  few<<<4, 64>>>(a, f + 1);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(f);
}
`

// TestFixMoved: statements that are at the wrong side of what orders them.
func TestFixMoved(t *testing.T) { fixesAsMarked(t, movedProgram, "sm_80") }

// TestFixBranches: barriers for all threads of a block where the accesses are in branches, atomic operations for updates that are
// written out, and locks that are functions.
func TestFixBranches(t *testing.T) { fixesAsMarked(t, branchedProgram, "sm_80") }
