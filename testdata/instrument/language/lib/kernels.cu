// A source that is included.
#include "tile.cuh"

struct Complex {
    float re, im;
    __device__ Complex operator*(const Complex &o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
    __device__ Complex &operator+=(const Complex &o) { return re += o.re, im += o.im, *this; }
};

// product multiplies two matrices of complex numbers that fit a tile.
template <int N> __global__ void product(Complex *c, const Complex *a, const Complex *b) {
    __shared__ Tile<Complex, N * N> left, right;
    int x = threadIdx.x, y = threadIdx.y;
    left(y, x, N) = a[y * N + x];
    right(y, x, N) = b[y * N + x];
    __syncthreads();
    Complex sum{};
    for (int k = 0; k < N; k++) sum += left(y, k, N) * right(k, x, N);
    __syncthreads();
    left(y, x, N) = sum;
    __syncthreads();
    if (x == 0)
        for (int k = 1; k < N; k++) left(y, 0, N) += left(y, k, N); // each row by one thread
    __syncthreads();
    c[y * N + x] = left(y, x, N);
}

inline int matrices() {
    const int N = 8;
    Complex *a, *c;
    cudaMallocManaged(&a, N * N * sizeof(Complex));
    cudaMallocManaged(&c, N * N * sizeof(Complex));
    for (int i = 0; i < N * N; i++) a[i].re = static_cast<float>(i % 5), a[i].im = static_cast<float>(i % 3);
    product<N><<<1, dim3(N, N)>>>(c, a, a);
    cudaDeviceSynchronize();
    float sum = 0;
    for (int i = 0; i < N * N; i++) sum += c[i].re * static_cast<float>(i % 7) - c[i].im;
    return static_cast<int>(sum);
}
