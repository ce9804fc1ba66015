// Structures with padding are returned by value, and passed by value, to functions that are not inlined: their bytes
// come apart and together again, and padding beside a member says nothing about that member.
// clean: padding argument half
#include <cstring>
#include <cuda_runtime.h>

template <class A, class B> struct Pair {
    A first;
    B second;
    __device__ Pair() {}
    __device__ Pair(const A& a, const B& b) : first(a), second(b) {}
};
using Found = Pair<int*, bool>;
using Narrow = Pair<char, short>;

__device__ __noinline__ Found find(int* p, int key) {
    bool is = *p == key;
    return is ? Found(p, true) : Found(p, false);
}
__global__ void padding(int* out, int* p) {
    Found f = find(p, 1);
    *out = f.second ? 1 : 0;
}

__device__ __noinline__ int sum(Found f, Narrow n) { return f.second + n.second + n.first + *f.first; }
__global__ void argument(int* out, int* p) { *out = sum(Found(p, *p == 1), Narrow(char(*p), short(*p + 1))); }

__device__ __noinline__ Narrow part(int* p, bool both) {
    Narrow n;
    n.first = char(*p);
    if (both) n.second = short(*p);
    return n;  // want(other) init local source
}
__global__ void half(int* out, int* p) { *out = part(p, *p == 1).first; }
__global__ void other(int* out, int* p) { *out = part(p, *p == 1).second + 1; }

int main(int argc, char** argv) {
    int* d;
    cudaMalloc(&d, 2 * sizeof(int));
    cudaMemset(d, 0, 2 * sizeof(int));
    auto is = [&](const char* name) { return argc > 1 && !strcmp(argv[1], name); };
    if (is("padding")) padding<<<1, 1>>>(d, d + 1);
    if (is("argument")) argument<<<1, 1>>>(d, d + 1);
    if (is("half")) half<<<1, 1>>>(d, d + 1);
    if (is("other")) other<<<1, 1>>>(d, d + 1);
    return cudaDeviceSynchronize();
}
