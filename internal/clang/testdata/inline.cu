__device__ void store(int *p, int v) {
  *p = v;
}

__device__ void twice(int *p) {
  store(p, 1);
  store(p + 1, 2);
}

__global__ void kernel(int *p) {
  twice(p);
  atomicAdd(p, 1);
}
