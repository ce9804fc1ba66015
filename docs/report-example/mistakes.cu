// Six mistakes, one in each kernel or launch. The reports in this folder are the
// output of `warpgrind run --tool all`.
#include <cstdio>

const int N = 256;

// 1. A race: a thread reads its neighbor's element before it is written.
__global__ void shift(const int *in, int *out) {
    __shared__ int s[N];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[(threadIdx.x + 1) % N];
}

// 2. Uninitialized memory: the last element of the sums is never written.
__global__ void pairs(const int *in, int *out) {
    __shared__ int s[N];
    if (threadIdx.x < N - 1)
        s[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x + 1];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

// 3. Bank conflicts: the rows of the tile are 32 words long, so that a column
// lies in one bank.
// 4. Uncoalesced accesses: adjacent threads write elements that are a row
// apart.
__global__ void transpose(const float *in, float *out) {
    __shared__ float tile[32][32];
    tile[threadIdx.x][threadIdx.y] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.x * 32 + threadIdx.y] = tile[threadIdx.x][threadIdx.y];
}

// 6. Out of bounds: i is not checked against n.
__global__ void scale(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] *= 2;
}

int main() {
    int *in, *out;
    float *a, *b;
    cudaMalloc(&in, N * sizeof *in);
    cudaMalloc(&out, N * sizeof *out);
    cudaMalloc(&a, 32 * 32 * sizeof *a);
    cudaMalloc(&b, 32 * 32 * sizeof *b);
    cudaMemset(in, 0, N * sizeof *in);
    cudaMemset(a, 0, 32 * 32 * sizeof *a);
    shift<<<1, N>>>(in, out);
    pairs<<<1, N>>>(in, out);
    transpose<<<1, dim3(32, 32)>>>(a, b);
    // 5. An invalid launch: a block has at most 1024 threads.
    scale<<<1, 2048>>>(a, 32 * 32);
    cudaGetLastError();
    scale<<<3, 512>>>(a, 32 * 32);
    cudaDeviceSynchronize();
    printf("done\n");
    return 0;
}
