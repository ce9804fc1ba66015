// Shared memory: reductions, strides, races, barriers, bounds.
#include <cuda_runtime.h>

const int B = 128;

__global__ void interleaved(const float *in, float *out) {
    __shared__ float s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int stride = 1; stride < B; stride *= 2) {
        int i = 2 * stride * t;
        if (i < B) s[i] += s[i + stride]; // want bank conflict
        __syncthreads();
    }
    if (t == 0) *out = s[0];
}

__global__ void sequential(const float *in, float *out) {
    __shared__ float s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int stride = B / 2; stride > 0; stride /= 2) {
        if (t < stride) s[t] += s[t + stride];
        __syncthreads();
    }
    if (t == 0) *out = s[0];
}

// The barrier of the loop is missing.
__global__ void noBarrier(const float *in, float *out) {
    __shared__ float s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int stride = B / 2; stride > 0; stride /= 2)
        if (t < stride) s[t] += s[t + stride]; // want race read-write
    __syncthreads();
    if (t == 0) *out = s[0];
}

// A neighbor's element before it is surely there.
__global__ void neighbor(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    out[t] = s[(t + 1) % B]; // want race read-write
}

// The last element's neighbor lies beyond the array.
__global__ void beyond(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[t + 1]; // want memory out-of-bounds
}

__global__ void inBounds(const int *in, int *out) {
    __shared__ int s[B + 1];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t == 0) s[B] = 0;
    __syncthreads();
    out[t] = s[t + 1];
}

__global__ void someWait(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t < 48) __syncthreads(); // want sync divergent
    out[t] = s[t];
}

__global__ void twice(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    __syncthreads(); // want sync redundant
    out[t] = s[B - 1 - t];
}

// Two arrays in turn; each round reads what the round before wrote.
__global__ void doubleBuffer(const int *in, int *out) {
    __shared__ int s[2][B];
    int t = threadIdx.x, now = 0;
    s[0][t] = in[t];
    for (int i = 0; i < 10; i++) {
        __syncthreads();
        s[1 - now][t] = s[now][(t + i) % B];
        now = 1 - now;
    }
    out[t] = s[now][t];
}

// As above, with the buffers mixed up.
__global__ void oneBuffer(const int *in, int *out) {
    __shared__ int s[2][B];
    int t = threadIdx.x, now = 0;
    s[0][t] = in[t];
    for (int i = 0; i < 10; i++) {
        __syncthreads();
        s[now][t] = s[now][(t + i) % B]; // want race read-write
        now = 1 - now;
    }
    out[t] = s[now][t];
}

// Pairs, one of 8 bytes: served in two halves, without a conflict.
__global__ void wide(const double *in, double *out) {
    __shared__ double s[B];
    int t = threadIdx.x;
    s[t] = in[t]; // want drano
    __syncthreads();
    out[t] = s[B - 1 - t]; // want drano
}

__global__ void oneColumn(const int *in, int *out) {
    __shared__ int s[32 * 32];
    int t = threadIdx.x;
    for (int i = t; i < 32 * 32; i += B) s[i] = in[0];
    __syncthreads();
    if (t < 32) out[t] = s[t * 32]; // want bank conflict
}

__global__ void everyoneWrites(int *out) {
    __shared__ int last;
    last = threadIdx.x; // want race write-write
    __syncthreads();
    *out = last; // want race write-write possible
}

__global__ void flag(const int *in, int *out) {
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (in[threadIdx.x] > 0) found = 1;
    __syncthreads();
    out[threadIdx.x] = found;
}

// The barrier before the loop is missing: only the first round races.
__global__ void firstRound(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int stride = B / 2; stride > 0; stride /= 2) {
        if (t < stride) s[t] += s[t + stride]; // want race read-write
        __syncthreads();
    }
    if (t == 0) *out = s[0];
}

int main() {
    int *d;
    cudaMalloc(&d, 1 << 16), cudaMemset(d, 0, 1 << 16);
    interleaved<<<1, B>>>((float *)d, (float *)d + 4096);
    sequential<<<1, B>>>((float *)d, (float *)d + 4096);
    noBarrier<<<1, B>>>((float *)d, (float *)d + 4096);
    neighbor<<<1, B>>>(d, d + 4096);
    inBounds<<<1, B>>>(d, d + 4096);
    someWait<<<1, B>>>(d, d + 4096);
    twice<<<1, B>>>(d, d + 4096);
    doubleBuffer<<<1, B>>>(d, d + 4096);
    oneBuffer<<<1, B>>>(d, d + 4096);
    wide<<<1, B>>>((double *)d, (double *)d + 4096);
    oneColumn<<<1, B>>>(d, d + 4096);
    everyoneWrites<<<1, B>>>(d);
    flag<<<1, B>>>(d, d + 4096);
    firstRound<<<1, B>>>(d, d + 4096);
    beyond<<<1, B>>>(d, d + 4096);
    return cudaDeviceSynchronize() != cudaSuccess;
}
