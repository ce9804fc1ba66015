// A real CUDA host part: the launch below is on line 11, the wrong copy on 14.
extern "C" __global__ void count() {}
extern "C" __global__ void add_one(int *p, int n) {}
__device__ int counter;

int main() {
  int *d, h = 5;
  if (cudaMalloc(&d, sizeof h) != cudaSuccess) return 2;
  cudaMemcpyToSymbol(counter, &h, sizeof h);
  cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
  count<<<2, 32>>>();
  add_one<<<1, 1>>>(d, 1);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(&h, d + 1, sizeof h, cudaMemcpyDeviceToHost);
  if (h != 6) return 3;
  cudaMemcpyFromSymbol(&h, counter, sizeof h);
  return h == 5 + 64 && cudaFree(d) == cudaSuccess ? 0 : 4;
}
