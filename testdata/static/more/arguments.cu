// What the host code says of arguments: structures, functors without members,
// counts of 64 bits.
#include <cuda_runtime.h>

const int B = 64;

struct Dims { int rows, columns, pitch; };
struct Sum { __device__ int operator()(int a, int b) const { return a + b; } };

// Dims is passed in two words, and Sum not at all.
template <class F> __global__ void combine(F f, const int *in, int *out, Dims d) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    out[t] = f(s[t], s[(t + d.pitch) % B]); // want race read-write
}

// The host's pitch is that of the thread's own element.
template <class F> __global__ void combineOwn(F f, const int *in, int *out, Dims d) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    out[t] = f(s[t], s[(t + d.pitch) % B]);
}

__global__ void fill(int *out, Dims d) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < d.columns && y < d.rows) out[y * d.pitch + x] = x;
}

// Rows overlap: there are more columns than the pitch is.
__global__ void fillNarrow(float *out, Dims d) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < d.columns && y < d.rows) out[y * d.pitch + x] = x + 1000 * y; // want race write-write
}

__global__ void each(int *out, long long n) {
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        out[i] = 1; // want drano
}

// Two elements meet in one place.
__global__ void half(float *out, long long n) {
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        out[i / 2] = i; // want drano, race write-write, coalesce uncoalesced possible
}

// Parts of dynamic shared memory.
__global__ void parts(float *out, int n) {
    extern __shared__ float all[];
    float *a = all, *b = all + n;
    int t = threadIdx.x;
    if (t < n) {
        a[t] = t;
        b[t] = 2 * t;
        out[t] = a[t] + b[t];
    }
}

// The second part begins one element too early.
__global__ void partsMeet(float *out, int n) {
    extern __shared__ float all[];
    float *a = all, *b = all + n - 1;
    int t = threadIdx.x;
    if (t < n) {
        a[t] = t;
        b[t] = 2 * t + 5; // want race write-write
    }
    __syncthreads();
    if (t < n) out[t] = a[t] + b[t];
}

int main() {
    int *d, *e;
    cudaMalloc(&d, 1 << 14), cudaMemset(d, 0, 1 << 14);
    cudaMalloc(&e, 1 << 14);
    combine<<<1, B>>>(Sum{}, d, e, Dims{1, B, 3});
    combineOwn<<<1, B>>>(Sum{}, d, e, Dims{1, B, 0});
    fill<<<dim3(3, 2), dim3(32, 8)>>>(e, Dims{10, 90, 96});
    fillNarrow<<<dim3(3, 2), dim3(32, 8)>>>((float *)e, Dims{10, 90, 64});
    each<<<4, B>>>(e, 1000);
    half<<<4, B>>>((float *)e, 1000);
    parts<<<1, B, 2 * 50 * 4>>>((float *)e, 50);
    partsMeet<<<1, B, 2 * 50 * 4>>>((float *)e, 50);
    return cudaDeviceSynchronize() != cudaSuccess;
}
