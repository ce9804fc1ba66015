// Writes to constant memory and to __grid_constant__ parameters, which clang compiles and a GPU refuses.
// clean: reads grid_reads grid_copy by_value
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

struct Sizes { int a[4], n; };
__device__ __noinline__ void add(Sizes *s) { s->n++; }  // want(grid_callee) memory read-only
__device__ __noinline__ int sum(const Sizes *s, int i) { return s->a[i & 3] + s->n; }
__global__ void grid_callee(const __grid_constant__ Sizes s, int *out) {
    add(const_cast<Sizes *>(&s));
    out[0] = s.n;
}
__global__ void grid_member(__grid_constant__ const Sizes s, int *out) {
    const_cast<int *>(s.a)[out[0]] = 3;  // want(grid_member) memory read-only
    out[1] = s.a[1];
}
template <class T> __global__ void grid_number(int *out, const __grid_constant__ T n) {
    const_cast<T &>(n) += 1;  // want(grid_number) memory read-only source
    out[0] = n;
}
__global__ void grid_atomic(const __grid_constant__ Sizes s, int *out) {
    atomicAdd(const_cast<int *>(&s.n), out[0]);  // want(grid_atomic) memory read-only
}
__global__ void grid_assembly(const __grid_constant__ Sizes s) {
    asm volatile("st.b32 [%0], 1;" ::"l"(&s) : "memory");  // want(grid_assembly) memory read-only
}
// Its address is for reads, and is the same in all threads.
__global__ void grid_reads(const __grid_constant__ Sizes s, const __grid_constant__ bool twice, const __grid_constant__ double d, int *out) {
    __shared__ const Sizes *first;
    if (threadIdx.x == 0) first = &s;
    __syncthreads();
    out[threadIdx.x] = sum(first, threadIdx.x) + sum(&s, threadIdx.x) * (twice ? 2 : 1) + static_cast<int>(*&d);
    if (first != &s || !__isGridConstant(&s) || out[threadIdx.x] != 3 * (7 + threadIdx.x % 4) + 2) __trap();
}
__global__ void grid_copy(const __grid_constant__ Sizes s, int *out) {
    Sizes own = s;
    add(&own);
    out[threadIdx.x] = own.n;
}
// Without the attribute it is a thread's own.
__global__ void by_value(Sizes s, int *out) {
    add(&s);
    out[threadIdx.x] = s.n;
}

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
    const Sizes sizes = {{1, 2, 3, 4}, 6};
    if (is("grid_callee")) grid_callee<<<1, 1>>>(sizes, out);
    if (is("grid_member")) grid_member<<<1, 1>>>(sizes, out);
    if (is("grid_number")) grid_number<<<1, 1>>>(out, 3);
    if (is("grid_atomic")) grid_atomic<<<1, 1>>>(sizes, out);
    if (is("grid_assembly")) grid_assembly<<<1, 1>>>(sizes);
    if (is("grid_reads")) grid_reads<<<1, 32>>>(sizes, true, 2.5, out);
    if (is("grid_copy")) grid_copy<<<1, 32>>>(sizes, out);
    if (is("by_value")) by_value<<<1, 32>>>(sizes, out);
    printf("%d\n", cudaDeviceSynchronize());
}
