// Indices beyond local arrays, members of structures and rows.
#include <cuda_runtime.h>

struct S {
    int a[4];
    int b[4];
    int c;
};

__device__ S inGlobal;

__global__ void member(S *p) {
    p->a[threadIdx.x] = 1; // want memory out-of-bounds
    if (threadIdx.x < 4) p[1].b[threadIdx.x] = 2;
}

__global__ void members(S *p) {
    for (int i = 0; i <= 4; i++) p[threadIdx.x].a[i] = i; // want memory out-of-bounds, coalesce uncoalesced, drano
    for (int i = 0; i < 4; i++) p[threadIdx.x].b[i] = i; // want coalesce uncoalesced, drano
    inGlobal.b[threadIdx.x % 4] = 1; // want race write-write, drano
}

__global__ void rows(int *q) {
    __shared__ int m[4][4];
    m[1][threadIdx.x] = 1; // want memory out-of-bounds
    __syncthreads();
    q[threadIdx.x] = m[threadIdx.x & 3][threadIdx.x >> 2];
}

__global__ void shared(int *q) {
    __shared__ S s;
    s.b[(int)threadIdx.x - 4] = 1; // want memory out-of-bounds

    __syncthreads();
    q[threadIdx.x] = s.a[threadIdx.x & 3] + s.b[threadIdx.x & 3];
}

__device__ int last(const int *w, int n) {
    int v[6];
    for (int i = 0; i < n; i++) v[i] = w[i]; // want memory out-of-bounds
    return v[n - 2];
}

__global__ void local(int *q, const int *w) {
    int v[8], u[8];
    for (int i = 0; i < 8; i++) v[i] = w[i], u[i] = w[8 + i];
    q[threadIdx.x] = v[threadIdx.x] + u[threadIdx.x + 1] // want memory out-of-bounds
        + last(w, 7) + v[7 - threadIdx.x];
}

__global__ void unrolled(S *p) {
#pragma unroll
    for (int i = 0; i < 6; i++) p[threadIdx.x].a[i] = i; // want memory out-of-bounds, coalesce uncoalesced, drano
}

__global__ void byData(S *p, const int *w) {
    p[threadIdx.x].a[w[threadIdx.x]] = 1; // want coalesce uncoalesced possible, drano
}

// Objects that others get the address of lie beside each other.
struct Handle {
    long v;
    __device__ long get() const { return v; }
};
__device__ __noinline__ void touch(void *p) { *(volatile int *)p = 1; }
__global__ void neighbors(int *q, int t) {
    Handle s{t}, u{t + 1};
    dim3 d(t, 2, 3);
    int a[2] = {1, 2};
    touch(&s), touch(&u), touch(&d), touch(a);
    a[t & 1] = 2;
    q[threadIdx.x] = s.get() + u.get() + d.y + a[t & 1];
    a[t & 3] = 1; // want memory out-of-bounds
    touch(a);
}

int main() {
    S *p;
    int *q;
    cudaMalloc(&p, 4096), cudaMalloc(&q, 4096);
    member<<<1, 8>>>(p);
    members<<<1, 8>>>(p);
    rows<<<1, 8>>>(q);
    shared<<<1, 8>>>(q);
    local<<<1, 8>>>(q, q + 64);
    unrolled<<<1, 8>>>(p);
    byData<<<1, 8>>>(p, q);
    neighbors<<<1, 8>>>(q, 2);
    return cudaDeviceSynchronize();
}
