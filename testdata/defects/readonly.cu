// Reads through the read-only path of what the same kernel writes, and what only looks like it.
// clean: only_const restricted_half earlier_launch other_bytes coherent own_copy reads_only cast_away cast_update handed_on called other_memory
#include <cstring>

const int N = 64;

__global__ void past_barrier(int *p, int *out) {
    int t = threadIdx.x;
    p[t] = t;
    __syncthreads();
    out[t] = __ldg(&p[N - 1 - t]);  // want(past_barrier) race RAW error
}
__global__ void past_barrier_coherent(int *p, int *out) {
    int t = threadIdx.x;
    p[t] = t;
    __syncthreads();
    out[t] = p[N - 1 - t];
}
// A thread need not see its own writes either.
__global__ void own_write(int *p, int *out) {
    int t = threadIdx.x;
    p[t] = t;
    out[t] = __ldg(p + t);  // want(own_write) race RAW error
}
__global__ void counted(int *p, int *out) {
    if (threadIdx.x == 0) atomicAdd(p, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = __ldg(p);  // want(counted) race RAW error
}
__global__ void vectors(int4 *p, int *out) {
    int t = threadIdx.x;
    if (t < N / 4) p[t].w = t;
    __syncthreads();
    if (t < N / 4) out[t] = __ldg(&p[t]).w;  // want(vectors) race RAW error
}
// The values are right, but the memory is not read-only while the kernel runs.
__global__ void in_place(int *p) {
    int t = threadIdx.x;
    p[t] = __ldg(&p[t]) + 1;  // want(in_place) race WAR warning
}
__global__ void textured(cudaTextureObject_t x, int *p, int *out) {
    int t = threadIdx.x;
    p[t] = t;
    __syncthreads();
    out[t] = tex1Dfetch<int>(x, N - 1 - t);  // want(texture) race RAW error
}
__global__ void surfaced(cudaSurfaceObject_t s, cudaTextureObject_t x, int *out) {
    int t = threadIdx.x;
    surf1Dwrite(t, s, 4 * t);
    __syncthreads();
    out[t] = tex1D<int>(x, N - 1 - t);  // want(surface) race RAW error
}
__global__ void halves(int *p, int *out) {
    int t = threadIdx.x;
    p[t] = t;
    __syncthreads();
    out[t] = __ldg(&p[N + t]);
}
// Compilers read it through the read-only path.
__global__ void restricted(int *p, const int *__restrict__ q, int *out) {
    int t = threadIdx.x;
    p[t] = t;
    __syncthreads();
    out[t] = q[N - 1 - t];  // want(restricted) race RAW error
}
// Only const or only __restrict__ promises nothing of the kind.
__global__ void only_const(int *p, const int *q, int *out) {
    int t = threadIdx.x;
    p[t] = t;
    __syncthreads();
    out[t] = q[N - 1 - t];
}
// Other memory than what is written, and elements that are not.
__global__ void restricted_reads(int *__restrict__ p, const int *__restrict__ q, int *__restrict__ out, long long n) {
    int t = threadIdx.x;
    p[t] = t;
    __syncthreads();
    out[t] = q[n + N - 1 - t] + p[N - 1 - t];
}
typedef const float *__restrict__ in_t;
struct Shape { int *p; int n; };
__global__ void restricted_shift(in_t q, float *p, long long n, Shape s) {
    int t = threadIdx.x;
    float v = q[t];
    __syncthreads();
    p[t] = v + s.n;  // want(shifted) race WAR warning
    __syncthreads();
    if (t < N - n) s.p[t] = q[t + n] > 3;  // want(shifted) race RAW error
}
// A compiler sees that a kernel writes through the parameter itself, or may do so by a copy of it, and reads by ordinary loads.
__global__ void cast_away(const int *__restrict__ q, int *out) {
    int t = threadIdx.x, *p = (int *)((char *)q + blockIdx.x * 64);
    p[t] = t;
    __syncthreads();
    out[t] = q[N - 1 - t] + p[t];
}
__global__ void cast_update(const int *__restrict__ q, int *out) {
    if (threadIdx.x == 0) atomicAdd((int *)q + 1, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = q[1];
}
__global__ void handed_on(const int *__restrict__ q, int *out) {
    __shared__ int *p;
    int t = threadIdx.x;
    if (t == 0) p = (int *)q + 1;
    __syncthreads();
    p[t] = t;
    __syncthreads();
    out[t] = q[N - 1 - t];
}
__device__ __noinline__ void set(int *p, int i) { p[i] = i; }
__global__ void called(const int *__restrict__ q, int *out) {
    int t = threadIdx.x;
    set((int *)q, t);
    __syncthreads();
    out[t] = q[N - 1 - t];
}
// Of another parameter it need not see that.
__global__ void cast_other(const int *__restrict__ p, const int *__restrict__ q, int *out) {
    int t = threadIdx.x;
    ((int *)p)[t] = t;
    __syncthreads();
    out[t] = q[N - 1 - t];  // want(cast_other) race RAW error
}
__global__ void handed_other(const int *__restrict__ q, const int *__restrict__ from, int *out) {
    __shared__ int *p;
    int t = threadIdx.x;
    if (t == 0) p = (int *)from;
    __syncthreads();
    p[t] = t;
    __syncthreads();
    out[t] = q[N - 1 - t];  // want(handed_other) race RAW error
}
__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; }
__global__ void gather(const int *p, int *out) { out[threadIdx.x] = __ldg(&p[N - 1 - threadIdx.x]); }
__global__ void own_copy(const int *p, int *q, int *out) {
    int t = threadIdx.x;
    q[t] = __ldg(&p[t]);
    __syncthreads();
    out[t] = q[N - 1 - t];
}

int main(int, char **argv) {
    auto is = [&](const char *c) { return !strcmp(argv[1], c); };
    int *p, *out;
    cudaMalloc(&p, 2 * N * 4);
    cudaMalloc(&out, N * 4);
    cudaMemset(p, 0, 2 * N * 4);
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = p;
    r.res.linear.desc = cudaCreateChannelDesc<int>();
    r.res.linear.sizeInBytes = N * 4;
    cudaTextureDesc d = {};
    d.readMode = cudaReadModeElementType;
    cudaTextureObject_t x;
    cudaCreateTextureObject(&x, &r, &d, nullptr);
    if (is("past_barrier")) past_barrier<<<1, N>>>(p, out);
    if (is("only_const")) only_const<<<1, N>>>(p, p, out);
    if (is("restricted_half")) restricted_reads<<<1, N>>>(p, p, out, N);
    if (is("shifted")) restricted_shift<<<1, N>>>((float *)p, (float *)p, 2, Shape{out, 1});
    if (is("coherent")) past_barrier_coherent<<<1, N>>>(p, out);
    if (is("own_write")) own_write<<<1, N>>>(p, out);
    if (is("counted")) counted<<<1, N>>>(p, out);
    if (is("vectors")) vectors<<<1, N>>>((int4 *)p, out);
    if (is("in_place")) in_place<<<1, N>>>(p);
    if (is("texture")) textured<<<1, N>>>(x, p, out);
    if (is("other_memory")) textured<<<1, N>>>(x, out, p + N);
    if (is("surface")) {
        cudaArray_t array;
        cudaMallocArray(&array, &r.res.linear.desc, N, 0, cudaArraySurfaceLoadStore);
        cudaMemcpy2DToArray(array, 0, 0, p, N * 4, N * 4, 1, cudaMemcpyDeviceToDevice);
        cudaResourceDesc a = {};
        a.resType = cudaResourceTypeArray;
        a.res.array.array = array;
        cudaSurfaceObject_t s;
        cudaTextureObject_t y;
        cudaCreateSurfaceObject(&s, &a);
        cudaCreateTextureObject(&y, &a, &d, nullptr);
        surfaced<<<1, N>>>(s, y, out);
        cudaDestroyTextureObject(y);
        cudaDestroySurfaceObject(s);
        cudaFreeArray(array);
    }
    if (is("restricted")) restricted<<<1, N>>>(p, p, out);
    if (is("other_bytes")) halves<<<1, N>>>(p, out);
    if (is("cast_away")) cast_away<<<1, N>>>(p, out);
    if (is("cast_update")) cast_update<<<1, N>>>(p, out);
    if (is("handed_on")) handed_on<<<1, N>>>(p, out);
    if (is("called")) called<<<1, N>>>(p, out);
    if (is("cast_other")) cast_other<<<1, N>>>(p, p, out);
    if (is("handed_other")) handed_other<<<1, N>>>(p, p, out);
    if (is("earlier_launch")) {
        fill<<<1, N>>>(p);
        gather<<<1, N>>>(p, out);
    }
    if (is("reads_only")) gather<<<1, N>>>(p, out);
    if (is("own_copy")) own_copy<<<1, N>>>(p, p + N, out);
    cudaDestroyTextureObject(x);
    cudaFree(p);
    cudaFree(out);
}
