// A hash table with open addressing, filled by many threads at once: atomicCAS
// claims a slot for a key, atomicAdd counts. A second kernel looks keys up. A
// third structure, a linked list with an atomicExch at its head, collects the
// keys that did not fit the bounded probe.

#include "../check.h"
#include <map>

const unsigned EMPTY = 0xffffffffu, SLOTS = 1024, PROBES = 4;

struct Table {
    unsigned keys[SLOTS];
    int counts[SLOTS];
};

struct List {
    int head; // index of a node, -1 at the end
    int used;
};

struct Node {
    unsigned key;
    int next;
};

__host__ __device__ unsigned slotOf(unsigned key, unsigned probe) {
    return (key * 2654435761u + probe) % SLOTS;
}

__global__ void clear(Table *table) {
    for (int i = threadIdx.x; i < SLOTS; i += blockDim.x) {
        table->keys[i] = EMPTY;
        table->counts[i] = 0;
    }
}

__device__ bool insert(Table *table, unsigned key) {
    for (unsigned p = 0; p < PROBES; p++) {
        unsigned s = slotOf(key, p);
        unsigned was = atomicCAS(&table->keys[s], EMPTY, key);
        if (was == EMPTY || was == key) {
            atomicAdd(&table->counts[s], 1);
            return true;
        }
    }
    return false;
}

__global__ void fill(Table *table, List *list, Node *nodes, const unsigned *keys, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || insert(table, keys[i])) return;
    int node = atomicAdd(&list->used, 1);
    nodes[node].key = keys[i];
    nodes[node].next = atomicExch(&list->head, node);
}

__global__ void lookup(const Table *table, const List *list, const Node *nodes,
                       const unsigned *keys, int *counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int count = 0;
    for (unsigned p = 0; p < PROBES; p++)
        if (table->keys[slotOf(keys[i], p)] == keys[i]) count += table->counts[slotOf(keys[i], p)];
    for (int node = list->head; node >= 0; node = nodes[node].next)
        count += nodes[node].key == keys[i];
    counts[i] = count;
}

int main() {
    const int n = 2000, block = 128;
    Random random;
    std::vector<unsigned> keys(n);
    std::map<unsigned, int> expected;
    for (unsigned &k : keys) expected[k = random.below(700) * 7919]++;
    std::vector<int> want(n);
    for (int i = 0; i < n; i++) want[i] = expected[keys[i]];

    unsigned *dKeys = toDevice(keys);
    List *dList = toDevice(std::vector<List>{{-1, 0}});
    Table *dTable;
    Node *dNodes;
    int *dCounts;
    CHECK(cudaMalloc(&dTable, sizeof(Table)));
    CHECK(cudaMalloc(&dNodes, n * sizeof(Node)));
    CHECK(cudaMalloc(&dCounts, n * sizeof(int)));

    clear<<<1, 256>>>(dTable);
    fill<<<(n + block - 1) / block, block>>>(dTable, dList, dNodes, dKeys, n);
    lookup<<<(n + block - 1) / block, block>>>(dTable, dList, dNodes, dKeys, dCounts, n);
    CHECK_LAUNCH();
    bool ok = same("hashtable", toHost(dCounts, n), want);
    CHECK(cudaFree(dKeys));
    CHECK(cudaFree(dList));
    CHECK(cudaFree(dTable));
    CHECK(cudaFree(dNodes));
    CHECK(cudaFree(dCounts));
    return ok ? 0 : 1;
}
