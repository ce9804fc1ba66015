// Elements of which a part was never written: what is computed or copied from them is as
// uninitialized as from elements that were not written at all. Padding of structures is not.
// clean: whole padded handed_on masked
#include <cstdio>
#include <cstdlib>
#include <cstring>

const int n = 100;

struct Pair {
    char c;
    int i;
};

__global__ void twice(const int *a, int *b) {
    int t = threadIdx.x;
    if (t < n) b[t] = a[t] * 2;
}

__global__ void plain(const int *a, int *b) {
    int t = threadIdx.x;
    if (t < n) b[t] = a[t];
}

__global__ void add(const int *a, int *b) {
    int t = threadIdx.x;
    if (t < n) b[t] = a[t] + 1;  // want(summed) init global
}

__global__ void low(const int *a, int *b) {
    int t = threadIdx.x;
    if (t < n) b[t] = a[t] & 0xff;
}

__global__ void over_shared(const int *a, int *b) {
    __shared__ int s[n];
    int t = threadIdx.x;
    if (t < n) s[t] = a[t];
    __syncthreads();
    if (t < n) b[n - 1 - t] = s[t];
}

__global__ void bytes(char *a, int count) {
    for (int i = threadIdx.x; i < count; i += blockDim.x) a[i] = 1;
}

__global__ void set_pairs(Pair *p) {
    int t = threadIdx.x;
    if (t < n / 2) p[t].c = 'x', p[t].i = t;
}

__global__ void copy_pairs(const Pair *p, Pair *q) {
    int t = threadIdx.x;
    if (t < n / 2) q[t] = p[t];
}

int main(int, char **argv) {
    const char *c = argv[1];
    int *a, *b, *mid, h[n];
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMalloc(&mid, sizeof h);
    bool fill = strcmp(c, "padded") && strcmp(c, "handed_on") && strcmp(c, "by_bytes");
    if (fill) cudaMemset(a, 0, sizeof h - (strcmp(c, "whole") ? 1 : 0));
    if (!strcmp(c, "whole") || !strcmp(c, "doubled")) twice<<<1, 128>>>(a, b);
    if (!strcmp(c, "copied")) plain<<<1, 128>>>(a, b);
    if (!strcmp(c, "summed")) add<<<1, 128>>>(a, b);
    if (!strcmp(c, "masked")) low<<<1, 128>>>(a, b);
    if (!strcmp(c, "shared")) over_shared<<<1, 128>>>(a, b);
    if (!strcmp(c, "by_bytes")) {
        bytes<<<1, 128>>>((char *)a, sizeof h - 1);
        twice<<<1, 128>>>(a, b);
    }
    if (!strcmp(c, "padded") || !strcmp(c, "handed_on")) {
        set_pairs<<<1, 64>>>((Pair *)a);
        if (!strcmp(c, "handed_on")) cudaMemcpy(mid, a, sizeof h, cudaMemcpyDeviceToDevice);
        copy_pairs<<<1, 64>>>((Pair *)(strcmp(c, "padded") ? mid : a), (Pair *)b);
    }
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);  // want(doubled) init copied warning // want(copied) init copied warning // want(shared) init copied warning // want(by_bytes) init copied warning
    printf("%d\n", h[0]);
    cudaFree(a), cudaFree(b), cudaFree(mid);
    return 0;
}
