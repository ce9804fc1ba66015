// Pointers to local variables that are used after their function has returned.
// clean: passed_down kept_alive by_value recursive_down stored_meanwhile called_again
#include <cstdio>
#include <cstring>

struct View {
    int *data;
    int size;
};

__device__ View *current[32];

__device__ __noinline__ int *first(int v) {
    int x[4];
    for (int i = 0; i < 4; i++) x[i] = v + i;
    int *volatile p = x;
    return p;
}

__device__ __noinline__ View view(int v) {
    int x[2] = {v, v + 1};
    View w = {x, 2};
    return w;
}

__device__ __noinline__ void keep(View *out, int v) {
    int held[2] = {v, v + 1};
    out->data = held;
    out->size = 2;
}

__device__ __noinline__ int sum(const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}

__device__ __noinline__ int sum_of(View *v) { return sum(v->data, v->size); }

__device__ __noinline__ void set(int *p, int v) { *p = v; }

__device__ __noinline__ int *deep(int n, int *from) {
    int mine = n;
    if (n == 0) return from;
    int *p = deep(n - 1, n == 2 ? &mine : from);
    return p;
}

__device__ __noinline__ int chain(int n, const int *from) {
    int mine = n + (from ? *from : 0);
    return n == 0 ? mine : chain(n - 1, &mine);
}

__global__ void returned(int *out) {
    int *p = first(threadIdx.x);
    out[threadIdx.x] = p[1];  // want(returned) memory after-return
}

__global__ void in_structure(int *out) {
    View w = view(threadIdx.x);
    out[threadIdx.x] = w.data[1];  // want(in_structure) memory after-return
}

__global__ void through_pointer(int *out) {
    View w;
    keep(&w, threadIdx.x);
    out[threadIdx.x] = w.data[0];  // want(through_pointer) memory after-return
}

__global__ void written(int *out) {
    int *p = first(threadIdx.x);
    *p = 3;  // want(written) memory after-return
    out[threadIdx.x] = 1;
}

__global__ void recursive(int *out) {
    int *p = deep(4, nullptr);
    out[threadIdx.x] = *p;  // want(recursive) memory after-return
}

__global__ void passed_down(int *out) {
    int x[4];
    for (int i = 0; i < 4; i++) set(&x[i], i);
    out[threadIdx.x] = sum(x, 4);
}

__global__ void kept_alive(int *out) {
    int x[4] = {1, 2, 3, (int)threadIdx.x};
    View v = {x, 4};
    current[threadIdx.x] = &v;
    out[threadIdx.x] = sum_of(current[threadIdx.x]);
}

__global__ void by_value(int *out) { out[threadIdx.x] = first(threadIdx.x) != nullptr; }

__global__ void recursive_down(int *out) { out[threadIdx.x] = chain(5, nullptr); }

__device__ __noinline__ int lends(int v) {
    int x[2] = {v, v + 1};
    View w = {x, 2};
    current[threadIdx.x] = &w;
    return sum_of(current[threadIdx.x]);
}

__global__ void stored_meanwhile(int *out) { out[threadIdx.x] = lends(threadIdx.x); }

__global__ void called_again(int *out) {
    int s = 0;
    for (int i = 0; i < 3; i++) s += lends(i);
    out[threadIdx.x] = s;
}

int main(int, char **argv) {
    const char *c = argv[1];
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
#define CASE(k) if (!strcmp(c, #k)) k<<<1, 32>>>(out)
    CASE(returned); CASE(in_structure); CASE(through_pointer); CASE(written); CASE(recursive);
    CASE(passed_down); CASE(kept_alive); CASE(by_value); CASE(recursive_down); CASE(stored_meanwhile); CASE(called_again);
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(out);
    return bad;
}
