// fix: fixed
// has: +    out[i] = ((i ^ 1) < n ? in[(i ^ 1)] : 0);
// A guard has the parentheses that its condition needs, and no others.
#include <cstdio>
__global__ void swap(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = in[(i ^ 1)];
}
int main() {
    const int n = 33;
    int h[n], *in, *out;
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    swap<<<2, 32>>>(in, out, n);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[7]);
    cudaFree(in);
    cudaFree(out);
}
