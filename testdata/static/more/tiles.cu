// Tiles: halos, fronts that move through them, stages of a pipeline.
#include <cuda_runtime.h>

const int B = 64, T = 16;

__global__ void haloTile(const float *in, float *out, int n) {
    __shared__ float s[T + 2][T + 2];
    int x = threadIdx.x, y = threadIdx.y, gx = blockIdx.x * T + x, gy = blockIdx.y * T + y;
    s[y + 1][x + 1] = in[gy * n + gx]; // want bank conflict
    if (x == 0) s[y + 1][0] = gx > 0 ? in[gy * n + gx - 1] : 0;
    if (x == T - 1) s[y + 1][T + 1] = gx < n - 1 ? in[gy * n + gx + 1] : 0;
    if (y == 0) s[0][x + 1] = gy > 0 ? in[(gy - 1) * n + gx] : 0;
    if (y == T - 1) s[T + 1][x + 1] = gy < n - 1 ? in[(gy + 1) * n + gx] : 0;
    __syncthreads();
    out[gy * n + gx] = s[y + 1][x] + s[y + 1][x + 2] + s[y][x + 1] + s[y + 2][x + 1]; // want bank conflict
}

__global__ void wavefront(const int *in, int *out) {
    __shared__ int s[T + 1][T + 1];
    int t = threadIdx.x;
    s[t + 1][0] = in[t];
    s[0][t + 1] = in[T + t];
    if (t == 0) s[0][0] = 0;
    __syncthreads();
    for (int m = 0; m < T; m++) {
        if (t <= m) {
            int x = t + 1, y = m - t + 1;
            s[y][x] = max(s[y - 1][x - 1], max(s[y][x - 1], s[y - 1][x])) + 1; // want bank conflict
        }
        __syncthreads();
    }
    for (int m = T - 2; m >= 0; m--) {
        if (t <= m) {
            int x = t + T - m, y = T - t;
            s[y][x] = max(s[y - 1][x - 1], max(s[y][x - 1], s[y - 1][x])) + 1; // want bank conflict
        }
        __syncthreads();
    }
    out[t] = s[T][t + 1];
}

// The part that is right gets smaller in each step.
__global__ void pyramid(const int *in, int *out, int steps) {
    __shared__ int prev[256], next[256];
    int t = threadIdx.x;
    prev[t] = in[t];
    __syncthreads();
    for (int i = 0; i < steps; i++) {
        bool on = t >= i + 1 && t <= 256 - 2 - i;
        if (on) next[t] = min(prev[t - 1], min(prev[t], prev[t + 1])) + i;
        __syncthreads();
        if (i == steps - 1) break;
        if (on) prev[t] = next[t];
        __syncthreads();
    }
    out[t] = next[t];
}

// The barrier after the copy is missing.
__global__ void pyramidOpen(const int *in, int *out, int steps) {
    __shared__ int prev[256], next[256];
    int t = threadIdx.x;
    prev[t] = in[t];
    __syncthreads();
    for (int i = 0; i < steps; i++) {
        bool on = t >= i + 1 && t <= 256 - 2 - i;
        if (on) next[t] = min(prev[t - 1], min(prev[t], prev[t + 1])) + i; // want race read-write
        __syncthreads();
        if (i == steps - 1) break;
        if (on) prev[t] = next[t];
    }
    out[t] = next[t];
}

// The third dimension is forgotten.
__global__ void cubeFlat(const float *in, float *out) {
    __shared__ float s[16];
    int i = threadIdx.y * blockDim.x + threadIdx.x;
    s[i] = in[threadIdx.z * 16 + i]; // want race write-write possible
    __syncthreads();
    out[threadIdx.z * 16 + i] = s[15 - i];
}

__global__ void luTile(float *m) {
    __shared__ float s[T][T];
    int t = threadIdx.x;
    for (int i = 0; i < T; i++) s[i][t] = m[i * T + t];
    __syncthreads();
    for (int i = 0; i < T - 1; i++) {
        if (t > i) {
            for (int j = 0; j < i; j++) s[t][i] -= s[t][j] * s[j][i]; // want bank conflict
            s[t][i] /= s[i][i]; // want bank conflict
        }
        __syncthreads();
        if (t > i)
            for (int j = 0; j < i + 1; j++) s[i + 1][t] -= s[i + 1][j] * s[j][t];
        __syncthreads();
    }
    for (int i = 0; i < T; i++) m[i * T + t] = s[i][t];
}

__global__ void pipelined(const float *in, float *out, int tiles) {
    __shared__ float s[2][B];
    int t = threadIdx.x;
    float sum = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles) s[(k + 1) & 1][t] = in[(k + 1) * B + t];
        sum += s[k & 1][B - 1 - t];
        __syncthreads();
    }
    out[t] = sum;
}

// The half that is read is written.
__global__ void pipelinedWrong(const float *in, float *out, int tiles) {
    __shared__ float s[2][B];
    int t = threadIdx.x;
    float sum = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles) s[k & 1][t] = in[(k + 1) * B + t];
        sum += s[k & 1][B - 1 - t]; // want race read-write
        __syncthreads();
    }
    out[t] = sum;
}

// Three tiles, of which the one after the next is loaded.
__global__ void stages(const float *in, float *out, int tiles) {
    __shared__ float s[3][B];
    int t = threadIdx.x;
    float sum = 0;
    s[0][t] = in[t];
    s[1][t] = in[B + t];
    for (int k = 0; k < tiles; k++) {
        __syncthreads();
        if (k + 2 < tiles) s[(k + 2) % 3][t] = in[(k + 2) * B + t];
        sum += s[k % 3][B - 1 - t];
    }
    out[t] = sum;
}

int main() {
    int *d, *e;
    cudaMalloc(&d, 1 << 14), cudaMemset(d, 0, 1 << 14);
    cudaMalloc(&e, 1 << 14);
    float *f = (float *)d, *g = (float *)e;
    haloTile<<<dim3(2, 2), dim3(T, T)>>>(f, g, 32);
    wavefront<<<1, T>>>(d, e);
    pyramid<<<1, 256>>>(d, e, 20);
    pyramidOpen<<<1, 256>>>(d, e, 20);
    cubeFlat<<<1, dim3(4, 4, 4)>>>(f, g);
    luTile<<<1, T>>>(f);
    pipelined<<<1, B>>>(f, g, 6);
    pipelinedWrong<<<1, B>>>(f, g, 6);
    stages<<<1, B>>>(f, g, 6);
    return cudaDeviceSynchronize() != cudaSuccess;
}
