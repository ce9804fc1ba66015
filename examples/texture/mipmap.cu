// A mipmapped array: each level is made from the one above through textures
// and surfaces, and read with a level between two and with gradients.
#include "../check.h"

__global__ void shrink(cudaSurfaceObject_t out, cudaTextureObject_t in, int size) {
    int x = threadIdx.x, y = threadIdx.y;
    if (x >= size || y >= size) return;
    // The middle of four texels, with linear filtering, is their mean.
    float u = (x + 0.5f) / size, v = (y + 0.5f) / size;
    surf2Dwrite(tex2D<float>(in, u, v), out, x * (int)sizeof(float), y);
}

__global__ void read(float *out, cudaTextureObject_t t) {
    if (threadIdx.x == 0) out[0] = tex2DLod<float>(t, 0.5f, 0.5f, 0.0f);
    if (threadIdx.x == 1) out[1] = tex2DLod<float>(t, 0.25f, 0.25f, 1.5f);
    if (threadIdx.x == 2) out[2] = tex2DLod<float>(t, 0.3f, 0.6f, 99.0f);
    // Two texels of level 0 from one pixel to the next: level 1.
    if (threadIdx.x == 3) out[3] = tex2DGrad<float>(t, 0.125f, 0.125f, make_float2(0.125f, 0), make_float2(0, 0.125f));
}

static cudaTextureObject_t textureOf(const cudaResourceDesc &resource, float maxLevel) {
    cudaTextureDesc settings = {};
    settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeClamp;
    settings.filterMode = settings.mipmapFilterMode = cudaFilterModeLinear;
    settings.normalizedCoords = 1;
    settings.maxMipmapLevelClamp = maxLevel;
    cudaTextureObject_t t = 0;
    CHECK(cudaCreateTextureObject(&t, &resource, &settings, nullptr));
    return t;
}

int main() {
    const int size = 16, levels = 5;
    std::vector<std::vector<float>> level(levels);
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t mipmap;
    CHECK(cudaMallocMipmappedArray(&mipmap, &channels, make_cudaExtent(size, size, 0), levels,
                                   cudaArraySurfaceLoadStore));
    for (int i = 0; i < size * size; i++) level[0].push_back(static_cast<float>(i % size + 3 * (i / size)));
    cudaArray_t above;
    CHECK(cudaGetMipmappedArrayLevel(&above, mipmap, 0));
    CHECK(cudaMemcpy2DToArray(above, 0, 0, level[0].data(), size * sizeof(float), size * sizeof(float), size,
                              cudaMemcpyHostToDevice));
    for (int l = 1; l < levels; l++) {
        int n = size >> l;
        cudaArray_t below;
        CHECK(cudaGetMipmappedArrayLevel(&below, mipmap, l));
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = above;
        cudaTextureObject_t in = textureOf(resource, 0);
        resource.res.array.array = below;
        cudaSurfaceObject_t out;
        CHECK(cudaCreateSurfaceObject(&out, &resource));
        shrink<<<1, dim3(8, 8)>>>(out, in, n);
        CHECK_LAUNCH();
        CHECK(cudaDestroyTextureObject(in));
        CHECK(cudaDestroySurfaceObject(out));
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                const float *p = &level[l - 1][2 * y * 2 * n + 2 * x];
                level[l].push_back((p[0] + p[1] + p[2 * n] + p[2 * n + 1]) / 4);
            }
        above = below;
    }
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmap;
    cudaTextureObject_t t = textureOf(resource, levels - 1);
    float *out;
    CHECK(cudaMalloc(&out, 4 * sizeof(float)));
    read<<<1, 32>>>(out, t);
    CHECK_LAUNCH();

    auto four = [&](int l, int x, int y) {
        int n = size >> l;
        const float *p = &level[l][y * n + x];
        return (p[0] + p[1] + p[n] + p[n + 1]) / 4;
    };
    std::vector<float> want = {
        four(0, 7, 7),
        // (0.25, 0.25) lies between texels 1 and 2 of 8, and between 0 and 1 of 4.
        (four(1, 1, 1) + four(2, 0, 0)) / 2,
        level[4][0],
        level[1][0] + (level[1][1] - level[1][0]) / 2 + (level[1][8] - level[1][0]) / 2,
    };
    bool ok = same("mipmap", toHost(out, 4), want, 1e-6);
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeMipmappedArray(mipmap));
    CHECK(cudaFree(out));
    return ok ? 0 : 1;
}
