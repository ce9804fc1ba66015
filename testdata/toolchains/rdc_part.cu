// The other part of rdc_main.cu.
__device__ int base = 5;
__device__ int twice(int x) { return 2 * x; }
