// Objects with virtual functions on the device heap, shared by threads and launches.
#include <cstdio>
#include <new>
template <class T> class Container {
public:
  __device__ Container() {}
  __device__ virtual ~Container() {}
  __device__ virtual void push(T e) = 0;
  __device__ virtual bool pop(T &e) = 0;
};
template <class T> class Stack : public Container<T> {
  T *a;
  int top, max;

public:
  __device__ Stack(int m = 128) : top(0), max(m) { a = new T[max]; }
  __device__ ~Stack() { delete[] a; }
  __device__ void push(T e) override {
    int i = atomicAdd(&top, 1);
    if (i < max) a[i] = e;
  }
  __device__ bool pop(T &e) override {
    int i = atomicSub(&top, 1) - 1;
    if (i >= 0) {
      e = a[i];
      return true;
    }
    return false;
  }
};
__device__ Container<int> *g_container;
__device__ char buffer[256];
struct Placed {
  int v;
  __device__ Placed(int x) : v(x) {}
};
__global__ void create() {
  g_container = new Stack<int>(512);
  new (buffer) Placed(42);
}
__global__ void fill() { g_container->push(threadIdx.x + blockIdx.x * blockDim.x); }
__global__ void sum(int *o) {
  int v, s = 0;
  while (g_container->pop(v)) s += v;
  o[0] = s;
  o[1] = reinterpret_cast<Placed *>(buffer)->v;
}
__global__ void destroy() { delete g_container; }
struct S {
  double a;
  long c;
};
__global__ void perThread(int *o) {
  __shared__ S *shared;
  S *mine = new S[4];
  mine[3].a = threadIdx.x;
  mine[3].c = 0;
  if (threadIdx.x == 0) shared = (S *)malloc(blockDim.x * sizeof(S));
  __syncthreads();
  shared[threadIdx.x] = mine[3];
  __syncthreads();
  atomicAdd(o, (int)shared[blockDim.x - 1 - threadIdx.x].a);
  delete[] mine;
  __syncthreads();
  if (threadIdx.x == 0) free(shared);
}
int main() {
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 128 * 1024 * 1024);
  int *d, h[2];
  cudaMalloc(&d, 8);
  create<<<1, 1>>>();
  fill<<<4, 64>>>();
  sum<<<1, 1>>>(d);
  destroy<<<1, 1>>>();
  cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);
  int bad = h[0] != 255 * 128 || h[1] != 42;
  cudaMemset(d, 0, 8);
  perThread<<<2, 32>>>(d);
  cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost);
  bad += h[0] != 2 * 496;
  cudaFree(d);
  printf(bad ? "FAIL %d\n" : "PASS\n", h[0]);
}
