// Ways to share memory within a block: scans, stencils, reductions, swaps.
#include <cuda_runtime.h>

const int B = 64;

// In place, without a barrier between the reads and the writes of a round.
__global__ void scanInPlace(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int d = 1; d < B; d *= 2) {
        if (t >= d) s[t] += s[t - d]; // want race read-write
        __syncthreads();
    }
    out[t] = s[t];
}

__global__ void scanTwoBuffers(int *out) {
    __shared__ int s[2][B];
    int t = threadIdx.x, from = 0;
    s[0][t] = t;
    __syncthreads();
    for (int d = 1; d < B; d *= 2) {
        s[1 - from][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
        from = 1 - from;
        __syncthreads();
    }
    out[t] = s[from][t];
}

__global__ void stencil(const int *in, int *out) {
    __shared__ int s[B + 2];
    int t = threadIdx.x;
    s[t + 1] = in[t];
    if (t == 0) s[0] = 0;
    if (t == B - 1) s[B + 1] = 0;
    __syncthreads();
    out[t] = s[t] + s[t + 1] + s[t + 2];
}

// Only those who read the halo write it, after the barrier.
__global__ void stencilOwnHalo(const int *in, int *out) {
    __shared__ int s[B + 2];
    int t = threadIdx.x;
    s[t + 1] = in[t];
    __syncthreads();
    if (t == 0) s[0] = 0;
    if (t == B - 1) s[B + 1] = 0;
    out[t] = s[t] + s[t + 1] + s[t + 2];
}

__global__ void lastWarp(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        if (t < 16) s[t] += s[t + 16]; // want race read-write
        if (t < 8) s[t] += s[t + 8]; // want race read-write
    }
    out[t] = 0;
}

__global__ void lastWarpSynced(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t < 32) {
        int v = s[t] + s[t + 32];
        __syncwarp();
        s[t] = v;
        __syncwarp();
        v += s[(t + 16) % 32];
        __syncwarp();
        s[t] = v;
    }
    out[t] = 0;
}

__global__ void reverse(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    s[B - 1 - t] = s[t]; // want race read-write
    __syncthreads();
    out[t] = s[t];
}

__global__ void reverseSynced(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    int v = s[t];
    __syncthreads();
    s[B - 1 - t] = v;
    __syncthreads();
    out[t] = s[t];
}

__global__ void halves(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    if (t < 32) s[t] = 1;
    else s[t] = 2;
    out[t] = s[t]; // want drano
}

// Both halves write element 32.
__global__ void halvesMeet(int *out) {
    __shared__ int s[B + 1];
    int t = threadIdx.x;
    if (t < 32) s[t + 1] = 1;
    else s[t] = 2; // want race write-write
    __syncthreads();
    out[t] = s[t];
}

__global__ void inTurn(int *out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += B) s[i] = i;
    int sum = 0;
    for (int i = t; i < 256; i += B) sum += s[i];
    out[t] = sum;
}

__global__ void inTurnThenChunks(int *out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += B) s[i] = i;
    int sum = 0;
    for (int i = 4 * t; i < 4 * t + 4; i++) sum += s[i]; // want bank conflict, race read-write
    out[t] = sum;
}

__global__ void exchange(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = t;
    out[t] = s[t ^ 1]; // want race read-write
}

__global__ void exchangeSynced(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    out[t] = s[t ^ 1];
}

// A barrier of the warp orders no other warp.
__global__ void exchangeWarps(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    out[t] = s[t ^ 32]; // want race read-write
}

__global__ void permuted(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t * 7 % B] = t;
    __syncthreads();
    out[t] = s[t];
}

__global__ void notPermuted(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t * 6 % B] = t; // want bank conflict, race write-write
    __syncthreads();
    out[t] = s[t];
}

__global__ void everySecond(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    if (t % 2 == 0) s[t / 2] = t;
    __syncthreads();
    out[t] = s[t / 4];
}

__global__ void pairsWrite(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t / 2] = t; // want race write-write
    __syncthreads();
    out[t] = s[t / 4];
}

__global__ void tileLoop(const int *in, int *out) {
    __shared__ int s[8][9];
    int x = threadIdx.x, y = threadIdx.y, sum = 0;
    for (int k = 0; k < 4; k++) {
        s[y][x] = in[k * B + y * 8 + x]; // want bank conflict
        __syncthreads();
        sum += s[x][y]; // want bank conflict
        __syncthreads();
    }
    out[y * 8 + x] = sum;
}

// The next round's write may come before this round's read.
__global__ void tileLoopOpen(const int *in, int *out) {
    __shared__ int s[8][9];
    int x = threadIdx.x, y = threadIdx.y, sum = 0;
    for (int k = 0; k < 4; k++) {
        s[y][x] = in[k * B + y * 8 + x]; // want bank conflict, race read-write
        __syncthreads();
        sum += s[x][y]; // want bank conflict
    }
    out[y * 8 + x] = sum;
}

__global__ void turns(const int *in, int *out) {
    __shared__ int s[2][B];
    int t = threadIdx.x, p = 0, sum = 0;
    for (int k = 0; k < 6; k++) {
        s[p][t] = in[t];
        __syncthreads();
        sum += s[p][B - 1 - t];
        p ^= 1;
    }
    out[t] = sum;
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 4096);
    scanInPlace<<<1, B>>>(out);
    scanTwoBuffers<<<1, B>>>(out);
    stencil<<<1, B>>>(in, out);
    stencilOwnHalo<<<1, B>>>(in, out);
    lastWarp<<<1, B>>>(out);
    lastWarpSynced<<<1, B>>>(out);
    reverse<<<1, B>>>(out);
    reverseSynced<<<1, B>>>(out);
    halves<<<1, B>>>(out);
    halvesMeet<<<1, B>>>(out);
    inTurn<<<1, B>>>(out);
    inTurnThenChunks<<<1, B>>>(out);
    exchange<<<1, B>>>(out);
    exchangeSynced<<<1, B>>>(out);
    exchangeWarps<<<1, B>>>(out);
    permuted<<<1, B>>>(out);
    notPermuted<<<1, B>>>(out);
    everySecond<<<1, B>>>(out);
    pairsWrite<<<1, B>>>(out);
    tileLoop<<<1, dim3(8, 8)>>>(in, out);
    tileLoopOpen<<<1, dim3(8, 8)>>>(in, out);
    turns<<<1, B>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
