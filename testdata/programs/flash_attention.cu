// Flash attention forward, one block per (batch*head, query tile), online softmax.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
template <int Br, int Bc, int D>
__global__ void flash_fwd(const float *Q, const float *K, const float *V, float *O, float *L, int N, float scale) {
    extern __shared__ float smem[];
    float *sQ = smem;
    float *sK = sQ + Br * D;
    float *sV = sK + Bc * D;
    float *sS = sV + Bc * D;
    const int tx = threadIdx.x;
    const size_t off = (size_t)blockIdx.y * N * D;
    const int q0 = blockIdx.x * Br;
    for (int i = tx; i < Br * D; i += blockDim.x) sQ[i] = Q[off + (size_t)q0 * D + i];
    float m = -INFINITY, l = 0.f, acc[D];
    for (int d = 0; d < D; d++) acc[d] = 0.f;
    const int row = tx;
    for (int k0 = 0; k0 <= q0 + Br - 1; k0 += Bc) {
        __syncthreads();
        for (int i = tx; i < Bc * D; i += blockDim.x) {
            sK[i] = K[off + (size_t)k0 * D + i];
            sV[i] = V[off + (size_t)k0 * D + i];
        }
        __syncthreads();
        float mNew = m;
        for (int c = 0; c < Bc; c++) {
            float s = 0;
            for (int d = 0; d < D; d++) s += sQ[row * D + d] * sK[c * D + d];
            s *= scale;
            if (k0 + c > q0 + row) s = -INFINITY;
            sS[row * Bc + c] = s;
            mNew = fmaxf(mNew, s);
        }
        float corr = __expf(m - mNew);
        l *= corr;
        for (int d = 0; d < D; d++) acc[d] *= corr;
        for (int c = 0; c < Bc; c++) {
            float p = __expf(sS[row * Bc + c] - mNew);
            l += p;
            for (int d = 0; d < D; d++) acc[d] += p * sV[c * D + d];
        }
        m = mNew;
    }
    for (int d = 0; d < D; d++) O[off + (size_t)(q0 + row) * D + d] = acc[d] / l;
    L[blockIdx.y * N + q0 + row] = m + logf(l);
}
int main() {
    constexpr int Br = 32, Bc = 32, D = 32;
    const int BH = 4, N = 128;
    size_t elems = (size_t)BH * N * D;
    std::vector<float> q(elems), k(elems), v(elems), o(elems), L(BH * N);
    for (size_t i = 0; i < elems; i++) { q[i] = sinf(i * .37f); k[i] = cosf(i * .11f); v[i] = (i % 13) * .1f; }
    float *dq, *dk, *dv, *dO, *dL;
    cudaMalloc(&dq, elems * 4);
    cudaMalloc(&dk, elems * 4);
    cudaMalloc(&dv, elems * 4);
    cudaMalloc(&dO, elems * 4);
    cudaMalloc(&dL, BH * N * 4);
    cudaMemcpy(dq, q.data(), elems * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dk, k.data(), elems * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dv, v.data(), elems * 4, cudaMemcpyHostToDevice);
    size_t smem = (Br * D + 2 * Bc * D + Br * Bc) * sizeof(float);
    int maxSmem; cudaDeviceGetAttribute(&maxSmem, cudaDevAttrMaxSharedMemoryPerBlock, 0);
    printf("max shared %d, requested %zu\n", maxSmem, smem);
    flash_fwd<Br, Bc, D><<<dim3(N / Br, BH), Br, smem>>>(dq, dk, dv, dO, dL, N, 1 / sqrtf(D));
    cudaError_t e = cudaDeviceSynchronize();
    if (e) printf("%s\n", cudaGetErrorString(e));
    cudaMemcpy(o.data(), dO, elems * 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(L.data(), dL, BH * N * 4, cudaMemcpyDeviceToHost);
    double err = 0;
    for (int b = 0; b < BH; b++) for (int i = 0; i < N; i++) {
        std::vector<double> s(i + 1); double mx = -1e30, sum = 0;
        for (int j = 0; j <= i; j++) {
            double x = 0;
            for (int d = 0; d < D; d++) x += q[(b * N + i) * D + d] * k[(b * N + j) * D + d];
            s[j] = x / sqrt(D);
            mx = fmax(mx, s[j]);
        }
        for (auto &x : s) sum += x = exp(x - mx);
        for (int d = 0; d < D; d++) {
            double r = 0;
            for (int j = 0; j <= i; j++) r += s[j] / sum * v[(b * N + j) * D + d];
            err = fmax(err, fabs(r - o[(b * N + i) * D + d]));
        }
        err = fmax(err, fabs(mx + log(sum) - L[b * N + i]));
    }
    printf("max error %g: %s\n", err, err < 1e-3 ? "PASS" : "FAIL");
    return err >= 1e-3;
}
