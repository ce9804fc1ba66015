// Memory that is used wrongly in ways that programs do, and what only looks like it.
// clean: pitch_ok slices_ok last_block_ok wide_index_ok aligned_ok texture_edge pool_ok other_stream_ok managed_ok symbol_ok part_copied reused_ok negative_ok small_ok array_rows_ok local_all half_pair second_part_set
#include <cstdio>
#include <cstdlib>
#include <cstring>

__device__ int table[64];
__constant__ float weights[16];
__managed__ int counter;

__global__ void rows(char *base, size_t pitch, int w, int h, int *out) {
    int x = threadIdx.x, y = blockIdx.x;
    if (x < w && y < h) out[y * w + x] = ((int *)(base + y * pitch))[x];  // want(pitch_in_elements) memory out-of-bounds
}
__global__ void rows_in_elements(int *base, size_t pitch, int w, int *out) {
    out[blockIdx.x * w + threadIdx.x] = base[blockIdx.x * pitch + threadIdx.x];  // want(pitch_twice) memory out-of-bounds
}
__global__ void slices(cudaPitchedPtr p, int w, int h, int *out) {
    char *slice = (char *)p.ptr + blockIdx.y * p.pitch * p.ysize;
    int *row = (int *)(slice + blockIdx.x * p.pitch);
    out[(blockIdx.y * h + blockIdx.x) * w + threadIdx.x] = row[threadIdx.x];
}
__global__ void slices_far(cudaPitchedPtr p, int w, int h, int *out) {
    char *slice = (char *)p.ptr + (blockIdx.y + 1) * p.pitch * p.ysize;
    int *row = (int *)(slice + blockIdx.x * p.pitch);
    out[(blockIdx.y * h + blockIdx.x) * w + threadIdx.x] = row[threadIdx.x];  // want(slice_too_far) memory out-of-bounds
}
__global__ void scale(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2;
}
__global__ void scale_off(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) a[i] *= 2;  // want(last_block) memory out-of-bounds
}
__global__ void wide(char *a, int stride, int n) {
    int i = blockIdx.x * stride;
    if (blockIdx.x < n) a[i] = 1;  // want(narrow_index) memory out-of-bounds
}
__global__ void wide_long(char *a, int stride, int n) {
    size_t i = (size_t)(blockIdx.x % 2) * stride;
    if (blockIdx.x < n) a[i + blockIdx.x] = 1;
}
__global__ void vectors(const float *a, float4 *out, int off) {
    out[threadIdx.x] = *reinterpret_cast<const float4 *>(a + 4 * threadIdx.x + off);  // want(misaligned) memory misaligned error source
}
__global__ void negative(int *a, int *out, int k) {
    out[threadIdx.x] = a[(int)threadIdx.x - k];  // want(negative) memory out-of-bounds
}
__global__ void read_one(const int *a, int *out) {
    out[threadIdx.x] = a[threadIdx.x];  // want(host_pointer) memory out-of-bounds // want(freed) memory out-of-bounds // want(freed_async) memory out-of-bounds // want(part_unwritten) init global
}
__global__ void fetch(cudaTextureObject_t t, float *out, int n) { out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x % n); }
__global__ void dynamic(int *out, int n) {
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = i;  // want(small) memory out-of-bounds
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
__device__ int depth(int n) {
    volatile int a[256];
    a[n % 256] = n;  // want(stack) memory stack
    return n == 0 ? a[0] : depth(n - 1) + a[n % 256];
}
__global__ void deep(int *out, int n) { out[threadIdx.x] = depth(n); }
__global__ void symbols(int *out) { out[threadIdx.x] = table[threadIdx.x] + (int)weights[threadIdx.x % 16]; }
__global__ void count(int n) { if (threadIdx.x < n) atomicAdd(&counter, 1); }
__global__ void locals(int *out, int n) {
    int v[4];
    int *p = v;
    for (int i = 0; i < n; i++) *p++ = i;
    int s = 0;
    for (int i = 0; i < 4; i++) s += v[i];  // want(local_part) init local
    out[threadIdx.x] = s;
}
struct Pair { int key; float value; };
__global__ void half_pair(int *out) {
    Pair p;
    if (out[threadIdx.x] >= 0) p.key = 1;
    Pair list[2] = {p, p};
    out[threadIdx.x] = list[threadIdx.x & 1].key;
}
__global__ void bins(int *out, int zeroed) {
    extern __shared__ int s[];
    int *hist = s, *other = s + 64;
    hist[threadIdx.x] = hist[threadIdx.x + 32] = 0;
    if (zeroed) other[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&other[threadIdx.x % 8], 1);  // want(second_part) init shared
    __syncthreads();
    out[threadIdx.x] = hist[threadIdx.x] + other[threadIdx.x % 8];
}

static int *make(size_t n, int fill = 1) {
    int *p;
    cudaMalloc(&p, n * sizeof(int));
    if (fill) cudaMemset(p, 0, n * sizeof(int));
    return p;
}

int main(int, char **argv) {
    const char *c = argv[1];
    auto is = [&](const char *k) { return !strcmp(c, k); };
    int *out = make(4096), *a = make(64), host[64] = {};
    scale<<<1, 1>>>(out, 1);
    size_t pitch;
    char *image;
    cudaMallocPitch(&image, &pitch, 20 * sizeof(int), 8);
    cudaMemset2D(image, pitch, 0, 20 * sizeof(int), 8);
    if (is("pitch_ok")) rows<<<8, 32>>>(image, pitch, 20, 8, out);
    if (is("pitch_in_elements")) rows<<<8, 32>>>(image, pitch * sizeof(int), 20, 8, out);
    if (is("pitch_twice")) rows_in_elements<<<8, 20>>>((int *)image, pitch, 20, out);
    if (is("slices_ok") || is("slice_too_far")) {
        cudaPitchedPtr p;
        cudaExtent e = make_cudaExtent(10 * sizeof(int), 4, 3);
        cudaMalloc3D(&p, e);
        cudaMemset3D(p, 0, e);
        if (is("slices_ok")) slices<<<dim3(4, 3), 10>>>(p, 10, 4, out);
        else slices_far<<<dim3(4, 3), 10>>>(p, 10, 4, out);
        cudaDeviceSynchronize();
        cudaFree(p.ptr);
    }
    if (is("last_block_ok")) scale<<<2, 32>>>(a, 64);
    if (is("last_block")) scale_off<<<3, 32>>>(a, 64);
    if (is("narrow_index") || is("wide_index_ok")) {
        char *big;
        cudaMalloc(&big, 3000);
        if (is("narrow_index")) wide<<<4, 1>>>(big, 1 << 30, 4);
        else wide_long<<<4, 1>>>(big, 1500, 4);
        cudaDeviceSynchronize();
        cudaFree(big);
    }
    if (is("aligned_ok")) vectors<<<1, 8>>>((float *)a, (float4 *)out, 4);
    if (is("misaligned")) vectors<<<1, 8>>>((float *)a, (float4 *)out, 2);
    if (is("negative_ok")) negative<<<1, 32>>>(a + 8, out, 8);
    if (is("negative")) negative<<<1, 32>>>(a, out, 1);
    if (is("host_pointer")) read_one<<<1, 32>>>(host, out);
    if (is("freed") || is("reused_ok")) {
        int *b = make(64);
        cudaFree(b);
        int *d = make(64);
        read_one<<<1, 32>>>(is("freed") ? b : d, out);
        cudaDeviceSynchronize();
        cudaFree(d);
    }
    if (is("texture_edge")) {
        cudaResourceDesc r = {};
        r.resType = cudaResourceTypeLinear;
        r.res.linear.devPtr = a;
        r.res.linear.desc = cudaCreateChannelDesc<float>();
        r.res.linear.sizeInBytes = 64 * sizeof(float);
        cudaTextureDesc d = {};
        cudaTextureObject_t t;
        cudaCreateTextureObject(&t, &r, &d, nullptr);
        fetch<<<1, 32>>>(t, (float *)out, 64);
        cudaDeviceSynchronize();
        cudaDestroyTextureObject(t);
    }
    if (is("pool_ok") || is("freed_async") || is("other_stream_ok")) {
        cudaStream_t s, t;
        cudaEvent_t e;
        cudaStreamCreate(&s);
        cudaStreamCreate(&t);
        cudaEventCreate(&e);
        int *p;
        cudaMallocAsync(&p, 256, s);
        cudaMemsetAsync(p, 0, 256, s);
        if (is("pool_ok")) read_one<<<1, 32, 0, s>>>(p, out);
        if (is("other_stream_ok")) {
            cudaEventRecord(e, s);
            cudaStreamWaitEvent(t, e);
            read_one<<<1, 32, 0, t>>>(p, out);
            cudaStreamSynchronize(t);
        }
        cudaFreeAsync(p, s);
        if (is("freed_async")) read_one<<<1, 32, 0, s>>>(p, out);
        cudaDeviceSynchronize();
        cudaEventDestroy(e);
        cudaStreamDestroy(s);
        cudaStreamDestroy(t);
    }
    if (is("small_ok")) dynamic<<<1, 32, 256>>>(out, 64);
    if (is("small")) dynamic<<<1, 32, 252>>>(out, 64);
    if (is("forgotten_attribute")) dynamic<<<1, 32, 96 * 1024>>>(out, 64);  // want(forgotten_attribute) launch rejected
    if (is("stack")) deep<<<1, 1>>>(out, 4000);
    if (is("symbol_ok")) {
        float w[16] = {};
        cudaMemcpyToSymbol(weights, w, sizeof w);
        cudaMemcpyToSymbol(table, host, 32 * sizeof(int), 32 * sizeof(int));
        symbols<<<1, 64>>>(out);
    }
    if (is("symbol_too_long")) cudaMemcpyFromSymbol(host, table, 33 * sizeof(int), 32 * sizeof(int));  // want(symbol_too_long) memory bad-copy
    if (is("managed_ok")) {
        counter = 0;
        count<<<1, 32>>>(7);
        cudaDeviceSynchronize();
        if (counter != 7) return 9;
    }
    if (is("part_copied") || is("part_unwritten")) {
        int *b = make(64, 0);
        cudaMemcpy(b, host, (is("part_copied") ? 32 : 31) * sizeof(int), cudaMemcpyHostToDevice);
        read_one<<<1, 32>>>(b, out);
        cudaDeviceSynchronize();
        cudaFree(b);
    }
    if (is("array_rows_ok")) cudaMemcpy2D(host, 20 * sizeof(int), image, pitch, 20 * sizeof(int), 3, cudaMemcpyDeviceToHost);
    if (is("row_wider_than_pitch")) cudaMemcpy2D(host, 16 * sizeof(int), image, pitch, 20 * sizeof(int), 3, cudaMemcpyDeviceToHost);  // want(row_wider_than_pitch) memory bad-copy
    if (is("image_too_high")) cudaMemcpy2D(out, 20 * sizeof(int), image, pitch, 20 * sizeof(int), 9, cudaMemcpyDeviceToDevice);  // want(image_too_high) memory bad-copy
    if (is("inner_free")) cudaFree(a + 1);  // want(inner_free) memory invalid-free
    if (is("wrong_free")) cudaFreeHost(a);  // want(wrong_free) memory invalid-free
    if (is("local_part")) locals<<<1, 32>>>(out, 3);
    if (is("local_all")) locals<<<1, 32>>>(out, 4);
    if (is("half_pair")) half_pair<<<1, 32>>>(out);
    if (is("second_part")) bins<<<1, 32, 512>>>(out, 0);
    if (is("second_part_set")) bins<<<1, 32, 512>>>(out, 1);
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(image);
    cudaFree(a);
    cudaFree(out);
    return bad;
}
