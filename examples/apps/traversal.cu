// Breadth-first search of a random graph, level by level, with a queue of vertices per level.
// The distances are compared with a search on the host.
#include "../check.h"

__global__ void clear(int *distance, int n, int source, int *queue) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) distance[v] = v == source ? 0 : -1;
    if (v == 0) queue[0] = source;
}

// One warp has one vertex of the frontier: its lanes share the edges.
__global__ void expand(const int *first, const int *edges, int *distance, const int *frontier, int size, int *next, int *length, int level) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (warp >= size) return;
    int v = frontier[warp];
    for (int k = first[v] + lane; k < first[v + 1]; k += 32) {
        int w = edges[k];
        if (atomicCAS(&distance[w], -1, level) == -1) next[atomicAdd(length, 1)] = w;
    }
}

static unsigned state = 12345;
static unsigned next_random() { return state = state * 1664525u + 1013904223u; }

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1 << 15, rounds = argc > 2 ? atoi(argv[2]) : 1;
    std::vector<int> first(n + 1), edges;
    for (int v = 0; v < n; v++) {
        first[v] = edges.size();
        int degree = 4 + next_random() % 57;
        for (int k = 0; k < degree; k++) edges.push_back((next_random() >> 4) % n);
    }
    first[n] = edges.size();
    std::vector<int> want(n, -1), reached(1, 0), distance(n);
    want[0] = 0;
    for (size_t i = 0; i < reached.size(); i++)
        for (int v = reached[i], k = first[v]; k < first[v + 1]; k++)
            if (want[edges[k]] < 0) want[edges[k]] = want[v] + 1, reached.push_back(edges[k]);

    int *d_first, *d_edges, *d_distance, *queues[2], *d_length;
    CHECK(cudaMalloc(&d_first, 4 * (n + 1)));
    CHECK(cudaMalloc(&d_edges, 4 * edges.size()));
    CHECK(cudaMalloc(&d_distance, 4 * n));
    CHECK(cudaMalloc(&queues[0], 4 * n));
    CHECK(cudaMalloc(&queues[1], 4 * n));
    CHECK(cudaMalloc(&d_length, 4));
    CHECK(cudaMemcpy(d_first, first.data(), 4 * (n + 1), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_edges, edges.data(), 4 * edges.size(), cudaMemcpyHostToDevice));
    for (int r = 0; r < rounds; r++) {
        clear<<<(n + 255) / 256, 256>>>(d_distance, n, 0, queues[0]);
        for (int size = 1, level = 1; size > 0; level++) {
            CHECK(cudaMemset(d_length, 0, 4));
            expand<<<(size + 7) / 8, 256>>>(d_first, d_edges, d_distance, queues[(level + 1) % 2], size, queues[level % 2], d_length, level);
            CHECK(cudaMemcpy(&size, d_length, 4, cudaMemcpyDeviceToHost));
        }
    }
    CHECK(cudaMemcpy(distance.data(), d_distance, 4 * n, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int v = 0; v < n; v++) wrong += distance[v] != want[v];
    printf("%s: %zu of %d vertices reached, %d wrong\n", wrong ? "FAIL" : "PASS", reached.size(), n, wrong);
    cudaFree(d_first), cudaFree(d_edges), cudaFree(d_distance), cudaFree(queues[0]), cudaFree(queues[1]), cudaFree(d_length);
    return wrong != 0;
}
