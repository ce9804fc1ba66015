// Kernels of which no launch is known. Each has a comment "open N" with the
// pairs of accesses that may not be decided, "unusual" where a conflict takes
// values of parameters that no program uses.
#include <cuda_runtime.h>

// open 0
__global__ void scale(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2;
}

// open 0
__global__ void gridStride(float *a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = i;
}

// Only the third dimension.
// open 0
__global__ void depth(float *o, int n) {
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (z < n) o[z] = z;
}

// open 0
__global__ void matrix(float *o, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) o[y * w + x] = x;
}

// open 0
__global__ void byColumns(float *o, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    o[x * h + y] = x;
}

// open 0
__global__ void volume(float *o, int w, int h, int d) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < w && y < h && z < d) o[(z * h + y) * w + x] = x;
}

struct Pixel { float r, g, b; };

// Two members of one element.
// open 0
__global__ void members(Pixel *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i].r = 0;
        p[i].b = p[i].g;
    }
}

// A row a block.
// open 0
__global__ void rowABlock(float *o, int w) {
    for (int x = threadIdx.x; x < w; x += blockDim.x)
        o[blockIdx.x * w + x] = x;
}

// The pitch is no less than the width, in programs.
// open unusual
__global__ void pitched(float *o, int pitch, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) o[y * pitch + x] = x;
}

// A column is as wide as the grid.
// open unusual
__global__ void unguarded(float *o, int cols) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    o[y * cols + x] = x;
}

// Thread 0 of the next row writes there too.
// open some
__global__ void oneTooMany(float *o, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x <= w && y < h) o[y * w + x] = x;
}

// All threads of a row write its first element.
// open some, finding
__global__ void firstOfRow(float *o, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) o[y * w] = x;
}

// The blocks overlap by one element.
// open some, finding
__global__ void overlap(float *o, int n) {
    int i = blockIdx.x * (blockDim.x - 1) + threadIdx.x;
    if (i < n) o[i] = blockIdx.x;
}

// open 0
__global__ void restricted(const float *__restrict__ in, float *__restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[n - 1 - i];
}

// The two may be one array.
// open 1
__global__ void twoPointers(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[n - 1 - i];
}

// Made for blocks of 32x8 threads.
// open unusual
__global__ void transposed(const float *__restrict__ in, float *__restrict__ out, int w, int h) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

// A race in blocks of any size.
// open some, finding
__global__ void neighbor(float *out) {
    __shared__ float s[1024];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[(threadIdx.x + 1) % blockDim.x];
}

int main() { return 0; }
