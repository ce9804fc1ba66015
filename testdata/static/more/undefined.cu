// Undefined behavior that clang sees. What LLVM makes of it has no accesses left.
#include <cuda_runtime.h>

#define LAST(a) a[4]

int onHost(int n) { // another compiler's business
    int a[4] = {n};
    return a[4];
}

__device__ int *local() {
    int x = 3;
    return &x; // want undefined return-stack-address
}

__device__ int falls(int a) {
    if (a) return 1;
} // want undefined return-type possible

template <int N> __device__ int unrolled(int *q) {
    int a[N];
    a[0] = q[0];
    if (N > 4) return a[N > 4 ? 4 : 0];
    return LAST(a); // want undefined array-bounds
}

template <class T> __device__ T twice(T v) {
    T r[2] = {v, v};
    return r[2]; // want undefined array-bounds
}

__global__ void nothingLeft(int *q) {
    int a[4] = {1, 2, 3, 4};
    q[0] = a[4]; // want undefined array-bounds
}

__global__ void inShared(int *q) {
    __shared__ int s[8];
    s[8] = 1; // want memory out-of-bounds
    q[0] = s[7];
}

__global__ void numbers(int *q, int n) {
    q[0] = n << 33;             // want undefined shift-count-overflow
    q[1] = n >> -1;             // want undefined shift-count-negative
    q[2] = n / 0;               // want undefined division-by-zero
    q[3] = n << 31;
    if (sizeof(int) > 4) q[4] = n << 32;
    if (n < 0) *(int *)0 = 3;   // want undefined null-dereference
    q[5] = n++ + ++n;           // want undefined unsequenced
    q[6] = unrolled<4>(q) + unrolled<8>(q) + twice(n) + (int)twice(2.f) + *local() + falls(n);
}

__global__ void unset(int *q, int n) {
    int x;
    q[0] = x; // want undefined uninitialized
    int y;
    if (n) y = 1; // want undefined sometimes-uninitialized possible
    q[1] = y;
    int z = 0;
    if (n) z = 1;
    q[2] = z;
    int p;
    if (threadIdx.x == 0) p = n;
    q[3] = __shfl_sync(~0u, p, 0); // the lanes that lack it need it not
    char b[8];
    memset(b, 0, 9); // want memory out-of-bounds
    q[4] = b[0];
}

int main() {
    nothingLeft<<<1, 1>>>(nullptr);
    inShared<<<1, 1>>>(nullptr);
    numbers<<<1, 1>>>(nullptr, 1);
    unset<<<1, 1>>>(nullptr, 1);
    return onHost(0);
}
