// Rows against columns of matrices. Each line that static analysis reports has
// a comment "want RULE KIND"; "possible" where it depends on something.
#include <cuda_runtime.h>

const int N = 128;

// One thread for each row: lanes are a row apart.
__global__ void sumRows(const float *a, float *out) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int c = 0; c < N; c++)
        sum += a[row * N + c]; // want coalesce uncoalesced, drano
    out[row] = sum;
}

// One thread for each column.
__global__ void sumColumns(const float *a, float *out) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int r = 0; r < N; r++)
        sum += a[r * N + column];
    out[column] = sum;
}

// The width is a parameter.
__global__ void scaleRows(float *a, int width) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int c = 0; c < width; c++)
        a[row * width + c] *= 2; // want coalesce uncoalesced, drano
}

__global__ void transpose(const float *in, float *out) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    out[x * N + y] = in[y * N + x]; // want coalesce uncoalesced, drano
}

// Reads and writes rows, through a tile.
__global__ void transposeTile(const float *in, float *out) {
    __shared__ float tile[32][33];
    int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8)
        tile[y][x] = in[(blockIdx.y * 32 + y) * N + blockIdx.x * 32 + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        out[(blockIdx.x * 32 + y) * N + blockIdx.y * 32 + x] = tile[x][y];
}

// The tile without its padding.
__global__ void transposeConflict(const float *in, float *out) {
    __shared__ float tile[32][32];
    int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8)
        tile[y][x] = in[(blockIdx.y * 32 + y) * N + blockIdx.x * 32 + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        out[(blockIdx.x * 32 + y) * N + blockIdx.y * 32 + x] = tile[x][y]; // want bank conflict
}

int main() {
    float *a, *b;
    cudaMalloc(&a, N * N * sizeof(float)), cudaMalloc(&b, N * N * sizeof(float));
    cudaMemset(a, 0, N * N * sizeof(float)), cudaMemset(b, 0, N * N * sizeof(float));
    sumRows<<<2, 64>>>(a, b);
    sumColumns<<<2, 64>>>(a, b);
    scaleRows<<<2, 64>>>(a, N);
    transpose<<<dim3(4, 16), dim3(32, 8)>>>(a, b);
    transposeTile<<<dim3(4, 4), dim3(32, 8)>>>(a, b);
    transposeConflict<<<dim3(4, 4), dim3(32, 8)>>>(a, b);
    return cudaDeviceSynchronize() != cudaSuccess;
}
