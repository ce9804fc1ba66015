// Kernels that divide their dynamic shared memory, as programs do; all are right.
// clean: all
#include <cstdio>
#include <cstdlib>
#include <cstring>

// Two tiles of a product, twice buffered.
__global__ void product(const float *a, const float *b, float *c, int n) {
    extern __shared__ float smem[];
    float *as = smem, *bs = smem + 2 * 64;
    int x = threadIdx.x % 8, y = threadIdx.x / 8;
    float s = 0;
    for (int k = 0; k < n; k += 8) {
        float *ta = as + (k / 8 & 1) * 64, *tb = bs + (k / 8 & 1) * 64;
        ta[y * 8 + x] = a[y * n + k + x];
        tb[y * 8 + x] = b[(k + y) * n + x];
        __syncthreads();
        for (int i = 0; i < 8; i++) s += ta[y * 8 + i] * tb[i * 8 + x];
    }
    c[threadIdx.x] = s;
}
// Scratch of the warps after the data, then used again for the results.
__global__ void softmax(const float *in, float *out, int n) {
    extern __shared__ float smem[];
    float *row = smem, *scratch = smem + n;
    float most = -1e30f, sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) most = fmaxf(most, row[i] = in[i]);
    for (int k = 16; k > 0; k /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, k));
    if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = most;
    __syncthreads();
    for (int i = 0; i < blockDim.x / 32; i++) most = fmaxf(most, scratch[i]);
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += row[i] = expf(row[i] - most);
    __syncthreads();
    for (int k = 16; k > 0; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
    if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int i = 0; i < blockDim.x / 32; i++) sum += scratch[i];
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = row[i] / sum;
}
// Keys and values, sorted together, then all written as bytes.
__global__ void sort(int *keys, float *values, unsigned *image, int n) {
    extern __shared__ int words[];
    int *k = words;
    float *v = (float *)(words + n);
    unsigned *raw = (unsigned *)words;
    k[threadIdx.x] = keys[threadIdx.x];
    v[threadIdx.x] = values[threadIdx.x];
    for (int round = 0; round < n; round++) {
        __syncthreads();
        int i = 2 * threadIdx.x + (round & 1);
        if (i + 1 < n && k[i] > k[i + 1]) {
            int t = k[i]; k[i] = k[i + 1]; k[i + 1] = t;
            float u = v[i]; v[i] = v[i + 1]; v[i + 1] = u;
        }
    }
    __syncthreads();
    keys[threadIdx.x] = k[threadIdx.x];
    values[threadIdx.x] = v[threadIdx.x];
    for (int i = threadIdx.x; i < 2 * n; i += blockDim.x) image[i] = raw[i];
}
// A histogram of each warp, summed as one array; a count after them.
__global__ void histogram(const int *in, int *out, int n) {
    extern __shared__ int hist[];
    int *mine = hist + threadIdx.x / 32 * 16;
    int *total = hist + blockDim.x / 32 * 16;
    for (int i = threadIdx.x; i < blockDim.x / 32 * 16; i += blockDim.x) hist[i] = 0;
    if (threadIdx.x == 0) *total = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        atomicAdd(&mine[in[i] & 15], 1);
        atomicAdd(total, 1);
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        int s = 0;
        for (int w = 0; w < blockDim.x / 32; w++) s += hist[w * 16 + threadIdx.x];
        out[threadIdx.x] = s + *total;
    }
}
// A stencil whose middle has a name, with both borders written through the tile.
__global__ void stencil(const float *in, float *out, int n, int r) {
    extern __shared__ float tile[];
    float *t = tile, *mid = t + r, *right = mid + blockDim.x;
    mid[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < r) {
        t[threadIdx.x] = 0;
        right[threadIdx.x] = 1;
    }
    __syncthreads();
    float s = 0;
    for (int k = -r; k <= r; k++) s += mid[(int)threadIdx.x + k];
    for (int k = 0; k < 2 * r; k++) s += t[threadIdx.x + k];
    out[threadIdx.x] = s;
}
// Complex numbers, as pairs and as parts.
__global__ void complex(const float2 *in, float *out, int n) {
    extern __shared__ float2 pairs[];
    float *re = (float *)pairs, *im = re + n;
    re[threadIdx.x] = in[threadIdx.x].x;
    im[threadIdx.x] = in[threadIdx.x].y;
    __syncthreads();
    float2 p = make_float2(re[n - 1 - threadIdx.x], im[n - 1 - threadIdx.x]);
    __syncthreads();
    pairs[threadIdx.x] = p;
    __syncthreads();
    out[threadIdx.x] = pairs[threadIdx.x].x + re[2 * threadIdx.x + 1];
}
// A tree after its leaves, both of one array.
__global__ void tree(const float *in, float *out, int n) {
    extern __shared__ float nodes[];
    float *inner = nodes, *leaves = nodes + n;
    leaves[threadIdx.x] = in[threadIdx.x];
    for (int w = n / 2; w > 0; w /= 2) {
        __syncthreads();
        if (threadIdx.x < w) {
            int i = w + threadIdx.x;
            inner[i] = inner[2 * i] + inner[2 * i + 1];
        }
    }
    __syncthreads();
    out[threadIdx.x] = inner[1];
}
// A queue of indices whose memory holds floats afterwards.
__global__ void queue(const float *in, float *out, int n) {
    extern __shared__ int q[];
    int *count = q, *list = q + 1;
    float *sums = (float *)(q + 1 + n / 2);
    if (threadIdx.x == 0) *count = 0;
    __syncthreads();
    if (in[threadIdx.x] >= 0) list[atomicAdd(count, 1)] = threadIdx.x;
    __syncthreads();
    int have = *count;
    float x = threadIdx.x < have ? in[list[threadIdx.x]] : 0;
    __syncthreads();
    if (threadIdx.x < n / 2) sums[threadIdx.x] = x;
    __syncthreads();
    out[threadIdx.x] = sums[threadIdx.x % (n / 2)];
}
// Memory that is given out in stack order: again as another type after a release.
struct Arena {
    char *base;
    int used;
    __device__ void *take(int bytes) { void *p = base + used; used += (bytes + 15) / 16 * 16; return p; }
};
__global__ void arena(float *out, int n) {
    extern __shared__ char memory[];
    Arena m = {memory, 0};
    float *a = (float *)m.take(n * 4);
    int mark = m.used;
    int *b = (int *)m.take(n * 4);
    a[threadIdx.x] = 1;
    b[threadIdx.x] = 2;
    __syncthreads();
    float x = a[n - 1 - threadIdx.x] + b[n - 1 - threadIdx.x];
    __syncthreads();
    m.used = mark;
    double *d = (double *)m.take(n * 8);
    d[threadIdx.x] = x;
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x] + d[n - 1 - threadIdx.x];
}
// A table of structures with a bit field of flags after it.
struct Entry { int key; float value; };
__global__ void table(float *out, int n) {
    extern __shared__ Entry entries[];
    Entry *e = entries;
    unsigned *flags = (unsigned *)(e + n);
    e[threadIdx.x] = {(int)threadIdx.x, 1.0f};
    if (threadIdx.x == 0) flags[0] = 0;
    __syncthreads();
    atomicOr(&flags[0], 1u << threadIdx.x % 32);
    __syncthreads();
    Entry mine = e[n - 1 - threadIdx.x];
    out[threadIdx.x] = mine.key + mine.value + flags[0];
}
// Rows with a gap, and a last row that is read in vectors.
__global__ void gaps(const float *in, float *out, int w) {
    extern __shared__ __align__(16) float rows[];
    float *first = rows, *second = rows + w + 4;
    first[threadIdx.x] = in[threadIdx.x];
    second[threadIdx.x] = in[threadIdx.x] + 1;
    if (threadIdx.x < 4) first[w + threadIdx.x] = second[w + threadIdx.x] = 0;
    __syncthreads();
    float s = 0;
    for (int k = 0; k < 5; k++) s += first[threadIdx.x + k] + second[threadIdx.x + k];
    float4 v = *(float4 *)&rows[(threadIdx.x * 4) % w];
    out[threadIdx.x] = s + v.x + v.w;
}
__device__ float shift(float *part, int n) {
    float *next = part + 1;
    float x = next[threadIdx.x % (n - 1)];
    __syncthreads();
    part[threadIdx.x] = x;
    __syncthreads();
    return part[0];
}
__global__ void shifted(float *out, int n) {
    extern __shared__ float smem[];
    float *a = smem, *b = smem + n;
    a[threadIdx.x] = 1;
    b[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] = shift(a, n) + shift(b, n);
}

