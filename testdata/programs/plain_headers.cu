// What nvcc has without a header, or with <cmath> alone, and names of std that it leaves to the program.
#include <cmath>
#include <cublas_v2.h>
#include <cstdio>
using namespace std;

int vector[3];
__device__ int array[4];

struct Counted {
  int value;
  __device__ explicit Counted(int v) : value(v) { atomicAdd(&array[3], 1); }
  __device__ ~Counted() { atomicSub(&array[3], 1); }
};

template <class T> __host__ __device__ T larger(T a, T b) { return a > b ? a : b; }

// The overloads for float, on both sides.
__host__ __device__ float overloads(float a) {
  float r = larger(pow(a, a), a) + larger(sqrt(a), a) + larger(fabs(a), a) + larger(exp(a), a) + larger(fmax(a, 1.0f), a);
  return r + larger(atan2(a, a), a) + larger(floor(a), a) + larger(fma(a, a, a), a) + larger(::pow(a, a), a);
}
__host__ __device__ int classes(float a, double b) {
  return isnan(a) + 2 * isinf(b) + 4 * isfinite(a) + 8 * signbit(b) + 16 * ::isnan(b);
}

__global__ void kernel(float *f, int *i, __half h) {
  int *four = new int[4];
  for (int k = 0; k < 4; k++) four[k] = k;
  Counted *one = new Counted(four[3]);
  char room[sizeof(Counted)];
  Counted *placed = new (room) Counted(5);
  i[0] = one->value + placed->value + array[3];
  placed->~Counted();
  delete one;
  delete[] four;
  i[1] = array[3];
  i[2] = classes(*f, -1.0 / 0.0);
  f[1] = overloads(f[0]) + __half2float(h);
}

int main() {
  float *f;
  int *i;
  cudaMallocManaged(&f, 2 * sizeof *f);
  cudaMallocManaged(&i, 3 * sizeof *i);
  f[0] = 2.5f;
  vector[0] = classes(f[0], -1.0 / 0.0);
  kernel<<<1, 1>>>(f, i, __float2half(1.0f));
  cudaDeviceSynchronize();
  float want = overloads(f[0]) + 1;
  bool good = i[0] == 10 && i[1] == 0 && i[2] == vector[0] && vector[0] == 14 && fabs(f[1] - want) < 1e-4f;
  printf("%s %d %d %d %d %g %g\n", good ? "PASS" : "FAIL", i[0], i[1], i[2], vector[0], f[1], want);
  cudaFree(f);
  cudaFree(i);
}
