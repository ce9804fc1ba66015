// What stands for coordinates outside of a texture: wrapped, mirrored, the
// edge, or a border color; with points and with linear filtering.
#include "../check.h"

const int kTexels = 4, kSamples = 48;

__global__ void read(float *out, cudaTextureObject_t texture, float first, float step) {
    int i = threadIdx.x;
    if (i < kSamples) out[i] = tex1D<float>(texture, first + i * step);
}

static float texel(const std::vector<float> &t, int i, cudaTextureAddressMode mode) {
    if (i >= 0 && i < kTexels) return t[i];
    switch (mode) {
    case cudaAddressModeWrap: return t[(i % kTexels + kTexels) % kTexels];
    case cudaAddressModeMirror:
        i = (i % (2 * kTexels) + 2 * kTexels) % (2 * kTexels);
        return t[i < kTexels ? i : 2 * kTexels - 1 - i];
    case cudaAddressModeClamp: return t[i < 0 ? 0 : kTexels - 1];
    default: return -1.0f;
    }
}

static bool check(const char *name, cudaArray_t array, const std::vector<float> &t, cudaTextureAddressMode mode,
                  cudaTextureFilterMode filter, bool normalized) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc settings = {};
    settings.addressMode[0] = mode;
    settings.filterMode = filter;
    settings.normalizedCoords = normalized;
    settings.borderColor[0] = -1.0f;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &settings, nullptr));

    float scale = normalized ? 1.0f / kTexels : 1.0f, first = -5.125f, step = 0.3125f; // exact in 8 bits
    std::vector<float> want(kSamples);
    for (int i = 0; i < kSamples; i++) {
        float x = first + i * step - (filter == cudaFilterModeLinear ? 0.5f : 0.0f);
        int k = static_cast<int>(floorf(x));
        want[i] = texel(t, k, mode);
        if (filter == cudaFilterModeLinear) want[i] += (x - k) * (texel(t, k + 1, mode) - want[i]);
    }
    float *out;
    CHECK(cudaMalloc(&out, kSamples * sizeof(float)));
    read<<<1, 64>>>(out, texture, first * scale, step * scale);
    CHECK_LAUNCH();
    bool ok = same(name, toHost(out, kSamples), want, 1e-6);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(out));
    return ok;
}

int main() {
    std::vector<float> t = {3, 10, 4, 7};
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &channels, kTexels));
    CHECK(cudaMemcpyToArray(array, 0, 0, t.data(), kTexels * sizeof(float), cudaMemcpyHostToDevice));
    bool ok = check("wrap, point", array, t, cudaAddressModeWrap, cudaFilterModePoint, true);
    ok = check("wrap, linear", array, t, cudaAddressModeWrap, cudaFilterModeLinear, true) && ok;
    ok = check("mirror, point", array, t, cudaAddressModeMirror, cudaFilterModePoint, true) && ok;
    ok = check("mirror, linear", array, t, cudaAddressModeMirror, cudaFilterModeLinear, true) && ok;
    ok = check("clamp, point", array, t, cudaAddressModeClamp, cudaFilterModePoint, false) && ok;
    ok = check("clamp, linear", array, t, cudaAddressModeClamp, cudaFilterModeLinear, false) && ok;
    ok = check("border, point", array, t, cudaAddressModeBorder, cudaFilterModePoint, false) && ok;
    ok = check("border, linear", array, t, cudaAddressModeBorder, cudaFilterModeLinear, true) && ok;
    CHECK(cudaFreeArray(array));
    return ok ? 0 : 1;
}
