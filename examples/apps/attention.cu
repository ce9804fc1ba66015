// Attention in one pass over keys and values ("online softmax"): a block holds
// a tile of queries in registers, streams tiles of keys and values through
// shared memory, and rescales its running sums when the maximum grows.

#include "../check.h"
#include <algorithm>

const int DIM = 16, TILE = 32;

__global__ void attention(const float *q, const float *k, const float *v, float *out, int n,
                          float scale) {
    __shared__ float ks[TILE][DIM];
    __shared__ float vs[TILE][DIM];
    int row = blockIdx.x * TILE + threadIdx.x;
    float query[DIM], sum[DIM] = {};
    for (int d = 0; d < DIM; d++) query[d] = row < n ? q[row * DIM + d] : 0.0f;
    float largest = -INFINITY, weight = 0;

    for (int start = 0; start < n; start += TILE) {
        for (int i = threadIdx.x; i < TILE * DIM; i += TILE) {
            int key = start + i / DIM;
            ks[i / DIM][i % DIM] = key < n ? k[start * DIM + i] : 0.0f;
            vs[i / DIM][i % DIM] = key < n ? v[start * DIM + i] : 0.0f;
        }
        __syncthreads();
        int keys = min(TILE, n - start);
        for (int j = 0; j < keys; j++) {
            float score = 0;
            for (int d = 0; d < DIM; d++) score += query[d] * ks[j][d];
            score *= scale;
            float next = fmaxf(largest, score);
            float keep = __expf(largest - next), add = __expf(score - next);
            weight = weight * keep + add;
            for (int d = 0; d < DIM; d++) sum[d] = sum[d] * keep + add * vs[j][d];
            largest = next;
        }
        __syncthreads();
    }
    if (row < n)
        for (int d = 0; d < DIM; d++) out[row * DIM + d] = sum[d] / weight;
}

static std::vector<float> attentionHost(const std::vector<float> &q, const std::vector<float> &k,
                                        const std::vector<float> &v, int n, float scale) {
    std::vector<float> out(n * DIM);
    for (int i = 0; i < n; i++) {
        std::vector<double> score(n);
        double total = 0;
        for (int j = 0; j < n; j++) {
            for (int d = 0; d < DIM; d++) score[j] += q[i * DIM + d] * k[j * DIM + d];
            total += score[j] = exp(score[j] * scale);
        }
        for (int d = 0; d < DIM; d++) {
            double sum = 0;
            for (int j = 0; j < n; j++) sum += score[j] * v[j * DIM + d];
            out[i * DIM + d] = sum / total;
        }
    }
    return out;
}

int main() {
    const int n = 77;
    const float scale = 0.25f;
    Random random;
    std::vector<float> q(n * DIM), k(n * DIM), v(n * DIM);
    for (auto *m : {&q, &k, &v})
        for (float &x : *m) x = 2 * random.uniform() - 1;
    float *dQ = toDevice(q), *dK = toDevice(k), *dV = toDevice(v), *dOut;
    CHECK(cudaMalloc(&dOut, n * DIM * sizeof(float)));
    attention<<<(n + TILE - 1) / TILE, TILE>>>(dQ, dK, dV, dOut, n, scale);
    CHECK_LAUNCH();
    bool ok = same("attention", toHost(dOut, n * DIM), attentionHost(q, k, v, n, scale), 1e-4);
    for (float *p : {dQ, dK, dV, dOut}) CHECK(cudaFree(p));
    return ok ? 0 : 1;
}
