// A box filter: each block keeps its tile and a border of the radius in shared
// memory.
#include "check.h"
#include "image.h"

namespace {

constexpr int kTile = 16, kMaxRadius = 4, kSide = kTile + 2 * kMaxRadius;

__device__ int clampTo(int v, int last) { return min(max(v, 0), last); }

__global__ void boxFilter(const unsigned char *in, unsigned char *out, int width, int height, int radius) {
  __shared__ unsigned char tile[kSide][kSide];
  int left = blockIdx.x * kTile - radius, top = blockIdx.y * kTile - radius;
  int side = kTile + 2 * radius;
  for (int i = threadIdx.y * kTile + threadIdx.x; i < side * side; i += kTile * kTile) {
    int x = clampTo(left + i % side, width - 1), y = clampTo(top + i / side, height - 1);
    tile[i / side][i % side] = in[y * width + x];
  }
  __syncthreads();
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0, n = (2 * radius + 1) * (2 * radius + 1);
  for (int dy = 0; dy <= 2 * radius; dy++)
    for (int dx = 0; dx <= 2 * radius; dx++) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
  out[y * width + x] = static_cast<unsigned char>(sum / n);
}

} // namespace

Image blur(const Image &in, int radius) {
  Image out = in;
  unsigned char *source, *target;
  CHECK(cudaMalloc(&source, in.pixels.size()));
  CHECK(cudaMalloc(&target, in.pixels.size()));
  CHECK(cudaMemcpy(source, in.pixels.data(), in.pixels.size(), cudaMemcpyHostToDevice));
  dim3 block(kTile, kTile), grid((in.width + kTile - 1) / kTile, (in.height + kTile - 1) / kTile);
  boxFilter<<<grid, block>>>(source, target, in.width, in.height, radius);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out.pixels.data(), target, out.pixels.size(), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(source));
  CHECK(cudaFree(target));
  return out;
}
