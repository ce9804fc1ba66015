package fix

import "testing"

// childrenProgram has launches of device code that nothing orders.
const childrenProgram = `__global__ void fill(int *p, int v) { p[threadIdx.x] = v; }
namespace events {
__global__ void child(const int *p, int *q) {
  q[threadIdx.x] = p[threadIdx.x]; // cudaStreamWaitEvent(t, 
}
__global__ void parent(int *p, int *q) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  fill<<<1, 32, 0, s>>>(p, 1);
  child<<<1, 32, 0, t>>>(p, q);
}
}
namespace tail {
__global__ void child(const int *p, int *q) {
  q[threadIdx.x] = p[threadIdx.x + 32]; // launch the kernel of line 21 into cudaStreamTailLaunch
}
__global__ void parent(int *p, int *q) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0) child<<<1, 32>>>(p, q);
}
}
namespace forgotten {
__global__ void child(int *p) {
  p[threadIdx.x] = 3; // write cudaStreamTailLaunch for cudaStreamFireAndForget in line 30
}
__global__ void parent(int *p) {
  child<<<1, 32, 0, cudaStreamFireAndForget>>>(p);
  child<<<1, 32, 0, cudaStreamFireAndForget>>>(p);
}
}
__global__ void awaits(int *p, int *q) {
  if (threadIdx.x == 0) {
    fill<<<1, 32>>>(p, 3);
    q[0] = p[1]; // cudaDeviceSynchronize() after line 35
    fill<<<1, 32>>>(p, 4);
    cudaDeviceSynchronize();
  }
  if (threadIdx.x == 32) q[1] = p[1]; // __syncthreads() after line 39
}
int main() {
  int *p, *q;
  cudaMalloc(&p, 1024);
  cudaMalloc(&q, 1024);
  cudaMemset(p, 0, 1024);
  cudaMemset(q, 0, 1024);
  events::parent<<<1, 1>>>(p, q);
  tail::parent<<<2, 32>>>(p, q);
  forgotten::parent<<<1, 1>>>(p);
  awaits<<<1, 64>>>(p, q);
  cudaDeviceSynchronize();
  cudaFree(p);
  cudaFree(q);
}
`

// TestFixChildren: launches in device code, which clang has no syntax tree of.
func TestFixChildren(t *testing.T) { fixesAsMarked(t, childrenProgram, "sm_80") }

// gridProgram has blocks that nothing orders, in launches that are not cooperative.
const gridProgram = `template <class T> void launch(void (*kernel)(T *, int), T *p) { kernel<<<4, 64>>>(p, 256); }
__global__ void shifted(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = a[(i + 64) % n]; // this_grid().sync() between the read and the write of line 4
}
__global__ void next(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[n + i] = 1;
  a[i] = a[n + (i + 64) % n]; // this_grid().sync() after line 8
}
int main() {
  int *p;
  cudaMalloc(&p, 2048);
  cudaMemset(p, 0, 2048);
  launch(shifted, p);
  launch(next, p);
  cudaDeviceSynchronize();
  cudaFree(p);
}
`

// TestFixGrid: a barrier of the grid with its header and a cooperative launch, also by a pointer to the kernel.
func TestFixGrid(t *testing.T) { fixesAsMarked(t, gridProgram, "sm_80") }
