// Two processes share memory and an event by handles.
#include <cstdio>
#include <unistd.h>
#include <sys/wait.h>
__global__ void k(int *p) { p[threadIdx.x] += 1; }
int main() {
  int fd[2];
  if (pipe(fd)) return 1;
  pid_t c = fork();
  if (c == 0) {
    cudaIpcMemHandle_t h;
    if (read(fd[0], &h, sizeof h) != sizeof h) _exit(9);
    int *p;
    cudaError_t e = cudaIpcOpenMemHandle((void **)&p, h, cudaIpcMemLazyEnablePeerAccess);
    if (e) {
      printf("open %s\n", cudaGetErrorString(e));
      _exit(3);
    }
    cudaIpcEventHandle_t eh;
    cudaEvent_t ready;
    cudaStream_t s;
    if (read(fd[0], &eh, sizeof eh) != sizeof eh) _exit(9);
    if (cudaIpcOpenEventHandle(&ready, eh) || cudaStreamCreate(&s) || cudaStreamWaitEvent(s, ready, 0)) _exit(5);
    k<<<1, 32, 0, s>>>(p);
    if (cudaStreamSynchronize(s)) _exit(4);
    if (cudaEventDestroy(ready)) _exit(6);
    cudaIpcCloseMemHandle(p);
    _exit(0);
  }
  int *d, h[32];
  cudaMalloc(&d, 128);
  cudaMemset(d, 0, 128);
  cudaDeviceSynchronize();
  cudaIpcMemHandle_t ih;
  if (cudaIpcGetMemHandle(&ih, d)) return 2;
  if (write(fd[1], &ih, sizeof ih) < 0) return 1;
  cudaEvent_t ready, own;
  cudaIpcEventHandle_t eh;
  cudaEventCreate(&own);
  cudaEventCreateWithFlags(&ready, cudaEventDisableTiming | cudaEventInterprocess);
  cudaEventRecord(ready);
  if (cudaIpcGetEventHandle(&eh, own) != cudaErrorInvalidValue || cudaIpcGetEventHandle(&eh, ready)) return 3;
  if (write(fd[1], &eh, sizeof eh) < 0) return 1;
  int st;
  waitpid(c, &st, 0);
  k<<<1, 32>>>(d);
  cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf(WEXITSTATUS(st) == 0 && h[7] == 2 ? "PASS\n" : "FAIL %d %d\n", WEXITSTATUS(st), h[7]);
}
