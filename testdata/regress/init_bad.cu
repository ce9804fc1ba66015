// exit: 1
// Reads of memory that were never written, of each kind.
#include <cstdio>

__global__ void count(const int *key, int *bins) {
    atomicAdd(&bins[key[threadIdx.x]], 1); // want init global
}

__global__ void sum(const float *a, float *out) {
    float s = 0;
    for (int i = 0; i < 4; i++) s += a[threadIdx.x * 4 + i]; // want init global
    out[threadIdx.x] = s;
}

__global__ void border(const float *a, float *out) {
    __shared__ float s[66];
    int t = threadIdx.x;
    s[t + 1] = a[t];
    __syncthreads();
    out[t] = s[t] + s[t + 2]; // want init shared // want init shared
}

__global__ void stack(int *out, int n) {
    int v[8];
    for (int i = 0; i < n; i++) v[i] = i;
    int s = 0;
    for (int i = 0; i <= n; i++) s += v[i]; // want init local
    out[threadIdx.x] = s;
}

__global__ void copyAll(const int *in, int *out) {
    out[threadIdx.x] = in[threadIdx.x]; // want init global
}

__global__ void fromHeap(int *out) {
    int *p = (int *)malloc(8 * sizeof(int));
    p[0] = 1;
    out[threadIdx.x] = p[0] + p[1]; // want init global
    free(p);
}

int main() {
    int *key, *bins, *out, *fresh, host[64] = {};
    float *a, *b;
    cudaMalloc(&key, sizeof host);
    cudaMalloc(&bins, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&fresh, sizeof host);
    cudaMalloc(&a, 4 * sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMemcpy(key, host, sizeof host, cudaMemcpyHostToDevice);
    count<<<1, 64>>>(key, bins);
    cudaMemset(a, 0, 2 * sizeof host); // half of it
    sum<<<1, 64>>>(a, b);
    border<<<1, 64>>>(b, b);
    stack<<<1, 32>>>(out, 7);
    copyAll<<<1, 64>>>(fresh, out);
    fromHeap<<<1, 1>>>(out);
    if (cudaDeviceSynchronize() != cudaSuccess) return 2;
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(key), cudaFree(bins), cudaFree(out), cudaFree(fresh), cudaFree(a), cudaFree(b);
    return 0;
}
