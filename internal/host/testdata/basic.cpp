// The whole life of a well-behaved program.
#define WITH_MANAGED
#include "fake.h"

static void memory() {
  int h[64], back[64];
  int *d, *e;
  CHECK(0, cudaMalloc((void **)&d, sizeof h));
  CHECK(0, cudaMalloc((void **)&e, sizeof h));
  CHECK(0, ((size_t)d) % 256);
  for (int i = 0; i < 64; i++) h[i] = i;
  CHECK(0, cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(0, launch(add_one, 1, 64, 0, 0, d, 64));
  CHECK(0, cudaMemcpy(e, d, sizeof h, cudaMemcpyDeviceToDevice));
  CHECK(0, cudaMemset(d, 0xff, sizeof h));
  CHECK(0, cudaMemcpyAsync(back, e, sizeof h, cudaMemcpyDeviceToHost, 0));
  CHECK(0, cudaDeviceSynchronize());
  for (int i = 0; i < 64; i++) CHECK(i + 1, back[i]);
  CHECK(0, cudaMemcpy(back, d, sizeof h, cudaMemcpyDefault));
  CHECK(-1, back[63]);
  CHECK(0, cudaMemcpy(back, h, sizeof h, cudaMemcpyHostToHost));
  CHECK(0, cudaMemcpy(d, h, 0, cudaMemcpyHostToDevice));
  CHECK(0, cudaFree(d));
  CHECK(0, cudaFree(e));
  CHECK(0, cudaFree(nullptr));
  int *none = h;
  CHECK(0, cudaMalloc((void **)&none, 0));
  CHECK(1, none == nullptr);
  size_t freeBytes, total;
  CHECK(0, cudaMemGetInfo(&freeBytes, &total));
  CHECK(1, freeBytes <= total && total > (1 << 20));
}

static void pitched() {
  char h[4][10], back[4][10];
  char *d;
  size_t pitch;
  CHECK(0, cudaMallocPitch((void **)&d, &pitch, 10, 4));
  CHECK(512, pitch);
  for (int i = 0; i < 40; i++) h[i / 10][i % 10] = (char)i;
  CHECK(0, cudaMemset2D(d, pitch, 7, 10, 4));
  CHECK(0, cudaMemcpy2D(d + pitch, pitch, h, 10, 10, 3, cudaMemcpyHostToDevice));
  CHECK(0, cudaMemcpy2D(back, 10, d, pitch, 10, 4, cudaMemcpyDeviceToHost));
  CHECK(7, back[0][9]);
  CHECK(29, back[3][9]);
  CHECK(0, cudaFree(d));
  cudaPitchedPtr p;
  CHECK(0, cudaMalloc3D(&p, {10, 2, 2}));
  cudaMemcpy3DParms c{};
  c.srcPtr = {h, 10, 10, 2};
  c.dstPtr = p;
  c.extent = {10, 2, 2};
  c.kind = cudaMemcpyHostToDevice;
  CHECK(0, cudaMemcpy3D(&c));
  CHECK(0, cudaMemcpy(back, (char *)p.ptr + 3 * p.pitch, 10, cudaMemcpyDeviceToHost));
  CHECK(39, back[0][9]);
  CHECK(0, cudaMemset3D(p, 1, {10, 2, 2}));
  CHECK(0, cudaMemcpy(back, (char *)p.ptr + 3 * p.pitch, 10, cudaMemcpyDeviceToHost));
  CHECK(1, back[0][9]);
  CHECK(0, cudaFree(p.ptr));
}

static void symbols() {
  int v = 5, t[4];
  CHECK(5, *managed); // its initial value
  *managed = 8;
  CHECK(0, cudaMemcpyToSymbol(&counter, &v, 4));
  CHECK(0, launch(count, 2, 32, 0, 0));
  CHECK(0, cudaMemcpyFromSymbol(&v, &counter, 4));
  CHECK(5 + 64, v);
  CHECK(8 + 64, *managed);
  CHECK(0, cudaMemcpyFromSymbol(t, table, 8, 8));
  CHECK(3, t[0]);
  CHECK(4, t[1]);
  void *p;
  size_t n;
  CHECK(0, cudaGetSymbolAddress(&p, table));
  CHECK(0, cudaGetSymbolSize(&n, table));
  CHECK(16, n);
  CHECK(0, cudaMemcpy(t, p, 16, cudaMemcpyDeviceToHost));
  CHECK(1, t[0]);
}

static void hostVisible() {
  int *m, *p, *q;
  CHECK(0, cudaMallocManaged((void **)&m, 256));
  CHECK(0, cudaHostAlloc((void **)&p, 256, cudaHostAllocMapped));
  CHECK(0, cudaHostGetDevicePointer((void **)&q, p, 0));
  for (int i = 0; i < 64; i++) m[i] = p[i] = i;
  CHECK(0, launch(add_one, 1, 64, 0, 0, m, 64));
  CHECK(0, launch(add_one, 1, 64, 0, 0, q, 64));
  CHECK(0, cudaStreamSynchronize(0));
  CHECK(64, m[63]);
  CHECK(64, p[63]);
  CHECK(0, cudaMemPrefetchAsync(m, 256, 0, 0));
  cudaPointerAttributes a;
  CHECK(0, cudaPointerGetAttributes(&a, m + 3));
  CHECK(cudaMemoryTypeManaged, a.type);
  CHECK(0, cudaPointerGetAttributes(&a, p));
  CHECK(cudaMemoryTypeHost, a.type);
  CHECK(0, cudaPointerGetAttributes(&a, &a));
  CHECK(cudaMemoryTypeUnregistered, a.type);
  CHECK(0, cudaFree(m));
  CHECK(0, cudaFreeHost(p));
  static char buffer[64];
  CHECK(0, cudaHostRegister(buffer, 64, 0));
  CHECK(0, cudaHostUnregister(buffer));
}

static void add(void *p) { ++*(int *)p; }
static void addStatus(cudaStream_t, cudaError_t e, void *p) { *(int *)p += e == cudaSuccess ? 10 : 1000; }

static void streams() {
  cudaStream_t s, low;
  cudaEvent_t a, b;
  float ms = -1;
  int n = 0, priority = 0;
  unsigned flags = 9;
  CHECK(0, cudaStreamCreate(&s));
  CHECK(0, cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, -2));
  CHECK(0, cudaStreamGetPriority(low, &priority));
  CHECK(-2, priority);
  CHECK(0, cudaStreamGetFlags(low, &flags));
  CHECK(cudaStreamNonBlocking, flags);
  CHECK(0, cudaEventCreate(&a));
  CHECK(0, cudaEventCreateWithFlags(&b, cudaEventBlockingSync));
  CHECK(0, cudaEventRecord(a, s));
  CHECK(0, launch(count, 1, 32, 0, s));
  CHECK(0, cudaEventRecord(b, s));
  CHECK(0, cudaStreamWaitEvent(low, b, 0));
  CHECK(0, cudaEventQuery(b));
  CHECK(0, cudaEventSynchronize(b));
  CHECK(0, cudaEventElapsedTime(&ms, a, b));
  CHECK(1, ms > 0);
  CHECK(0, cudaLaunchHostFunc(s, add, &n));
  CHECK(0, cudaStreamAddCallback(s, addStatus, &n, 0));
  CHECK(11, n);
  CHECK(0, cudaStreamQuery(cudaStreamPerThread));
  CHECK(0, cudaEventDestroy(a));
  CHECK(0, cudaEventDestroy(b));
  CHECK(0, cudaStreamDestroy(s));
  CHECK(0, cudaStreamDestroy(low));
}

