// A program in the manner of the first years: cutil-like macros, C files' style, thread calls
// of the old runtime, texture references, symbol copies, 24-bit multiplication.
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <cuda.h>
#include <cuda_runtime_api.h>

#define CUDA_SAFE_CALL_NO_SYNC(call)                                                                         \
  do {                                                                                                       \
    cudaError err = call;                                                                                    \
    if (cudaSuccess != err) {                                                                                \
      fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__,                      \
              cudaGetErrorString(err));                                                                      \
      exit(EXIT_FAILURE);                                                                                    \
    }                                                                                                        \
  } while (0)
#define CUDA_SAFE_CALL(call)                                                                                 \
  do {                                                                                                       \
    CUDA_SAFE_CALL_NO_SYNC(call);                                                                            \
    cudaError err = cudaThreadSynchronize();                                                                 \
    if (cudaSuccess != err) {                                                                                \
      fprintf(stderr, "sync: %s\n", cudaGetErrorString(err));                                                \
      exit(EXIT_FAILURE);                                                                                    \
    }                                                                                                        \
  } while (0)
#define CUT_CHECK_ERROR(errorMessage)                                                                        \
  do {                                                                                                       \
    cudaError_t err = cudaGetLastError();                                                                    \
    if (cudaSuccess != err) {                                                                                \
      fprintf(stderr, "%s %s\n", errorMessage, cudaGetErrorString(err));                                     \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)
#define IMUL(a, b)   __mul24(a, b)
#define BLOCK_SIZE_X 16
#define BLOCK_SIZE_Y 8

typedef struct {
  float x, y, z;
  int tag;
} point_t;
typedef unsigned int uint32;

texture<float, 1, cudaReadModeElementType> texLine;
texture<float4, 1> texQuad;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> texImage;
texture<int2, cudaTextureType1D, cudaReadModeElementType> texPairs;
__constant__ float d_filter[9];
__constant__ point_t d_points[4];
__device__ int d_count;
__device__ float d_table[64];

static __global__ void addLines(float *out, int n) {
  const int tid = IMUL(blockDim.x, blockIdx.x) + threadIdx.x;
  if (tid < n) {
    float4 q = tex1Dfetch(texQuad, tid >> 2);
    float v = (tid & 3) == 0 ? q.x : (tid & 3) == 1 ? q.y : (tid & 3) == 2 ? q.z : q.w;
    out[tid] = tex1Dfetch(texLine, tid) + v;
    if (v > 10.0f) atomicAdd(&d_count, 1);
  }
}

__global__ void filterImage(float *out, int w, int h) {
  int x = IMUL(blockIdx.x, BLOCK_SIZE_X) + threadIdx.x;
  int y = IMUL(blockIdx.y, BLOCK_SIZE_Y) + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
#pragma unroll
  for (int j = -1; j <= 1; j++)
#pragma unroll
    for (int i = -1; i <= 1; i++)
      sum += tex2D(texImage, (float)(x + i) + 0.5f, (float)(y + j) + 0.5f) * d_filter[(j + 1) * 3 + i + 1];
  out[y * w + x] = sum + d_points[(x + y) & 3].z;
}

__global__ void pairs(int *out, int n) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int2 p = tex1Dfetch(texPairs, i);
    out[i] = p.x * 1000 + p.y;
    d_table[i & 63] = 1.f;
  }
}

