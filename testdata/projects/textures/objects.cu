#include <cstring>

#include "filters.h"

static __global__ void halve(cudaTextureObject_t source, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int i = 0; i < 4; i++) sum += tex2D<float>(source, 2 * x + (i & 1) + 0.5f, 2 * y + (i >> 1) + 0.5f);
  out[y * width + x] = sum / 4;
}

int halveByObject(const Image &in, Image &out) {
  float *pixels, *result;
  size_t pitch, row = sizeof(float) * in.width;
  if (cudaError_t e = cudaMallocPitch(&pixels, &pitch, row, in.height)) return e;
  cudaMemcpy2D(pixels, pitch, in.pixels, row, row, in.height, cudaMemcpyHostToDevice);
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = pixels;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = in.width;
  resource.res.pitch2D.height = in.height;
  resource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc how;
  memset(&how, 0, sizeof how);
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t source;
  if (cudaError_t e = cudaCreateTextureObject(&source, &resource, &how, nullptr)) return e;

  cudaMalloc(&result, row * in.height / 4);
  dim3 block(16, 8), grid((out.width + 15) / 16, (out.height + 7) / 8);
  halve<<<grid, block>>>(source, result, out.width, out.height);
  cudaError_t e = cudaMemcpy(out.pixels, result, row * in.height / 4, cudaMemcpyDeviceToHost);
  cudaDestroyTextureObject(source);
  cudaFree(result);
  cudaFree(pixels);
  return e;
}
