// Parts that a kernel carves out of its dynamic shared array.
// clean: within constant_within halves reused recarved whole_fill whole_dump interior center punned punned_interior aligned
// clean: swapped_buffers stages rows_of last_of_all header bytes_base overlay phases_loop sentinel views stored_pointers
#include <cstdio>
#include <cstdlib>
#include <cstring>

// Sizes from parameters.
__global__ void within(float *out, int n, int m, int k) {
    extern __shared__ float smem[];
    float *a = smem;
    int *b = (int *)(a + n);
    double *c = (double *)&b[m];
    a[threadIdx.x] = 1;
    if (threadIdx.x < m) b[threadIdx.x] = 2;
    c[threadIdx.x] = 3;
    __syncthreads();
    if (threadIdx.x < m) out[threadIdx.x] = a[n - 1 - threadIdx.x] + b[m - 1 - threadIdx.x] + c[31 - threadIdx.x];
}
__global__ void next_read(float *out, int n, int m, int k) {
    extern __shared__ float smem[];
    float *a = smem;
    int *b = (int *)(a + n);
    double *c = (double *)&b[m];
    a[threadIdx.x] = 1;
    if (threadIdx.x < m) b[threadIdx.x] = 2;
    c[threadIdx.x] = 3;
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x + k] + b[threadIdx.x % m] + c[threadIdx.x];  // want(next_read) memory out-of-bounds error source
}
// The last element is overwritten before it is read.
__global__ void next_write(float *out, int n, int m, int k) {
    extern __shared__ float smem[];
    float *a = smem;
    int *b = (int *)(smem + n);
    if (threadIdx.x < m) b[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < k) a[threadIdx.x] = 0;
    __syncthreads();
    a[threadIdx.x + k] = 1;  // want(next_write) memory out-of-bounds error source
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x % m];
}
__global__ void constant_within(float *out) {
    extern __shared__ float smem[];
    float *a = smem;
    unsigned *b = reinterpret_cast<unsigned *>(&smem[33]);
    a[threadIdx.x + 1] = 1;
    if (threadIdx.x == 0) a[0] = 0;
    b[threadIdx.x] = 7;
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x] + b[31 - threadIdx.x];
}
__global__ void constant_next(float *out) {
    extern __shared__ float smem[];
    float *a = smem;
    unsigned *b = reinterpret_cast<unsigned *>(&smem[32]);
    a[threadIdx.x] = 1;
    b[threadIdx.x] = 7;
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x + 1] + b[31 - threadIdx.x];  // want(constant_next) memory out-of-bounds error source
}
// Sizes from blockDim.
__global__ void block_next(float *out) {
    extern __shared__ char bytes[];
    float *a = (float *)bytes;
    short *b = (short *)(bytes + blockDim.x * sizeof(float));
    a[threadIdx.x] = 1;
    b[threadIdx.x] = 3;
    __syncthreads();
    float s = 0;
    for (int i = 0; i <= blockDim.x; i++) s += a[i];  // want(block_next) memory out-of-bounds error source
    out[threadIdx.x] = s + b[threadIdx.x];
}
__global__ void before(float *out, int n) {
    extern __shared__ float smem[];
    int *head = (int *)smem;
    float *data = smem + n;
    if (threadIdx.x < n) head[threadIdx.x] = threadIdx.x;
    data[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] = data[(int)threadIdx.x - 1] + head[threadIdx.x % n];  // want(before) memory out-of-bounds error source
}

struct Tiles { float *a; int *b; };
__global__ void in_struct(float *out, int n, int k) {
    extern __shared__ float smem[];
    Tiles t;
    t.a = smem;
    t.b = (int *)(t.a + n);
    t.a[threadIdx.x] = 1;
    t.b[threadIdx.x] = 3;
    __syncthreads();
    out[threadIdx.x] = t.a[threadIdx.x + k] + t.b[threadIdx.x];  // want(in_struct) memory out-of-bounds error source
}
__device__ __noinline__ float total(const float *p, int n) {
    float s = 0;
    for (int i = 0; i < n; i++) s += p[i];  // want(called) memory out-of-bounds error source
    return s;
}
__global__ void called(float *out, int n, int k) {
    extern __shared__ float smem[];
    float *a = smem;
    int *b = (int *)(a + n);
    a[threadIdx.x] = 1;
    b[threadIdx.x] = 3;
    __syncthreads();
    out[threadIdx.x] = total(a, n + k) + b[threadIdx.x];
}
// The pointers walk.
__global__ void bumped(float *out, int n, int k) {
    extern __shared__ char bytes[];
    char *p = bytes;
    float *a = (float *)p;
    p += n * sizeof(float);
    int *b = (int *)p;
    a[threadIdx.x] = 1;
    b[threadIdx.x] = 3;
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x + k] + b[threadIdx.x];  // want(bumped) memory out-of-bounds error source
}
// Rows of a part.
__global__ void row_next(float *out, int n, int k) {
    extern __shared__ float smem[];
    float *tile = smem;
    int *b = (int *)(smem + 32);
    float *row = tile + threadIdx.x / 8 * 8;
    row[threadIdx.x % 8] = 1;
    b[threadIdx.x] = 3;
    __syncthreads();
    out[threadIdx.x] = row[threadIdx.x % 8 + k] + b[threadIdx.x];  // want(row_next) memory out-of-bounds error source
}
// The same kind: a warning.
__global__ void same_next(float *out, int n, int k) {
    extern __shared__ float smem[];
    float *a = smem, *b = a + n;
    a[threadIdx.x] = 1;
    b[threadIdx.x] = 3;
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x + k] + b[threadIdx.x];  // want(same_next) memory out-of-bounds warning source
}
__global__ void rows_of(float *out, int n) {
    extern __shared__ float smem[];
    float *tile = smem;
    float *row = tile + threadIdx.x / 8 * 9;
    row[threadIdx.x % 8] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x / 8 * 9 + threadIdx.x % 8];
}

