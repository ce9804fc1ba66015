// The kernels in CUDA: the program that warpgrind runs.
#include "jobs.h"
#include "dialect.h"
#include "kernels.inc"

typedef void (*kernel)(ARGS);

static const struct {
  const char *name;
  kernel run;
} kernels[] = {
#define NAMED(k) {#k, k},
#include "names.inc"
};

static void check(cudaError_t e) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(e));
  exit(1);
}

int main(int argc, char **argv) {
  bench_job j;
  if (!bench_parse(argc, argv, &j)) return 2;
  kernel run = nullptr;
  for (auto &k : kernels)
    if (bench_is(&j, k.name)) run = k.run;
  // BENCH_IN=stream is for a program with a stream of its own, BENCH_IN=managed for one with managed memory.
  const char *in = getenv("BENCH_IN");
  cudaStream_t stream = 0;
  if (in && !strcmp(in, "stream")) check(cudaStreamCreate(&stream));
  void *host[4], *device[4];
  for (int i = 0; i < 4; i++) {
    host[i] = calloc(j.words[i], 4);
    check(in && !strcmp(in, "managed") ? cudaMallocManaged(&device[i], 4 * j.words[i]) : cudaMalloc(&device[i], 4 * j.words[i]));
  }
  bench_fill(&j, (float *)host[BENCH_A], (int *)host[BENCH_B]);
  for (int i : {BENCH_A, BENCH_B}) check(cudaMemcpy(device[i], host[i], 4 * j.words[i], cudaMemcpyHostToDevice));
  double best = INFINITY;
  for (int r = 0; r < j.warmups + j.reps; r++) {
    for (int i : {BENCH_OUT, BENCH_TMP}) check(cudaMemset(device[i], 0, 4 * j.words[i]));
    check(cudaDeviceSynchronize());
    double start = bench_now();
    run<<<dim3(j.blocks_x, j.blocks_y), dim3(j.block_x, j.block_y), 0, stream>>>(
        (float *)device[BENCH_A], (int *)device[BENCH_B], (float *)device[BENCH_OUT], (int *)device[BENCH_TMP], (int)j.n);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    double t = bench_now() - start;
    if (r >= j.warmups && t < best) best = t;
  }
  int result = j.integers ? BENCH_TMP : BENCH_OUT;
  check(cudaMemcpy(host[result], device[result], 4 * j.words[result], cudaMemcpyDeviceToHost));
  bench_report(&j, best, host[result]);
  for (int i = 0; i < 4; i++) {
    check(cudaFree(device[i]));
    free(host[i]);
  }
  return 0;
}
