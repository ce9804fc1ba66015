// Lanes that were apart for long continue together, and lanes that wait for others of their
// warp are not kept from running.
// clean: lock handshake
// flags: --tool default,bank
#include <cstdio>
#include <cstdlib>
#include <cstring>

// Half of the warp computes for long; then all lanes read one bank.
__global__ void stretch(int *out, int n) {
    __shared__ int s[1024];
    int t = threadIdx.x, v = 0;
    for (int i = t; i < 1024; i += 32) s[i] = i;
    __syncthreads();
    if (t < 16)
        for (int i = 0; i < n; i++) v += s[i & 1023];
    for (int i = 0; i < 32; i++) v += s[t * 32 + i];    // want(short) bank 32-way warning // want(long) bank 32-way warning // want(longer) bank 32-way warning
    out[t] = v;
}
// The same with a loop that ends by what it reads, and barriers after it.
__global__ void search(const int *next, int *out) {
    __shared__ int s[1024];
    int t = threadIdx.x, v = 0, at = 0;
    for (int i = t; i < 1024; i += 32) s[i] = i;
    __syncthreads();
    if (t < 16)
        while (next[at] != 0) at = next[at];
    __syncthreads();
    for (int i = 0; i < 32; i++) v += s[t * 32 + i];    // want(search) bank 32-way warning
    out[t] = v + at;
}
// Lanes of a warp hand a lock to each other and then reach a barrier.
__global__ void locked(int *lock, volatile int *sum, int *out) {
    __shared__ int s[1024];
    int t = threadIdx.x, v = 0;
    for (int i = t; i < 1024; i += 32) s[i] = i;
    __syncthreads();
    for (bool done = false; !done;)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *sum = *sum + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    __syncthreads();
    for (int i = 0; i < 32; i++) v += s[t * 32 + i];    // want(after_lock) bank 32-way warning
    out[t] = v;
}
__global__ void lock(int *l, volatile int *sum) {
    for (bool done = false; !done;)
        if (atomicCAS(l, 0, 1) == 0) {
            __threadfence();
            *sum = *sum + 1;
            __threadfence();
            atomicExch(l, 0);
            done = true;
        }
}
// Lane 1 sets after the branch what lane 0 waits for in it.
__global__ void handshake(int *flag, int *out) {
    int n = 0;
    if (threadIdx.x == 0)
        while (atomicAdd(flag, 0) == 0) n++;
    if (threadIdx.x == 1) atomicExch(flag, 1);
    out[threadIdx.x] = n > 0;
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    auto is = [&](const char *s) { return strcmp(name, s) == 0; };
    int *a, *b, *c;
    const int n = 200000;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, 1024 * sizeof(int));
    cudaMalloc(&c, 1024 * sizeof(int));
    cudaMemset(a, 0, n * sizeof(int));
    cudaMemset(c, 0, 1024 * sizeof(int));
    if (is("short")) stretch<<<1, 32>>>(b, 100);
    if (is("long")) stretch<<<1, 32>>>(b, 10000);
    if (is("longer")) stretch<<<1, 32>>>(b, 30000);
    if (is("search")) {
        int *h = (int *)malloc(n * sizeof(int));
        for (int i = 0; i < n; i++) h[i] = i + 1 < n ? i + 1 : 0;
        cudaMemcpy(a, h, n * sizeof(int), cudaMemcpyHostToDevice);
        free(h);
        search<<<1, 32>>>(a, b);
    }
    if (is("after_lock")) locked<<<1, 32>>>(a, c, b);
    if (is("lock")) lock<<<1, 32>>>(a, c);
    if (is("handshake")) handshake<<<1, 32>>>(a, b);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return 0;
}
