// fix: fixed
// has: +    if (IN(i + 1) && i + 1 < n) s += in[i + 1];
// not: count_in
#include <cstdio>
#define IN(i) ((i) >= 0 && (i) <= n)
__global__ void blur(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = in[i];
    if (IN(i - 1)) s += in[i - 1];
    if (IN(i + 1)) s += in[i + 1];
    out[i] = s / 3;
  }
}
int main() {
  const int n = 1000; float h[n], *a, *b;
  for (int i = 0; i < n; i++) h[i] = i;
  cudaMalloc(&a, sizeof h); cudaMalloc(&b, sizeof h); cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  blur<<<(n + 127) / 128, 128>>>(a, b, n);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost); printf("%g\n", h[998]); cudaFree(a); cudaFree(b);
}
