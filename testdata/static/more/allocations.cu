// Arrays that host code allocates: their sizes, the launches and the arguments are computed from the same values, or are not.
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

__global__ void oneMore(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) out[i] = i; // want memory out-of-bounds
}

__global__ void unguarded(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = n; // want memory out-of-bounds possible
}

__global__ void guarded(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}

// The grid has only whole blocks of elements.
__global__ void rounded(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

__global__ void ceiled(float *out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1; // want memory out-of-bounds possible
}

__global__ void ceiledGuarded(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 1; // want coalesce misaligned possible
}

__global__ void floored(float *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

// How many elements there are is not computed from n.
__global__ void counted(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}

__global__ void sized(float *out, int n) { out[blockIdx.x * blockDim.x + threadIdx.x] = n; }

// The host runs this for multiples of the block only.
__global__ void whole(int *out, int n) { out[blockIdx.x * blockDim.x + threadIdx.x] = n; }

__global__ void before(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i - 1] = i; // want memory out-of-bounds, coalesce misaligned
}

__global__ void strided(int *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += gridDim.x * blockDim.x)
        out[i] = i; // want memory out-of-bounds possible, drano
}

__global__ void stridedRight(int *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = i; // want drano
}

__global__ void tall(float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w) out[y * w + x] = h; // want memory out-of-bounds, coalesce misaligned
}

__global__ void tallRight(float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = h; // want coalesce misaligned
}

// Not to the beginning of what was allocated, allocated twice, exchanged, set by something else.
__global__ void later(int *out) { out[threadIdx.x + 64] = 1; }
__global__ void twice(int *out) { out[threadIdx.x] = 1; }
__global__ void exchanged(int *out) { out[threadIdx.x] = 1; }
__global__ void conditional(int *out) { out[threadIdx.x] = 1; }

struct View {
    int *data;
    long count;
};

__global__ void viewed(View v) {
    int i = threadIdx.x;
    if (i <= v.count) v.data[i] = i; // want memory out-of-bounds
}

__global__ void pairs(int2 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = make_int2(i, i); // want memory out-of-bounds, drano
}

__device__ int table[64];
__constant__ float weights[16];

__global__ void variables(float *out) {
    table[threadIdx.x] = 1;                    // want memory out-of-bounds, coalesce misaligned possible
    out[threadIdx.x] = weights[threadIdx.x / 8];
    out[threadIdx.x] += weights[threadIdx.x / 4]; // want memory out-of-bounds
}

// The table is as long as the grid, which is not seen.
__device__ int sums[64];
__global__ void perBlock(int *out) {
    if (threadIdx.x == 0) sums[blockIdx.x] = out[blockIdx.x];
}
int blocksFor(int n);
void launchPerBlock(int *out, int n) { perBlock<<<blocksFor(n), 64>>>(out); }

static int *shared;
__global__ void sharedByFunctions(int *out) { out[threadIdx.x] = 1; } // want memory out-of-bounds

void allocateShared() { cudaMalloc(&shared, 100 * sizeof(int)); }

void launchShared() { sharedByFunctions<<<1, 128>>>(shared); }

void sizes(int n, int m) {
    int *a, *b, *c, *d, *e, *f;
    cudaMalloc(&a, n * sizeof(int));
    unguarded<<<(n + 127) / 128, 128>>>(a, n);
    guarded<<<(n + 127) / 128, 128>>>(a, n);
    rounded<<<n / 128, 128>>>(a);
    cudaMalloc(&b, m * sizeof(int));
    counted<<<(n + 127) / 128, 128>>>(b, n);
    cudaMallocManaged(&c, n * sizeof(int));
    strided<<<8, 128>>>(c, n);
    stridedRight<<<8, 128>>>(c, n);
    cudaMalloc(&d, n * sizeof(int));
    if (n % 256 == 0) whole<<<n / 256 + 0, 256>>>(d, n);
    if (n % 256 != 0) std::abort();
    whole<<<(n + 255) / 256, 256>>>(d, n);
    if (m) cudaMalloc(&e, n);
    conditional<<<1, n>>>(e);
    cudaMalloc(&f, n * sizeof(int));
    later<<<1, 64>>>(f - 64);
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d), cudaFree(e), cudaFree(f);
}

void rounding(int n) {
    float *a, *b;
    cudaMalloc(&a, sizeof(float) * n);
    ceiled<<<ceil(n / 256.0), 256>>>(a);
    ceiledGuarded<<<(int)std::ceil((double)n / 100), 100>>>(a, n);
    floored<<<floor(n / 256.0), 256>>>(a);
    std::vector<float> values(n);
    cudaMalloc(&b, values.size() * sizeof(float));
    sized<<<n / 256, 256>>>(b, n);
    cudaFree(a), cudaFree(b);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1024;
    sizes(n, argc), rounding(n);

    const int fixed = 1000, width = 100, height = 70;
    int *a, *b, *c, *d;
    float *image;
    cudaMalloc(&a, fixed * sizeof(int));
    oneMore<<<(fixed + 255) / 256, 256>>>(a, fixed);
    before<<<(fixed + 255) / 256, 256>>>(a, fixed);
    viewed<<<1, 1024>>>(View{a, fixed});
    pairs<<<4, 256>>>((int2 *)a, fixed);
    cudaMalloc(&image, width * height * sizeof(float));
    dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    tall<<<grid, block>>>(image, width, height);
    tallRight<<<grid, block>>>(image, width, height);
    variables<<<1, 65>>>(image);
    cudaMalloc(&b, 100), cudaMalloc(&b, 400);
    twice<<<1, 100>>>(b);
    cudaMalloc(&c, 100), cudaMalloc(&d, 400);
    std::swap(c, d);
    exchanged<<<1, 100>>>(c);
    allocateShared(), launchShared();
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d), cudaFree(image), cudaFree(shared);
    return 0;
}
