// Managed memory: host and device use one pointer, with
// a synchronization between. A __device__ variable is read back by symbol.

#include "../check.h"

struct Node {
    int value;
    Node *next;
};

__device__ int total;

__global__ void walk(const Node *list) {
    int sum = 0;
    for (; list != nullptr; list = list->next) sum += list->value;
    total = sum;
}

__global__ void increase(Node *nodes, int n) {
    int i = threadIdx.x;
    if (i < n) nodes[i].value++;
}

int main() {
    const int n = 20;
    Node *nodes;
    CHECK(cudaMallocManaged(&nodes, n * sizeof(Node)));
    int want = 0;
    for (int i = 0; i < n; i++) { // a list built on the host
        nodes[i].value = i;
        nodes[i].next = i == n - 1 ? nullptr : &nodes[i + 1];
        want += i + 1;
    }
    increase<<<1, 32>>>(nodes, n);
    walk<<<1, 1>>>(nodes);
    CHECK_LAUNCH();
    int got = 0;
    CHECK(cudaMemcpyFromSymbol(&got, total, sizeof(int)));
    bool ok = same("managed", std::vector<int>{got, nodes[0].value}, std::vector<int>{want, 1});
    CHECK(cudaFree(nodes));
    return ok ? 0 : 1;
}
