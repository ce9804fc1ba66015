// Streams, events, callbacks, host functions, priorities, pinned and mapped memory, graph capture across
// streams.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <mutex>
#include <thread>
#include <atomic>
#include <vector>
#define CK(x)                                                                                                \
  do {                                                                                                       \
    cudaError_t e = (x);                                                                                     \
    if (e != cudaSuccess) {                                                                                  \
      printf("%s:%d %s -> %s\n", __FILE__, __LINE__, #x, cudaGetErrorString(e));                             \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)
__global__ void inc(int *p, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += by;
}
__global__ void axpby(int *z, const int *x, const int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + 2 * y[i];
}
struct Note {
  std::atomic<int> n{0};
  cudaError_t status = cudaErrorUnknown;
};
static void CUDART_CB done(cudaStream_t s, cudaError_t status, void *data) {
  Note *t = (Note *)data;
  t->status = status;
  t->n++;
}
static void CUDART_CB hostfn(void *data) { ((Note *)data)->n += 10; }
int main() {
  const int n = 4096, S = 4;
  int bad = 0;
  int lo, hi;
  CK(cudaDeviceGetStreamPriorityRange(&lo, &hi));
  if (hi > lo) bad++;
  cudaStream_t s[S];
  cudaEvent_t ev[S];
  for (int i = 0; i < S; i++) {
    if (i == 3)
      CK(cudaStreamCreateWithPriority(&s[i], cudaStreamNonBlocking, hi));
    else if (i == 2)
      CK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
    else
      CK(cudaStreamCreate(&s[i]));
    CK(cudaEventCreateWithFlags(&ev[i], cudaEventDisableTiming));
  }
  int *h, *d;
  CK(cudaHostAlloc((void **)&h, S * n * sizeof(int), cudaHostAllocDefault));
  CK(cudaMalloc(&d, S * n * sizeof(int)));
  for (int i = 0; i < S * n; i++) h[i] = i;
  Note note;
  for (int i = 0; i < S; i++) {
    CK(cudaMemcpyAsync(d + i * n, h + i * n, n * sizeof(int), cudaMemcpyHostToDevice, s[i]));
    inc<<<n / 256, 256, 0, s[i]>>>(d + i * n, n, i + 1);
    CK(cudaMemcpyAsync(h + i * n, d + i * n, n * sizeof(int), cudaMemcpyDeviceToHost, s[i]));
    CK(cudaStreamAddCallback(s[i], done, &note, 0));
    CK(cudaLaunchHostFunc(s[i], hostfn, &note));
    CK(cudaEventRecord(ev[i], s[i]));
  }
  for (int i = 1; i < S; i++) CK(cudaStreamWaitEvent(s[0], ev[i], 0));
  CK(cudaStreamSynchronize(s[0]));
  while (cudaStreamQuery(s[3]) == cudaErrorNotReady) std::this_thread::yield();
  CK(cudaDeviceSynchronize());
  if (note.n != 44 || note.status != cudaSuccess) {
    printf("notes %d\n", (int)note.n);
    bad++;
  }
  for (int i = 0; i < S * n; i++)
    if (h[i] != i + i / n + 1) {
      bad++;
      break;
    }
  for (int i = 0; i < S; i++) CK(cudaEventQuery(ev[i]));
  // mapped memory
  int *m, *dm;
  CK(cudaHostAlloc(&m, n * sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable));
  CK(cudaHostGetDevicePointer(&dm, m, 0));
  for (int i = 0; i < n; i++) m[i] = 3 * i;
  inc<<<n / 256, 256, 0, s[1]>>>(dm, n, 7);
  CK(cudaStreamSynchronize(s[1]));
  for (int i = 0; i < n; i++)
    if (m[i] != 3 * i + 7) {
      bad++;
      break;
    }
  int *reg = (int *)aligned_alloc(4096, n * sizeof(int));
  for (int i = 0; i < n; i++) reg[i] = i;
  CK(cudaHostRegister(reg, n * sizeof(int), cudaHostRegisterMapped));
  int *dr;
  CK(cudaHostGetDevicePointer((void **)&dr, reg, 0));
  inc<<<n / 256, 256>>>(dr, n, 1);
  CK(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++)
    if (reg[i] != i + 1) {
      bad++;
      break;
    }
  CK(cudaHostUnregister(reg));
  free(reg);
  unsigned flags;
  CK(cudaHostGetFlags(&flags, m));
  if (!(flags & cudaHostAllocMapped)) bad++;
  // fork-join capture
  cudaGraph_t g;
  cudaGraphExec_t ge;
  cudaEvent_t fork, join;
  CK(cudaEventCreate(&fork));
  CK(cudaEventCreate(&join));
  int *x, *y, *z;
  CK(cudaMallocManaged(&x, n * 4));
  CK(cudaMallocManaged(&y, n * 4));
  CK(cudaMallocManaged(&z, n * 4));
  for (int i = 0; i < n; i++) x[i] = i, y[i] = 2 * i, z[i] = 0;
  CK(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal));
  CK(cudaEventRecord(fork, s[0]));
  CK(cudaStreamWaitEvent(s[1], fork, 0));
  inc<<<n / 256, 256, 0, s[0]>>>(x, n, 1);
  inc<<<n / 256, 256, 0, s[1]>>>(y, n, 2);
  CK(cudaEventRecord(join, s[1]));
  CK(cudaStreamWaitEvent(s[0], join, 0));
  axpby<<<n / 256, 256, 0, s[0]>>>(z, x, y, n);
  cudaStreamCaptureStatus st;
  CK(cudaStreamIsCapturing(s[0], &st));
  if (st != cudaStreamCaptureStatusActive) bad++;
  CK(cudaStreamEndCapture(s[0], &g));
  size_t nodes;
  CK(cudaGraphGetNodes(g, nullptr, &nodes));
  if (nodes != 3) {
    printf("nodes %zu\n", nodes);
    bad++;
  }
  CK(cudaGraphInstantiate(&ge, g, NULL, NULL, 0));
  for (int r = 0; r < 5; r++) CK(cudaGraphLaunch(ge, s[0]));
  CK(cudaStreamSynchronize(s[0]));
  for (int i = 0; i < n; i++)
    if (z[i] != i + 5 + 2 * (2 * i + 10)) {
      bad++;
      break;
    }
  CK(cudaGraphExecDestroy(ge));
  CK(cudaGraphDestroy(g));
  std::vector<std::thread> ts;
  std::mutex turn; // the report is the same in any order of whole threads
  std::atomic<int> fails{0};
  for (int t = 0; t < 4; t++)
    ts.emplace_back([&, t] {
      std::lock_guard<std::mutex> lock(turn);
      cudaSetDevice(0);
      int *p;
      cudaMalloc(&p, n * 4);
      cudaMemsetAsync(p, 0, n * 4, cudaStreamPerThread);
      for (int r = 0; r < 10; r++) inc<<<n / 128, 128, 0, cudaStreamPerThread>>>(p, n, t + 1);
      std::vector<int> o(n);
      cudaMemcpyAsync(o.data(), p, n * 4, cudaMemcpyDeviceToHost, cudaStreamPerThread);
      cudaStreamSynchronize(cudaStreamPerThread);
      for (int v : o)
        if (v != 10 * (t + 1)) fails++;
      cudaFree(p);
    });
  for (auto &t : ts) t.join();
  bad += fails;
  for (int i = 0; i < S; i++) {
    CK(cudaStreamDestroy(s[i]));
    CK(cudaEventDestroy(ev[i]));
  }
  CK(cudaEventDestroy(fork));
  CK(cudaEventDestroy(join));
  CK(cudaFreeHost(h));
  CK(cudaFreeHost(m));
  CK(cudaFree(d));
  CK(cudaFree(x));
  CK(cudaFree(y));
  CK(cudaFree(z));
  printf(bad ? "FAIL\n" : "PASS\n");
  return bad;
}
