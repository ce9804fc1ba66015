// Breadth-first search over a graph in compressed rows. A frontier holds the
// vertices of one level; each thread visits the neighbors of one of them, and
// who is the first to reach a vertex puts it into the next frontier. The threads
// of a block collect what they find in shared memory first, so that a block
// reserves its place in the frontier with one atomic.
//
// With -D BUG the place in the block's own list is counted without an atomic.

#include "../check.h"

#include <queue>

const int THREADS = 128, LOCAL = 256, UNSEEN = -1;

struct Graph {
    int vertices;
    const int *row, *neighbor; // row has vertices + 1 elements
};

struct Frontier {
    int *vertex;
    int *size;
};

__global__ void __launch_bounds__(THREADS) expand(Graph g, int *distance, Frontier now, Frontier next, int level) {
    __shared__ int found[LOCAL];
    __shared__ int count, base;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < *now.size) {
        int v = now.vertex[i];
        for (int e = g.row[v]; e < g.row[v + 1]; e++) {
            int u = g.neighbor[e];
            if (atomicCAS(&distance[u], UNSEEN, level + 1) != UNSEEN) continue;
#ifdef BUG
            int at = count++; // want race
#else
            int at = atomicAdd(&count, 1);
#endif
            if (at < LOCAL) found[at] = u; // want race WAW
            else next.vertex[atomicAdd(next.size, 1)] = u; // the list is full
        }
    }
    __syncthreads();

    int kept = min(count, LOCAL);
    if (threadIdx.x == 0 && kept > 0) base = atomicAdd(next.size, kept);
    __syncthreads();
    for (int k = threadIdx.x; k < kept; k += blockDim.x) next.vertex[base + k] = found[k];
}

// Host is a graph on the host.
struct Host {
    std::vector<int> row, neighbor;

    // A ring with chords, so that levels grow and shrink, and some vertices
    // that nothing reaches.
    Host(int n, int lonely, Random &random) {
        std::vector<std::vector<int>> to(n);
        int reached = n - lonely;
        for (int v = 0; v < reached; v++) {
            int w = (v + 1) % reached;
            to[v].push_back(w);
            to[w].push_back(v);
        }
        for (int k = 0; k < reached / 4; k++) {
            int v = random.below(reached), w = random.below(reached);
            to[v].push_back(w);
            to[w].push_back(v);
        }
        for (int v = 0; v < reached; v += 97) // hubs
            for (int k = 0; k < 40; k++) to[v].push_back(random.below(reached));
        row.push_back(0);
        for (const std::vector<int> &list : to) {
            neighbor.insert(neighbor.end(), list.begin(), list.end());
            row.push_back(static_cast<int>(neighbor.size()));
        }
    }

    std::vector<int> distances(int from) const {
        std::vector<int> d(row.size() - 1, UNSEEN);
        std::queue<int> todo;
        d[from] = 0;
        for (todo.push(from); !todo.empty(); todo.pop()) {
            int v = todo.front();
            for (int e = row[v]; e < row[v + 1]; e++)
                if (d[neighbor[e]] == UNSEEN) {
                    d[neighbor[e]] = d[v] + 1;
                    todo.push(neighbor[e]);
                }
        }
        return d;
    }
};

Frontier makeFrontier(int n) {
    Frontier f;
    CHECK(cudaMalloc(&f.vertex, n * sizeof(int)));
    CHECK(cudaMalloc(&f.size, sizeof(int)));
    CHECK(cudaMemset(f.size, 0, sizeof(int)));
    return f;
}

bool run(int n, int lonely, int from) {
    Random random(n);
    Host host(n, lonely, random);
    Graph g{n, toDevice(host.row), toDevice(host.neighbor)};
    std::vector<int> start(n, UNSEEN);
    start[from] = 0;
    int *distance = toDevice(start), size = 1, levels = 0;
    Frontier now = makeFrontier(n), next = makeFrontier(n);
    CHECK(cudaMemcpy(now.vertex, &from, sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(now.size, &size, sizeof(int), cudaMemcpyHostToDevice));
    while (size > 0) {
        expand<<<(size + THREADS - 1) / THREADS, THREADS>>>(g, distance, now, next, levels++);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(&size, next.size, sizeof(int), cudaMemcpyDeviceToHost));
        std::swap(now, next);
        CHECK(cudaMemset(next.size, 0, sizeof(int)));
    }
    printf("%d vertices, %d levels\n", n, levels);
    bool ok = same("distances", toHost(distance, n), host.distances(from));
    for (const int *p : {g.row, g.neighbor, const_cast<const int *>(distance)}) CHECK(cudaFree(const_cast<int *>(p)));
    for (Frontier f : {now, next}) {
        CHECK(cudaFree(f.vertex));
        CHECK(cudaFree(f.size));
    }
    return ok;
}

int main() {
    bool ok = run(1000, 0, 3);
    ok = run(3000, 50, 0) && ok;
    return ok ? 0 : 1;
}
