// Warp matrix functions of all types.
#include <mma.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cstdio>
#include <vector>
#include <cmath>
using namespace nvcuda;
template <class T, class A, int M, int N, int K>
__global__ void gemm(const T *a, const T *b, A *c, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, M, N, K, A> fc;
  wmma::fill_fragment(fc, A(0));
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] = fc.x[i] * A(2);
  wmma::store_matrix_sync(c, fc, ldc, wmma::mem_row_major);
}
__global__ void tf32(const float *a, const float *b, float *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, a, 8);
  wmma::load_matrix_sync(fb, b, 8);
  for (auto &v : fa.x) v = wmma::__float_to_tf32(v);
  for (int i = 0; i < fb.num_elements; i++) fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
__global__ void dmma(const double *a, const double *b, double *c) {
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> fc;
  wmma::fill_fragment(fc, 1.0);
  wmma::load_matrix_sync(fa, a, 4);
  wmma::load_matrix_sync(fb, b, 4);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 8, wmma::mem_row_major);
}
template <class T, class A, int M, int N, int K> int test(const char *what) {
  std::vector<T> a(M * K), b(N * K);
  for (int i = 0; i < M * K; i++) a[i] = T((float)(i % 7));
  for (int i = 0; i < N * K; i++) b[i] = T((float)(i % 5));
  std::vector<A> c(M * N);
  T *da, *db;
  A *dc;
  cudaMalloc(&da, a.size() * sizeof(T));
  cudaMalloc(&db, b.size() * sizeof(T));
  cudaMalloc(&dc, c.size() * sizeof(A));
  cudaMemcpy(da, a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice);
  gemm<T, A, M, N, K><<<1, 32>>>(da, db, dc, K, K, N);
  cudaMemcpy(c.data(), dc, c.size() * sizeof(A), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float w = 0;
      for (int k = 0; k < K; k++) w += float(i * K % 7 * 0 + (i * K + k) % 7) * float((j * K + k) % 5);
      if (fabsf((float)c[i * N + j] - 2 * w) > 0.01f * w) bad++;
    }
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  if (bad) printf("%s %d\n", what, bad);
  return bad != 0;
}
int main() {
  int bad = test<half, float, 16, 16, 16>("h16") + test<half, float, 32, 8, 16>("h32") +
            test<half, float, 8, 32, 16>("h8") + test<__nv_bfloat16, float, 16, 16, 16>("bf") +
            test<signed char, int, 16, 16, 16>("s8") + test<unsigned char, int, 8, 32, 16>("u8") +
            test<half, half, 16, 16, 16>("hh");
  float *f;
  double *d;
  cudaMalloc(&f, 4 * 512);
  cudaMalloc(&d, 8 * 128);
  std::vector<float> hf(512, 1.5f);
  cudaMemcpy(f, hf.data(), 2048, cudaMemcpyHostToDevice);
  tf32<<<1, 32>>>(f, f + 128, f + 256);
  cudaMemcpy(hf.data(), f + 256, 1024, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; i++) bad += hf[i] != 18;
  std::vector<double> hd(128, 2.0);
  cudaMemcpy(d, hd.data(), 1024, cudaMemcpyHostToDevice);
  dmma<<<1, 32>>>(d, d + 32, d + 64);
  cudaMemcpy(hd.data(), d + 64, 512, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++) bad += hd[i] != 17;
  cudaFree(f);
  cudaFree(d);
  printf(bad ? "FAIL %d\n" : "PASS\n", bad);
  return bad;
}
