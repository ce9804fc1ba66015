// A fused GEMM as performance code writes it: C = relu(A * B + bias) with
// 64x64 tiles, float4 loads, a 4x4 patch of results in registers per thread,
// and two buffers in shared memory, so that one barrier per tile is enough:
// while a tile is computed, the next one goes into the other buffer.

#include "../check.h"

const int TM = 64, TN = 64, TK = 16, PATCH = 4;
const int THREADS = (TM / PATCH) * (TN / PATCH); // 256

struct Tiles {
    float a[2][TK][TM + 4]; // transposed; the padding keeps rows 16-byte aligned
    float b[2][TK][TN];
};

__device__ void loadTiles(Tiles &s, int buffer, const float *a, const float *b, int n, int k,
                          int row0, int col0, int k0) {
    int t = threadIdx.x;
    int ar = t / (TK / 4), ac = t % (TK / 4) * 4;
    float4 va = *reinterpret_cast<const float4 *>(&a[(row0 + ar) * k + k0 + ac]);
    s.a[buffer][ac + 0][ar] = va.x;
    s.a[buffer][ac + 1][ar] = va.y;
    s.a[buffer][ac + 2][ar] = va.z;
    s.a[buffer][ac + 3][ar] = va.w;
    int br = t / (TN / 4), bc = t % (TN / 4) * 4;
    *reinterpret_cast<float4 *>(&s.b[buffer][br][bc]) =
        *reinterpret_cast<const float4 *>(&b[(k0 + br) * n + col0 + bc]);
}

__global__ __launch_bounds__(THREADS) void gemm(const float *__restrict__ a,
                                                const float *__restrict__ b,
                                                const float *__restrict__ bias,
                                                float *__restrict__ c, int n, int k) {
    __shared__ Tiles s;
    int tx = threadIdx.x % (TN / PATCH), ty = threadIdx.x / (TN / PATCH);
    int row0 = blockIdx.y * TM, col0 = blockIdx.x * TN;
    float sum[PATCH][PATCH] = {};

    int buffer = 0;
    loadTiles(s, buffer, a, b, n, k, row0, col0, 0);
    __syncthreads();
    for (int k0 = 0; k0 < k; k0 += TK) {
        if (k0 + TK < k) loadTiles(s, buffer ^ 1, a, b, n, k, row0, col0, k0 + TK);
        for (int i = 0; i < TK; i++) {
            float4 va = *reinterpret_cast<float4 *>(&s.a[buffer][i][ty * PATCH]);
            float4 vb = *reinterpret_cast<float4 *>(&s.b[buffer][i][tx * PATCH]);
            float fa[PATCH] = {va.x, va.y, va.z, va.w};
            float fb[PATCH] = {vb.x, vb.y, vb.z, vb.w};
#pragma unroll
            for (int r = 0; r < PATCH; r++)
#pragma unroll
                for (int q = 0; q < PATCH; q++) sum[r][q] += fa[r] * fb[q];
        }
        __syncthreads();
        buffer ^= 1;
    }

    int col = col0 + tx * PATCH;
    float4 vbias = *reinterpret_cast<const float4 *>(&bias[col]);
    for (int r = 0; r < PATCH; r++) {
        int row = row0 + ty * PATCH + r;
        float4 out = make_float4(fmaxf(sum[r][0] + vbias.x, 0), fmaxf(sum[r][1] + vbias.y, 0),
                                 fmaxf(sum[r][2] + vbias.z, 0), fmaxf(sum[r][3] + vbias.w, 0));
        *reinterpret_cast<float4 *>(&c[row * n + col]) = out;
    }
}

int main() {
    const int m = 128, n = 128, k = 64;
    Random random;
    std::vector<float> a(m * k), b(k * n), bias(n), want(m * n);
    for (float &v : a) v = random.uniform() - 0.5f;
    for (float &v : b) v = random.uniform() - 0.5f;
    for (float &v : bias) v = random.uniform() - 0.5f;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = bias[j];
            for (int l = 0; l < k; l++) sum += a[i * k + l] * b[l * n + j];
            want[i * n + j] = sum > 0 ? sum : 0;
        }
    float *dA = toDevice(a), *dB = toDevice(b), *dBias = toDevice(bias), *dC;
    CHECK(cudaMalloc(&dC, m * n * sizeof(float)));
    gemm<<<dim3(n / TN, m / TM), THREADS>>>(dA, dB, dBias, dC, n, k);
    CHECK_LAUNCH();
    bool ok = same("gemm", toHost(dC, m * n), want, 1e-4);
    for (float *p : {dA, dB, dBias, dC}) CHECK(cudaFree(p));
    return ok ? 0 : 1;
}
