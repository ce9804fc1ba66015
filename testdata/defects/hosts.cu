// Memory between host, device and streams.
// clean: ordered_free managed_after_sync registered prefetched symbol_address graph_copy
#include <cstdio>
#include <cstdlib>
#include <cstring>
__device__ float table[32];
__global__ void use(float *a) { a[threadIdx.x] += 1; }  // want(late_free) memory out-of-bounds // want(stack_pointer) memory out-of-bounds // want(unregistered) memory out-of-bounds // want(freed_managed) memory out-of-bounds // want(symbol_name) memory out-of-bounds
int main(int, char **argv) {
    const char *c = argv[1];
    auto is = [&](const char *k) { return !strcmp(c, k); };
    float *a, *b, host[32] = {};
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&e);
    cudaMalloc(&a, 128);
    cudaMemset(a, 0, 128);
    use<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    if (is("ordered_free") || is("late_free")) {
        cudaMallocAsync(&b, 128, s);
        cudaMemsetAsync(b, 0, 128, s);
        if (is("late_free")) cudaFreeAsync(b, s);
        use<<<1, 32, 0, s>>>(b);
        if (is("ordered_free")) {
            cudaEventRecord(e, s);
            cudaStreamWaitEvent(t, e);
            cudaFreeAsync(b, t);
        }
    }
    if (is("twice_async")) {
        cudaMallocAsync(&b, 128, s);
        cudaFreeAsync(b, s);
        cudaFreeAsync(b, s);  // want(twice_async) memory double-free
    }
    if (is("stack_pointer")) use<<<1, 32>>>(host);
    if (is("symbol_name")) use<<<1, 32>>>((float *)&table);
    if (is("symbol_address")) { void *p; cudaGetSymbolAddress(&p, table); use<<<1, 32>>>((float *)p); }
    if (is("registered") || is("unregistered")) {
        b = (float *)aligned_alloc(4096, 4096);
        memset(b, 0, 4096);
        if (is("registered")) cudaHostRegister(b, 4096, cudaHostRegisterMapped);
        use<<<1, 32>>>(b);
        cudaDeviceSynchronize();
        if (is("registered")) cudaHostUnregister(b);
        free(b);
    }
    if (is("managed_after_sync") || is("freed_managed")) {
        cudaMallocManaged(&b, 128);
        for (int i = 0; i < 32; i++) b[i] = i;
        if (is("freed_managed")) cudaFree(b);
        use<<<1, 32>>>(b);
        cudaDeviceSynchronize();
        if (is("managed_after_sync")) { host[0] = b[3]; cudaFree(b); }
    }
    if (is("prefetched")) {
        cudaMallocManaged(&b, 128);
        b[0] = 1;
        cudaMemPrefetchAsync(b, 128, 0);
        use<<<1, 32>>>(b);
        cudaDeviceSynchronize();
        cudaFree(b);
    }
    if (is("device_on_host")) host[0] = a[1];  // want(device_on_host) memory host-access
    if (is("bytes_not_elements")) cudaMemcpy(host, a, 32 * sizeof(double), cudaMemcpyDeviceToHost);  // want(bytes_not_elements) memory bad-copy
    if (is("swapped")) cudaMemcpy(a, host, 128, cudaMemcpyDeviceToHost);  // want(swapped) memory bad-copy
    if (is("pointer_size")) cudaMemcpy(&a, host, 128, cudaMemcpyHostToDevice);  // want(pointer_size) memory bad-copy
    if (is("set_pointer")) cudaMemset(&a, 0, 8);  // want(set_pointer) memory bad-copy
    if (is("null_copy")) cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice);  // want(null_copy) memory bad-copy
    // What a refused copy or fill does not write is not told again.
    if (is("long_copy") || is("long_fill") || is("wrong_way")) {
        cudaMalloc(&b, 128);
        if (is("long_copy")) cudaMemcpy(b, host, 256, cudaMemcpyHostToDevice);  // want(long_copy) memory bad-copy
        if (is("long_fill")) cudaMemset(b, 0, 256);  // want(long_fill) memory bad-copy
        if (is("wrong_way")) cudaMemcpy(host, b, 128, cudaMemcpyHostToDevice);  // want(wrong_way) memory bad-copy
        use<<<1, 32>>>(b);
        cudaDeviceSynchronize();
        cudaFree(b);
    }
    if (is("graph_copy")) {
        cudaGraph_t g;
        cudaGraphExec_t x;
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaMemcpyAsync(host, a, 128, cudaMemcpyDeviceToHost, s);
        cudaStreamEndCapture(s, &g);
        cudaGraphInstantiate(&x, g, nullptr, nullptr, 0);
        cudaGraphLaunch(x, s);
        cudaStreamSynchronize(s);
        cudaGraphExecDestroy(x);
        cudaGraphDestroy(g);
    }
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaEventDestroy(e);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
    cudaFree(a);
    return bad;
}
