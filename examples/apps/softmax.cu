// Softmax of each row of a matrix: one warp per row with shuffles for short
// rows, one block per row with shuffles and shared memory for long ones.

#include "../check.h"
#include <algorithm>

template <typename Op>
__device__ float warpReduce(float v, Op op) {
    for (int mask = 16; mask > 0; mask /= 2) v = op(v, __shfl_xor_sync(0xffffffff, v, mask));
    return v;
}

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

__global__ void softmaxWarp(const float *in, float *out, int rows, int cols) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    in += row * cols;
    out += row * cols;
    float largest = -INFINITY;
    for (int c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, in[c]);
    largest = warpReduce(largest, Max());
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += 32) sum += __expf(in[c] - largest);
    sum = warpReduce(sum, Sum());
    for (int c = threadIdx.x; c < cols; c += 32) out[c] = __expf(in[c] - largest) / sum;
}

template <typename Op>
__device__ float blockReduce(float v, float neutral, Op op) {
    __shared__ float partial[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    v = warpReduce(v, op);
    __syncthreads(); // the last call's readers are done
    if (lane == 0) partial[warp] = v;
    __syncthreads();
    return warpReduce(lane < warps ? partial[lane] : neutral, op);
}

__global__ void softmaxBlock(const float *in, float *out, int cols) {
    in += blockIdx.x * cols;
    out += blockIdx.x * cols;
    float largest = -INFINITY;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) largest = fmaxf(largest, in[c]);
    largest = blockReduce(largest, -INFINITY, Max());
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        float e = __expf(in[c] - largest);
        out[c] = e;
        sum += e;
    }
    float scale = 1.0f / blockReduce(sum, 0.0f, Sum());
    for (int c = threadIdx.x; c < cols; c += blockDim.x) out[c] *= scale;
}

static std::vector<float> softmaxHost(const std::vector<float> &in, int rows, int cols) {
    std::vector<float> out(in.size());
    for (int r = 0; r < rows; r++) {
        const float *row = &in[r * cols];
        float largest = *std::max_element(row, row + cols);
        double sum = 0;
        for (int c = 0; c < cols; c++) sum += exp(row[c] - largest);
        for (int c = 0; c < cols; c++) out[r * cols + c] = exp(row[c] - largest) / sum;
    }
    return out;
}

static std::vector<float> randomMatrix(int rows, int cols) {
    Random random(rows);
    std::vector<float> m(rows * cols);
    for (float &v : m) v = 10 * random.uniform() - 5;
    return m;
}

int main() {
    const int shortRows = 50, shortCols = 77, longRows = 6, longCols = 1500;
    std::vector<float> a = randomMatrix(shortRows, shortCols), b = randomMatrix(longRows, longCols);
    float *dA = toDevice(a), *dB = toDevice(b), *dOut;
    CHECK(cudaMalloc(&dOut, std::max(a.size(), b.size()) * sizeof(float)));

    softmaxWarp<<<(shortRows + 3) / 4, dim3(32, 4)>>>(dA, dOut, shortRows, shortCols);
    CHECK_LAUNCH();
    bool ok = same("softmax warp", toHost(dOut, a.size()), softmaxHost(a, shortRows, shortCols), 1e-5);

    softmaxBlock<<<longRows, 256>>>(dB, dOut, longCols);
    CHECK_LAUNCH();
    ok &= same("softmax block", toHost(dOut, b.size()), softmaxHost(b, longRows, longCols), 1e-5);

    CHECK(cudaFree(dA));
    CHECK(cudaFree(dB));
    CHECK(cudaFree(dOut));
    return ok ? 0 : 1;
}
