// Two branches write one element: no barrier makes that right. Where one branch reads what the other writes, one that counts both does.
#include <cstdio>
__global__ void either(int *o) {
    __shared__ int s;
    int t = threadIdx.x;
    if (t == 0)
        s = 1;
    else if (t == 32)
        s = 2; // help: write the element in one of the two branches, or give each its own // not: use a barrier
    __syncthreads();
    o[t] = s;
}
__global__ void handed(int *o) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32)
        s[t] = t;
    else
        o[t] = s[t - 32]; // help: so that all execute first line 17, then __syncthreads(), then line 19; or use a barrier that counts those that take part
}
int main() {
    int *o;
    cudaMalloc(&o, 256);
    either<<<1, 64>>>(o);
    handed<<<1, 64>>>(o);
    printf("%d\n", cudaDeviceSynchronize());
    cudaFree(o);
}
