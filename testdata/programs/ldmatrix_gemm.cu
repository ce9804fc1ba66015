// Half-precision GEMM with ldmatrix and mma.m16n8k16 through inline PTX, swizzled shared tiles.
#include <cuda_fp16.h>
#include <cstdint>
#include <cstdio>
#include <vector>
#include <cmath>
constexpr int BM = 64, BN = 64, BK = 32;
__device__ __forceinline__ uint32_t smem_u32(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
__device__ __forceinline__ void ldsm_x4(uint32_t (&r)[4], uint32_t addr) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(addr));
}
__device__ __forceinline__ void ldsm_x2_trans(uint32_t (&r)[2], uint32_t addr) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];\n" : "=r"(r[0]), "=r"(r[1]) : "r"(addr));
}
__device__ __forceinline__ void mma16816(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ __forceinline__ void cp16(uint32_t dst, const void *src) { asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(dst), "l"(src)); }
__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ __forceinline__ void wait() { asm volatile("cp.async.wait_group %0;\n" ::"n"(N)); }
// 16-byte chunk c of row r, xor swizzle; A rows have 4 chunks, B rows 8
__device__ __forceinline__ int swzA(int r, int c) { return r * BK + ((c ^ ((r >> 1) & 3)) * 8); }
__device__ __forceinline__ int swzB(int r, int c) { return r * BN + ((c ^ (r & 7)) * 8); }

__global__ void hgemm(const half *A, const half *B, float *C, int M, int N, int K) {
    __shared__ __align__(128) half sA[2][BM * BK];
    __shared__ __align__(128) half sB[2][BK * BN];
    int t = threadIdx.x, warp = t / 32, lane = t % 32;
    int wm = (warp / 2) * 32, wn = (warp % 2) * 32;
    auto fetch = [&](int buf, int k0) {
        for (int i = t; i < BM * 4; i += blockDim.x) {
            int r = i / 4, c = i % 4;
            cp16(smem_u32(&sA[buf][swzA(r, c)]), &A[(blockIdx.y * BM + r) * K + k0 + c * 8]);
        }
        for (int i = t; i < BK * 8; i += blockDim.x) {
            int r = i / 8, c = i % 8;
            cp16(smem_u32(&sB[buf][swzB(r, c)]), &B[(k0 + r) * N + blockIdx.x * BN + c * 8]);
        }
        commit();
    };
    float acc[2][4][4] = {};
    fetch(0, 0);
    for (int k0 = 0, buf = 0; k0 < K; k0 += BK, buf ^= 1) {
        if (k0 + BK < K) { fetch(buf ^ 1, k0 + BK); wait<1>(); }
        else wait<0>();
        __syncthreads();
        for (int kk = 0; kk < BK; kk += 16) {
            uint32_t a[2][4], b[4][2];
            for (int i = 0; i < 2; i++) {
                int r = wm + i * 16 + lane % 16;
                ldsm_x4(a[i], smem_u32(&sA[buf][swzA(r, kk / 8 + lane / 16)]));
            }
            for (int j = 0; j < 4; j++) {
                int r = kk + lane % 16;
                ldsm_x2_trans(b[j], smem_u32(&sB[buf][swzB(r, (wn + j * 8) / 8)]));
            }
            for (int i = 0; i < 2; i++) for (int j = 0; j < 4; j++) mma16816(acc[i][j], a[i], b[j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; i++) for (int j = 0; j < 4; j++) {
        int r = blockIdx.y * BM + wm + i * 16 + lane / 4, c = blockIdx.x * BN + wn + j * 8 + lane % 4 * 2;
        *(float2 *)&C[r * N + c] = make_float2(acc[i][j][0], acc[i][j][1]);
        *(float2 *)&C[(r + 8) * N + c] = make_float2(acc[i][j][2], acc[i][j][3]);
    }
}
int main() {
    const int M = 128, N = 128, K = 128;
    std::vector<half> a(M * K), b(K * N); std::vector<float> c(M * N);
    for (int i = 0; i < M * K; i++) a[i] = __float2half((i % 9 - 4) * .25f);
    for (int i = 0; i < K * N; i++) b[i] = __float2half((i % 11 - 5) * .5f);
    half *dA, *dB; float *dC;
    cudaMalloc(&dA, a.size() * 2); cudaMalloc(&dB, b.size() * 2); cudaMalloc(&dC, c.size() * 4);
    cudaMemcpy(dA, a.data(), a.size() * 2, cudaMemcpyHostToDevice);
    cudaMemcpy(dB, b.data(), b.size() * 2, cudaMemcpyHostToDevice);
    hgemm<<<dim3(N / BN, M / BM), 128>>>(dA, dB, dC, M, N, K);
    cudaMemcpy(c.data(), dC, c.size() * 4, cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) {
        double s = 0; for (int k = 0; k < K; k++) s += (double)__half2float(a[i * K + k]) * __half2float(b[k * N + j]);
        worst = fmax(worst, fabs(s - c[i * N + j]));
    }
    printf("%s %g\n", worst < 1e-2 ? "PASS" : "FAIL", worst);
    return worst >= 1e-2;
}
