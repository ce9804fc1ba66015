// Where threads write: bytes, parts of one array, other blocks, chosen places.
#include <cuda_runtime.h>

const int B = 64;

__global__ void bytesSideBySide(int *out) {
    __shared__ unsigned char s[B];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    out[t] = s[B - 1 - t];
}

// A word written by one thread covers bytes of others.
__global__ void wordsAndBytes(int *out) {
    __shared__ __align__(4) unsigned char s[B];
    int t = threadIdx.x;
    if (t < 8) *(int *)(s + 4 * t) = t;
    else s[t - 8] = t; // want race write-write
    __syncthreads();
    out[t] = s[t];
}

__global__ void parts(int *out) {
    extern __shared__ int all[];
    int *a = all, *b = all + B;
    int t = threadIdx.x;
    a[t] = t;
    b[t] = 2 * t;
    out[t] = a[t] + b[t];
}

// The parts overlap in their halves.
__global__ void partsOverlap(int *out) {
    extern __shared__ int all[];
    int *a = all, *b = all + B / 2;
    int t = threadIdx.x;
    a[t] = t;
    b[t] = 2 * t; // want race write-write
    __syncthreads();
    out[t] = a[t];
}

__global__ void own(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
}

__global__ void ownInTurn(int *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = i; // want drano
}

__global__ void twoShareOne(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i / 2] = i; // want drano, race write-write
}

__global__ void onePerBlock(int *out) {
    if (threadIdx.x == 0) out[blockIdx.x] = blockIdx.x;
}

__global__ void allPerBlock(int *out) { out[blockIdx.x] = threadIdx.x; } // want race write-write

__global__ void sameForAll(int *out) { out[0] = 7; } // want race write-write

// The last element of a block is the first of the next.
__global__ void blocksMeet(int *out) {
    int i = blockIdx.x * (blockDim.x - 1) + threadIdx.x;
    out[i] = i; // want coalesce misaligned possible, race write-write
}

__global__ void quarters(int *out) {
    __shared__ int a[16], b[16], c[16], d[16];
    int t = threadIdx.x;
    switch (t & 3) {
    case 0: a[t / 4] = t; break;
    case 1: b[t / 4] = t; break;
    case 2: c[t / 4] = t; break;
    default: d[t / 4] = t;
    }
    __syncthreads();
    out[t] = a[t / 4] + b[t / 4] + c[t / 4] + d[t / 4];
}

__global__ void chosen(int *out) {
    __shared__ int a[32], b[32];
    int t = threadIdx.x;
    int *p = t < 32 ? a : b;
    p[t % 32] = t;
    __syncthreads();
    out[t] = a[t % 32] + b[t % 32];
}

__device__ void store(int *p, int i, int v) { p[i] = v; } // want race write-write

__global__ void called(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    store(s, t, t);
    store(s, t, t + 1);
    out[t] = s[t];
}

__global__ void calledApart(int *out) {
    __shared__ int s[B + 1];
    int t = threadIdx.x;
    store(s, t, t);
    store(s, t + 1, t);
    __syncthreads();
    out[t] = s[t];
}

__global__ void triangle(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    if (t < 8)
        for (int j = 0; j <= t; j++) s[t * 8 + j] = j; // want bank conflict
    __syncthreads();
    out[t] = t % 8 <= t / 8 ? s[t] : 0;
}

__global__ void triangleMeets(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    if (t < 8)
        for (int j = 0; j <= t; j++) s[t * 4 + j] = t; // want race write-write
    __syncthreads();
    out[t] = t;
}

__global__ void guardedByN(int *out, int n) {
    __shared__ int s[B];
    int t = threadIdx.x;
    if (t < n) s[t] = t;
    if (t >= n) s[t - n] = t; // want race write-write
    __syncthreads();
    out[t] = t;
}

__global__ void byData(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[in[t] & (B - 1)] = t;
    __syncthreads();
    out[t] = t;
}

__global__ void countsAtomically(const int *in, int *out) {
    __shared__ int h[B];
    int t = threadIdx.x;
    h[t] = 0;
    __syncthreads();
    atomicAdd(&h[in[t] & (B - 1)], 1);
    __syncthreads();
    out[t] = h[t];
}

// The counts are read while others still count.
__global__ void countsRead(const int *in, int *out) {
    __shared__ int h[B];
    int t = threadIdx.x;
    h[t] = 0;
    __syncthreads();
    atomicAdd(&h[(t + 1) & (B - 1)], 1);
    out[t] = h[t]; // want race read-write
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 4096);
    bytesSideBySide<<<1, B>>>(out);
    wordsAndBytes<<<1, B>>>(out);
    parts<<<1, B, 2 * B * sizeof(int)>>>(out);
    partsOverlap<<<1, B, 2 * B * sizeof(int)>>>(out);
    own<<<4, B>>>(out);
    ownInTurn<<<4, B>>>(out, 1000);
    twoShareOne<<<4, B>>>(out);
    onePerBlock<<<4, B>>>(out);
    allPerBlock<<<4, B>>>(out);
    sameForAll<<<4, B>>>(out);
    blocksMeet<<<4, B>>>(out);
    quarters<<<1, B>>>(out);
    chosen<<<1, B>>>(out);
    called<<<1, B>>>(out);
    calledApart<<<1, B>>>(out);
    triangle<<<1, B>>>(out);
    triangleMeets<<<1, B>>>(out);
    guardedByN<<<1, B>>>(out, 40);
    byData<<<1, B>>>(in, out);
    countsAtomically<<<1, B>>>(in, out);
    countsRead<<<1, B>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
