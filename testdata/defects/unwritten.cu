// Memory that were never written.
// clean: drawn updated copied_struct border atomics_zeroed constant_filled constant_set heap_written by_copy ballots padded_local
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <curand_kernel.h>

struct Padded { char tag; double value; short tail; };

__constant__ float empty[8];
__constant__ float filled[8];
__constant__ float set[8] = {1, 2, 3};

__global__ void increments(int *out) {
    __shared__ int s[64];
    s[threadIdx.x]++;  // want(increments) init shared
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
// The same after the elements are set.
__global__ void updated(int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = 0;
    s[threadIdx.x]++;
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
// Only one thread's element is not set, by one.
__global__ void one_short(int *out) {
    __shared__ int s[64];
    if (threadIdx.x < 63) s[threadIdx.x] = 0;
    __syncthreads();
    s[threadIdx.x] += 2;  // want(one_short) init shared
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void border(int *out) {
    __shared__ int s[66];
    s[threadIdx.x + 1] = threadIdx.x;
    if (threadIdx.x == 0) s[0] = s[65] = 0;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 2];
}
__global__ void no_border(int *out) {
    __shared__ int s[66];
    s[threadIdx.x + 1] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 2];  // want(no_border) init shared // want(no_border) init shared
}
__global__ void bins(int *out) {
    __shared__ int h[8];
    atomicAdd(&h[threadIdx.x % 8], 1);  // want(bins) init shared
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = h[threadIdx.x];
}
__global__ void atomics_zeroed(int *out) {
    __shared__ int h[8];
    if (threadIdx.x < 8) h[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&h[threadIdx.x % 8], 1);
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = h[threadIdx.x];
}
__global__ void fill(Padded *p) {
    p[threadIdx.x].tag = 1;
    p[threadIdx.x].value = 2;
    p[threadIdx.x].tail = 3;
}
__global__ void copy(const Padded *p, Padded *q) { q[threadIdx.x] = p[63 - threadIdx.x]; }
__global__ void padded_local(int *out) {
    Padded p[2];
    for (int i = 0; i < 2; i++) { p[i].tag = 1; p[i].value = i; p[i].tail = 3; }
    Padded q = p[out[threadIdx.x] & 1];
    out[threadIdx.x] = (int)q.value + q.tag + q.tail;
}
__global__ void local_gap(int *out, int n) {
    int a[8];
    for (int i = 0; i < 8; i++)
        if (i != 5) a[i] = i;
    out[threadIdx.x] = a[n] + 1;  // want(local_gap) init local
}
__global__ void sum(const int *in, int *out) {
    out[threadIdx.x] = in[threadIdx.x] + 1;  // want(never_filled) init global
}
__global__ void use_empty(float *out) {
    out[threadIdx.x] = empty[threadIdx.x % 8];  // want(constant_empty) init constant warning
}
__global__ void use_filled(float *out) { out[threadIdx.x] = filled[threadIdx.x % 8] + set[7 - threadIdx.x % 8]; }
__global__ void half_filled(float *out) {
    out[threadIdx.x] = filled[threadIdx.x % 8];  // want(constant_half) init constant warning
}
__global__ void heap(int *out, int n) {
    int *p = (int *)malloc(4 * sizeof(int));
    for (int i = 0; i < n; i++) p[i] = i;
    out[threadIdx.x] = p[3] + 1;  // want(heap_gap) init global
    free(p);
}
__global__ void ballots(int *out) {
    __shared__ unsigned w[2];
    unsigned b = __ballot_sync(0xffffffffu, threadIdx.x & 1);
    if (threadIdx.x % 32 == 0) w[threadIdx.x / 32] = b;
    __syncthreads();
    out[threadIdx.x] = w[threadIdx.x / 32];
}
// Nothing but the members before the padding changes: it travels along with all
// that comes after it, in pieces that the compiler chooses.
__global__ void draw(curandState *s, float *out, int n) {
    curandState mine = s[threadIdx.x];
    float sum = 0;
    for (int i = 0; i < n; i++) sum += curand_normal(&mine);
    s[threadIdx.x] = mine;
    out[threadIdx.x] = sum;
}
__global__ void seed(curandState *s) { curand_init(1, threadIdx.x, 0, &s[threadIdx.x]); }
__global__ void front(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}

int main(int, char **argv) {
    const char *c = argv[1];
    int *a, *b, host[64] = {};
    Padded *p, *q;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMalloc(&p, 64 * sizeof *p);
    cudaMalloc(&q, 64 * sizeof *p);
    cudaMemset(b, 0, sizeof host);
#define CASE(k, ...) if (!strcmp(c, #k)) k<<<1, 64>>>(__VA_ARGS__)
    CASE(increments, b); CASE(updated, b); CASE(one_short, b); CASE(border, b); CASE(no_border, b); CASE(bins, b);
    CASE(atomics_zeroed, b); CASE(padded_local, b); CASE(local_gap, b, 5); CASE(ballots, b);
    if (!strcmp(c, "copied_struct")) { fill<<<1, 64>>>(p); copy<<<1, 64>>>(p, q); }
    if (!strcmp(c, "never_filled")) sum<<<1, 64>>>(a, b);
    if (!strcmp(c, "by_copy")) { cudaMemcpy(a, b, sizeof host, cudaMemcpyDeviceToDevice); sum<<<1, 64>>>(a, b); }
    if (!strcmp(c, "constant_empty")) use_empty<<<1, 64>>>((float *)b);
    if (!strcmp(c, "constant_filled")) {
        float w[8] = {};
        cudaMemcpyToSymbol(filled, w, sizeof w);
        use_filled<<<1, 64>>>((float *)b);
    }
    if (!strcmp(c, "constant_set")) {
        void *at;
        cudaGetSymbolAddress(&at, filled);
        cudaMemset(at, 0, 8 * sizeof(float));
        use_filled<<<1, 64>>>((float *)b);
    }
    if (!strcmp(c, "constant_half")) {
        float w[4] = {};
        cudaMemcpyToSymbol(filled, w, sizeof w);
        half_filled<<<1, 64>>>((float *)b);
    }
    if (!strcmp(c, "heap_gap")) heap<<<1, 64>>>(b, 3);
    if (!strcmp(c, "heap_written")) heap<<<1, 64>>>(b, 4);
    if (!strcmp(c, "drawn")) {
        curandState *random;
        cudaMalloc(&random, 64 * sizeof *random);
        seed<<<1, 64>>>(random);
        draw<<<1, 64>>>(random, (float *)b, 20);
        cudaFree(random);
    }
    if (!strcmp(c, "partly")) {
        front<<<2, 24>>>(a, 64);
        cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);  // want(partly) init copied warning
    }
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(a); cudaFree(b); cudaFree(p); cudaFree(q);
    return bad;
}
