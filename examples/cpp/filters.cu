// The second file of the C++ example: kernels with internal linkage, a functor
// with state, constant data, and the host functions that launch them.

#include "image.h"

namespace {

__constant__ float kernelWeights[3] = {0.25f, 0.5f, 0.25f};

class Threshold {
  public:
    explicit Threshold(float level) : level_(level) {}
    __device__ unsigned char operator()(float v) const { return v > level_ ? 1 : 0; }

  private:
    float level_;
};

template <typename In, typename Out, typename Op>
__global__ void map(View<In> in, View<Out> out, Op op) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (in.contains(x, y)) out(x, y) = op(in(x, y));
}

__global__ void blurKernel(View<float> in, View<float> out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (!in.contains(x, y)) return;
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int px = min(max(x + dx, 0), in.width - 1), py = min(max(y + dy, 0), in.height - 1);
            sum += kernelWeights[dx + 1] * kernelWeights[dy + 1] * in(px, py);
        }
    out(x, y) = sum;
}

const int SIDE = 16;

dim3 gridFor(int width, int height) {
    return dim3((width + SIDE - 1) / SIDE, (height + SIDE - 1) / SIDE);
}

} // namespace

void threshold(View<float> in, View<unsigned char> out, float level) {
    map<<<gridFor(in.width, in.height), dim3(SIDE, SIDE)>>>(in, out, Threshold(level));
    CHECK_LAUNCH();
}

void blur(View<float> in, View<float> out) {
    blurKernel<<<gridFor(in.width, in.height), dim3(SIDE, SIDE)>>>(in, out);
    CHECK_LAUNCH();
}
