// Pointers that are chosen, by the thread or the round: buffers in turn.
#include <cuda_runtime.h>

const int B = 64;

// Two buffers that change places each round.
__global__ void swapped(const int *in, int *out, int n) {
    __shared__ int x[B], y[B];
    int *cur = x, *nxt = y, t = threadIdx.x;
    cur[t] = in[t];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        nxt[t] = cur[(t + 1) % B] + cur[t];
        __syncthreads();
        int *p = cur;
        cur = nxt;
        nxt = p;
    }
    out[t] = cur[t];
}

// There is no barrier.
__global__ void swappedOpen(const int *in, int *out, int n) {
    __shared__ int x[B], y[B];
    int *cur = x, *nxt = y, t = threadIdx.x;
    cur[t] = in[t];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        nxt[t] = cur[(t + 1) % B] + cur[t]; // want race read-write
        int *p = cur;
        cur = nxt;
        nxt = p;
    }
    __syncthreads();
    out[t] = cur[t];
}

// Three buffers in turn: one barrier a round is enough.
__global__ void rotated(const int *in, int *out) {
    __shared__ int a[B], b[B], c[B];
    int *x = a, *y = b, *z = c, t = threadIdx.x;
    x[t] = in[t];
    y[t] = in[t + B];
    __syncthreads();
    for (int i = 0; i < 9; i++) {
        z[t] = x[(t + 1) % B] + y[t];
        __syncthreads();
        int *w = x;
        x = y;
        y = z;
        z = w;
    }
    out[t] = y[t];
}

// With two buffers a round writes what it reads.
__global__ void rotatedWrong(const int *in, int *out) {
    __shared__ int a[B], b[B];
    int *x = a, *y = b, t = threadIdx.x;
    x[t] = in[t];
    y[t] = in[t + B];
    __syncthreads();
    for (int i = 0; i < 9; i++) {
        x[t] = x[(t + 1) % B] + y[t]; // want race read-write
        __syncthreads();
        int *w = x;
        x = y;
        y = w;
    }
    out[t] = y[t];
}

__global__ void chosenByThread(int *out) {
    __shared__ int a[B], b[B];
    int t = threadIdx.x;
    int *p = t & 1 ? a : b;
    p[t / 2] = t;
    __syncthreads();
    out[t] = a[t / 2] + b[t / 2];
}

// Four threads on two places.
__global__ void chosenMeets(int *out) {
    __shared__ int a[B], b[B];
    int t = threadIdx.x;
    int *p = t & 1 ? a : b;
    p[t / 4] = t; // want race write-write
    __syncthreads();
    out[t] = a[t / 4] + b[t / 4];
}

__device__ int low[1 << 19], high[1 << 19];

// Arrays of 2 MiB: no place in one of them is one in the other.
__global__ void chosenLarge() {
    int t = threadIdx.x;
    int *p = t & 1 ? low : high;
    p[t ^ 1] = t; // want coalesce uncoalesced possible, drano
    low[t + (1 << 18)] = t; // want coalesce misaligned possible
}

// Odd threads write what even ones do.
__global__ void chosenLargeMeets() {
    int t = threadIdx.x;
    int *p = t & 1 ? low : high;
    p[t] = t; // want coalesce uncoalesced possible, drano
    low[t + 1] = t; // want coalesce misaligned possible, race write-write
}

int main() {
    int *d, *e;
    cudaMalloc(&d, 1 << 12), cudaMemset(d, 0, 1 << 12);
    cudaMalloc(&e, 1 << 12);
    swapped<<<1, B>>>(d, e, 7);
    swappedOpen<<<1, B>>>(d, e, 7);
    rotated<<<1, B>>>(d, e);
    rotatedWrong<<<1, B>>>(d, e);
    chosenByThread<<<1, B>>>(e);
    chosenMeets<<<1, B>>>(e);
    chosenLarge<<<1, B>>>();
    chosenLargeMeets<<<1, B>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
