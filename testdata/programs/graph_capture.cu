// CUDA graph by stream capture with fork/join, launched repeatedly, updated parameters.
#include <cstdio>
#include <vector>
#include <cmath>
#define CHECK(c) do { cudaError_t s = (c); if (s != cudaSuccess) { fprintf(stderr, "%s: %s\n", #c, cudaGetErrorString(s)); exit(1); } } while (false)
template <class F> __global__ void forEach(float *p, int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = f(p[i], i);
}
struct Scale { float a; __device__ float operator()(float v, int) const { return v * a; } };
struct AddIndex { __device__ float operator()(float v, int i) const { return v + i; } };
__global__ void combine(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
__global__ void sumUp(const float *c, int n, double *out) {
    __shared__ double s[256]; double v = 0;
    for (int i = threadIdx.x; i < n; i += 256) v += c[i];
    s[threadIdx.x] = v; __syncthreads();
#pragma unroll
    for (int w = 128; w; w >>= 1) { if (threadIdx.x < w) s[threadIdx.x] += s[threadIdx.x + w]; __syncthreads(); }
    if (!threadIdx.x) *out += s[0];
}
int main() {
    const int n = 3000; float *a, *b, *c; double *out, *hout;
    CHECK(cudaMalloc(&a, n * 4));
    CHECK(cudaMalloc(&b, n * 4));
    CHECK(cudaMalloc(&c, n * 4));
    CHECK(cudaMalloc(&out, 8));
    CHECK(cudaMallocHost(&hout, 8));
    std::vector<float> ha(n, 1.f), hb(n, 2.f);
    CHECK(cudaMemset(out, 0, 8));
    cudaStream_t s1, s2; CHECK(cudaStreamCreate(&s1)); CHECK(cudaStreamCreate(&s2));
    cudaEvent_t fork, join; CHECK(cudaEventCreate(&fork)); CHECK(cudaEventCreate(&join));
    cudaGraph_t graph; cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(s1, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, s1)); CHECK(cudaStreamWaitEvent(s2, fork, 0));
    CHECK(cudaMemcpyAsync(a, ha.data(), n * 4, cudaMemcpyHostToDevice, s1));
    forEach<<<(n + 255) / 256, 256, 0, s1>>>(a, n, Scale{3.f});
    CHECK(cudaMemcpyAsync(b, hb.data(), n * 4, cudaMemcpyHostToDevice, s2));
    forEach<<<(n + 255) / 256, 256, 0, s2>>>(b, n, AddIndex{});
    CHECK(cudaEventRecord(join, s2));
    CHECK(cudaStreamWaitEvent(s1, join, 0));
    CHECK(cudaStreamDestroy(s2)); // what it captured stays
    combine<<<(n + 255) / 256, 256, 0, s1>>>(a, b, c, n);
    sumUp<<<1, 256, 0, s1>>>(c, n, out);
    CHECK(cudaMemcpyAsync(hout, out, 8, cudaMemcpyDeviceToHost, s1));
    CHECK(cudaStreamEndCapture(s1, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    size_t nodes; CHECK(cudaGraphGetNodes(graph, nullptr, &nodes)); printf("%zu nodes\n", nodes);
    for (int k = 0; k < 3; k++) CHECK(cudaGraphLaunch(exec, s1));
    CHECK(cudaStreamSynchronize(s1));
    double want = 0; for (int i = 0; i < n; i++) want += 3. + 2. + i; want *= 3;
    printf("%s %g %g\n", fabs(*hout - want) < 1e-3 * want ? "PASS" : "FAIL", *hout, want);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(s1));
    return 0;
}
