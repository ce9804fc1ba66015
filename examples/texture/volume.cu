// Sums along rays through a volume: a 3D texture of bytes that are read as
// floats between 0 and 1, with linear filtering and a border of 0.
#include "../check.h"

__global__ void sumRays(float *out, cudaTextureObject_t volume, int width, int height, int steps, float step) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int i = 0; i < steps; i++) sum += tex3D<float>(volume, x + 0.5f, y + 0.5f, i * step);
    out[y * width + x] = sum;
}

int main() {
    const int width = 20, height = 12, depth = 9, steps = 24;
    const float step = 0.5f;
    std::vector<unsigned char> volume(width * height * depth);
    Random random(7);
    for (auto &v : volume) v = static_cast<unsigned char>(random.below(256));

    cudaExtent extent = make_cudaExtent(width, height, depth);
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &channels, extent));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(volume.data(), width, width, height);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc settings = {};
    for (auto &mode : settings.addressMode) mode = cudaAddressModeBorder;
    settings.filterMode = cudaFilterModeLinear;
    settings.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &settings, nullptr));

    float *out;
    CHECK(cudaMalloc(&out, width * height * sizeof(float)));
    sumRays<<<dim3((width + 7) / 8, (height + 7) / 8), dim3(8, 8)>>>(out, texture, width, height, steps, step);
    CHECK_LAUNCH();

    std::vector<float> want(width * height);
    for (int p = 0; p < width * height; p++)
        for (int i = 0; i < steps; i++) {
            float z = i * step - 0.5f;
            int k = static_cast<int>(floorf(z));
            auto at = [&](int k) { return k < 0 || k >= depth ? 0.0f : volume[k * width * height + p] / 255.0f; };
            want[p] += (1 - (z - k)) * at(k) + (z - k) * at(k + 1);
        }
    bool ok = same("ray sums", toHost(out, want.size()), want, 1e-5);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(out));
    return ok ? 0 : 1;
}
