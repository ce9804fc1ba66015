// Chunks that go through two streams with events, a histogram, a graph that is launched
// again and again, and managed memory that host and device use in turns.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
constexpr int kChunk = 1024, kChunks = 6, kBins = 16;

__global__ void scale(float *x, const float *in, int n, float f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = in[i] * f;
}
__global__ void histogram(const float *x, int n, int *bins) {
    __shared__ int own[kBins];
    if (threadIdx.x < kBins) own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[int(x[i]) % kBins], 1);
    __syncthreads();
    if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
__global__ void step(float *now, const float *before, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) now[i] = 0.5f * (before[i ? i - 1 : n - 1] + before[i + 1 < n ? i + 1 : 0]);
}
int main() {
    const int n = kChunk * kChunks;
    float *host, *in[2], *out[2], *state[2];
    int *bins, *shared, counts[kBins];
    cudaMallocHost(&host, n * sizeof(float));
    cudaMallocManaged(&shared, kBins * sizeof(int));
    cudaMalloc(&bins, sizeof counts);
    for (int b = 0; b < 2; b++) {
        cudaMalloc(&in[b], kChunk * 4);
        cudaMalloc(&out[b], kChunk * 4);
        cudaMalloc(&state[b], kChunk * 4);
    }
    for (int i = 0; i < n; i++) host[i] = i % 97;
    cudaStream_t copies, work;
    cudaEvent_t arrived[2], done[2];
    cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
    for (int b = 0; b < 2; b++) {
        cudaEventCreateWithFlags(&arrived[b], cudaEventDisableTiming);
        cudaEventCreateWithFlags(&done[b], cudaEventDisableTiming);
    }
    cudaMemsetAsync(bins, 0, sizeof counts, work);
    for (int c = 0; c < kChunks; c++) {
        int b = c % 2;
        if (c >= 2) cudaStreamWaitEvent(copies, done[b], 0);
        cudaMemcpyAsync(in[b], host + c * kChunk, kChunk * 4, cudaMemcpyHostToDevice, copies);
        cudaEventRecord(arrived[b], copies);
        cudaStreamWaitEvent(work, arrived[b], 0);
        scale<<<kChunk / 256, 256, 0, work>>>(out[b], in[b], kChunk, 3);
        histogram<<<2, 128, 0, work>>>(out[b], kChunk, bins);
        cudaEventRecord(done[b], work);
    }
    cudaMemcpyAsync(counts, bins, sizeof counts, cudaMemcpyDeviceToHost, work);
    cudaStreamSynchronize(work);
    int bad = 0, sum = 0;
    for (int k = 0; k < kBins; k++) sum += counts[k];
    bad += sum != n;

    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(work, cudaStreamCaptureModeGlobal);
    for (int k = 0; k < 4; k++) step<<<kChunk / 256, 256, 0, work>>>(state[(k + 1) % 2], state[k % 2], kChunk);
    cudaStreamEndCapture(work, &graph);
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    cudaMemcpyAsync(state[0], host, kChunk * 4, cudaMemcpyHostToDevice, work);
    for (int k = 0; k < 3; k++) cudaGraphLaunch(exec, work);
    cudaStreamSynchronize(work);
    for (int k = 0; k < kBins; k++) shared[k] = 0;
    histogram<<<2, 128, 0, work>>>(state[0], kChunk, shared);
    cudaStreamSynchronize(work);
    sum = 0;
    for (int k = 0; k < kBins; k++) sum += shared[k];
    bad += sum != kChunk;
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    for (int b = 0; b < 2; b++) {
        cudaFree(in[b]);
        cudaFree(out[b]);
        cudaFree(state[b]);
        cudaEventDestroy(arrived[b]);
        cudaEventDestroy(done[b]);
    }
    cudaFree(bins);
    cudaFree(shared);
    cudaFreeHost(host);
    cudaStreamDestroy(copies);
    cudaStreamDestroy(work);
    printf("%s %d\n", bad ? "FAIL" : "PASS", bad);
}
