// Templates in headers of the project, lambdas, operators, function pointers,
// several kernels with one body, a kernel that is a member.

#include "lib/tile.cuh"
#include "lib/kernels.cu"

#include <cstdio>

template <class F> __global__ void apply(int n, F f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

template <int... K> __device__ int weigh(const int *p) { return (0 + ... + (p[K] * (K + 1))); }

// sorted sorts a tile with any order.
template <class T, int N, class Less> __global__ void sorted(T *data, Less less) {
    __shared__ Tile<T, N> tile;
    tile.load(data + blockIdx.x * N);
    for (int k = 2; k <= N; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int i = threadIdx.x, other = i ^ j;
            if (other > i && (i & k ? less(tile[i], tile[other]) : less(tile[other], tile[i]))) exchange(tile[i], tile[other]);
            __syncthreads();
        }
    tile.store(data + blockIdx.x * N);
}

using Operation = int (*)(const int *, int);

__device__ int fold(const int *p, int n) {
    int sum = 0;
    for (const int *q = p; q != p + n; ++q) sum = sum * 3 + *q;
    return sum;
}

__global__ void indirect(int *out, int n) {
    extern __shared__ int words[];
    int t = threadIdx.x;
    words[t] = t * t % 17;
    __syncthreads();
    Operation op = n > 4 ? fold : [](const int *p, int) { return p[0] - p[1]; };
    out[t] = op(words + t / 2, n) + weigh<0, 1, 2>(words);
}

int main() {
    const int N = 256;
    int *data;
    float *reals;
    cudaMallocManaged(&data, N * sizeof(int));
    cudaMallocManaged(&reals, N * sizeof(float));
    apply<<<2, 64>>>(N, [=] __device__(int i) {
        __shared__ int last[64];
        last[threadIdx.x] = i * 7919 % 1000;
        data[i] = last[threadIdx.x];
        reals[i] = static_cast<float>(data[i]) / 8;
    });
    cudaDeviceSynchronize();
    sorted<int, 128><<<2, 128>>>(data, Less());
    sorted<float, 64><<<4, 64>>>(reals, [] __device__(float a, float b) { return b < a; });
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 1; i < N; i++) {
        if (i % 128) right = right && data[i - 1] <= data[i];
        if (i % 64) right = right && reals[i - 1] >= reals[i];
    }
    printf("sorted: %s\n", right ? "yes" : "no");
    indirect<<<1, 64, 128 * sizeof(int)>>>(data, 5);
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < 64; i++) sum = sum * 31 % 1000003 + data[i];
    indirect<<<1, 64, 128 * sizeof(int)>>>(data, 2);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++) sum = sum * 31 % 1000003 + data[i];
    printf("indirect: %lld\n", sum);
    printf("matrix: %d\n", matrices());
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
