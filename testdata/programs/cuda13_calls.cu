// The forms that functions have since CUDA 13, beside the older ones; types of the driver's functions.
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <cstdio>

#define OK(call)                                                       \
  do {                                                                 \
    if (int e = (int)(call)) return printf("FAIL %s: %d\n", #call, e); \
  } while (0)

__global__ void add(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += 1;
}

int graphs(int *p, int n) {
  cudaGraph_t graph;
  OK(cudaGraphCreate(&graph, 0));
  void *args[] = {&p, &n};
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = (void *)add;
  params.kernel.gridDim = dim3(1);
  params.kernel.blockDim = dim3(64);
  params.kernel.kernelParams = args;
  cudaGraphNode_t a, b, from, to;
  OK(cudaGraphAddNode(&a, graph, nullptr, nullptr, 0, &params));
  OK(cudaGraphAddNode(&b, graph, nullptr, 0, &params));
  cudaGraphEdgeData data = {};
  OK(cudaGraphAddDependencies(graph, &a, &b, &data, 1));
  size_t count = 1;
  OK(cudaGraphGetEdges(graph, &from, &to, &data, &count));
  if (count != 1 || from != a || to != b) return printf("FAIL: edges\n");
  OK(cudaGraphNodeGetDependencies(b, &from, &data, &count));
  OK(cudaGraphNodeGetDependentNodes(a, &to, &count));
  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphLaunch(exec, 0));
  OK(cudaDeviceSynchronize());
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphDestroy(graph));
  return 0;
}

int contexts() {
  CUdevice device;
  OK(cuInit(0));
  OK(cuDeviceGet(&device, 0));
  CUcontext old, created;
  CUctxCreateParams params = {};
  OK(cuCtxCreate(&old, 0, device));
  OK(cuCtxDestroy(old));
  OK(cuCtxCreate(&created, &params, 0, device));
  OK(cuCtxDestroy(created));
  PFN_cuMemAlloc_v3020 alloc = nullptr;
  PFN_cuCtxCreate_v12050 create = cuCtxCreate_v4;
  PFN_cuCtxCreate newest = create;
  CUdriverProcAddressQueryResult found;
  OK(cuGetProcAddress("cuMemAlloc", (void **)&alloc, CUDA_VERSION, 0, &found));
  return alloc && newest ? 0 : printf("FAIL: entry points\n");
}

int main() {
  static_assert(CUDART_VERSION == 13000 && CUDA_VERSION == CUDART_VERSION && __CUDACC_VER_MAJOR__ == 13, "the newest version");
  const int n = 64;
  int *p;
  OK(cudaMallocManaged(&p, n * sizeof *p));
  for (int i = 0; i < n; i++) p[i] = i;
  cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
  OK(cudaMemAdvise(p, n * sizeof *p, cudaMemAdviseSetPreferredLocation, here));
  OK(cudaMemAdvise(p, n * sizeof *p, cudaMemAdviseSetAccessedBy, 0));
  OK(cudaMemPrefetchAsync(p, n * sizeof *p, here, 0, 0));
  OK(cudaMemPrefetchAsync(p, n * sizeof *p, cudaCpuDeviceId));
  OK(cudaDeviceSynchronize());
  if (graphs(p, n)) return 1;
  for (int i = 0; i < n; i++)
    if (p[i] != i + 2) return printf("FAIL: p[%d] is %d\n", i, p[i]);
  OK(cudaFree(p));
  if (contexts()) return 1;
  printf("PASS\n");
}
