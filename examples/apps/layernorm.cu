// Layer normalization, forward: mean and variance of each row in one pass
// (Welford's update, merged across the warp by shuffles), float4 accesses.

#include "../check.h"

struct Moments {
    float count, mean, m2;
};

__device__ Moments merge(Moments a, Moments b) {
    float count = a.count + b.count;
    if (count == 0) return a;
    float delta = b.mean - a.mean;
    return {count, a.mean + delta * b.count / count,
            a.m2 + b.m2 + delta * delta * a.count * b.count / count};
}

__device__ Moments add(Moments m, float v) {
    m.count += 1;
    float delta = v - m.mean;
    m.mean += delta / m.count;
    m.m2 += delta * (v - m.mean);
    return m;
}

__device__ Moments warpMerge(Moments m) {
    for (int mask = 16; mask > 0; mask /= 2) {
        Moments other;
        other.count = __shfl_xor_sync(0xffffffff, m.count, mask);
        other.mean = __shfl_xor_sync(0xffffffff, m.mean, mask);
        other.m2 = __shfl_xor_sync(0xffffffff, m.m2, mask);
        m = merge(m, other);
    }
    return m;
}

__device__ float scaled(float v, float mean, float inverse, float gamma, float beta) {
    return (v - mean) * inverse * gamma + beta;
}

// layernorm gives each row to one warp; cols is a multiple of four.
__global__ void layernorm(const float4 *in, const float4 *gamma, const float4 *beta, float4 *out,
                          int rows, int cols) {
    int row = blockIdx.x * blockDim.y + threadIdx.y, quads = cols / 4;
    if (row >= rows) return;
    in += row * quads;
    out += row * quads;
    Moments m = {0, 0, 0};
    for (int q = threadIdx.x; q < quads; q += 32) {
        float4 v = in[q];
        m = add(add(add(add(m, v.x), v.y), v.z), v.w);
    }
    m = warpMerge(m);
    float inverse = rsqrtf(m.m2 / m.count + 1e-5f);
    for (int q = threadIdx.x; q < quads; q += 32) {
        float4 v = in[q], g = gamma[q], b = beta[q];
        out[q] = make_float4(
            scaled(v.x, m.mean, inverse, g.x, b.x), scaled(v.y, m.mean, inverse, g.y, b.y),
            scaled(v.z, m.mean, inverse, g.z, b.z), scaled(v.w, m.mean, inverse, g.w, b.w));
    }
}

static std::vector<float> layernormHost(const std::vector<float> &in, const std::vector<float> &g,
                                        const std::vector<float> &b, int rows, int cols) {
    std::vector<float> out(in.size());
    for (int r = 0; r < rows; r++) {
        double mean = 0, variance = 0;
        for (int c = 0; c < cols; c++) mean += in[r * cols + c];
        mean /= cols;
        for (int c = 0; c < cols; c++) variance += pow(in[r * cols + c] - mean, 2);
        double inverse = 1 / sqrt(variance / cols + 1e-5);
        for (int c = 0; c < cols; c++)
            out[r * cols + c] = (in[r * cols + c] - mean) * inverse * g[c] + b[c];
    }
    return out;
}

int main() {
    const int rows = 33, cols = 264;
    Random random;
    std::vector<float> in(rows * cols), gamma(cols), beta(cols);
    for (float &v : in) v = 4 * random.uniform();
    for (float &v : gamma) v = random.uniform();
    for (float &v : beta) v = random.uniform();
    float *dIn = toDevice(in), *dGamma = toDevice(gamma), *dBeta = toDevice(beta), *dOut;
    CHECK(cudaMalloc(&dOut, in.size() * sizeof(float)));
    layernorm<<<(rows + 3) / 4, dim3(32, 4)>>>((float4 *)dIn, (float4 *)dGamma, (float4 *)dBeta,
                                               (float4 *)dOut, rows, cols);
    CHECK_LAUNCH();
    bool ok = same("layernorm", toHost(dOut, in.size()),
                   layernormHost(in, gamma, beta, rows, cols), 1e-4);
    for (float *p : {dIn, dGamma, dBeta, dOut}) CHECK(cudaFree(p));
    return ok ? 0 : 1;
}
