// Two streams and an event: copies and kernels of one chunk run in order, the
// chunks run side by side, and the last kernel waits for both. Pinned host
// memory for the asynchronous copies; the events also measure time.

#include "../check.h"

__global__ void square(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}

__global__ void addUp(const int *a, const int *b, int *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

int main() {
    const int n = 1000, block = 128, grid = (n + block - 1) / block;
    int *host, *in[2], *out[2], *sum;
    cudaStream_t streams[2];
    cudaEvent_t start, secondDone, end;
    CHECK(cudaMallocHost(&host, 2 * n * sizeof(int)));
    for (int i = 0; i < 2 * n; i++) host[i] = i;
    CHECK(cudaMalloc(&sum, n * sizeof(int)));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreateWithFlags(&secondDone, cudaEventDisableTiming));
    CHECK(cudaEventCreate(&end));
    for (int s = 0; s < 2; s++) {
        CHECK(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
        CHECK(cudaMalloc(&in[s], n * sizeof(int)));
        CHECK(cudaMalloc(&out[s], n * sizeof(int)));
    }

    CHECK(cudaEventRecord(start, streams[0]));
    for (int s = 0; s < 2; s++) {
        CHECK(cudaMemcpyAsync(in[s], host + s * n, n * sizeof(int), cudaMemcpyHostToDevice,
                              streams[s]));
        square<<<grid, block, 0, streams[s]>>>(in[s], out[s], n);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaEventRecord(secondDone, streams[1]));
    CHECK(cudaStreamWaitEvent(streams[0], secondDone, 0));
    addUp<<<grid, block, 0, streams[0]>>>(out[0], out[1], sum, n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end, streams[0]));
    CHECK(cudaMemcpyAsync(host, sum, n * sizeof(int), cudaMemcpyDeviceToHost, streams[0]));
    CHECK(cudaStreamSynchronize(streams[0]));

    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, start, end));
    std::vector<int> want(n);
    for (int i = 0; i < n; i++) want[i] = i * i + (n + i) * (n + i);
    bool ok = same("streams", std::vector<int>(host, host + n), want) && milliseconds >= 0;

    for (int s = 0; s < 2; s++) {
        CHECK(cudaFree(in[s]));
        CHECK(cudaFree(out[s]));
        CHECK(cudaStreamDestroy(streams[s]));
    }
    for (cudaEvent_t event : {start, secondDone, end}) CHECK(cudaEventDestroy(event));
    CHECK(cudaFree(sum));
    CHECK(cudaFreeHost(host));
    return ok ? 0 : 1;
}