int main(int argc, char **argv) {
  const int n = 1000, w = 50, h = 33;
  float *h_a = (float *)malloc(n * sizeof(float)), *h_out = (float *)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) h_a[i] = (float)i * 0.5f;
  float *d_a, *d_out;
  int zero = 0, count = -1, bad = 0;
  CUDA_SAFE_CALL(cudaMalloc((void **)&d_a, n * sizeof(float)));
  CUDA_SAFE_CALL(cudaMalloc((void **)&d_out, n * sizeof(float)));
  CUDA_SAFE_CALL(cudaMemcpy(d_a, h_a, n * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_SAFE_CALL(cudaMemcpyToSymbol(d_count, &zero, sizeof(int)));
  CUDA_SAFE_CALL(cudaBindTexture(0, texLine, d_a, n * sizeof(float)));
  CUDA_SAFE_CALL(cudaBindTexture(NULL, texQuad, d_a));
  dim3 grid((n + 127) / 128), threads(128);
  addLines<<<grid, threads, 0>>>(d_out, n);
  CUT_CHECK_ERROR("Kernel execution failed");
  CUDA_SAFE_CALL(cudaThreadSynchronize());
  CUDA_SAFE_CALL(cudaMemcpy(h_out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_SAFE_CALL(cudaMemcpyFromSymbol(&count, d_count, sizeof(int), 0, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++)
    if (h_out[i] != h_a[i] * 2) bad++;
  if (count != 979) {
    printf("count %d\n", count);
    bad++;
  }
  CUDA_SAFE_CALL(cudaUnbindTexture(texLine));
  CUDA_SAFE_CALL(cudaUnbindTexture(texQuad));

  unsigned char *img = (unsigned char *)malloc(w * h);
  for (int i = 0; i < w * h; i++) img[i] = (unsigned char)(i * 7);
  cudaArray *arr;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<unsigned char>();
  CUDA_SAFE_CALL(cudaMallocArray(&arr, &desc, w, h));
  CUDA_SAFE_CALL(cudaMemcpyToArray(arr, 0, 0, img, w * h, cudaMemcpyHostToDevice));
  texImage.addressMode[0] = cudaAddressModeClamp;
  texImage.addressMode[1] = cudaAddressModeClamp;
  texImage.filterMode = cudaFilterModePoint;
  texImage.normalized = false;
  CUDA_SAFE_CALL(cudaBindTextureToArray(texImage, arr, desc));
  float filt[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
  point_t pts[4] = {{0, 0, .5f, 1}, {0, 0, 1.5f, 2}, {0, 0, 2.5f, 3}, {0, 0, 3.5f, 4}};
  CUDA_SAFE_CALL(cudaMemcpyToSymbol(d_filter, filt, sizeof(filt)));
  for (int i = 0; i < 4; i++)
    CUDA_SAFE_CALL(
        cudaMemcpyToSymbol(d_points, &pts[i], sizeof(point_t), i * sizeof(point_t), cudaMemcpyHostToDevice));
  float *d_img;
  float *h_img = (float *)malloc(w * h * sizeof(float));
  CUDA_SAFE_CALL(cudaMalloc((void **)&d_img, w * h * sizeof(float)));
  dim3 g2((w + BLOCK_SIZE_X - 1) / BLOCK_SIZE_X, (h + BLOCK_SIZE_Y - 1) / BLOCK_SIZE_Y);
  filterImage<<<g2, dim3(BLOCK_SIZE_X, BLOCK_SIZE_Y)>>>(d_img, w, h);
  CUDA_SAFE_CALL(cudaMemcpy(h_img, d_img, w * h * sizeof(float), cudaMemcpyDeviceToHost));
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
          int xx = x + i < 0    ? 0
                   : x + i >= w ? w - 1
                                : x + i,
              yy = y + j < 0    ? 0
                   : y + j >= h ? h - 1
                                : y + j;
          s += img[yy * w + xx] / 255.0f * filt[(j + 1) * 3 + i + 1];
        }
      s += pts[(x + y) & 3].z;
      if (fabs(s - h_img[y * w + x]) > 1e-4) {
        if (bad++ < 3) printf("%d %d %g %g\n", x, y, s, h_img[y * w + x]);
      }
    }
  int2 *h_p = (int2 *)malloc(64 * sizeof(int2)), *d_p;
  int *d_o, h_o[64];
  for (int i = 0; i < 64; i++) h_p[i] = make_int2(i, 63 - i);
  cudaMalloc((void **)&d_p, 64 * sizeof(int2));
  cudaMalloc((void **)&d_o, 64 * sizeof(int));
  cudaMemcpy(d_p, h_p, 64 * sizeof(int2), cudaMemcpyHostToDevice);
  size_t off = 99;
  cudaBindTexture(&off, texPairs, d_p, 64 * sizeof(int2));
  pairs<<<2, 32>>>(d_o, 64);
  cudaMemcpy(h_o, d_o, sizeof(h_o), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++)
    if (h_o[i] != i * 1000 + 63 - i) bad++;
  if (off != 0) bad++;
  cudaFreeArray(arr);
  cudaFree(d_a);
  cudaFree(d_out);
  cudaFree(d_img);
  cudaFree(d_p);
  cudaFree(d_o);
  free(h_a);
  free(h_out);
  free(img);
  free(h_img);
  free(h_p);
  printf("%s\n", bad ? "FAIL" : "PASS");
  cudaThreadExit();
  return bad != 0;
}
