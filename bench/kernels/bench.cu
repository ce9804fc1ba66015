// The five kernels in CUDA: the program that warpgrind runs.
#include "common.h"

__global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
  float sum = 0;
  for (int t = 0; t < n; t += TILE) {
    as[y][x] = a[row * n + t + x];
    bs[y][x] = b[(t + y) * n + col];
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum += as[y][k] * bs[k][x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

__global__ void scan(const float *in, float *out) {
  __shared__ float s[SCAN_BLOCK];
  int t = threadIdx.x, i = blockIdx.x * SCAN_BLOCK + t;
  s[t] = in[i];
  __syncthreads();
  for (int d = 1; d < SCAN_BLOCK; d *= 2) {
    float left = t >= d ? s[t - d] : 0.0f;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  out[i] = s[t];
}

__global__ void stencil(const float *in, float *out, int n) {
  __shared__ float s[TILE + 2][TILE + 2];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
  s[ty + 1][tx + 1] = in[y * n + x];
  if (ty == 0) s[0][tx + 1] = in[max(y - 1, 0) * n + x];
  if (ty == TILE - 1) s[TILE + 1][tx + 1] = in[min(y + 1, n - 1) * n + x];
  if (tx == 0) s[ty + 1][0] = in[y * n + max(x - 1, 0)];
  if (tx == TILE - 1) s[ty + 1][TILE + 1] = in[y * n + min(x + 1, n - 1)];
  __syncthreads();
  out[y * n + x] = 0.2f * (s[ty + 1][tx + 1] + s[ty][tx + 1] + s[ty + 2][tx + 1] +
                           s[ty + 1][tx] + s[ty + 1][tx + 2]);
}

__global__ void vadd(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void gather(const float *in, const unsigned *index, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i]];
}

static void check(cudaError_t e) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(e));
  exit(1);
}

// launch runs the job once. The result is in out; tmp is for the stencil.
static void launch(const bench_job &j, const float *a, const void *b, float *out, float *tmp) {
  int n = j.n;
  dim3 tiles(n / TILE, n / TILE), tile(TILE, TILE);
  if (!strcmp(j.kernel, "matmul")) {
    matmul<<<tiles, tile>>>(a, (const float *)b, out, n);
  } else if (!strcmp(j.kernel, "scan")) {
    scan<<<n / SCAN_BLOCK, SCAN_BLOCK>>>(a, out);
  } else if (!strcmp(j.kernel, "vadd")) {
    vadd<<<n / LINE_BLOCK, LINE_BLOCK>>>(a, (const float *)b, out, n);
  } else if (!strcmp(j.kernel, "gather")) {
    gather<<<n / LINE_BLOCK, LINE_BLOCK>>>(a, (const unsigned *)b, out, n);
  } else {
    for (int s = 0; s < STEPS; s++)
      stencil<<<tiles, tile>>>(s == 0 ? a : s % 2 ? tmp : out, s % 2 ? out : tmp, n);
  }
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

int main(int argc, char **argv) {
  bench_job j;
  if (!bench_parse(argc, argv, &j)) return 2;
  size_t bytes = j.count * sizeof(float);
  float *host = (float *)malloc(bytes), *a, *out, *tmp;
  void *b;
  check(cudaMalloc(&a, bytes));
  check(cudaMalloc(&b, bytes));
  check(cudaMalloc(&out, bytes));
  check(cudaMalloc(&tmp, bytes));
  bench_fill(host, j.count, 1);
  check(cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice));
  if (!strcmp(j.kernel, "gather")) bench_indices((unsigned *)host, j.count);
  else bench_fill(host, j.count, 2);
  check(cudaMemcpy(b, host, bytes, cudaMemcpyHostToDevice));
  double best = INFINITY;
  for (int r = 0; r < j.warmups + j.reps; r++) {
    double start = bench_now();
    launch(j, a, b, out, tmp);
    double t = bench_now() - start;
    if (r >= j.warmups && t < best) best = t;
  }
  check(cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost));
  bench_report(&j, best, host);
  check(cudaFree(a));
  check(cudaFree(b));
  check(cudaFree(out));
  check(cudaFree(tmp));
  free(host);
  return 0;
}
