// A layered array: each block reads a layer of its own, changes it through a
// surface, and the host reads the layers back.
#include "../check.h"

__global__ void invert(cudaSurfaceObject_t image) {
    int x = threadIdx.x, y = threadIdx.y, layer = blockIdx.x;
    uchar4 p = surf2DLayeredread<uchar4>(image, x * sizeof(uchar4), y, layer);
    p = make_uchar4(255 - p.x, 255 - p.y, 255 - p.z, layer);
    surf2DLayeredwrite(p, image, x * sizeof(uchar4), y, layer);
}

__global__ void collect(int *out, cudaTextureObject_t image, int width, int height) {
    int x = threadIdx.x, y = threadIdx.y, layer = blockIdx.x;
    uchar4 p = tex2DLayered<uchar4>(image, x + 0.5f, y + 0.5f, layer);
    out[(layer * height + y) * width + x] = p.x | p.y << 8 | p.z << 16 | p.w << 24;
}

int main() {
    const int width = 12, height = 8, layers = 5;
    cudaExtent extent = make_cudaExtent(width, height, layers);
    std::vector<uchar4> image(width * height * layers);
    for (size_t i = 0; i < image.size(); i++) image[i] = make_uchar4(i, 2 * i, 3 * i, 9);

    cudaChannelFormatDesc channels = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &channels, extent, cudaArrayLayered | cudaArraySurfaceLoadStore));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(image.data(), width * sizeof(uchar4), width, height);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    cudaTextureDesc settings = {};
    settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &settings, nullptr));

    int *out;
    CHECK(cudaMalloc(&out, image.size() * sizeof(int)));
    invert<<<layers, dim3(width, height)>>>(surface);
    CHECK_LAUNCH();
    collect<<<layers, dim3(width, height)>>>(out, texture, width, height);
    CHECK_LAUNCH();

    std::vector<int> want(image.size());
    for (size_t i = 0; i < image.size(); i++) {
        const uchar4 &p = image[i];
        want[i] = (255 - p.x) | (255 - p.y) << 8 | (255 - p.z) << 16 | static_cast<int>(i / (width * height)) << 24;
    }
    bool ok = same("layers", toHost(out, image.size()), want);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(out));
    return ok ? 0 : 1;
}
