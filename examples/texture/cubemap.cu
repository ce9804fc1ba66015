// A cubemap: each direction finds its face and the place on it.
#include "../check.h"

__global__ void look(float *out, const float3 *direction, int n, cudaTextureObject_t cube) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = texCubemap<float>(cube, direction[i].x, direction[i].y, direction[i].z);
}

int main() {
    const int size = 4, faces = 6;
    std::vector<float> host(size * size * faces);
    for (size_t i = 0; i < host.size(); i++) host[i] = static_cast<float>(i);
    cudaExtent extent = make_cudaExtent(size, size, faces);
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &channels, extent, cudaArrayCubemap));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host.data(), size * sizeof(float), size, size);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc settings = {};
    for (auto &mode : settings.addressMode) mode = cudaAddressModeClamp;
    settings.normalizedCoords = 1;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &settings, nullptr));

    // For each texel of each face, the direction through its middle.
    std::vector<float3> directions;
    for (int f = 0; f < faces; f++)
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++) {
                float s = 2 * (x + 0.5f) / size - 1, t = 2 * (y + 0.5f) / size - 1;
                const float3 all[] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}};
                directions.push_back(all[f]);
            }
    float3 *in = toDevice(directions);
    float *out;
    CHECK(cudaMalloc(&out, host.size() * sizeof(float)));
    look<<<3, 32>>>(out, in, static_cast<int>(host.size()), texture);
    CHECK_LAUNCH();
    bool ok = same("cubemap", toHost(out, host.size()), host);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return ok ? 0 : 1;
}
