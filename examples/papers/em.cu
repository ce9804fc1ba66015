// Expectation maximization for a mixture of two Gaussians (Dempster, Laird and
// Rubin, 1977): each point belongs to each of them with a probability, which
// gives new weights, means and variances.
//
// The kernel is written after the description in Zheng, Ravi, Qin and Agrawal,
// "GRace: A Low-Overhead Mechanism for Detecting Data Races in GPU Programs"
// (PPoPP 2011), section 4: its parameters and the partial sums of its threads
// lie in shared memory, and it takes for granted that a block has at most 256
// threads. The sums of thread t are in column[t] of an array that is 256 wide;
// which column that is stands in memory, so that a static analysis cannot
// know. main gives each thread its own, t. With more threads, those from 256
// on share their elements with the next row.
// -D THREADS=320 launches it so, which is the data race of the paper's Table 1:
//
//   warpgrind run -D THREADS=320 --race-model lockstep em.cu
//
// The last steps of the sum are left to one warp, which needs no barrier. A
// checker that knows no warps reports them.
//
// -D POINTS=... and -D ROUNDS=... set the size; with 16384 points a thread it
// is the paper's. With -D LAUNCHES=N nothing but the kernel is launched, N
// times, to measure what it costs.

#include "../check.h"

#ifndef THREADS
#define THREADS 256
#endif
#ifndef POINTS
#define POINTS 32768
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif

const int Clusters = 2;
const int Sums = 3 * Clusters;     // per cluster: weight, weight * x, weight * x * x
const int Rows = Sums + 1;         // and the points that are nearest to cluster 1
const int Width = 256;             // what the kernel thinks is the largest block
const int Params = 3 * Clusters;   // per cluster: factor, mean, 1 / (2 variance)
const int Blocks = 8;

// expectation adds up, over the points x[0, n), the probabilities of the
// clusters and their moments; sums has Rows floats for each block, column has
// blockDim.x different numbers. Its shared memory is Params + Rows * blockDim.x
// floats.
__global__ void expectation(const float *x, int n, const float *params, const int *column, float *sums) {
    extern __shared__ float shared[];
    float *factor = shared;
    float *mean = shared + Clusters;
    float *scale = shared + 2 * Clusters;
    float *part = shared + Params;
    int tid = threadIdx.x;

    if (tid < Params) shared[tid] = params[tid];
    for (int j = 0; j < Rows; j++) part[j * Width + tid] = 0;
    __syncthreads();

    int own = column[tid];
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) {
        float value = x[i];
        float d0 = value - mean[0], d1 = value - mean[1];
        float p0 = factor[0] * expf(-d0 * d0 * scale[0]);
        float p1 = factor[1] * expf(-d1 * d1 * scale[1]);
        float total = p0 + p1 + 1e-30f;
        p0 /= total;
        p1 /= total;
        part[0 * Width + own] += p0;
        part[1 * Width + own] += p1;
        part[2 * Width + own] += p0 * value;
        part[3 * Width + own] += p1 * value;
        part[4 * Width + own] += p0 * value * value;
        part[5 * Width + own] += p1 * value * value;
        if (p1 > p0) part[6 * Width + own] += 1;
    }
    __syncthreads();

    for (int step = Width / 2; step > 32; step /= 2) {
        if (tid < step)
            for (int j = 0; j < Rows; j++) part[j * Width + tid] += part[j * Width + tid + step];
        __syncthreads();
    }
    if (tid < 32) { // one warp: its lanes need no barrier, only each other
        for (int step = 32; step > 0; step /= 2)
            for (int j = 0; j < Rows; j++) {
                float other = part[j * Width + tid + step];
                __syncwarp();
                part[j * Width + tid] += other;
                __syncwarp();
            }
        if (tid < Rows) sums[blockIdx.x * Rows + tid] = part[tid * Width];
    }
}

// Mixture is the model: what EM finds.
struct Mixture {
    double weight[Clusters], mean[Clusters], variance[Clusters];

