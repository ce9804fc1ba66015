// Shared memory that were never written and threads compute with: it counts where
// something becomes of it.
// clean: edge_tile edge_local edge_stages edge_added overwritten edge_sorted three_stages
#include <cstdio>
#include <cstring>

constexpr int T = 8, K = 16;

// C = A B for a matrix of m rows and n columns. Rows and columns beyond the
// matrix are computed and not stored.
template <bool Wide> __device__ void product(const float *a, const float *b, float *c, int m, int n) {
    __shared__ float as[T][T], bs[T][T + 1];
    int tx = threadIdx.x % T, ty = threadIdx.x / T, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += T) {
        if (row < m) as[ty][tx] = a[row * K + k0 + tx];
        if (col < n) bs[ty][tx] = b[(k0 + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < T; k++) sum += as[ty][k] * bs[k][tx];  // want(edge_stored) init shared // want(edge_stored) init shared
        __syncthreads();
    }
    if (row < m + Wide && col < n + Wide) c[row * (n + 1) + col] = sum;
}
__global__ void edge_tile(const float *a, const float *b, float *c) { product<false>(a, b, c, 13, 11); }
// The guard of the result is one too wide.
__global__ void edge_stored(const float *a, const float *b, float *c) { product<true>(a, b, c, 13, 11); }

// The inner dimension is not a multiple of the tile: all threads add what is missing.
__global__ void inner_tile(const float *a, const float *b, float *c) {
    __shared__ float as[T][T], bs[T][T];
    int tx = threadIdx.x % T, ty = threadIdx.x / T;
    float sum = 0;
    for (int k0 = 0; k0 < 5; k0 += T) {
        if (k0 + tx < 5) as[ty][tx] = a[ty * K + k0 + tx];
        if (k0 + ty < 5) bs[ty][tx] = b[(k0 + ty) * K + tx];
        __syncthreads();
        for (int k = 0; k < T; k++) sum += as[ty][k] * bs[k][tx];  // want(inner_tile) init shared // want(inner_tile) init shared
        __syncthreads();
    }
    if (ty < 6) c[ty * K + tx] = sum;
}

// Each thread has four results, in an array.
__device__ void columns(const float *a, float *c, int n, int stored) {
    __shared__ float s[4 * 64];
    int t = threadIdx.x;
    float r[4] = {};
    for (int j = 0; j < 4; j++)
        if (t < n) s[j * 64 + t] = a[j * n + t];
    __syncthreads();
    for (int j = 0; j < 4; j++)
        for (int k = 0; k <= j; k++) r[j] += s[k * 64 + t] * 2;  // want(local_stored) init shared
    for (int j = 0; j < 4; j++)
        if (t < stored) c[j * stored + t] = r[j];
}
__global__ void edge_local(const float *a, float *c) { columns(a, c, 50, 50); }
__global__ void local_stored(const float *a, float *c) { columns(a, c, 50, 51); }

// A filter in two steps: the second one reads what the first one made of elements
// that are not there.
__device__ void twice(const float *a, float *c, int n, int stored) {
    __shared__ float s[66], u[66];
    int t = threadIdx.x;
    if (t < n) s[t + 1] = a[t];
    if (t == 0) s[0] = s[65] = 0;
    __syncthreads();
    u[t + 1] = s[t] + s[t + 1] + s[t + 2];  // want(stages_stored) init shared
    if (t == 0) u[0] = u[65] = 0;
    __syncthreads();
    float v = u[t] + u[t + 1] + u[t + 2];
    if (t < stored) c[t] = v;
}
__global__ void edge_stages(const float *a, float *c) { twice(a, c, 60, 58); }
__global__ void stages_stored(const float *a, float *c) { twice(a, c, 60, 59); }

