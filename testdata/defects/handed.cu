// What a parent hands to a child grid.
// clean: global heap value
#include <cstdio>
#include <cstring>

struct Work { int n; int *data; };

__device__ int table[32];
__global__ void child(int *p, int *out) { if (out[0] == 12345) out[1] = p[0]; }
__global__ void childOf(Work w, int *out) { if (out[0] == 12345) out[1] = w.data[w.n]; }
__global__ void plain(long v, int *out) { out[0] = (int)v; }

__global__ void parent(int how, int *out) {
    __shared__ int s[32];
    int local[4];
    for (int i = 0; i < 4; i++) local[i] = out[i];
    s[threadIdx.x] = local[threadIdx.x & 3];
    __syncthreads();
    if (threadIdx.x) return;
    if (how == 0) child<<<1, 1>>>(s, out);  // want(shared) launch argument
    if (how == 1) child<<<1, 1>>>(local + 1, out);  // want(local) launch argument
    if (how == 2) childOf<<<1, 1>>>(Work{1, s + 2}, out);  // want(member) launch argument
    if (how == 3) child<<<1, 1>>>(table, out);
    if (how == 4) {
        int *p = (int *)malloc(16);
        p[0] = 1;
        child<<<1, 1>>>(p, out);
    }
    if (how == 5) plain<<<1, 1>>>(s[1] + local[1], out);
}

int main(int, char **argv) {
    const char *names[] = {"shared", "local", "member", "global", "heap", "value"};
    int how = 0, *out;
    for (int i = 0; i < 6; i++)
        if (!strcmp(argv[1], names[i])) how = i;
    cudaMalloc(&out, 128);
    cudaMemset(out, 0, 128);
    parent<<<1, 32>>>(how, out);
    printf("%d\n", cudaDeviceSynchronize());
}
