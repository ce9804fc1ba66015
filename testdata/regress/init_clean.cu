// exit: 0
// What looks like a read of unwritten memory and is none.
#include <cstdio>
#include <cstring>

__device__ int counter;
__device__ float table[64];
__constant__ float weights[8] = {1};

struct Padded { char tag; int value; double weight; short tail; };

__global__ void variables(int *out) {
    atomicAdd(&counter, 1);
    out[threadIdx.x] = (int)(table[threadIdx.x] + weights[threadIdx.x % 8]);
}

__global__ void fill(Padded *p) {
    p[threadIdx.x].tag = 'x';
    p[threadIdx.x].value = threadIdx.x;
    p[threadIdx.x].weight = 1;
    p[threadIdx.x].tail = 2;
}

__global__ void copy(const Padded *in, Padded *out) {
    __shared__ Padded s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    Padded local = s[63 - threadIdx.x];
    out[threadIdx.x] = local;
}

// The last component is neither written nor used.
__global__ void three(float4 *p, float *out) {
    p[threadIdx.x].x = 1, p[threadIdx.x].y = 2, p[threadIdx.x].z = 3;
    float4 v = p[threadIdx.x];
    out[threadIdx.x] = v.x + v.y + v.z;
}

// Every element that is read was written, by another warp or an atomic.
__global__ void histogram(const int *key, int *out) {
    __shared__ int bins[64];
    bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[key[threadIdx.x] & 63], 1);
    __syncthreads();
    out[threadIdx.x] = bins[63 - threadIdx.x];
}

// Results through pointers, and a lock that is taken by an exchange.
__global__ void pointers(float *out, int *lock) {
    float s, c;
    sincosf(threadIdx.x, &s, &c);
    int e;
    float m = frexpf(s + c, &e);
    int old = atomicExch(&lock[threadIdx.x], 1);
    out[threadIdx.x] = m + e + 0 * old;
}

__global__ void managed(int *m, int *pinned) { m[threadIdx.x] += pinned[threadIdx.x]; }

__global__ void bytes(const char *in, char *out) {
    char tmp[16];
    memset(tmp, 0, sizeof tmp);
    memcpy(tmp, in + 16 * threadIdx.x, 16);
    for (int i = 0; i < 16; i++) out[16 * threadIdx.x + i] = tmp[i] + 1;
}

int main() {
    int *out, *key, *m, *pinned, *lock, host[1024] = {};
    float *f;
    float4 *v;
    Padded *a, *b;
    char *text, *text2;
    cudaMalloc(&out, 64 * sizeof *out), cudaMalloc(&key, 64 * sizeof *key), cudaMalloc(&f, 64 * sizeof *f);
    cudaMalloc(&v, 64 * sizeof *v), cudaMalloc(&a, 64 * sizeof *a), cudaMalloc(&b, 64 * sizeof *b);
    cudaMalloc(&lock, 64 * sizeof *lock), cudaMalloc(&text, 1024), cudaMalloc(&text2, 1024);
    cudaMallocManaged(&m, 64 * sizeof *m);
    cudaMallocHost(&pinned, 64 * sizeof *pinned);
    cudaMemcpy(key, host, 64 * sizeof *key, cudaMemcpyHostToDevice);
    cudaMemcpy2D(text, 16, host, 32, 16, 32, cudaMemcpyHostToDevice);
    cudaMemcpy(text + 512, text, 512, cudaMemcpyDeviceToDevice);
    variables<<<1, 64>>>(out);
    fill<<<1, 64>>>(a);
    copy<<<1, 64>>>(a, b);
    three<<<1, 64>>>(v, f);
    histogram<<<1, 64>>>(key, out);
    pointers<<<1, 64>>>(f, lock);
    managed<<<1, 64>>>(m, pinned);
    bytes<<<1, 64>>>(text, text2);
    if (cudaMemcpy(host, out, 64 * sizeof *out, cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
    cudaMemcpy(host, text2, 1024, cudaMemcpyDeviceToHost);
    cudaFree(out), cudaFree(key), cudaFree(f), cudaFree(v), cudaFree(a), cudaFree(b), cudaFree(lock), cudaFree(text), cudaFree(text2);
    cudaFree(m), cudaFreeHost(pinned);
    puts("PASS");
    return 0;
}