// The same in one array, and a step more.
__device__ void thrice(const float *a, float *c, int n, int stored) {
    __shared__ float s[66];
    int t = threadIdx.x;
    if (t < n) s[t + 1] = a[t];
    if (t == 0) s[0] = s[65] = 0;
    for (int step = 0; step < 3; step++) {
        __syncthreads();
        float v = s[t] + s[t + 1] + s[t + 2];  // want(third_stored) init shared
        __syncthreads();
        s[t + 1] = v;
    }
    __syncthreads();
    if (t < stored) c[t] = s[t + 1];
}
__global__ void three_stages(const float *a, float *c) { thrice(a, c, 60, 57); }
__global__ void third_stored(const float *a, float *c) { thrice(a, c, 60, 58); }

__device__ void added(int *out, int n, int counted) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < n) s[t] = t;
    __syncthreads();
    int v = s[t] * 3;  // want(added_all) init shared
    if (t < counted) atomicAdd(out, v);
}
__global__ void edge_added(int *out) { added(out, 40, 40); }
__global__ void added_all(int *out) { added(out, 40, 41); }

// What is stored is written again before it is read.
__global__ void overwritten(int *out) {
    __shared__ int s[64], u[64];
    int t = threadIdx.x;
    if (t < 40) s[t] = t;
    __syncthreads();
    u[t] = s[t] + 1;
    __syncthreads();
    u[t] = t;
    __syncthreads();
    out[t] = u[63 - t];
}
// It is read by the thread that stores it, with no barrier between.
__global__ void own_element(int *out) {
    __shared__ int s[64], u[64];
    int t = threadIdx.x;
    if (t < 40) s[t] = t;
    __syncthreads();
    u[t] = s[t] + 1;  // want(own_element) init shared
    out[t] = u[t] * 2;
}
// It decides what is done.
__global__ void compared(int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 40) s[t] = t;
    __syncthreads();
    if (s[t] > 7) out[t] = 1;  // want(compared) init shared
}
// It says where something is stored, in a loop how often.
__global__ void scattered(int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 40) s[t] = t;
    __syncthreads();
    int at = s[t] & 63;  // want(scattered) init shared
    if (t == 45) out[at] = t;
}
// Another lane gets it.
__global__ void exchanged(int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 40) s[t] = t;
    __syncthreads();
    int v = __shfl_xor_sync(0xffffffff, s[t], 31);  // want(exchanged) init shared
    if (t < 40) out[t] = v;
}
// The halves of a sort: who has no partner keeps what it has.
__global__ void edge_sorted(int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 40) s[t] = 100 - t;
    __syncthreads();
    int mine = s[t], other = s[t ^ 1], low = min(mine, other), high = max(mine, other);
    if (t < 40) out[t] = t & 1 ? high : low;
}

int main(int, char **argv) {
    const char *c = argv[1];
    float *a, *b, *d;
    int *out;
    cudaMalloc(&a, 4096), cudaMalloc(&b, 4096), cudaMalloc(&d, 4096), cudaMalloc(&out, 4096);
    cudaMemset(a, 0, 4096), cudaMemset(b, 0, 4096), cudaMemset(d, 0, 4096), cudaMemset(out, 0, 4096);
#define CASE(k, grid, ...) if (!strcmp(c, #k)) k<<<grid, 64>>>(__VA_ARGS__)
    CASE(edge_tile, dim3(2, 2), a, b, d); CASE(edge_stored, dim3(2, 2), a, b, d); CASE(inner_tile, 1, a, b, d);
    CASE(edge_local, 1, a, d); CASE(local_stored, 1, a, d);
    CASE(edge_stages, 1, a, d); CASE(stages_stored, 1, a, d); CASE(three_stages, 1, a, d); CASE(third_stored, 1, a, d);
    CASE(edge_added, 1, out); CASE(added_all, 1, out); CASE(overwritten, 1, out); CASE(own_element, 1, out);
    CASE(compared, 1, out); CASE(scattered, 1, out); CASE(exchanged, 1, out); CASE(edge_sorted, 1, out);
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(a), cudaFree(b), cudaFree(d), cudaFree(out);
    return bad;
}
