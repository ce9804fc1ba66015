// What host code says of the arrays that kernels get. The comment "open N" has
// the pairs of accesses that are not decided.
#include <cuda_runtime.h>

// open 0
__global__ void reverse(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[n - 1 - i];
}

// open 1
__global__ void reverseInPlace(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[n - 1 - i];
}

// open 1
__global__ void reverseSwapped(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[n - 1 - i];
}

static float *global;

int main(int argc, char **) {
    int n = argc * 1000;
    float *a, *b, *c, *d;
    cudaMalloc(&a, n * sizeof(float));
    if (cudaMalloc((void **)&b, n * sizeof(float)) != cudaSuccess) return 1;
    cudaMallocManaged(&global, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(float));
    cudaMalloc(&d, n * sizeof(float));
    reverse<<<(n + 255) / 256, 256>>>(a, b, n);
    reverse<<<(n + 255) / 256, 256>>>(a, global, n);
    reverseInPlace<<<(n + 255) / 256, 256>>>(a, a, n);
    for (int i = 0; i < argc; i++) {
        float *t = c;
        c = d;
        d = t;
        reverseSwapped<<<(n + 255) / 256, 256>>>(c, d, n);
    }
    cudaFree(a);
    return cudaDeviceSynchronize();
}
