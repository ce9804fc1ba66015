// Structures of which one member is never written are copied by one launch and read by another.
// The copy is not a defect, and the read of the other member is.
#include <cstdio>
#include <cuda_runtime.h>

struct alignas(8) Pair {
    int a, b;
};

__global__ void fill(Pair* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i].a = i;
}

__global__ void copy(const Pair* p, Pair* q, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) q[i] = p[i];
}

__global__ void use(const Pair* q, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && q[i].b > 3) out[i] = 1;  // want(use) init global
}

int main() {
    const int n = 256;
    Pair *p, *q;
    int* out;
    cudaMalloc(&p, n * sizeof *p);
    cudaMalloc(&q, n * sizeof *q);
    cudaMalloc(&out, n * sizeof *out);
    cudaMemset(out, 0, n * sizeof *out);
    fill<<<n / 64, 64>>>(p, n);
    copy<<<n / 64, 64>>>(p, q, n);
    use<<<n / 64, 64>>>(q, out, n);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
