// Copies from pageable memory, which return when the data is staged: only the copy's stream orders their arrival.
// clean: small waited blocking legacy pinned managed event to_host second_copy async own_stream
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>

static __device__ float table[1 << 17];

__global__ void add(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + 1;  // want(large) race RAW // want(driver) race RAW // want(rows) race RAW // want(stream_later) race RAW // want(other_waited) race RAW // want(symbol) race RAW
}

__global__ void fill(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 1;  // want(over) race WAW
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    const int n = is("small") ? 1 << 12 : 1 << 17, bytes = n * sizeof(float);
    float *h = (float *)calloc(n, sizeof(float)), *pinned, *in, *out, *other;
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMalloc(&other, bytes);
    cudaMallocHost(&pinned, bytes);
    memset(pinned, 0, bytes);
    cudaStream_t s = 0;
    if (!is("stream_later")) cudaStreamCreateWithFlags(&s, is("blocking") ? cudaStreamDefault : cudaStreamNonBlocking);
    cudaMemset(out, 0, bytes);
    cudaDeviceSynchronize();
    if (is("driver")) cuMemcpyHtoD((CUdeviceptr)in, h, bytes);
    else if (is("rows")) cudaMemcpy2D(in, 4096, h, 4096, 4096, bytes / 4096, cudaMemcpyDefault);
    else if (is("symbol")) {
        cudaMemcpyToSymbol(table, h, bytes);
        cudaGetSymbolAddress((void **)&in, table);
    } else if (is("async") || is("own_stream")) cudaMemcpyAsync(in, h, bytes, cudaMemcpyHostToDevice, s);
    else if (is("managed")) {
        cudaMallocManaged(&in, bytes);
        cudaMemcpy(in, h, bytes, cudaMemcpyHostToDevice);
    } else cudaMemcpy(in, is("pinned") ? pinned : h, bytes, cudaMemcpyHostToDevice);
    if (is("waited")) cudaDeviceSynchronize();
    if (is("second_copy")) cudaMemcpy(other, h, bytes, cudaMemcpyHostToDevice);  // waits for the first
    if (is("to_host")) cudaMemcpy(h, in, bytes, cudaMemcpyDeviceToHost);
    if (is("event")) {
        cudaEvent_t e;
        cudaEventCreate(&e);
        cudaEventRecord(e, 0);
        cudaStreamWaitEvent(s, e, 0);
    }
    if (is("other_waited")) cudaStreamSynchronize(s);
    if (is("stream_later")) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    if (is("over")) fill<<<n / 256, 256, 0, s>>>(in, n);
    else add<<<n / 256, 256, 0, is("legacy") ? 0 : s>>>(in, out, n);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
