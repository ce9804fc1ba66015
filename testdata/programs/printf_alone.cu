// printf needs no header, on either side.
__global__ void kernel(int *out) {
  if (threadIdx.x == 3) printf("thread %d\n", threadIdx.x);
  out[threadIdx.x] = threadIdx.x;
}

static int sum(const int *values, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += values[i];
  return s;
}

int main() {
  int *out;
  cudaMallocManaged(&out, 8 * sizeof(int));
  kernel<<<1, 8>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess || sum(out, 8) != 28) return printf("FAIL: %d\n", out[7]), 1;
  printf("%s\n", "PASS");
  cudaFree(out);
}
