// Calls that wait for a kernel, and such that do not, before host code writes to the kernel's memory.
// clean: free free_host device_sync stream_sync
#include <cstring>
#include <cuda_runtime.h>

__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; }

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    int *m, *d, *h;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocManaged(&m, 128);
    cudaMalloc(&d, 128);
    cudaMallocHost(&h, 128);
    fill<<<1, 32, 0, s>>>(m);
    if (is("free_null")) cudaFree(nullptr);
    if (is("free_host_null")) cudaFreeHost(nullptr);
    if (is("free_async")) cudaFreeAsync(d, s);
    if (is("free")) cudaFree(d);
    if (is("free_host")) cudaFreeHost(h);
    if (is("device_sync")) cudaDeviceSynchronize();
    if (is("stream_sync")) cudaStreamSynchronize(s);
    m[0] = 7;  // want(free_null) race WAW // want(free_host_null) race WAW // want(free_async) race WAW
    cudaDeviceSynchronize();
    if (!is("free") && !is("free_async")) cudaFree(d);
    if (!is("free_host")) cudaFreeHost(h);
    cudaFree(m);
    cudaStreamDestroy(s);
    return 0;
}
