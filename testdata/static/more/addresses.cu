// Indices side by side, of which a compiler computes one address from another: what is
// said of each follows its own expression.
#include <cuda_runtime.h>

__global__ void beside(const int *a, int *b) {
    int tid = threadIdx.x;
    b[tid] = a[tid + tid]; // want drano, coalesce uncoalesced
    b[tid + 1000] = a[tid + 8];
}

__global__ void stored(int *a, int n) {
    int tid = threadIdx.x;
    a[tid + 8] = a[tid + tid]; // want drano, coalesce uncoalesced, race read-write
    a[n + 512 - tid] = n; // want coalesce misaligned
}

__global__ void rows(float *a, const float *b, int w) {
    int tid = threadIdx.x;
    for (int r = 0; r < 4; r++) {
        a[r * w + tid] = b[tid * 3 + r]; // want drano, coalesce uncoalesced
        a[r * w + tid + 4 * w] = b[tid + r * w];
    }
}

int main() {
    int *a, *b;
    cudaMalloc(&a, 1 << 20), cudaMalloc(&b, 1 << 20);
    beside<<<1, 128>>>(a, b);
    stored<<<1, 128>>>(a, 512);
    rows<<<1, 128>>>((float *)a, (float *)b, 512);
    return cudaDeviceSynchronize();
}