// Deliberately one: halves of a reduction.
__global__ void halves(float *out, int n) {
    extern __shared__ float smem[];
    float *lo = smem, *hi = smem + n / 2;
    smem[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x < n / 2) hi[threadIdx.x] += 1;
    __syncthreads();
    for (int s = n / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) lo[threadIdx.x] += lo[threadIdx.x + s];
        __syncthreads();
    }
    out[threadIdx.x] = lo[0];
}
// Memory used again after a barrier.
__global__ void reused(float *out, int n) {
    extern __shared__ float smem[];
    float *a = smem;
    int *b = (int *)(smem + n / 2);
    a[threadIdx.x] = 1;
    __syncthreads();
    float x = a[n - 1 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x < n / 2) b[threadIdx.x] = (int)x;
    __syncthreads();
    out[threadIdx.x] = b[threadIdx.x % (n / 2)];
}
__global__ void phases_loop(float *out, int n) {
    extern __shared__ float smem[];
    float *a = smem;
    int *b = (int *)(smem + n / 2);
    float x = threadIdx.x;
    for (int i = 0; i < 3; i++) {
        a[threadIdx.x] = x;
        __syncthreads();
        x += a[n - 1 - threadIdx.x];
        __syncthreads();
        if (threadIdx.x < n / 2) b[threadIdx.x] = (int)x;
        __syncthreads();
        x += b[threadIdx.x % (n / 2)];
        __syncthreads();
    }
    out[threadIdx.x] = x;
}
// Divided in another way in each phase.
__global__ void recarved(float *out, int n) {
    extern __shared__ float smem[];
    float x;
    {
        float *a = smem;
        int *b = (int *)(a + n);
        a[threadIdx.x] = 1;
        b[threadIdx.x] = 2;
        __syncthreads();
        x = a[n - 1 - threadIdx.x] + b[n - 1 - threadIdx.x];
        __syncthreads();
    }
    int *c = (int *)smem;
    float *d = (float *)(c + n / 2);
    if (threadIdx.x < n / 2) c[threadIdx.x] = 1;
    d[threadIdx.x] = x;
    __syncthreads();
    out[threadIdx.x] = d[n - 1 - threadIdx.x] + c[0];
}
// All of it is set, or written out, through the first pointer.
__global__ void whole_fill(float *out, int n) {
    extern __shared__ float smem[];
    float *a = smem;
    int *b = (int *)(a + n);
    for (int i = threadIdx.x; i < 2 * n; i += blockDim.x) a[i] = 0;
    __syncthreads();
    atomicAdd(&b[threadIdx.x % 4], 1);
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}
__global__ void whole_dump(float *out, int n) {
    extern __shared__ float smem[];
    float *a = smem;
    int *b = (int *)(a + n);
    a[threadIdx.x] = 1;
    b[threadIdx.x] = 2;
    __syncthreads();
    for (int i = threadIdx.x; i < 2 * n; i += blockDim.x) out[i] = smem[i];
}
// A place within an array.
__global__ void interior(float *out, int n) {
    extern __shared__ float smem[];
    float *tile = smem;
    float *center = tile + 1;
    if (threadIdx.x == 0) tile[0] = 1;
    center[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = center[threadIdx.x] - center[(int)threadIdx.x - 1];
}
__global__ void center(float *out, int n) {
    extern __shared__ float smem[];
    float *tile = smem;
    float *mid = tile + 16;
    tile[threadIdx.x] = tile[threadIdx.x + 32] = threadIdx.x;
    __syncthreads();
    float x = mid[(int)threadIdx.x - 16];
    __syncthreads();
    mid[threadIdx.x] += x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 32];
}
// The same bytes seen as other numbers.
__global__ void punned(float *out, int n) {
    extern __shared__ float smem[];
    float *a = smem;
    int *bits = (int *)a;
    a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int x = bits[threadIdx.x];
    __syncthreads();
    atomicMax(&bits[0], x);
    __syncthreads();
    out[threadIdx.x] = a[0];
}
__global__ void punned_interior(float *out, int n) {
    extern __shared__ float smem[];
    float *a = smem;
    int *bits = (int *)(a + n / 2);
    a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x < n / 2) atomicMax(&bits[threadIdx.x], 5);
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x];
}
// Padding for alignment.
__global__ void aligned(float *out, int n) {
    extern __shared__ char raw[];
    char *a = raw;
    double *d = (double *)((reinterpret_cast<size_t>(raw + n + 1) + 7) & ~size_t(7));
    a[threadIdx.x] = 1;
    if (threadIdx.x == 0) a[n] = 2;
    d[threadIdx.x] = 4;
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x + 1] + d[threadIdx.x];
}
__global__ void swapped_buffers(float *out, int n) {
    extern __shared__ float smem[];
    float *from = smem, *to = smem + n;
    from[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int s = 1; s < n; s *= 2) {
        to[threadIdx.x] = from[threadIdx.x] + (threadIdx.x >= s ? from[threadIdx.x - s] : 0);
        __syncthreads();
        float *t = from;
        from = to;
        to = t;
    }
    out[threadIdx.x] = from[threadIdx.x];
}
__global__ void stages(float *out, int n) {
    extern __shared__ float smem[];
    float *first = smem;
    float *second = smem + n;
    float x = 0;
    second[threadIdx.x] = 0;
    for (int k = 0; k < 4; k++) {
        float *stage = first + (k & 1) * n;
        stage[threadIdx.x] = k;
        __syncthreads();
        x += stage[n - 1 - threadIdx.x] + second[0];
        __syncthreads();
    }
    out[threadIdx.x] = x;
}
__global__ void last_of_all(float *out, int n) {
    extern __shared__ float smem[];
    float *a = smem, *b = a + n;
    a[threadIdx.x] = 1;
    b[threadIdx.x] = 3;
    __syncthreads();
    out[threadIdx.x] = a[n - 1] + b[n - 1];
}
__global__ void header(float *out, int n) {
    extern __shared__ int words[];
    int *count = words;
    float *data = (float *)(count + 4);
    if (threadIdx.x == 0) count[0] = n;
    data[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x] + ((int *)data)[-4];
}
__global__ void bytes_base(float *out, int n) {
    extern __shared__ unsigned char octets[];
    unsigned char *base = octets;
    float *a = (float *)base;
    int *b = (int *)(base + n * 4);
    a[threadIdx.x] = 1;
    b[threadIdx.x] = 3;
    __syncthreads();
    out[threadIdx.x] = base[threadIdx.x + n * 4] + a[0] + b[0];
}
union Scratch { float f[32]; int i[32]; };
__global__ void overlay(float *out, int n) {
    extern __shared__ Scratch scratch[];
    Scratch *u = scratch;
    u[0].f[threadIdx.x] = 1;
    __syncthreads();
    float x = u[0].f[n - 1 - threadIdx.x];
    __syncthreads();
    u[0].i[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] = x + u[0].i[n - 1 - threadIdx.x];
}
__global__ void sentinel(float *out, int n) {
    extern __shared__ float smem[];
    float *a = smem;
    float *end = smem + n;
    a[threadIdx.x] = 1;
    if (threadIdx.x == 0) *end = -1;
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x + 1];
}
// Vectors and their components.
__global__ void views(float *out, int n) {
    extern __shared__ float4 vectors[];
    float *a = (float *)vectors;
    float4 *v = vectors + n / 8;
    a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x < n / 8) v[threadIdx.x] = make_float4(1, 2, 3, 4);
    __syncthreads();
    out[threadIdx.x] = a[n - 1 - threadIdx.x];
}
__global__ void stored_pointers(float *out, int n) {
    extern __shared__ float smem[];
    __shared__ float *parts[2];
    if (threadIdx.x == 0) {
        parts[0] = smem;
        parts[1] = smem + n;
    }
    __syncthreads();
    parts[0][threadIdx.x] = 1;
    parts[1][threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] = parts[threadIdx.x & 1][threadIdx.x];
}