static void device() {
  int n = 0, v = 0;
  CHECK(0, cudaGetDeviceCount(&n));
  CHECK(1, n);
  CHECK(0, cudaSetDevice(0));
  cudaDeviceProp p;
  CHECK(0, cudaGetDeviceProperties(&p, 0));
  CHECK(8, p.major);
  CHECK(32, p.warpSize);
  CHECK(1024, p.maxThreadsPerBlock);
  CHECK(0x7fffffff, p.maxGridSize[0]);
  CHECK(49152, p.sharedMemPerBlock);
  CHECK(0, cudaDeviceGetAttribute(&v, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  CHECK(163 * 1024, v);
  CHECK(0, cudaDriverGetVersion(&v));
  CHECK(CUDART_VERSION / 1000, v / 1000); // the driver's is the last of the release
  CHECK(1, v >= CUDART_VERSION);
  cudaFuncAttributes a;
  CHECK(0, cudaFuncGetAttributes(&a, (const void *)bounded));
  CHECK(128, a.maxThreadsPerBlock);
  CHECK(1024, a.sharedSizeBytes);
  CHECK(0, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, (const void *)bounded, 128, 0));
  CHECK(16, v);
  CHECK(0, cudaFuncSetAttribute((const void *)bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
  CHECK(0, launch(bounded, 1, 128, 100 << 10, 0));
  CHECK(0, strcmp("cudaErrorInvalidValue", cudaGetErrorName(cudaErrorInvalidValue)));
  CHECK(0, strcmp("invalid argument", cudaGetErrorString(cudaErrorInvalidValue)));
  CHECK(0, strcmp("unrecognized error code", cudaGetErrorString((cudaError_t)12345)));
}

int main() {
  printf("start\n");
  CHECK(0, launch(say, 1, 1, 0, 0));
  printf("launched\n");
  CHECK(0, cudaDeviceSynchronize());
  printf("synchronized\n");
  memory();
  pitched();
  symbols();
  hostVisible();
  streams();
  device();
  CHECK(0, cudaGetLastError());
  CHECK(0, launch(say, 1, 1, 0, 0));
  return finish();
}