    // params are what the kernel needs of it.
    std::vector<float> params() const {
        std::vector<float> p(Params);
        for (int c = 0; c < Clusters; c++) {
            p[c] = weight[c] / sqrt(variance[c]);
            p[Clusters + c] = mean[c];
            p[2 * Clusters + c] = 1 / (2 * variance[c]);
        }
        return p;
    }
    // maximize is the M step: the model that fits the sums.
    void maximize(const std::vector<double> &s, int n) {
        for (int c = 0; c < Clusters; c++) {
            weight[c] = s[c] / n;
            mean[c] = s[Clusters + c] / s[c];
            variance[c] = s[2 * Clusters + c] / s[c] - mean[c] * mean[c];
        }
    }
};

// reference is the E step on the host.
static std::vector<double> reference(const std::vector<float> &x, const Mixture &m) {
    std::vector<double> s(Rows);
    for (double v : x) {
        double p[Clusters], total = 0;
        for (int c = 0; c < Clusters; c++) {
            double d = v - m.mean[c];
            p[c] = m.weight[c] / sqrt(m.variance[c]) * exp(-d * d / (2 * m.variance[c]));
            total += p[c];
        }
        for (int c = 0; c < Clusters; c++) {
            s[c] += p[c] / total;
            s[Clusters + c] += p[c] / total * v;
            s[2 * Clusters + c] += p[c] / total * v * v;
        }
        s[Rows - 1] += p[1] > p[0];
    }
    return s;
}

// points draws from the mixture of which the means are -3 and 4. From 65536 on they are drawn
// from those before: 16384 new ones for each thread would take longer than the kernel.
static std::vector<float> points(Random &random) {
    const int drawn = 65536;
    std::vector<float> x(POINTS);
    for (int i = 0; i < POINTS; i++) {
        if (i >= drawn) {
            x[i] = x[random.below(drawn)];
            continue;
        }
        float sum = 0; // of twelve uniform numbers: nearly normal
        for (int k = 0; k < 12; k++) sum += random.uniform();
        x[i] = random.below(10) < 3 ? -3 + (sum - 6) : 4 + 2 * (sum - 6);
    }
    return x;
}

int main() {
    Random random(5);
    std::vector<float> x = points(random);
    Mixture model = {{0.5, 0.5}, {-1, 1}, {4, 4}}, want = model;

    std::vector<int> column(THREADS);
    for (int t = 0; t < THREADS; t++) column[t] = t;
    float *dX = toDevice(x), *dParams, *dSums;
    int *dColumn = toDevice(column);
    CHECK(cudaMalloc(&dParams, Params * sizeof(float)));
    CHECK(cudaMalloc(&dSums, Blocks * Rows * sizeof(float)));
    const size_t bytes = (Params + Rows * THREADS) * sizeof(float);
#ifdef LAUNCHES
    std::vector<float> start = model.params();
    CHECK(cudaMemcpy(dParams, start.data(), Params * sizeof(float), cudaMemcpyHostToDevice));
    for (int i = 0; i < LAUNCHES; i++) expectation<<<Blocks, THREADS, bytes>>>(dX, POINTS, dParams, dColumn, dSums);
    CHECK_LAUNCH();
    return 0;
#endif

    std::vector<double> sums(Rows), wantSums;
    for (int round = 0; round < ROUNDS; round++) {
        std::vector<float> params = model.params();
        CHECK(cudaMemcpy(dParams, params.data(), Params * sizeof(float), cudaMemcpyHostToDevice));
        expectation<<<Blocks, THREADS, bytes>>>(dX, POINTS, dParams, dColumn, dSums);
        CHECK_LAUNCH();
        std::vector<float> part = toHost(dSums, Blocks * Rows);
        for (int j = 0; j < Rows; j++) {
            sums[j] = 0;
            for (int b = 0; b < Blocks; b++) sums[j] += part[b * Rows + j];
        }
        wantSums = reference(x, want);
        model.maximize(sums, POINTS);
        want.maximize(wantSums, POINTS);
    }
    CHECK(cudaFree(dX));
    CHECK(cudaFree(dColumn));
    CHECK(cudaFree(dParams));
    CHECK(cudaFree(dSums));
    printf("em: weights %.2f %.2f, means %.2f %.2f, variances %.2f %.2f\n", model.weight[0], model.weight[1],
           model.mean[0], model.mean[1], model.variance[0], model.variance[1]);
    if (THREADS > Width) return 0; // more threads than the kernel has room for: no result to judge
    return same("em", sums, wantSums, 1e-3) ? 0 : 1;
}
