// Copies whose source and destination have bytes in common, which CUDA does not define.
// clean: apart adjacent nothing tiles columns other_kind
#include <cstdio>
#include <cstring>
#include <cuda.h>

__global__ void fill(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = i;
}

static __device__ int table[256];

static void shift(int *a, int n) { cudaMemcpy(a, a + 1, (n - 1) * sizeof(int), cudaMemcpyDeviceToDevice); }  // want(helper) memory bad-copy

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    const int n = 1024, pitch = 32 * sizeof(int);
    int *a, *m, host[64] = {};
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMalloc(&a, n * sizeof(int));
    cudaMallocManaged(&m, n * sizeof(int));
    fill<<<n / 256, 256>>>(a, n);
    cudaMemset(m, 0, n * sizeof(int));
    cudaDeviceSynchronize();
    if (is("down")) cudaMemcpy(a, a + 100, (n - 100) * sizeof(int), cudaMemcpyDeviceToDevice);  // want(down) memory bad-copy
    if (is("up")) cudaMemcpy(a + 100, a, (n - 100) * sizeof(int), cudaMemcpyDefault);  // want(up) memory bad-copy
    if (is("async")) cudaMemcpyAsync(a, a + 100, (n - 100) * sizeof(int), cudaMemcpyDeviceToDevice, s);  // want(async) memory bad-copy
    if (is("driver")) cuMemcpyDtoD((CUdeviceptr)a, (CUdeviceptr)(a + 8), 64);  // want(driver) memory bad-copy
    if (is("unified")) cuMemcpy((CUdeviceptr)m, (CUdeviceptr)(m + 8), 64);  // want(unified) memory bad-copy
    if (is("rows")) cudaMemcpy2D(a, pitch, a + 4, pitch, 32, 8, cudaMemcpyDeviceToDevice);  // want(rows) memory bad-copy
    if (is("box")) {
        cudaMemcpy3DParms p = {};
        p.srcPtr = make_cudaPitchedPtr(a, pitch, 32, 8);
        p.dstPtr = make_cudaPitchedPtr(a, pitch, 32, 8);
        p.dstPos = make_cudaPos(16, 1, 0);
        p.extent = make_cudaExtent(32, 4, 2);
        p.kind = cudaMemcpyDeviceToDevice;
        cudaMemcpy3D(&p);  // want(box) memory bad-copy
    }
    if (is("symbol")) {
        void *t;
        cudaGetSymbolAddress(&t, table);
        cudaMemset(t, 0, sizeof table);
        cudaMemcpyToSymbol(table, (char *)t + 64, 128, 0, cudaMemcpyDeviceToDevice);  // want(symbol) memory bad-copy
    }
    if (is("on_host")) cudaMemcpy(host, host + 8, 64, cudaMemcpyHostToHost);  // want(on_host) memory bad-copy
    if (is("helper")) shift(a, n);
    if (is("graph")) {
        cudaGraph_t g;
        cudaGraphExec_t x;
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaMemcpyAsync(a, a + 1, 64, cudaMemcpyDeviceToDevice, s);  // want(graph) memory bad-copy
        cudaStreamEndCapture(s, &g);
        cudaGraphInstantiate(&x, g, 0);
        cudaGraphLaunch(x, s);
    }
    if (is("itself")) cudaMemcpy(a, a, 64, cudaMemcpyDeviceToDevice);  // want(itself) memory bad-copy warning
    if (is("apart")) cudaMemcpy(a, a + 512, 512 * sizeof(int), cudaMemcpyDeviceToDevice);
    if (is("adjacent")) cudaMemcpy(a + 512, a, 512 * sizeof(int), cudaMemcpyDeviceToDevice);
    if (is("nothing")) cudaMemcpy(a, a, 0, cudaMemcpyDeviceToDevice), cudaMemcpy(a, a + 1, 0, cudaMemcpyDeviceToDevice);
    if (is("tiles")) cudaMemcpy2D(a, pitch, a + 16, pitch, 16 * sizeof(int), 8, cudaMemcpyDeviceToDevice);  // two halves of the same rows
    if (is("columns")) cudaMemcpy2D(a + 1, 2 * sizeof(int), a, 2 * sizeof(int), sizeof(int), 64, cudaMemcpyDeviceToDevice);
    if (is("other_kind")) cudaMemcpy(host, a, 64, cudaMemcpyDeviceToHost), cudaMemcpy(a, host, 64, cudaMemcpyHostToDevice);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
