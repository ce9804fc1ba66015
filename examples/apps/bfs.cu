// Breadth-first search on a graph in compressed sparse rows. Each launch
// expands one frontier into the next; atomicCAS lets exactly one thread claim
// a vertex, atomicAdd gives it its place in the next frontier.

#include "../check.h"
#include <utility>

struct Graph {
    std::vector<int> offsets; // one more than vertices
    std::vector<int> targets;
};

__global__ void expand(const int *offsets, const int *targets, int *distance, const int *frontier,
                       int size, int *next, int *nextSize, int level) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;
    int v = frontier[i];
    for (int e = offsets[v]; e < offsets[v + 1]; e++) {
        int to = targets[e];
        if (atomicCAS(&distance[to], -1, level) == -1) next[atomicAdd(nextSize, 1)] = to;
    }
}

static Graph randomGraph(int vertices, int maxDegree) {
    Random random;
    Graph g;
    g.offsets.push_back(0);
    for (int v = 0; v < vertices; v++) {
        int degree = 1 + random.below(maxDegree);
        for (int e = 0; e < degree; e++) g.targets.push_back(random.below(vertices));
        g.offsets.push_back(g.targets.size());
    }
    return g;
}

static std::vector<int> bfsHost(const Graph &g, int start) {
    std::vector<int> distance(g.offsets.size() - 1, -1), queue{start};
    distance[start] = 0;
    for (size_t head = 0; head < queue.size(); head++) {
        int v = queue[head];
        for (int e = g.offsets[v]; e < g.offsets[v + 1]; e++)
            if (distance[g.targets[e]] == -1) {
                distance[g.targets[e]] = distance[v] + 1;
                queue.push_back(g.targets[e]);
            }
    }
    return distance;
}

int main() {
    const int vertices = 3000, start = 0, block = 128;
    Graph g = randomGraph(vertices, 6);

    int *dOffsets = toDevice(g.offsets), *dTargets = toDevice(g.targets);
    std::vector<int> distance(vertices, -1);
    distance[start] = 0;
    int *dDistance = toDevice(distance), *dFrontier, *dNext, *dSize;
    CHECK(cudaMalloc(&dFrontier, vertices * sizeof(int)));
    CHECK(cudaMalloc(&dNext, vertices * sizeof(int)));
    CHECK(cudaMalloc(&dSize, sizeof(int)));
    CHECK(cudaMemcpy(dFrontier, &start, sizeof(int), cudaMemcpyHostToDevice));

    int size = 1;
    for (int level = 1; size > 0; level++) {
        CHECK(cudaMemset(dSize, 0, sizeof(int)));
        expand<<<(size + block - 1) / block, block>>>(dOffsets, dTargets, dDistance, dFrontier,
                                                      size, dNext, dSize, level);
        CHECK_LAUNCH();
        CHECK(cudaMemcpy(&size, dSize, sizeof(int), cudaMemcpyDeviceToHost));
        std::swap(dFrontier, dNext);
    }
    bool ok = same("bfs", toHost(dDistance, vertices), bfsHost(g, start));
    for (int *p : {dOffsets, dTargets, dDistance, dFrontier, dNext, dSize}) CHECK(cudaFree(p));
    return ok ? 0 : 1;
}
