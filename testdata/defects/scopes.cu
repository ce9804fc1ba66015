// Pointers to local variables that are used after the variables' scope has ended.
// clean: within next_iteration stored_within outer array_of_pointers skipped reference called_within
#include <cstring>

struct View {
    int *data;
    int size;
};

__device__ __noinline__ int sum(const View &v) {
    int s = 0;
    for (int i = 0; i < v.size; i++) s += v.data[i];
    return s;
}

__device__ __noinline__ int at(int *const *rows, int r, int i) { return rows[r][i]; }

__global__ void loop(int *out, int n) {
    int *p = nullptr;
    for (int i = 0; i < 3; i++) {
        int x[4];
        for (int j = 0; j < 4; j++) x[j] = i + j;
        p = x;
    }
    out[threadIdx.x] = p[out[threadIdx.x] & 3];  // want(loop) memory after-scope
}

__global__ void branch(int *out, int n) {
    int other = 1;
    int *p = &other;
    if (threadIdx.x < n) {
        int x = threadIdx.x;
        p = &x;
    }
    out[threadIdx.x] = *p;  // want(branch) memory after-scope
}

__global__ void written(int *out, int n) {
    int *p;
    {
        int x[8];
        for (int j = 0; j < 8; j++) x[j] = j + n;
        out[threadIdx.x] = x[n & 7];
        p = x;
    }
    p[n & 7] = 3;  // want(written) memory after-scope
}

// The array of the iteration before is the same memory, but has ended.
__global__ void iteration_before(int *out, int n) {
    int *before = nullptr;
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (before) s += before[i & 3];  // want(iteration_before) memory after-scope
        int x[4];
        for (int j = 0; j < 4; j++) x[j] = i * j;
        before = x;
    }
    out[threadIdx.x] = s;
}

__device__ __noinline__ int twice(const View &v) {
    return 2 * v.data[v.size - 1];  // want(in_call) memory after-scope
}

__global__ void in_call(int *out, int n) {
    View v;
    for (int i = 0; i < n; i++) {
        int x[4];
        for (int j = 0; j < 4; j++) x[j] = j + i;
        v.data = x;
        v.size = 1 + (n & 3);
    }
    out[threadIdx.x] = twice(v);
}

__global__ void within(int *out, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        int x[4];
        for (int j = 0; j < 4; j++) x[j] = i + j;
        int *p = x + 1;
        s += p[n & 1];
    }
    out[threadIdx.x] = s;
}

// The pointer outlives the array, but is set anew before it is used.
__global__ void next_iteration(int *out, int n) {
    int *p = nullptr;
    int s = 0;
    for (int i = 0; i < n; i++) {
        int x[4];
        for (int j = 0; j < 4; j++) x[j] = i + j;
        p = x;
        s += p[i & 3];
    }
    out[threadIdx.x] = s + (p == nullptr);
}

__global__ void stored_within(int *out, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        int x[4];
        for (int j = 0; j < 4; j++) x[j] = i + j;
        View v = {x, 4};
        s += sum(v);
    }
    out[threadIdx.x] = s;
}

__global__ void outer(int *out, int n) {
    int x[4] = {1, 2, 3, 4}, *p = nullptr;
    for (int i = 0; i < n; i++) p = &x[i & 3];
    {
        int y[4] = {n, n, n, n};
        out[threadIdx.x] = y[n & 3];
    }
    out[threadIdx.x] += *p;
}

__global__ void array_of_pointers(int *out, int n) {
    int a[2] = {n, 1}, b[2] = {2, n};
    for (int i = 0; i < n; i++) {
        int c[2] = {i, 3};
        int *rows[3] = {a, b, c};
        out[threadIdx.x] += at(rows, i % 3, i & 1);
    }
    out[threadIdx.x] += a[n & 1] + b[n & 1];
}

// Lanes whose scope has ended do not use the pointer.
__global__ void skipped(int *out, int n) {
    int other[2] = {n, n + 1};
    int *p = other;
    if (threadIdx.x & 1) {
        int x[2] = {n, n - 1};
        p = x;
        out[threadIdx.x] = p[n & 1];
    }
    if (!(threadIdx.x & 1)) out[threadIdx.x] = p[n & 1];
}

__device__ const int &larger(const int &a, const int &b) { return a < b ? b : a; }

__global__ void reference(int *out, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += larger(larger(i, 2), n - i);
    out[threadIdx.x] = s;
}

__device__ __noinline__ int called(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        int x[4];
        for (int j = 0; j < 4; j++) x[j] = i + j;
        View v = {x, 4};
        s += sum(v);
    }
    return s;
}

__global__ void called_within(int *out, int n) { out[threadIdx.x] = called(n) + called(n + 1); }

int main(int, char **argv) {
    const char *c = argv[1];
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMemset(out, 0, 32 * sizeof *out);
#define CASE(k) if (!strcmp(c, #k)) k<<<1, 32>>>(out, 3)
    CASE(loop); CASE(branch); CASE(written); CASE(iteration_before); CASE(in_call);
    CASE(within); CASE(next_iteration); CASE(stored_within); CASE(outer); CASE(array_of_pointers); CASE(skipped);
    CASE(reference); CASE(called_within);
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(out);
    return bad;
}
