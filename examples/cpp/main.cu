// A C++ program in two files and a header: class templates, a kernel that
// takes a device lambda or a functor, kernels launched from another file.
//
//   warpgrind run main.cu filters.cu

#include "image.h"
#include <algorithm>
#include <memory>

template <typename T, typename F>
__global__ void generate(View<T> out, F f) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (out.contains(x, y)) out(x, y) = f(x, y);
}

template <typename T>
__global__ void countNonZero(View<T> in, int *count) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int mine = in.contains(x, y) && in(x, y) != 0;
    int here = __syncthreads_count(mine);
    if (threadIdx.x == 0 && threadIdx.y == 0) atomicAdd(count, here);
}

static std::vector<float> blurHost(const std::vector<float> &in, int width, int height) {
    const float w[3] = {0.25f, 0.5f, 0.25f};
    std::vector<float> out(in.size());
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    out[y * width + x] += w[dx + 1] * w[dy + 1] *
                                          in[std::clamp(y + dy, 0, height - 1) * width +
                                             std::clamp(x + dx, 0, width - 1)];
    return out;
}

int main() {
    const int width = 70, height = 45;
    const float scale = 0.5f;
    auto noise = std::make_unique<Image<float>>(width, height);
    Image<float> smooth(width, height);
    Image<unsigned char> mask(width, height);
    dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);

    generate<<<grid, block>>>(noise->view(), [scale] __device__(int x, int y) {
        return scale * ((x * 7 + y * 13) % 32);
    });
    CHECK_LAUNCH();
    blur(noise->view(), smooth.view());
    threshold(smooth.view(), mask.view(), 8.0f);

    int *dCount, count;
    CHECK(cudaMalloc(&dCount, sizeof(int)));
    CHECK(cudaMemset(dCount, 0, sizeof(int)));
    countNonZero<<<grid, block>>>(mask.view(), dCount);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&count, dCount, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(dCount));

    std::vector<float> in(width * height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) in[y * width + x] = scale * ((x * 7 + y * 13) % 32);
    std::vector<float> blurred = blurHost(in, width, height);
    int want = std::count_if(blurred.begin(), blurred.end(), [](float v) { return v > 8.0f; });
    bool ok = same("cpp blur", smooth.download(), blurred, 1e-5);
    ok &= same("cpp count", std::vector<int>{count}, std::vector<int>{want});
    return ok ? 0 : 1;
}
