// Texture references, as programs before CUDA 12 have them: linear memory read
// with tex1Dfetch, pitched memory and an array with tex2D, and a surface
// reference. A header-style helper template reads any of them.
#include "../check.h"

texture<float4, 1, cudaReadModeElementType> points;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> image;
static texture<int, 2> table;
surface<void, cudaSurfaceType2D> board;

__constant__ float scale = 2.0f;

__device__ float length2(float4 p) { return p.x * p.x + p.y * p.y + p.z * p.z + p.w * p.w; }

__global__ void lengths(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = scale * length2(tex1Dfetch(points, i));
}

__global__ void smooth(float *out, int width, int height) {
    int x = threadIdx.x, y = threadIdx.y;
    if (x < width && y < height) out[y * width + x] = tex2D(image, x + 1.0f, y + 0.5f);
}

__global__ void transpose(int n) {
    int x = threadIdx.x, y = threadIdx.y;
    if (x < n && y < n) surf2Dwrite(tex2D(table, y, x), board, x * (int)sizeof(int), y);
}

static bool linear() {
    const int n = 100;
    std::vector<float4> host(n);
    std::vector<float> want(n);
    for (int i = 0; i < n; i++) {
        host[i] = make_float4(i, 1, 2, 3);
        want[i] = 2.0f * (i * i + 14);
    }
    float4 *data = toDevice(host);
    float *out;
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaBindTexture(0, points, data, n * sizeof(float4)));
    lengths<<<4, 32>>>(out, n);
    CHECK_LAUNCH();
    CHECK(cudaUnbindTexture(points));
    bool ok = same("linear memory", toHost(out, n), want);
    CHECK(cudaFree(data));
    CHECK(cudaFree(out));
    return ok;
}

static bool pitched() {
    const int width = 21, height = 11;
    std::vector<unsigned char> host(width * height);
    std::vector<float> want(host.size());
    for (size_t i = 0; i < host.size(); i++) host[i] = static_cast<unsigned char>(37 * i);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int next = x + 1 < width ? x + 1 : x;
            want[y * width + x] = (host[y * width + x] + host[y * width + next]) / 2.0f / 255.0f;
        }
    unsigned char *data;
    float *out;
    size_t pitch;
    CHECK(cudaMallocPitch(&data, &pitch, width, height));
    CHECK(cudaMalloc(&out, width * height * sizeof(float)));
    CHECK(cudaMemcpy2D(data, pitch, host.data(), width, width, height, cudaMemcpyHostToDevice));
    image.addressMode[0] = image.addressMode[1] = cudaAddressModeClamp;
    image.filterMode = cudaFilterModeLinear;
    image.normalized = false;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<unsigned char>();
    CHECK(cudaBindTexture2D(NULL, image, data, desc, width, height, pitch));
    smooth<<<1, dim3(32, 16)>>>(out, width, height);
    CHECK_LAUNCH();
    CHECK(cudaUnbindTexture(image));
    bool ok = same("pitched memory", toHost(out, want.size()), want, 1e-6);
    CHECK(cudaFree(data));
    CHECK(cudaFree(out));
    return ok;
}

static bool arrays() {
    const int n = 16;
    std::vector<int> host(n * n), got(n * n), want(n * n);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) want[x * n + y] = host[y * n + x] = 100 * y - x;
    cudaArray *from, *to;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    CHECK(cudaMallocArray(&from, &desc, n, n));
    CHECK(cudaMallocArray(&to, &desc, n, n, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpyToArray(from, 0, 0, host.data(), n * n * sizeof(int), cudaMemcpyHostToDevice));
    const textureReference *ref;
    CHECK(cudaGetTextureReference(&ref, &table));
    CHECK(cudaBindTextureToArray(ref, from, &desc));
    CHECK(cudaBindSurfaceToArray(board, to));
    transpose<<<1, dim3(n, n)>>>(n);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyFromArray(got.data(), to, 0, 0, n * n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaUnbindTexture(table));
    CHECK(cudaFreeArray(from));
    CHECK(cudaFreeArray(to));
    return same("arrays", got, want);
}

int main() {
    bool ok = linear();
    ok = pitched() && ok;
    return arrays() && ok ? 0 : 1;
}
