// Shortest paths between all pairs (Floyd and Warshall), one launch per
// intermediate vertex. Row k and column k keep their values in step k, and the
// kernel does not write them: other threads read them meanwhile.

#include "../check.h"
#include <algorithm>

const int FAR = 1 << 20;

__global__ void relax(int *distance, int n, int k) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n || i == k || j == k) return;
    int through = distance[i * n + k] + distance[k * n + j];
    if (through < distance[i * n + j]) distance[i * n + j] = through;
}

int main() {
    const int n = 50;
    Random random;
    std::vector<int> d(n * n, FAR);
    for (int i = 0; i < n; i++) {
        d[i * n + i] = 0;
        for (int e = 0; e < 3; e++) d[i * n + random.below(n)] = 1 + random.below(20);
        d[i * n + i] = 0;
    }
    int *dD = toDevice(d);
    dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
    for (int k = 0; k < n; k++) relax<<<grid, block>>>(dD, n, k);
    CHECK_LAUNCH();

    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
    bool ok = same("floyd", toHost(dD, n * n), d);
    CHECK(cudaFree(dD));
    return ok ? 0 : 1;
}