int main(int, char **argv) {
    const char *c = argv[1];
    float *out;
    cudaMalloc(&out, 4096);
    cudaMemset(out, 0, 4096);
#define CASE(k, ...) if (!strcmp(c, #k)) k<<<1, 32, 1024>>>(out, ##__VA_ARGS__)
    CASE(within, 32, 16, 0); CASE(next_read, 32, 16, 1); CASE(next_write, 32, 16, 2);
    CASE(constant_within); CASE(constant_next); CASE(block_next); CASE(before, 16);
    CASE(in_struct, 32, 1); CASE(called, 32, 1); CASE(bumped, 32, 3); CASE(row_next, 32, 1);
    CASE(same_next, 32, 2); CASE(rows_of, 32); CASE(halves, 32); CASE(reused, 32); CASE(phases_loop, 32); CASE(recarved, 32);
    CASE(whole_fill, 32); CASE(whole_dump, 32); CASE(interior, 32); CASE(center, 32); CASE(punned, 32); CASE(punned_interior, 32);
    CASE(aligned, 32); CASE(swapped_buffers, 32); CASE(stages, 32); CASE(last_of_all, 32); CASE(header, 32); CASE(bytes_base, 32);
    CASE(overlay, 32); CASE(sentinel, 32); CASE(views, 32); CASE(stored_pointers, 32);
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(out);
    return bad;
}
