// Every function that reads a texture or accesses a surface, on images whose
// texels tell their place. The kernels count what is wrong.
#include "../check.h"

const int kSide = 4, kSlices = 6;

__host__ __device__ int valueAt(int x, int y, int s) { return 1 + x + kSide * (y + kSide * s); }

struct Images {
    cudaTextureObject_t line, plane, solid, lines, planes, cube, cubes;
};

__device__ int wrong;

template <class T> __device__ void expect(T got, int want) {
    if (static_cast<int>(got) != want) atomicAdd(&wrong, 1);
}

template <class T> __global__ void readAll(Images im) {
    int x = threadIdx.x, y = threadIdx.y, s = threadIdx.z;
    float u = x + 0.5f, v = y + 0.5f, w = s + 0.5f;
    float2 d2 = make_float2(0, 0);
    float4 d4 = make_float4(0, 0, 0, 0);
    T r;
    bool resident = false;

    expect(tex1D<T>(im.line, u), valueAt(x, 0, 0));
    expect(tex1DLod<T>(im.line, u, 0), valueAt(x, 0, 0));
    expect(tex1DGrad<T>(im.line, u, 0, 0), valueAt(x, 0, 0));
    tex1D(&r, im.line, u);
    expect(r, valueAt(x, 0, 0));

    expect(tex2D<T>(im.plane, u, v), valueAt(x, y, 0));
    expect(tex2DLod<T>(im.plane, u, v, 0), valueAt(x, y, 0));
    expect(tex2DGrad<T>(im.plane, u, v, d2, d2), valueAt(x, y, 0));
    expect(tex2D<T>(im.plane, u, v, &resident), resident ? valueAt(x, y, 0) : -1);
    tex2D(&r, im.plane, u, v);
    expect(r, valueAt(x, y, 0));

    expect(tex3D<T>(im.solid, u, v, w), valueAt(x, y, s));
    expect(tex3DLod<T>(im.solid, u, v, w, 0), valueAt(x, y, s));
    expect(tex3DGrad<T>(im.solid, u, v, w, d4, d4), valueAt(x, y, s));

    expect(tex1DLayered<T>(im.lines, u, s), valueAt(x, 0, s));
    expect(tex1DLayeredLod<T>(im.lines, u, s, 0), valueAt(x, 0, s));
    expect(tex1DLayeredGrad<T>(im.lines, u, s, 0, 0), valueAt(x, 0, s));
    expect(tex2DLayered<T>(im.planes, u, v, s), valueAt(x, y, s));
    expect(tex2DLayeredLod<T>(im.planes, u, v, s, 0), valueAt(x, y, s));
    expect(tex2DLayeredGrad<T>(im.planes, u, v, s, d2, d2), valueAt(x, y, s));

    // The direction through the middle of texel (x, y) of face s.
    float a = 2 * u / kSide - 1, b = 2 * v / kSide - 1;
    float3 face[6] = {{1, -b, -a}, {-1, -b, a}, {a, 1, b}, {a, -1, -b}, {a, -b, 1}, {-a, -b, -1}};
    float3 n = face[s];
    expect(texCubemap<T>(im.cube, n.x, n.y, n.z), valueAt(x, y, s));
    expect(texCubemapLod<T>(im.cube, n.x, n.y, n.z, 0), valueAt(x, y, s));
    expect(texCubemapGrad<T>(im.cube, n.x, n.y, n.z, d4, d4), valueAt(x, y, s));
    expect(texCubemapLayered<T>(im.cubes, n.x, n.y, n.z, 0), valueAt(x, y, s));
    expect(texCubemapLayeredLod<T>(im.cubes, n.x, n.y, n.z, 0, 0), valueAt(x, y, s));
    expect(texCubemapLayeredGrad<T>(im.cubes, n.x, n.y, n.z, 0, d4, d4), valueAt(x, y, s));
}

template <class T> __global__ void gather(cudaTextureObject_t plane) {
    T t = tex2Dgather<T>(plane, 2.0f, 3.0f); // between columns 1 and 2, rows 2 and 3
    expect(t.x, valueAt(1, 3, 0));
    expect(t.y, valueAt(2, 3, 0));
    expect(t.z, valueAt(2, 2, 0));
    expect(t.w, valueAt(1, 2, 0));
}

// Surfaces: each thread adds 1 to its element through one kind of surface.
template <class T> __global__ void increment(Images im) {
    int x = threadIdx.x * (int)sizeof(T), y = threadIdx.y, s = threadIdx.z;
    const cudaSurfaceBoundaryMode clamp = cudaBoundaryModeClamp;
    if (y == 0 && s == 0) surf1Dwrite<T>(surf1Dread<T>(im.line, x) + 1, im.line, x);
    if (s == 0) surf2Dwrite<T>(surf2Dread<T>(im.plane, x, y) + 1, im.plane, x, y);
    surf3Dwrite<T>(surf3Dread<T>(im.solid, x, y, s) + 1, im.solid, x, y, s);
    if (y == 0) surf1DLayeredwrite<T>(surf1DLayeredread<T>(im.lines, x, s, clamp) + 1, im.lines, x, s);
    T r;
    surf2DLayeredread(&r, im.planes, x, y, s);
    surf2DLayeredwrite<T>(r + 1, im.planes, x, y, s, cudaBoundaryModeZero);
    surfCubemapwrite<T>(surfCubemapread<T>(im.cube, x, y, s) + 1, im.cube, x, y, s);
    surfCubemapLayeredwrite<T>(surfCubemapLayeredread<T>(im.cubes, x, y, s) + 1, im.cubes, x, y, s);
}

