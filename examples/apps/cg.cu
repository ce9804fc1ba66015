// Conjugate gradients in double precision on a five-point Laplacian: a matrix
// that is never stored, vector updates, dot products by shuffles and one
// double atomic per block, and scalars that stay on the device.

#include "../check.h"
#include <algorithm>

const int BLOCK = 128;

struct Scalars {
    double rr, pAp, rrNext;
};

__device__ double blockSum(double v) {
    __shared__ double partial[BLOCK / 32];
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
    __syncthreads();
    double sum = 0;
    if (threadIdx.x == 0)
        for (int w = 0; w < BLOCK / 32; w++) sum += partial[w];
    return sum;
}

__global__ void dot(const double *a, const double *b, double *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = blockSum(i < n ? a[i] * b[i] : 0.0);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

__global__ void laplace(const double *p, double *out, int side) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= side * side) return;
    int x = i % side, y = i / side;
    double v = 4.0 * p[i];
    if (x > 0) v -= p[i - 1];
    if (x < side - 1) v -= p[i + 1];
    if (y > 0) v -= p[i - side];
    if (y < side - 1) v -= p[i + side];
    out[i] = v;
}

__global__ void update(double *x, double *r, const double *p, const double *ap, const Scalars *s,
                       int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double alpha = s->rr / s->pAp;
    x[i] += alpha * p[i];
    r[i] -= alpha * ap[i];
}

__global__ void direction(double *p, const double *r, const Scalars *s, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = r[i] + s->rrNext / s->rr * p[i];
}

__global__ void shift(Scalars *s) { *s = {s->rrNext, 0, 0}; }

int main() {
    const int side = 20, n = side * side, grid = (n + BLOCK - 1) / BLOCK, rounds = 60;
    Random random;
    std::vector<double> want(n), b(n);
    for (double &v : want) v = random.uniform();
    for (int i = 0; i < n; i++) {
        int x = i % side, y = i / side;
        b[i] = 4 * want[i] - (x > 0 ? want[i - 1] : 0) - (x < side - 1 ? want[i + 1] : 0) -
               (y > 0 ? want[i - side] : 0) - (y < side - 1 ? want[i + side] : 0);
    }
    double *x = toDevice(std::vector<double>(n)), *r = toDevice(b), *p = toDevice(b), *ap;
    Scalars *s = toDevice(std::vector<Scalars>(1));
    CHECK(cudaMalloc(&ap, n * sizeof(double)));

    dot<<<grid, BLOCK>>>(r, r, &s->rr, n);
    for (int i = 0; i < rounds; i++) {
        laplace<<<grid, BLOCK>>>(p, ap, side);
        dot<<<grid, BLOCK>>>(p, ap, &s->pAp, n);
        update<<<grid, BLOCK>>>(x, r, p, ap, s, n);
        dot<<<grid, BLOCK>>>(r, r, &s->rrNext, n);
        direction<<<grid, BLOCK>>>(p, r, s, n);
        shift<<<1, 1>>>(s);
    }
    CHECK_LAUNCH();
    bool ok = same("cg", toHost(x, n), want, 1e-6);
    for (double *v : {x, r, p, ap}) CHECK(cudaFree(v));
    CHECK(cudaFree(s));
    return ok ? 0 : 1;
}
