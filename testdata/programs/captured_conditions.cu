// A conditional node in the middle of what a stream captures: the handle is made, and
// the node added, while the capture continues.
#include <cstdio>

#define CHECK(x) \
  if (cudaError_t e = (x)) { \
    printf("%s: %s\n", #x, cudaGetErrorName(e)); \
    return 1; \
  }

__global__ void decide(int *left, cudaGraphConditionalHandle again) { cudaGraphSetConditional(again, *left > 0); }
__global__ void step(int *left, int *steps, cudaGraphConditionalHandle again) {
  ++*steps;
  cudaGraphSetConditional(again, --*left > 0);
}
__global__ void finish(int *steps) { *steps += 100; }

int main() {
  int *left, *steps, rounds = 5, result = 0;
  CHECK(cudaMalloc(&left, sizeof *left));
  CHECK(cudaMalloc(&steps, sizeof *steps));
  CHECK(cudaMemcpy(left, &rounds, sizeof rounds, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(steps, 0, sizeof *steps));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));

  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureStatus status;
  cudaGraph_t graph;
  const cudaGraphNode_t *before;
  size_t count;
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, nullptr, &count));
  cudaGraphConditionalHandle again;
  CHECK(cudaGraphConditionalHandleCreate(&again, graph));
  decide<<<1, 1, 0, stream>>>(left, again);
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, nullptr, &count));
  cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
  params.conditional.handle = again;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  cudaGraphNode_t loop;
  CHECK(cudaGraphAddNode(&loop, graph, before, nullptr, count, &params));
  cudaGraph_t body = params.conditional.phGraph_out[0];
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &loop, nullptr, 1, cudaStreamSetCaptureDependencies));
  finish<<<1, 1, 0, stream>>>(steps);
  CHECK(cudaStreamEndCapture(stream, &graph));

  CHECK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  step<<<1, 1, 0, stream>>>(left, steps, again);
  CHECK(cudaStreamEndCapture(stream, nullptr));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(&result, steps, sizeof result, cudaMemcpyDeviceToHost));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(left));
  CHECK(cudaFree(steps));
  printf(result == 105 ? "PASS\n" : "FAIL %d\n", result);
}
