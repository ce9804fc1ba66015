// Buffers that are swapped: which object a pointer means follows its value.
// clean: two_arrays selected in_local helper shared_arrays shared_global bumped loaded_index allocations members differs
#include <cstdio>
#include <cstring>
#define N 64

__device__ float cur[N], other[N];

__device__ void smooth(float *dst, const float *src, int i, int n) {
    if (i > 0 && i < n - 1) dst[i] = (src[i - 1] + src[i + 1]) / 2;
}
__device__ __noinline__ void smooth_call(float *dst, const float *src, int i, int n) { smooth(dst, src, i, n); }

#define SWAP(a, b) { float *t = a; a = b; b = t; }
#define STEPS(f) for (int k = 0; k < steps; k++) { f(dst, src, (int)threadIdx.x, n); __syncthreads(); SWAP(src, dst) }

__global__ void swapped(float *values, int n, int steps) {
    float *src = values, *dst = other;
    STEPS(smooth)
    if (steps % 2 == 1) values[threadIdx.x] = src[threadIdx.x];
}
__global__ void called(float *values, int n, int steps) {
    float *src = values, *dst = other;
    STEPS(smooth_call)
}
__global__ void parameters(float *x, float *y, int n, int steps) {
    float *src = x, *dst = y;
    STEPS(smooth)
}
__global__ void selected(float *values, int n, int steps) {
    for (int k = 0; k < steps; k++) {
        smooth(k & 1 ? values : other, k & 1 ? other : values, threadIdx.x, n);
        __syncthreads();
    }
}
__global__ void in_local(float *values, int n, int steps) {
    float *b[2] = {values, other};
    for (int k = 0; k < steps; k++) {
        smooth(b[~k & 1], b[k & 1], threadIdx.x, n);
        __syncthreads();
    }
}
__global__ void shared_arrays(float *values, int n, int steps) {
    __shared__ float a[N], between[7], b[N];
    a[threadIdx.x] = values[threadIdx.x];
    b[threadIdx.x] = 0;
    if (threadIdx.x < 7) between[threadIdx.x] = 0;
    float *src = a, *dst = b;
    __syncthreads();
    STEPS(smooth)
    values[threadIdx.x] = src[threadIdx.x] + between[threadIdx.x % 7];
}
__global__ void shared_global(float *values, int n, int steps) {
    __shared__ float a[N];
    a[threadIdx.x] = 0;
    float *src = values, *dst = a;
    __syncthreads();
    STEPS(smooth)
}
__global__ void bumped(float *values, int n, int steps) {
    float *src = values, *dst = other, s = 0;
    for (int k = 0; k < steps; k++) {
        float *p = src;
        for (int j = 0; j < n; j++) s += *p++;
        SWAP(src, dst)
    }
    if (s < 0) *values = s;
}
__global__ void loaded_index(float *values, const long *at, int steps) {
    float *src = values, *dst = other;
    for (int k = 0; k < steps; k++) {
        dst[at[threadIdx.x]] = src[at[threadIdx.x]];
        __syncthreads();
        SWAP(src, dst)
    }
}
struct Pair { float *p[2]; };
__global__ void members(Pair t, int n, int steps) {
    for (int k = 0; k < steps; k++) {
        smooth(t.p[~k & 1], t.p[k & 1], threadIdx.x, n);
        __syncthreads();
    }
}
__global__ void differs(float *values) {
    long d = other - values;
    values[threadIdx.x + d] = values[threadIdx.x];
}
// One past the swapped buffers hits a third one.
__global__ void beyond(float *values, int n, int steps) {
    float *src = values, *dst = other;
    for (int k = 0; k < steps; k++) {
        dst[(int)threadIdx.x * n] = 1;  // want(beyond) memory out-of-bounds
        __syncthreads();
        SWAP(src, dst)
    }
}

int main(int, char **argv) {
    const char *c = argv[1];
    float *in, *unit, *x, *y, h[N];
    long *at, places[N];
    for (int i = 0; i < N; i++) { h[i] = i; places[i] = i; }
    cudaMalloc(&x, sizeof h); cudaMalloc(&y, sizeof h); cudaMalloc(&at, sizeof places);
    cudaGetSymbolAddress((void **)&in, cur);
    cudaGetSymbolAddress((void **)&unit, other);
    float *all[] = {in, unit, x, y};
    for (float *d : all) cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(at, places, sizeof places, cudaMemcpyHostToDevice);
    for (float *d : {in, x}) {
        if (!strcmp(c, "two_arrays")) swapped<<<1, N>>>(d, N, 5);
        if (!strcmp(c, "selected")) selected<<<1, N>>>(d, N, 4);
        if (!strcmp(c, "in_local")) in_local<<<1, N>>>(d, N, 4);
        if (!strcmp(c, "helper")) called<<<1, N>>>(d, N, 4);
        if (!strcmp(c, "shared_arrays")) shared_arrays<<<1, N>>>(d, N, 4);
        if (!strcmp(c, "shared_global")) shared_global<<<1, N>>>(d, N, 4);
        if (!strcmp(c, "bumped")) bumped<<<1, N>>>(d, N, 4);
        if (!strcmp(c, "loaded_index")) loaded_index<<<1, N>>>(d, at, 4);
        if (!strcmp(c, "differs")) differs<<<1, N>>>(d);
    }
    if (!strcmp(c, "allocations")) parameters<<<1, N>>>(x, y, N, 5);
    if (!strcmp(c, "members")) members<<<1, N>>>(Pair{{x, unit}}, N, 4);
    if (!strcmp(c, "beyond")) beyond<<<1, 2>>>(x, (float *)at - unit, 1);
    return cudaDeviceSynchronize();
}
