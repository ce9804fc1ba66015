// Uninitialized values in grids of many blocks, of which the first ones have all of them followed.
// clean: last_moves first_moves last_sets filled
#include <cstring>
#include <cuda_runtime.h>

constexpr int kBlocks = 200, kThreads = 64, kN = kBlocks * kThreads;

// All blocks do the same.
__global__ void scale(const float *in, float *out) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    out[i] = 2 * in[i];  // want(all) init global // want(from_60) init global // want(last_element) init global
}
// Writes of the memory that is read so: a launch that comes later finds it written, but for the part that none wrote.
__global__ void in_place(float *a, int n) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    float v = a[i] + 1;  // want(in_place) init global // want(in_part) init global
    if (i < n) a[i] = v;
}
__global__ void sum(const float *a, float *out) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    out[i] = a[i] + 1;  // want(in_part) init global
}
// The last block alone reads something else, here or by the same instruction.
__global__ void add_last(const float *in, const float *other, float *out) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    float v = 2 * in[i];  // want(last_reads_other) init global
    if (blockIdx.x == kBlocks - 1) v += other[threadIdx.x];  // want(last_reads_other) init global
    out[i] = v;
}
__global__ void choose(const float *a, const float *b, float *out) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    const float *in = blockIdx.x < kBlocks / 2 ? a : b;
    out[i] = 2 * in[i];  // want(second_array) init global // want(both_arrays) init global // want(both_arrays) init global
}
// The first blocks move what the last ones compute with, or the other way round.
__global__ void move(const float *in, float *out, int computes_from, int computes_to) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    float v = in[2 * i];  // want(last_computes) init global // want(first_computes) init global
    int b = blockIdx.x;
    out[2 * i] = v;
    if (b >= computes_from && b < computes_to) out[2 * i + 1] = 2 * v;
}
// Shared memory: what the last blocks leave out, and another variable there.
__global__ void halves(float *out, int incomplete, int filled) {
    __shared__ float s[kThreads], u[kThreads];
    int t = threadIdx.x;
    if (t < 32 || (int)blockIdx.x < incomplete) s[t] = 1;
    if (t < 32 || (int)blockIdx.x < filled) u[t] = 1;
    __syncthreads();
    float v = s[63 - t];  // want(shared_all) init shared // want(shared_last) init shared // want(shared_both) init shared
    if ((int)blockIdx.x >= kBlocks / 2) v += u[63 - t];  // want(shared_both) init shared
    out[blockIdx.x * kThreads + t] = v + 1;
}
// Through shared memory: the load differs, the read that computes does not.
__global__ void staged(const float *a, const float *b, float *out) {
    __shared__ float s[kThreads], u[kThreads];
    int i = blockIdx.x * kThreads + threadIdx.x;
    s[threadIdx.x] = a[i];
    u[threadIdx.x] = b[i];
    __syncthreads();
    float v = s[63 - threadIdx.x] + 1;  // want(staged_both) init shared
    if (blockIdx.x >= kBlocks / 2) v += u[63 - threadIdx.x];  // want(staged_both) init shared
    out[i] = v;
}

int main(int argc, char **argv) {
    float *in, *other, *out, *zero;
    cudaMalloc(&in, 2 * kN * 4), cudaMalloc(&other, 2 * kN * 4), cudaMalloc(&out, 2 * kN * 4), cudaMalloc(&zero, 2 * kN * 4);
    cudaMemset(zero, 0, 2 * kN * 4);
    auto is = [&](const char *name) { return argc > 1 && !strcmp(argv[1], name); };
    if (is("all")) scale<<<kBlocks, kThreads>>>(in, out);
    if (is("from_60")) cudaMemset(in, 0, 60 * kThreads * 4), scale<<<kBlocks, kThreads>>>(in, out);
    if (is("last_element")) cudaMemset(in, 0, kN * 4 - 4), scale<<<kBlocks, kThreads>>>(in, out);
    if (is("filled")) cudaMemset(in, 0, kN * 4), scale<<<kBlocks, kThreads>>>(in, out);
    if (is("in_place")) in_place<<<kBlocks, kThreads>>>(in, kN), sum<<<kBlocks, kThreads>>>(in, out);
    if (is("in_part")) in_place<<<kBlocks, kThreads>>>(in, kN - 100), sum<<<kBlocks, kThreads>>>(in, out);
    if (is("last_reads_other")) add_last<<<kBlocks, kThreads>>>(in, other, out);
    if (is("last_sets")) add_last<<<kBlocks, kThreads>>>(zero, zero, out);
    if (is("second_array")) choose<<<kBlocks, kThreads>>>(zero, other, out);
    if (is("both_arrays")) choose<<<kBlocks, kThreads>>>(in, other, out);
    if (is("last_moves")) move<<<kBlocks, kThreads>>>(zero, out, 0, kBlocks - 1), move<<<kBlocks, kThreads>>>(in, out, 0, 0);
    if (is("first_moves")) move<<<kBlocks, kThreads>>>(in, out, kBlocks, kBlocks);
    if (is("last_computes")) move<<<kBlocks, kThreads>>>(in, out, kBlocks - 1, kBlocks);
    if (is("first_computes")) move<<<kBlocks, kThreads>>>(in, out, 0, 1);
    if (is("shared_all")) halves<<<kBlocks, kThreads>>>(out, 0, kBlocks);
    if (is("shared_last")) halves<<<kBlocks, kThreads>>>(out, kBlocks - 1, kBlocks);
    if (is("shared_both")) halves<<<kBlocks, kThreads>>>(out, 0, 0);
    if (is("staged_both")) staged<<<kBlocks, kThreads>>>(in, other, out);
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(in), cudaFree(other), cudaFree(out), cudaFree(zero);
    return bad;
}
