// Rotation of an image with a texture object: normalized coordinates, linear
// filtering, and what lies outside wraps around.
#include "../check.h"

__global__ void rotate(float *out, int width, int height, float theta, cudaTextureObject_t image) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;
    float tu = u * cosf(theta) - v * sinf(theta) + 0.5f;
    float tv = v * cosf(theta) + u * sinf(theta) + 0.5f;
    out[y * width + x] = tex2D<float>(image, tu, tv);
}

// The same on the host, with exact weights.
static float sample(const std::vector<float> &a, int w, int h, float u, float v) {
    float x = u * w - 0.5f, y = v * h - 0.5f;
    int i = (int)floorf(x), j = (int)floorf(y);
    float fx = x - i, fy = y - j;
    auto at = [&](int i, int j) { return a[((j % h + h) % h) * w + (i % w + w) % w]; };
    return (1 - fy) * ((1 - fx) * at(i, j) + fx * at(i + 1, j)) + fy * ((1 - fx) * at(i, j + 1) + fx * at(i + 1, j + 1));
}

int main() {
    const int width = 48, height = 32;
    const float theta = 0.5f;
    std::vector<float> image(width * height), want(image.size());
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) image[y * width + x] = 0.5f + 0.5f * sinf(0.4f * x) * cosf(0.3f * y);

    cudaChannelFormatDesc channels = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &channels, width, height));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, image.data(), width * sizeof(float), width * sizeof(float), height,
                              cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc settings = {};
    settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeWrap;
    settings.filterMode = cudaFilterModeLinear;
    settings.readMode = cudaReadModeElementType;
    settings.normalizedCoords = 1;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &settings, nullptr));

    float *out;
    CHECK(cudaMalloc(&out, image.size() * sizeof(float)));
    dim3 block(16, 8), grid((width + 15) / 16, (height + 7) / 8);
    rotate<<<grid, block>>>(out, width, height, theta, texture);
    CHECK_LAUNCH();

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;
            want[y * width + x] = sample(image, width, height, u * cosf(theta) - v * sinf(theta) + 0.5f,
                                         v * cosf(theta) + u * sinf(theta) + 0.5f);
        }
    bool ok = same("rotated image", toHost(out, image.size()), want, 4e-3); // weights have 8 bits
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(out));
    return ok ? 0 : 1;
}
