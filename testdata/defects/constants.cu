// Writes to constant memory, which clang compiles and a GPU refuses.
// clean: reads
#include <cstdio>
#include <cstring>

__constant__ int table[32];
struct Pair { int a, b; };
__constant__ Pair pair;

__global__ void cast(int *out) {
    int *p = (int *)table;
    p[threadIdx.x] = out[0];  // want(cast) memory read-only source
}
__global__ void named(int *out) {
    table[threadIdx.x] = out[0];  // want(named) memory read-only source
}
__global__ void atomic(int *out) {
    atomicAdd(&table[out[0]], 1);  // want(atomic) memory read-only
}
__global__ void member(int *out) {
    pair.b = out[0];  // want(member) memory read-only source
}
__device__ __noinline__ void put(int *p, int v) { *p = v; }  // want(callee) memory read-only
__global__ void callee(int *out) { put(table + 3, out[0]); }
__global__ void reads(int *out) { out[threadIdx.x] = table[threadIdx.x]; }

int main(int, char **argv) {
    int *out, zero[32] = {};
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    cudaMalloc(&out, 128);
    cudaMemset(out, 0, 128);
    cudaMemcpyToSymbol(table, zero, 128);
    if (is("cast")) cast<<<1, 32>>>(out);
    if (is("named")) named<<<1, 32>>>(out);
    if (is("atomic")) atomic<<<1, 1>>>(out);
    if (is("member")) member<<<1, 1>>>(out);
    if (is("callee")) callee<<<1, 1>>>(out);
    if (is("reads")) reads<<<1, 32>>>(out);
    printf("%d\n", cudaDeviceSynchronize());
}