int main() {
    float *a, *b, *c;
    int *k;
    cudaMalloc(&a, 65536); cudaMalloc(&b, 65536); cudaMalloc(&c, 65536); cudaMalloc(&k, 65536);
    cudaMemset(a, 0, 65536); cudaMemset(b, 0, 65536); cudaMemset(c, 0, 65536); cudaMemset(k, 0, 65536);
    product<<<1, 64, 1024>>>(a, b, c, 32);
    softmax<<<1, 128, 1100>>>(a, c, 256);
    sort<<<1, 64, 512>>>(k, a, (unsigned *)c, 64);
    histogram<<<1, 64, 256>>>(k, (int *)c, 500);
    stencil<<<1, 64, 512>>>(a, c, 64, 3);
    complex<<<1, 64, 512>>>((float2 *)a, c, 64);
    tree<<<1, 64, 512>>>(a, c, 64);
    queue<<<1, 64, 512>>>(a, c, 64);
    arena<<<1, 64, 1024>>>(c, 64);
    table<<<1, 64, 1024>>>(c, 64);
    gaps<<<1, 64, 1024>>>(a, c, 64);
    shifted<<<1, 64, 1024>>>(c, 64);
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(a); cudaFree(b); cudaFree(c); cudaFree(k);
    return bad;
}
