// k-means clustering: points find their nearest center; blocks sum the members
// of each cluster in shared memory with float atomics and add them to the
// global sums; a small kernel divides.

#include "../check.h"

const int DIM = 4, K = 5, BLOCK = 128;

__host__ __device__ int nearest(const float *point, const float *centers) {
    int best = 0;
    float bestDistance = 1e30f;
    for (int c = 0; c < K; c++) {
        float distance = 0;
        for (int d = 0; d < DIM; d++) {
            float delta = point[d] - centers[c * DIM + d];
            distance += delta * delta;
        }
        if (distance < bestDistance) {
            bestDistance = distance;
            best = c;
        }
    }
    return best;
}

__global__ void assign(const float *points, const float *centers, int *cluster, float *sums,
                       int *counts, int n) {
    __shared__ float center[K * DIM];
    __shared__ float sum[K * DIM];
    __shared__ int count[K];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < K * DIM) {
        center[t] = centers[t];
        sum[t] = 0;
    }
    if (t < K) count[t] = 0;
    __syncthreads();
    if (i < n) {
        int c = nearest(points + i * DIM, center);
        cluster[i] = c;
        for (int d = 0; d < DIM; d++) atomicAdd(&sum[c * DIM + d], points[i * DIM + d]);
        atomicAdd(&count[c], 1);
    }
    __syncthreads();
    if (t < K * DIM) atomicAdd(&sums[t], sum[t]);
    if (t < K) atomicAdd(&counts[t], count[t]);
}

__global__ void divide(float *centers, const float *sums, const int *counts) {
    int t = threadIdx.x;
    if (counts[t / DIM] > 0) centers[t] = sums[t] / counts[t / DIM];
}

int main() {
    const int n = 1500, rounds = 4;
    Random random;
    std::vector<float> points(n * DIM), centers(K * DIM);
    for (int i = 0; i < n * DIM; i++) // whole numbers: sums do not depend on order
        points[i] = 100 * (i / DIM % K) + random.below(60);
    for (int i = 0; i < K * DIM; i++) centers[i] = points[i];

    float *dPoints = toDevice(points), *dCenters = toDevice(centers), *dSums;
    int *dCluster, *dCounts;
    CHECK(cudaMalloc(&dSums, K * DIM * sizeof(float)));
    CHECK(cudaMalloc(&dCluster, n * sizeof(int)));
    CHECK(cudaMalloc(&dCounts, K * sizeof(int)));

    std::vector<int> want(n);
    for (int r = 0; r < rounds; r++) {
        CHECK(cudaMemset(dSums, 0, K * DIM * sizeof(float)));
        CHECK(cudaMemset(dCounts, 0, K * sizeof(int)));
        assign<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(dPoints, dCenters, dCluster, dSums, dCounts, n);
        divide<<<1, K * DIM>>>(dCenters, dSums, dCounts);
        CHECK_LAUNCH();

        std::vector<float> sums(K * DIM);
        std::vector<int> counts(K);
        for (int i = 0; i < n; i++) {
            int c = want[i] = nearest(&points[i * DIM], centers.data());
            counts[c]++;
            for (int d = 0; d < DIM; d++) sums[c * DIM + d] += points[i * DIM + d];
        }
        for (int i = 0; i < K * DIM; i++)
            if (counts[i / DIM] > 0) centers[i] = sums[i] / counts[i / DIM];
    }
    bool ok = same("kmeans clusters", toHost(dCluster, n), want);
    ok &= same("kmeans centers", toHost(dCenters, K * DIM), centers, 1e-5);
    CHECK(cudaFree(dPoints));
    CHECK(cudaFree(dCenters));
    CHECK(cudaFree(dSums));
    CHECK(cudaFree(dCluster));
    CHECK(cudaFree(dCounts));
    return ok ? 0 : 1;
}
