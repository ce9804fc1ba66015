// Memory of device-side malloc, and what the host frees and copies. -O3 takes a
// malloc away whose memory only its function knows.
// clean: balanced passed_on host_frees host_copies
// flags: --leak-check full
#include <cstdio>
#include <cstdlib>
#include <cstring>

__device__ int *kept[4];
__constant__ int four[4];

__global__ void balanced(int *out) {
    int *p = (int *)malloc(16);
    p[3] = threadIdx.x;
    out[threadIdx.x] = p[3];
    free(p);
    free(nullptr);
}
__global__ void beyond(int *out) {
    int *p = (int *)malloc(16);
    for (int i = 0; i < 4; i++) p[i] = i;
    out[threadIdx.x] = p[4];  // want(beyond) memory out-of-bounds error source
    free(p);
}
__global__ void after_free(int *out) {
    int *p = (int *)malloc(16);
    p[0] = 1;
    free(p);
    out[threadIdx.x] = p[0];  // want(after_free) memory out-of-bounds
}
__global__ void twice(int *) {
    int *p = (int *)malloc(16);
    free(p);
    free(p);  // want(twice) memory double-free error source
}
__global__ void inner(int *) {
    int *p = (int *)malloc(16);
    free(p + 1);  // want(inner) memory invalid-free error source
}
__global__ void not_its_own(int *out) {
    free(out);  // want(not_its_own) memory invalid-free
}
__global__ void leaks(int *out) {
    int *p = (int *)malloc(16 + 16 * (threadIdx.x % 2));
    *p = 3;
    out[threadIdx.x] = *p;
}
__global__ void keep() { kept[threadIdx.x] = (int *)malloc(16); }
__global__ void drop() { free(kept[threadIdx.x]); }
__global__ void idle() {}

// host(leaks) memory leak error source
int main(int, char **argv) {
    const char *c = argv[1];
    int *out, *other = nullptr, host[32] = {};
    cudaMalloc(&out, sizeof host);
    cudaMemset(out, 0, sizeof host);
#define CASE(k, ...) if (!strcmp(c, #k)) k<<<1, 4>>>(__VA_ARGS__)
    CASE(balanced, out); CASE(beyond, out); CASE(after_free, out); CASE(twice, out); CASE(inner, out);
    CASE(not_its_own, out); CASE(leaks, out);
    if (!strcmp(c, "passed_on")) { keep<<<1, 4>>>(); drop<<<1, 4>>>(); }
    idle<<<1, 1>>>();
    cudaDeviceSynchronize();
    if (!strcmp(c, "host_leak")) {
        for (int i = 0; i < 3; i++)
            cudaMalloc(&other, 100);  // want(host_leak) memory leak
    }
    if (!strcmp(c, "pinned_leak"))
        cudaMallocHost(&other, 100);  // want(pinned_leak) memory leak
    if (!strcmp(c, "host_frees")) {
        cudaFree(nullptr);
        cudaMallocHost(&other, 100);
        cudaFreeHost(other);
    }
    if (!strcmp(c, "host_copies")) {
        cudaMemcpy(out + 16, host, 64, cudaMemcpyHostToDevice);
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDefault);
        cudaMemcpyToSymbol(four, host, 8, 8);
    }
    if (!strcmp(c, "too_long"))
        cudaMemcpy(out, host, sizeof host + 1, cudaMemcpyHostToDevice);  // want(too_long) memory bad-copy
    if (!strcmp(c, "wrong_way"))
        cudaMemcpy(host, out, sizeof host, cudaMemcpyHostToDevice);  // want(wrong_way) memory bad-copy
    if (!strcmp(c, "filled_too_far"))
        cudaMemset(out + 1, 0, sizeof host);  // want(filled_too_far) memory bad-copy
    if (!strcmp(c, "too_long_symbol"))
        cudaMemcpyToSymbol(four, host, 8, 12);  // want(too_long_symbol) memory bad-copy
    if (!strcmp(c, "graph_node")) {
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        cudaGraphNode_t node;
        cudaGraphCreate(&graph, 0);
        cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, out, host, sizeof host + 1, cudaMemcpyHostToDevice);  // want(graph_node) memory bad-copy
        cudaGraphInstantiate(&exec, graph, 0);
        cudaGraphLaunch(exec, 0);
    }
    if (!strcmp(c, "rows"))
        cudaMemcpy2D(out, 64, host, 32, 32, 3, cudaMemcpyHostToDevice);  // want(rows) memory bad-copy
    if (!strcmp(c, "freed")) {
        cudaMalloc(&other, 64);
        cudaFree(other);
        cudaMemcpy(host, other, 64, cudaMemcpyDeviceToHost);  // want(freed) memory bad-copy
        cudaFree(other);  // want(freed) memory double-free
    }
    cudaFree(out);
    return 0;
}
