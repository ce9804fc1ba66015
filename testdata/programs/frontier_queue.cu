// A graph searched by persistent blocks: a queue of vertices after a lock-free
// counter, a hash table of names, and a frontier that blocks fill and empty.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
constexpr int kVertices = 512, kDegree = 4, kSlots = 2048;

struct Queue {
    int items[kVertices];
    volatile int ready[kVertices]; // 1 where an item has been written
    int head, tail, left;
};

__device__ unsigned hashed(unsigned k) { return k * 2654435761u; }

__global__ void insert(const int *keys, int n, int *table, int *values) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int key = keys[i];
    for (unsigned h = hashed(key);; h++) {
        int *slot = &table[h % kSlots];
        int old = atomicCAS(slot, -1, key);
        if (old == -1 || old == key) {
            atomicMax(&values[h % kSlots], i);
            return;
        }
    }
}
__global__ void find(const int *keys, int n, const int *table, const int *values, int *found) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (unsigned h = hashed(keys[i]);; h++)
        if (table[h % kSlots] == keys[i]) {
            found[i] = values[h % kSlots];
            return;
        } else if (table[h % kSlots] == -1) {
            found[i] = -1;
            return;
        }
}
__device__ void push(Queue *q, int v) {
    int at = atomicAdd(&q->tail, 1);
    q->items[at] = v;
    __threadfence();
    q->ready[at] = 1;
}
__global__ void search(Queue *q, const int *edges, int *level) {
    __shared__ int v;
    for (;;) {
        if (threadIdx.x == 0) {
            int at = atomicAdd(&q->head, 1);
            v = -1;
            if (at < kVertices) {
                while (!q->ready[at]) {}
                __threadfence();
                v = q->items[at];
            }
        }
        __syncthreads();
        int now = v;
        __syncthreads();
        if (now < 0) return;
        if (threadIdx.x < kDegree) {
            int to = edges[now * kDegree + threadIdx.x];
            if (atomicCAS(&level[to], -1, 1) == -1) push(q, to);
        }
    }
}
__global__ void start(Queue *q, int *level) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kVertices) {
        level[i] = i ? -1 : 0;
        q->ready[i] = i == 0;
        q->items[i] = 0;
    }
    if (i == 0) q->head = 0, q->tail = 1;
}
int main() {
    std::vector<int> edges(kVertices * kDegree), keys(300), found(300);
    for (int v = 0; v < kVertices; v++)
        for (int k = 0; k < kDegree; k++) edges[v * kDegree + k] = (v * 2 + k + 1) % kVertices;
    for (int i = 0; i < 300; i++) keys[i] = i * 7919 % 100003;
    int *dEdges, *dLevel, *dKeys, *dTable, *dValues, *dFound;
    Queue *q;
    cudaMalloc(&dEdges, edges.size() * 4);
    cudaMalloc(&dLevel, kVertices * 4);
    cudaMalloc(&q, sizeof(Queue));
    cudaMalloc(&dKeys, 1200);
    cudaMalloc(&dTable, kSlots * 4);
    cudaMalloc(&dValues, kSlots * 4);
    cudaMalloc(&dFound, 1200);
    cudaMemcpy(dEdges, edges.data(), edges.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dKeys, keys.data(), 1200, cudaMemcpyHostToDevice);
    cudaMemset(dTable, 0xff, kSlots * 4);
    cudaMemset(dValues, 0xff, kSlots * 4);
    insert<<<3, 128>>>(dKeys, 300, dTable, dValues);
    find<<<3, 128>>>(dKeys, 300, dTable, dValues, dFound);
    cudaMemcpy(found.data(), dFound, 1200, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < 300; i++) bad += found[i] != i;
    start<<<4, 128>>>(q, dLevel);
    search<<<6, 32>>>(q, dEdges, dLevel);
    std::vector<int> level(kVertices);
    cudaMemcpy(level.data(), dLevel, kVertices * 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kVertices; i++) bad += level[i] < 0;
    for (void *p : {(void *)dEdges, (void *)dLevel, (void *)q, (void *)dKeys, (void *)dTable, (void *)dValues, (void *)dFound}) cudaFree(p);
    printf("%s %d\n", bad ? "FAIL" : "PASS", bad);
}
