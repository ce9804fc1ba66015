// Gaussian elimination with the kernel Fan2 of Figure 2 in Alur, Devietti,
// Navarro Leija and Singhania, "GPUDrano: Detecting Uncoalesced Accesses in GPU
// Programs" (CAV 2017), which took it from the Rodinia benchmarks: the step for
// column t subtracts multiples of row t from the rows below it.
//
// As written, a thread has a row and walks along it, so that the threads of a
// warp are N elements apart: A[xy] and M[xt] are uncoalesced. With -D FIXED a
// thread has a column.
//
//   warpgrind run --tool coalesce fan2.cu

#include "../check.h"

#ifndef N
#define N 96 // a multiple of 32: rows begin at multiples of 128 bytes
#endif

// Fan1 computes the multipliers of column t.
__global__ void Fan1(float *M, const float *A, int t) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid + t + 1 >= N) return;
    M[N * (tid + t + 1) + t] = A[N * (tid + t + 1) + t] / A[N * t + t];
}

#ifndef FIXED
__global__ void Fan2(const float *M, float *A, float *B, int t) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid + t + 1 >= N) return;
    int x = tid + t + 1;
    for (int y = t; y < N; y++) {
        int xt = N * x + t;
        int xy = N * x + y;
        int ty = N * t + y;
        A[xy] -= M[xt] * A[ty];
        if (y == t)
            B[x] -= M[xt] * B[t];
    }
}
#else
__global__ void Fan2(const float *M, float *A, float *B, int t) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid + t >= N) return;
    int y = tid + t;
    for (int x = t + 1; x < N; x++) {
        int xt = N * x + t;
        int xy = N * x + y;
        int ty = N * t + y;
        A[xy] -= M[xt] * A[ty];
        if (y == t)
            B[x] -= M[xt] * B[t];
    }
}
#endif

// backward solves the triangular system that is left.
static std::vector<float> backward(const std::vector<float> &A, const std::vector<float> &B) {
    std::vector<float> x(N);
    for (int r = N - 1; r >= 0; r--) {
        double sum = B[r];
        for (int c = r + 1; c < N; c++) sum -= static_cast<double>(A[N * r + c]) * x[c];
        x[r] = sum / A[N * r + r];
    }
    return x;
}

int main() {
    Random random(3);
    std::vector<float> A(N * N), B(N), want(N);
    for (float &v : want) v = random.below(10);
    for (int r = 0; r < N; r++)
        for (int c = 0; c < N; c++) {
            A[N * r + c] = random.uniform() + (r == c ? N : 0);
            B[r] += A[N * r + c] * want[c];
        }
    float *dA = toDevice(A), *dB = toDevice(B), *dM = toDevice(std::vector<float>(N * N));
    const int threads = 64, blocks = (N + threads - 1) / threads;
    for (int t = 0; t < N - 1; t++) {
        Fan1<<<blocks, threads>>>(dM, dA, t);
        Fan2<<<blocks, threads>>>(dM, dA, dB, t);
        CHECK_LAUNCH();
    }
    bool ok = same("fan2", backward(toHost(dA, N * N), toHost(dB, N)), want, 1e-3);
    CHECK(cudaFree(dA));
    CHECK(cudaFree(dB));
    CHECK(cudaFree(dM));
    return ok ? 0 : 1;
}