struct Shape {
    cudaExtent extent;
    unsigned flags;
};

const Shape shapes[] = {
    {{kSide, 0, 0}, 0},
    {{kSide, kSide, 0}, cudaArrayTextureGather},
    {{kSide, kSide, kSlices}, 0},
    {{kSide, 0, kSlices}, cudaArrayLayered},
    {{kSide, kSide, kSlices}, cudaArrayLayered},
    {{kSide, kSide, kSlices}, cudaArrayCubemap},
    {{kSide, kSide, kSlices}, cudaArrayCubemap | cudaArrayLayered},
};

template <class T> cudaArray_t makeArray(const Shape &shape) {
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<T>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &channels, shape.extent, shape.flags | cudaArraySurfaceLoadStore));
    cudaExtent all = make_cudaExtent(kSide, shape.extent.height ? kSide : 1, shape.extent.depth ? kSlices : 1);
    std::vector<T> host;
    for (size_t s = 0; s < all.depth; s++)
        for (size_t y = 0; y < all.height; y++)
            for (size_t x = 0; x < all.width; x++) host.push_back(static_cast<T>(valueAt(x, y, s)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host.data(), kSide * sizeof(T), kSide, all.height);
    copy.dstArray = array;
    copy.extent = all;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}

template <class T> int run() {
    cudaArray_t arrays[7];
    cudaTextureObject_t textures[7];
    cudaSurfaceObject_t surfaces[7];
    for (int i = 0; i < 7; i++) {
        arrays[i] = makeArray<T>(shapes[i]);
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = arrays[i];
        cudaTextureDesc settings = {};
        for (auto &mode : settings.addressMode) mode = cudaAddressModeClamp;
        CHECK(cudaCreateTextureObject(&textures[i], &resource, &settings, nullptr));
        CHECK(cudaCreateSurfaceObject(&surfaces[i], &resource));
    }
    Images t = {textures[0], textures[1], textures[2], textures[3], textures[4], textures[5], textures[6]};
    Images s = {surfaces[0], surfaces[1], surfaces[2], surfaces[3], surfaces[4], surfaces[5], surfaces[6]};
    readAll<T><<<1, dim3(kSide, kSide, kSlices)>>>(t);
    CHECK_LAUNCH();
    increment<T><<<1, dim3(kSide, kSide, kSlices)>>>(s);
    CHECK_LAUNCH();

    int bad = 0;
    for (int i = 0; i < 7; i++) {
        cudaExtent all = make_cudaExtent(kSide, shapes[i].extent.height ? kSide : 1, shapes[i].extent.depth ? kSlices : 1);
        std::vector<T> host(all.width * all.height * all.depth);
        cudaMemcpy3DParms copy = {};
        copy.srcArray = arrays[i];
        copy.dstPtr = make_cudaPitchedPtr(host.data(), kSide * sizeof(T), kSide, all.height);
        copy.extent = all;
        copy.kind = cudaMemcpyDeviceToHost;
        CHECK(cudaMemcpy3D(&copy));
        for (size_t k = 0; k < host.size(); k++) {
            int x = k % kSide, y = k / kSide % all.height, z = k / kSide / all.height;
            bad += host[k] != static_cast<T>(valueAt(x, y, z) + 1);
        }
        CHECK(cudaDestroyTextureObject(textures[i]));
        CHECK(cudaDestroySurfaceObject(surfaces[i]));
        CHECK(cudaFreeArray(arrays[i]));
    }
    int onDevice;
    CHECK(cudaMemcpyFromSymbol(&onDevice, wrong, sizeof onDevice));
    return bad + onDevice;
}

int gatherAll() {
    cudaArray_t array = makeArray<float>(shapes[1]);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc settings = {};
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &resource, &settings, nullptr));
    gather<float4><<<1, 1>>>(t);
    CHECK_LAUNCH();
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeArray(array));
    int onDevice;
    CHECK(cudaMemcpyFromSymbol(&onDevice, wrong, sizeof onDevice));
    return onDevice;
}

int main() {
    int bad = run<unsigned char>() + run<signed char>() + run<short>() + run<unsigned short>() + run<int>() +
              run<unsigned>() + run<float>() + gatherAll();
    printf("texture and surface functions: %s\n", bad ? "FAIL" : "PASS");
    return bad ? 1 : 0;
}
