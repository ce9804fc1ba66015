// Graphs by nodes: kernels, copies, fills, host nodes, child graphs, events, memory nodes, params updates,
// clone, cudaGraphExecUpdate, DOT.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CK(x)                                                                                                \
  do {                                                                                                       \
    cudaError_t e_ = (x);                                                                                    \
    if (e_ != cudaSuccess) {                                                                                 \
      printf("%d %s -> %s\n", __LINE__, #x, cudaGetErrorName(e_));                                           \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)
__global__ void add(float *p, float v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += v;
}
__global__ void mul(float *p, float v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= v;
}
static int calls;
static void CUDART_CB hostNode(void *p) { calls += *(int *)p; }
int main() {
  const int n = 256;
  int bad = 0, one = 1;
  float *d;
  std::vector<float> h(n, 1.0f), o(n);
  CK(cudaMalloc(&d, n * 4));
  cudaStream_t s;
  CK(cudaStreamCreate(&s));
  cudaGraph_t g, child;
  CK(cudaGraphCreate(&g, 0));
  CK(cudaGraphCreate(&child, 0));
  std::vector<cudaGraphNode_t> deps;
  cudaGraphNode_t up, k1, k2, down, hn, ch, ms, ev;
  cudaMemcpy3DParms cp = {0};
  cp.srcPtr = make_cudaPitchedPtr(h.data(), n * 4, n, 1);
  cp.dstPtr = make_cudaPitchedPtr(d, n * 4, n, 1);
  cp.extent = make_cudaExtent(n * 4, 1, 1);
  cp.kind = cudaMemcpyHostToDevice;
  CK(cudaGraphAddMemcpyNode(&up, g, NULL, 0, &cp));
  float v = 2, m = 3;
  int nn = n;
  void *a1[] = {&d, &v, &nn}, *a2[] = {&d, &m, &nn};
  cudaKernelNodeParams kp = {0};
  kp.func = (void *)add;
  kp.gridDim = dim3(2);
  kp.blockDim = dim3(128);
  kp.kernelParams = a1;
  CK(cudaGraphAddKernelNode(&k1, g, &up, 1, &kp));
  cudaGraphNode_t ck;
  kp.func = (void *)mul;
  kp.kernelParams = a2;
  CK(cudaGraphAddKernelNode(&ck, child, NULL, 0, &kp));
  CK(cudaGraphAddChildGraphNode(&ch, g, &k1, 1, child));
  CK(cudaGraphAddMemcpyNode1D(&down, g, &ch, 1, o.data(), d, n * 4, cudaMemcpyDeviceToHost));
  cudaHostNodeParams hp = {hostNode, &one};
  CK(cudaGraphAddHostNode(&hn, g, &down, 1, &hp));
  cudaMemsetParams mp = {0};
  mp.dst = d;
  mp.elementSize = 4;
  mp.width = n;
  mp.height = 1;
  CK(cudaGraphAddMemsetNode(&ms, g, &hn, 1, &mp));
  CK(cudaGraphAddEmptyNode(&ev, g, &ms, 1));
  size_t nodes, edges;
  CK(cudaGraphGetNodes(g, NULL, &nodes));
  CK(cudaGraphGetEdges(g, NULL, NULL, &edges));
  if (nodes != 7 || edges != 6) bad++;
  cudaGraphNodeType ty;
  CK(cudaGraphNodeGetType(k1, &ty));
  if (ty != cudaGraphNodeTypeKernel) bad++;
  cudaGraphExec_t ge;
  CK(cudaGraphInstantiateWithFlags(&ge, g, 0));
  for (int i = 0; i < 3; i++) CK(cudaGraphLaunch(ge, s));
  CK(cudaStreamSynchronize(s));
  for (float x : o)
    if (x != 9) bad++;
  if (calls != 3) bad++;
  v = 5;
  kp.func = (void *)add;
  kp.kernelParams = a1;
  CK(cudaGraphExecKernelNodeSetParams(ge, k1, &kp));
  CK(cudaGraphLaunch(ge, s));
  CK(cudaStreamSynchronize(s));
  for (float x : o)
    if (x != 18) bad++;
  cudaGraph_t clone;
  CK(cudaGraphClone(&clone, g));
  cudaGraphNode_t k1c;
  CK(cudaGraphNodeFindInClone(&k1c, k1, clone));
  v = 7;
  CK(cudaGraphKernelNodeSetParams(k1c, &kp));
  cudaGraphExecUpdateResultInfo info;
  CK(cudaGraphExecUpdate(ge, clone, &info));
  CK(cudaGraphLaunch(ge, s));
  CK(cudaStreamSynchronize(s));
  for (float x : o)
    if (x != 24) bad++;
  cudaGraph_t cap;
  cudaGraphExec_t ce;
  CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  float *tmp;
  CK(cudaMallocAsync(&tmp, n * 4, s));
  CK(cudaMemsetAsync(tmp, 0, n * 4, s));
  add<<<2, 128, 0, s>>>(tmp, 4.0f, n);
  CK(cudaMemcpyAsync(o.data(), tmp, n * 4, cudaMemcpyDeviceToHost, s));
  CK(cudaFreeAsync(tmp, s));
  CK(cudaLaunchHostFunc(s, hostNode, &one));
  CK(cudaStreamEndCapture(s, &cap));
  CK(cudaGraphInstantiate(&ce, cap, 0));
  CK(cudaGraphUpload(ce, s));
  CK(cudaGraphLaunch(ce, s));
  CK(cudaGraphLaunch(ce, s));
  CK(cudaStreamSynchronize(s));
  for (float x : o)
    if (x != 4) bad++;
  if (calls != 7) {
    printf("calls %d\n", calls);
    bad++;
  }
  CK(cudaGraphDebugDotPrint(cap, "/dev/null", 0));
  CK(cudaGraphExecDestroy(ge));
  CK(cudaGraphExecDestroy(ce));
  CK(cudaGraphDestroy(g));
  CK(cudaGraphDestroy(child));
  CK(cudaGraphDestroy(clone));
  CK(cudaGraphDestroy(cap));
  CK(cudaStreamDestroy(s));
  CK(cudaFree(d));
  printf(bad ? "FAIL %d\n" : "PASS\n", bad);
  return bad;
}
